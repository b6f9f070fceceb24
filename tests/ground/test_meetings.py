"""Meetings: no river crosses another one, it ends there; what joined it below goes on."""

from __future__ import annotations

import numpy as np
import pytest

from demo.ground.fine_bends import Winding
from demo.ground.meetings import without_crossings
from demo.maths.vectors import unit
from demo.worlds.carving.river_ways import RIVER, SEA, Courses


def winding(lines: list[np.ndarray], joined: list[int], spherical: bool, flows: list[float] | None = None) -> Winding:
    """Rivers along lines (k, 2) of x and z, the smallest first. `joined`: the point of all that each one ends at, or -1."""
    flat = np.concatenate(lines)
    place = np.stack([flat[:, 0], np.full(len(flat), float(spherical)), flat[:, 1]], axis=1)
    counts = [len(line) for line in lines]
    first = np.concatenate([[0], np.cumsum(counts)])
    end = np.where(np.array(joined) >= 0, RIVER, SEA)
    flow = np.repeat(flows or np.arange(1.0, len(lines) + 1.0), counts)
    place = unit(place) if spherical else place
    lake = np.full(len(flat), -np.inf, np.float32)
    courses = Courses(place, flow, lake, first, end, np.array(joined), np.full(len(lines), -1))
    return Winding(courses, place, 0.5 * flow, np.ones(len(flat)))


def crossings(wide: Winding) -> list[tuple[int, int]]:
    """The pairs of segments of two rivers that cross, by brute force, but for the last ones, which lead to a river."""
    courses, xz = wide.courses, wide.place[:, [0, 2]]
    line, last = courses.of_point, courses.first[1:] - 1
    segments = np.flatnonzero(~np.isin(np.arange(len(xz)), last))
    a, along = xz[segments], xz[segments + 1] - xz[segments]
    found = []
    for one in range(len(segments)):
        way = a - a[one]
        turned = along[one, 0] * along[:, 1] - along[one, 1] * along[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            s = (way[:, 0] * along[:, 1] - way[:, 1] * along[:, 0]) / turned
            t = (way[:, 0] * along[one, 1] - way[:, 1] * along[one, 0]) / turned
        hits = (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0) & (line[segments] > line[segments[one]])
        if last[line[segments[one]]] - segments[one] > 3:
            found += [(int(segments[one]), int(segments[other])) for other in np.flatnonzero(hits)]
    return found


def line(*points: tuple[float, float], count: int = 60) -> np.ndarray:
    """A line through points, (count, 2)."""
    given = np.array(points)
    at = np.linspace(0.0, len(points) - 1.0, count)
    return np.stack([np.interp(at, np.arange(len(points)), given[:, axis]) for axis in (0, 1)], axis=1)


def looping(spherical: bool) -> Winding:
    """A river along z = 0; a tributary that crosses it at x = -0.01 and joins it from the other side; and a brook that joins
    that beyond."""
    river = line((-0.4, -0.0007), (0.4, 0.0006), count=201)
    tributary = line((-0.11, 0.1), (0.09, -0.1), tuple(river[150]), count=81)
    brook = line((0.0, -0.2), tuple(tributary[50]), count=31)
    return winding([brook, tributary, river], [31 + 50, 31 + 81 + 150, -1], spherical)


@pytest.mark.parametrize("spherical", [False, True])
def test_a_tributary_ends_where_it_first_meets_its_river(spherical: bool) -> None:
    wide = looping(spherical)
    assert crossings(wide)
    found, kept = without_crossings(wide, spherical)
    courses = found.courses
    assert not crossings(found) and len(courses) == 3 and (courses.end == [RIVER, RIVER, SEA]).all()
    tributary = found.place[courses.line(1)]
    assert np.abs(tributary[-1, [0, 2]] - [-0.01, 0.0]).max() < 0.005
    assert np.array_equal(tributary[-1], found.place[courses.joined[1]]) and courses.of_point[courses.joined[1]] == 2
    assert np.array_equal(found.place, wide.place[kept]) and np.array_equal(courses.place, found.place)
    assert np.array_equal(found.place[courses.line(2)], wide.place[wide.courses.line(2)]), "the river stays as it is"


@pytest.mark.parametrize("spherical", [False, True])
def test_what_joined_it_beyond_goes_on_along_the_rest_of_its_way(spherical: bool) -> None:
    wide = looping(spherical)
    found, _ = without_crossings(wide, spherical)
    courses, brook = found.courses, found.place[found.courses.line(0)]
    rest = wide.place[wide.courses.line(1)][51:]
    assert np.array_equal(brook[31:], rest) and np.array_equal(brook[-1], found.place[courses.joined[0]])
    assert courses.of_point[courses.joined[0]] == 2
    assert np.unique(courses.flow_m3_s[courses.line(0)]).tolist() == [1.0], "with its own water alone"
    assert np.unique(found.half_m[courses.line(0)]).tolist() == [0.5]


def test_rivers_that_meet_at_joints_alone_stay_as_they_are() -> None:
    river, tributary = line((-0.4, 0.0), (0.4, 0.01)), line((0.0, 0.3), (0.0, 0.005))
    river[30] = tributary[-1]
    wide = winding([tributary, river], [60 + 30, -1], False)
    found, kept = without_crossings(wide, False)
    assert found is wide and np.array_equal(kept, np.arange(120))


@pytest.mark.parametrize("seed", range(6))
def test_no_two_of_many_rivers_cross(seed: int) -> None:
    rng = np.random.default_rng(seed)
    turns = np.cumsum(rng.normal(0.0, 0.3, (12, 120)), axis=1) + rng.uniform(0.0, 6.3, (12, 1))
    steps = 0.004 * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    lines = list(np.cumsum(steps, axis=1) + rng.uniform(-0.15, 0.15, (12, 1, 2)))
    joined = []
    for k in range(11):
        other = int(rng.integers(k + 1, 12))
        joined.append(120 * other + int(rng.integers(10, 110)))
    for k in reversed(range(11)):
        # Each bends over its last points to the one that it joins.
        end = lines[joined[k] // 120][joined[k] % 120]
        lines[k] += np.linspace(0.0, 1.0, 120)[:, None] ** 2 * (end - lines[k][-1])
    wide = winding(lines, [*joined, -1], False, rng.uniform(1.0, 9.0, 12).tolist())
    assert len(crossings(wide)) > 5
    found, kept = without_crossings(wide, False)
    courses = found.courses
    left = crossings(found)
    assert not left
    own = courses.joined >= 0
    ends = courses.first[1:] - 1
    assert np.abs(found.place[ends[own]] - found.place[courses.joined[own]]).max() < 1e-12
    assert (courses.of_point[courses.joined[own]] > np.flatnonzero(own)).all(), "tributaries come first"
    assert (courses.flow_m3_s[courses.joined[own]] >= courses.flow_m3_s[ends[own]]).all()
    assert len(np.unique(kept)) >= len(kept) - len(courses)
