"""Steep rivers: pools and falls instead of a slope, in the gullies of the ground; braids on gravel plains alone."""

from dataclasses import replace

import numpy as np

from demo.ground.river_forms import banks, braids, gone, in_valleys, seen_of
from demo.ground.river_levels import levels_of
from demo.ground.torrents import POOL, TERRAIN_FALLS_M, Falls, in_gullies
from demo.worlds.carving.river_ways import SEA, Courses

SIZE_M, POINTS, STEP_M = 10_000.0, 600, 4.0
FAR_M = STEP_M * np.arange(POINTS)


def one_river(flow: float | np.ndarray = 1.0) -> Courses:
    """A river that runs straight along z on a terrain, which ends in the sea."""
    place = np.zeros((POINTS, 3))
    place[:, 2] = FAR_M / SIZE_M - 0.2
    whole = np.array([0, POINTS])
    none = np.full(POINTS, -np.inf, np.float32)
    return Courses(place, np.broadcast_to(flow, POINTS).copy(), none, whole, np.array([SEA]), np.array([-1]), np.array([-1]))


def falls_of(high, half_m=2.0):
    courses = one_river()
    along_m = gone(courses, courses.place) * SIZE_M
    falls = Falls(courses, along_m, np.full(POINTS, half_m), TERRAIN_FALLS_M, np.zeros(POINTS, bool), 7)
    return courses, falls, levels_of(courses, high, falls.stepped)


def test_a_steep_river_falls_from_pool_to_pool():
    courses, falls, level = falls_of(20.0 + 0.5 * (FAR_M[-1] - FAR_M))
    assert len(falls.lips) > 20
    assert (np.diff(level) <= 0.0).all() and (level <= falls.before + 1e-9).all()
    drop, lips = level[:-1] - level[1:], np.array(falls.lips)
    assert np.median(drop[lips]) > TERRAIN_FALLS_M[0] and drop[lips].max() < TERRAIN_FALLS_M[1] + 0.5 * STEP_M
    between = np.setdiff1d(np.arange(lips[0] + 1, lips[-1]), lips)
    assert np.median(drop[between]) < 1.01 * POOL * STEP_M, "pools are nearly level"
    place = falls.drawn_in(courses.place, level, SIZE_M)
    ahead = (place[lips + 1] - place[lips])[:, 2] * SIZE_M
    assert (ahead > 0.0).all() and np.median(drop[lips] / ahead) > 2.0, "water falls steeply"
    white = falls.whiteness(level)
    assert (white[lips] == 1.0).all() and (white[lips + 1] == 1.0).all() and 0.0 <= white.min() < 0.3


def test_a_wide_river_has_fewer_falls():
    high = 20.0 + 0.5 * (FAR_M[-1] - FAR_M)
    assert len(falls_of(high, 40.0)[1].lips) < 0.5 * len(falls_of(high)[1].lips)


def test_a_gentle_river_has_no_falls():
    _, falls, level = falls_of(20.0 + 0.03 * (FAR_M[-1] - FAR_M))
    assert not falls.lips and np.array_equal(level, falls.before)


def test_a_fall_is_seen_as_far_as_its_river_is():
    courses, steep = one_river(), np.zeros(POINTS)
    white = np.zeros(POINTS)
    white[[100, 101, 400, 401]] = 1.0
    deep = np.where(np.abs(np.arange(POINTS) - 400) < 60, 49.0, 0.0)
    deep[398:404] = 0.0
    seen = seen_of(courses, steep, white, deep, np.full(POINTS, 50.0))
    assert seen[100] > 0.95 and 0.3 < seen[200] < 0.5
    assert seen[360] < 0.05 and seen[400] < 0.5, "no white line that hangs on a slope alone"


def test_a_deep_cut_is_a_valley_and_no_slot():
    deep_m = np.array([0.0, 20.0, 60.0, 150.0, 300.0])
    slopes = banks(np.zeros(5), np.zeros(5), deep_m)
    assert (np.diff(slopes) <= 0.0).all() and slopes[0] > 1.0 and slopes[-1] < 0.5
    assert banks(np.zeros(1), np.ones(1), np.full(1, 150.0)) > 1.5, "behind a fall is a cliff"


