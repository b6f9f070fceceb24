"""Fine bends: near the flight rivers get points and meander, without angles; elsewhere they stay, and they still meet."""

from __future__ import annotations

import numpy as np

from demo.ground.fine_bends import Winding, finely_bent
from demo.maths.vectors import lengths, unit
from demo.worlds.carving.river_ways import RIVER, SEA, Courses

SIZE_M, STEP_M, POINTS, SHORT = 500_000.0, 50.0, 1_200, 200


def two_rivers() -> Winding:
    """A straight river along the equator, and a tributary that joins it in its middle, in front of it in the order."""
    angle = STEP_M / SIZE_M * (np.arange(POINTS) - POINTS // 2)
    trunk = np.stack([np.cos(angle), np.zeros(POINTS), np.sin(angle)], axis=1)
    side = STEP_M / SIZE_M * np.arange(SHORT - 1, -1, -1)
    branch = np.stack([np.cos(side), np.sin(side), np.zeros(SHORT)], axis=1)
    place = np.concatenate([branch, trunk])
    none = np.full(len(place), -np.inf, np.float32)
    first = np.array([0, SHORT, SHORT + POINTS])
    ends, joined = np.array([RIVER, SEA]), np.array([SHORT + POINTS // 2, -1])
    courses = Courses(place, np.linspace(1.0, 2.0, len(place)), none, first, ends, joined, np.array([-1, -1]))
    return Winding(courses, place, np.full(len(place), 11.0), np.ones(len(place)))


def bent(eye: np.ndarray, wide: Winding) -> tuple[Winding, np.ndarray]:
    return finely_bent(wide, eye[None], SIZE_M, 7)


def test_a_river_below_the_flight_meanders_without_angles():
    wide = two_rivers()
    fine, at = bent(np.array([SIZE_M + 500.0, 0.0, 0.0]), wide)
    assert len(fine.place) == len(at) == fine.courses.first[-1] > 2 * len(wide.place)
    np.testing.assert_allclose(lengths(fine.place), 1.0, atol=1e-12)
    trunk = fine.place[fine.courses.line(1)]
    near = lengths(trunk - [1.0, 0.0, 0.0]) * SIZE_M < 4_000.0
    way = np.diff(trunk[near], axis=0)
    assert lengths(way).sum() > 1.03 * length_of_chord(trunk[near]), "it winds"
    ahead = unit(way)
    turns = np.degrees(np.arccos(np.clip((ahead[1:] * ahead[:-1]).sum(axis=1), -1.0, 1.0)))
    assert np.percentile(turns, 99) < 5.0 and turns.max() < 8.0


def length_of_chord(line: np.ndarray) -> float:
    return float(lengths(line[-1] - line[0]))


def test_far_from_the_flight_a_river_is_as_it_was():
    wide = two_rivers()
    fine, at = bent(np.array([SIZE_M + 500.0, 0.0, 0.0]), wide)
    far = lengths(wide.place[np.floor(at).astype(np.intp)] - [1.0, 0.0, 0.0]) * SIZE_M > 8_000.0
    assert far.any() and (at[far] == np.floor(at[far])).all()
    np.testing.assert_allclose(fine.place[far], wide.place[at[far].astype(np.intp)], atol=1e-12)
    high, _ = bent(np.array([SIZE_M + 60_000.0, 0.0, 0.0]), wide)
    np.testing.assert_array_equal(high.place, wide.place)


def test_a_tributary_still_ends_in_its_river_and_water_grows_downstream():
    fine, _ = bent(np.array([SIZE_M + 500.0, 0.0, 0.0]), two_rivers())
    courses = fine.courses
    end = courses.first[1] - 1
    np.testing.assert_allclose(fine.place[end], fine.place[courses.joined[0]], atol=1e-9)
    for k in range(len(courses)):
        assert (np.diff(courses.flow_m3_s[courses.line(k)]) >= 0.0).all()


def test_steep_rivers_do_not_meander():
    wide = two_rivers()._replace(flat=np.full(POINTS + SHORT, 0.3))
    fine, _ = bent(np.array([SIZE_M + 500.0, 0.0, 0.0]), wide)
    np.testing.assert_array_equal(fine.place, wide.place)
