"""The rivers of a map's flight: which of them are seen."""

from __future__ import annotations

import numpy as np
import pytest

from demo.ground.ground import Ground
from demo.ground.ragged_shores import above_water
from demo.ground.rivers import river_parts
from demo.mapping.shown.streams import Streams
from demo.maths.vectors import lengths
from demo.story.map_rivers import WIDE, courses_on, reaching_water
from demo.worlds.atlas import DOUBLE_CONE
from demo.worlds.carving.parts import Parts
from demo.worlds.heightfield import sample

SIZE_M = 100_000.0
POINTS = 41
# A step of the lines, metres.
STEP_M = 1_000.0


def streams(
    level_m: list[np.ndarray], flow_m3_s: list[float], begin: list[tuple[float, float]], mouth: list[str]
) -> Streams:
    """Straight lines of POINTS points towards the north, each from its own (longitude, latitude) in steps."""
    east, north = np.concatenate([np.column_stack([np.full(POINTS, x), y + np.arange(POINTS)]) for x, y in begin]).T
    longitude, latitude = east * STEP_M / SIZE_M, north * STEP_M / SIZE_M
    ring = np.cos(latitude)
    place = np.column_stack([np.cos(longitude) * ring, np.sin(latitude), np.sin(longitude) * ring])
    count = len(begin)
    whole, one = np.ones(POINTS * count), np.zeros(count, np.int32)
    first = POINTS * np.arange(count + 1)
    flow = np.repeat(flow_m3_s, POINTS)
    return Streams(place, np.concatenate(level_m), flow, whole, whole, first, tuple(mouth), one, one, one)


def seen(lines: Streams) -> list[np.ndarray]:
    """How much is seen of each line, the one with least water first, as `courses_on` has them."""
    courses, shown = courses_on(lines, np.arange(len(lines)), 1.0, SIZE_M)
    return np.split(shown, courses.first[1:-1])