def test_a_torrent_runs_in_its_gully_and_a_gentle_river_stays():
    courses = one_river()

    def winding(place):
        return 900.0 - 2000.0 * place[:, 2] + 6e7 * (place[:, 0] - 0.001 * np.sin(70.0 * place[:, 2])) ** 2

    cell = 40.0 / SIZE_M
    moved = in_gullies(courses, courses.place, np.full(POINTS, 0.2), winding, cell)
    gully = 0.001 * np.sin(70.0 * courses.place[:, 2])
    inner = slice(40, -40)
    assert np.abs(courses.place + moved)[inner, 0].max() > 0.0006
    assert np.abs(moved[inner, 0] - gully[inner]).mean() < 0.35 * np.abs(gully[inner]).mean()
    assert not moved[[0, -1]].any()
    assert not in_gullies(courses, courses.place, np.ones(POINTS), winding, cell).any()


def test_a_torrent_with_more_points_runs_in_the_same_gully():
    """Rivers near the flight have six times as many: where they meet others, both must have gone the same way."""

    def rough(place):
        x, z = place[:, 0] * SIZE_M, place[:, 2] * SIZE_M
        return 900.0 - 0.2 * z + 6.0 * np.sin(0.11 * x + np.sin(0.05 * z)) + 5.0 * np.sin(0.07 * x - 0.09 * z)

    coarse, ways = one_river(), []
    fine_place = np.stack(
        [np.interp(np.arange(0.0, POINTS - 0.9, 1.0 / 6.0), np.arange(POINTS), c) for c in coarse.place.T], axis=1
    )
    fine = replace(coarse, place=fine_place, first=np.array([0, len(fine_place)]))
    for courses in (coarse, fine):
        flat = np.full(len(courses.place), 0.2)
        ways.append(in_gullies(courses, courses.place, flat, rough, 60.0 / SIZE_M)[:, 0] * SIZE_M)
    assert np.abs(ways[0]).mean() > 4.0
    assert np.abs(ways[1][::6] - ways[0]).mean() < 0.35 * np.abs(ways[0]).mean()


def braided(slope, steep_sides=0.0):
    courses = one_river()
    high = 10.0 + slope * (FAR_M[-1] - FAR_M)

    def ground(place):
        at = (place[:, 2] - courses.place[0, 2]) * SIZE_M
        return 10.0 + slope * (FAR_M[-1] - at) + steep_sides * np.abs(place[:, 0]) * SIZE_M

    along_m = gone(courses, courses.place) * SIZE_M
    return np.max([braids(courses, courses.place, along_m, high, np.full(POINTS, 9.0), ground, SIZE_M, s) for s in range(6)])


def test_rivers_braid_on_open_slopes_of_gravel_alone():
    assert braided(0.02) > 0.9
    assert braided(0.0005) == 0.0, "it is too level there: rivers meander"
    assert braided(0.2) == 0.0, "it is too steep"
    assert braided(0.02, steep_sides=0.8) == 0.0, "a gorge has no room"


def seen_between(rise: float, flat: float, first: float = 0.1) -> np.ndarray:
    """How much is seen of the first half of a river down a slope whose ground rises so much a metre to both sides of it.

    `first`: the share that it has of the water of the second half.
    """
    courses, fall = one_river(np.where(np.arange(POINTS) < POINTS // 2, first, 1.0)), 0.3

    def ground(at):
        return 900.0 - fall * SIZE_M * at[:, 2] + rise * SIZE_M * np.abs(at[:, 0])

    flats = np.full(POINTS, flat)
    return in_valleys(courses, courses.place, ground(courses.place), flats, ground, 300.0, SIZE_M)[: POINTS // 2]


def test_a_river_on_an_open_hillside_is_not_seen():
    assert (seen_between(rise=0.0, flat=0.3) == 0.0).all(), "a slope"
    assert (seen_between(rise=-0.2, flat=0.3) == 0.0).all(), "a ridge"
    assert (seen_between(rise=0.2, flat=0.3) == 1.0).all(), "a valley"
    assert (seen_between(rise=0.0, flat=0.9) == 1.0).all(), "a plain"
    assert (seen_between(rise=0.0, flat=0.3, first=0.8) == 1.0).all(), "a great river"
