"""The rivers of a map's flight: which of them are seen."""

from __future__ import annotations

import numpy as np
import pytest

from demo.mapping.shown.streams import Streams
from demo.story.map_rivers import courses_on

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