def falling(steep: float) -> np.ndarray:
    """Levels that fall gently but for the middle third of the line, by `steep` metres a metre."""
    slope = np.full(POINTS - 1, 0.01)
    slope[POINTS // 3 : 2 * POINTS // 3] = steep
    return np.append(0.0, -np.cumsum(slope * STEP_M)) + 20_000.0


@pytest.mark.parametrize(("flow", "steep", "hidden"), [(300.0, 0.4, True), (300.0, 0.05, False), (9000.0, 0.4, False)])
def test_small_torrents_are_not_seen_nor_what_comes_to_them(flow, steep, hidden):
    (shown,) = seen(streams([falling(steep)], [flow], [(0.0, 0.0)], ["sea"]))
    above, below = shown[: len(shown) // 2], shown[-len(shown) // 5 :]
    assert (above < 0.05).all() if hidden else (above > 0.95).all()
    assert (below > 0.95).all()


def test_a_brook_that_flows_into_a_hidden_torrent_is_hidden_too():
    torrent, brook = falling(0.4), np.full(POINTS, 20_000.0)
    lines = streams([torrent, brook], [300.0, 100.0], [(0.0, 0.0), (0.0, 5.0 - (POINTS - 1))], ["sea", "river"])
    first, _ = seen(lines)
    assert (first < 0.05).all()


def test_rivers_reach_well_into_the_waters_at_their_ends():
    # The samples' shores are drawn ragged: a line that ended there would break off on land.
    n = 257
    latitude = np.arcsin(DOUBLE_CONE.positions(n)[..., 1])
    # Land between two waters, on which the lines run to the north.
    low, high = 1.0 * STEP_M / SIZE_M, (POINTS - 2.0) * STEP_M / SIZE_M
    above = (np.minimum(latitude - low, high - latitude) * SIZE_M / 20.0).astype(np.float32)
    ground = Ground(DOUBLE_CONE, np.maximum(above, 0.0), SIZE_M, above_m=above)
    lines = streams(
        [np.full(POINTS, 100.0)] * 3,
        [100.0, 200.0, 50.0],
        [(0.0, 0.0), (20.0, 5.0), (0.0, 5.0 - (POINTS - 1))],
        ["lake", "sea", "river"],
    )
    found = reaching_water(lines, np.array([1, 0]), ground)
    assert len(found) == 2 and found.mouth == ("sea", "lake")
    np.testing.assert_allclose(lengths(found.place), 1.0, atol=1e-12)
    depth = -sample(ground.above_m, *DOUBLE_CONE.invert(found.place)[:3])
    cell_m = ground.cell_m
    for k, (line, from_water) in enumerate(((1, False), (0, True))):
        own, given = found.line(k), lines.line(line)
        ends = found.place[own]
        assert depth[own][-1] > 0.03 * cell_m
        assert lengths(ends[-1] - lines.place[given][-1]) * SIZE_M == pytest.approx(cell_m, rel=0.1)
        # One begins in a lake, and the other at a spring.
        assert (depth[own][0] > 0.03 * cell_m) == from_water
        at = np.flatnonzero((ends == lines.place[given][0]).all(axis=1))[0]
        np.testing.assert_array_equal(ends[at : at + POINTS], lines.place[given])


def test_only_on_a_map_are_rivers_led_into_water():
    dry = Ground(DOUBLE_CONE, np.ones((4, 9, 9), np.float32), SIZE_M)
    with pytest.raises(ValueError, match="map"):
        reaching_water(streams([np.full(POINTS, 100.0)], [100.0], [(0.0, 0.0)], ["sea"]), np.array([0]), dry)


def plain(above: np.ndarray) -> Ground:
    """A map's ground 20 m below the sea, with a mountain far away. It is land where the samples are above water."""
    heights = np.where(DOUBLE_CONE.positions(above.shape[-1])[..., 1] < -0.9, 5000.0, -20.0).astype(np.float32)
    return Ground(DOUBLE_CONE, heights, SIZE_M, above_m=above.astype(np.float32))


def test_a_river_does_not_break_off_on_a_plain_that_detail_has_below_the_sea():
    courses, _ = courses_on(streams([np.full(POINTS, 100.0)], [5000.0], [(0.0, 0.0)], ["sea"]), np.array([0]), 1.0, SIZE_M)
    dry, wet = (
        Parts(river_parts(courses, plain(np.full((4, 65, 65), above)), 1, WIDE)).result() for above in (400.0, -400.0)
    )
    # It begins at a spring, and fades at its mouth.
    middle = slice(len(dry.shown) // 4, -len(dry.shown) // 4)
    assert (dry.shown[middle] > 0.9).all()
    assert (wet.shown == 0.0).all()


def test_a_river_is_not_seen_in_the_lake_of_a_map_on_its_way():
    n = 257
    latitude = np.arcsin(DOUBLE_CONE.positions(n)[..., 1]) * SIZE_M / STEP_M
    above = np.where(np.abs(latitude - POINTS / 2) < 6.0, -300.0, 300.0).astype(np.float32)
    heights = np.full(above.shape, 500.0, np.float32)
    ground = Ground(DOUBLE_CONE, heights, SIZE_M, above_m=above)
    courses, _ = courses_on(streams([np.full(POINTS, 500.0)], [5000.0], [(0.0, 0.0)], ["sea"]), np.array([0]), 1.0, SIZE_M)
    rivers = Parts(river_parts(courses, ground, 1, WIDE)).result()
    under = above_water(ground, rivers.place.astype(np.float64), np.full(len(rivers.place), 500.0))
    assert (rivers.shown[under < -20.0] == 0.0).all() and (under < -20.0).sum() > 50
    away = np.abs(np.arange(len(under)) / len(under) - 0.5) < 0.35
    assert (rivers.shown[away & (under > 20.0)] > 0.9).all()
