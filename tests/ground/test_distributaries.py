"""Distributaries: arms leave a large river on flat ground that it has built, at its level, and come to the sea."""

import numpy as np

from demo.ground.distributaries import LARGE, with_arms
from demo.ground.meanders import joined
from demo.ground.river_forms import mouths
from demo.ground.river_levels import levels_of
from demo.worlds.atlas import PLANE
from demo.worlds.carving.lattice import SHELF
from demo.worlds.carving.river_ways import RIVER, SEA, Courses

CELL, HIGHEST_M, FLOW = 1.0 / 256.0, 1000.0, 8.0
SHELF_M, LOBE = SHELF * HIGHEST_M, 9.0 * CELL


def river(flow=FLOW, x=0.0):
    """A river along z that comes to the sea beyond z = LOBE; a tributary joins it on its way."""
    z = np.arange(-0.25, LOBE + 4.0 * CELL, CELL / 13.0)
    trunk = np.stack([np.full(len(z), x), np.zeros(len(z)), z], axis=1)
    brook = np.stack([np.linspace(x + 0.1, x, 100), np.zeros(100), np.full(100, z[400])], axis=1)
    count = len(trunk) + len(brook)
    return Courses(
        np.concatenate([brook, trunk]),
        np.concatenate([np.full(100, 0.2), np.full(len(trunk), flow)]),
        np.full(count, -np.inf, np.float32),
        np.array([0, 100, count]),
        np.array([RIVER, SEA]),
        np.array([500, -1]),
        np.array([-1, -1]),
    )


def delta(place):
    """Land that falls towards z = 0, and a lobe of low ground before its coast."""
    x, z = place[:, 0], place[:, 2]
    lobe = np.where(np.hypot(x, z) < LOBE, SHELF_M * (1.0 - 0.5 * np.hypot(x, z) / LOBE), -30.0)
    return np.where(z < 0.0, SHELF_M + 400.0 * -z + 300.0 * np.abs(x), lobe)


def coast(place):
    """The same without a lobe."""
    return np.where(place[:, 2] < LOBE, 20.0 + 400.0 * np.maximum(LOBE - place[:, 2], 0.0), -30.0)


def parted(ground=delta, courses=None, seed=3):
    return with_arms(courses or river(), ground, PLANE, CELL, HIGHEST_M, seed)


def test_a_river_parts_on_its_delta_and_all_arms_come_to_the_sea():
    for seed in range(6):
        found = parted(seed=seed)
        arms = np.flatnonzero(found.parted >= 0)
        assert 2 <= len(arms) <= 8
        assert (found.end[arms] == SEA).all() and (found.joined[arms] == -1).all()
        for k in arms.tolist():
            place = found.place[found.line(k)]
            np.testing.assert_allclose(place[0], found.place[found.parted[k]], atol=1e-12)
            assert found.of_point[found.parted[k]] > k, "arms come before what they leave"
            high = delta(place)
            assert high[-1] < 0.0 and high[: len(high) // 2].min() > 0.0
        sides = found.place[found.first[arms + 1] - 1, 0]
        assert sides.min() < -2.0 * CELL and sides.max() > 2.0 * CELL


def test_no_water_is_lost_and_none_gained():
    for seed in range(6):
        found = parted(seed=seed)
        last = found.first[1:] - 1
        assert np.isclose(found.flow_m3_s[last[found.end == SEA]].sum(), FLOW)
        assert (found.flow_m3_s > 0.0).all()


def test_what_was_there_stays_and_points_at_the_same_places():
    before, after = river(), parted()
    count = len(after) - len(before)
    assert np.array_equal(after.place[after.first[count] :], before.place)
    assert np.array_equal(after.place[after.joined[count]], before.place[before.joined[0]])
    assert after.on_delta.tolist() == [True] * count + [False, True]


def test_levels_of_arms_begin_at_the_river_and_fall_to_the_sea():
    found = parted()
    level = levels_of(found, delta(found.place))
    for k in range(len(found)):
        own = level[found.line(k)]
        assert (np.diff(own) <= 0.0).all() and own[-1] >= 0.0
        if found.parted[k] >= 0:
            assert own[0] == level[found.parted[k]] and own[-1] == 0.0


def test_arms_begin_where_a_river_that_winds_has_moved():
    found = parted()
    moved = np.zeros_like(found.place)
    moved[:, 0] = 0.01 * np.sin(40.0 * found.place[:, 2])
    moved[: found.first[-2]] = 0.0
    there = joined(found, moved)
    for k in np.flatnonzero(found.parted >= 0).tolist():
        np.testing.assert_allclose(there[found.first[k]], there[found.parted[k]], atol=1e-12)


def test_a_delta_has_no_wide_funnel():
    found, plain = parted(), river()
    last = found.first[1:] - 1
    along = np.arange(len(found.place), dtype=float)
    wide = mouths(found, along, np.ones(len(along)), np.ones(len(along)))
    alone = mouths(plain, along[: len(plain.place)], np.ones(len(plain.place)), np.ones(len(plain.place)))
    assert wide[last].max() < 0.5 * alone.max()


def test_steep_coasts_and_small_rivers_have_no_arms():
    assert len(parted(ground=coast)) == 2
    large, small = river(x=0.3), river(LARGE * FLOW * 0.5)
    both = Courses(
        np.concatenate([small.place, large.place]),
        np.concatenate([small.flow_m3_s, large.flow_m3_s]),
        np.concatenate([small.lake_m, large.lake_m]),
        np.concatenate([small.first, small.first[-1] + large.first[1:]]),
        np.concatenate([small.end, large.end]),
        np.array([500, -1, 500 + int(small.first[-1]), -1]),
        np.full(4, -1),
    )
    # The large one runs beside the lobe.
    assert len(parted(courses=both)) == 4
