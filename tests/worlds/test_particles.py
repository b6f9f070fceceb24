"""Particle deposition against slow references, and what its parameters promise."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.particles_reference import SlowRain, SlowRounds, slow_footprint, walk_down

from demo.catalogue.generators import GENERATORS
from demo.worlds.hashing import stream_key
from demo.worlds.kernels import hash64
from demo.worlds.parameters import ParameterError
from demo.worlds.particles import kernels, landing_kernels
from demo.worlds.particles.growth import Particles, curve
from demo.worlds.particles.magnetism import attract, part, pile_super
from demo.worlds.particles.presets import PRESETS, preset_windows
from demo.worlds.particles.rain import Rain, chances, footprint, group_of, rain_of
from demo.worlds.particles.rain_parts import Crowd, Group
from demo.worlds.particles.walk_tables import (
    CENTRE,
    COLUMN_BITS,
    FALL_BITS,
    FALLS,
    JUMPS,
    MOVE_BITS,
    alias_table,
    fall_tables,
    jump_of_ticks,
    jump_tables,
    walk,
)
from demo.worlds.particles.windows import MOST_WINDOWS, Window, arrange, window_of

PARTICLES = GENERATORS["particles"]
# A rain on the middle of a small map whose particles stick where they touch; sums of their mass are exact in binary.
MASS = 1 / 64
STICKY = {"cells": 64, "particles": 300, "mass": MASS, "viscosity": 1.0, "radius": 3, "preset": "island", "size": 0.5}


def grown(seed: int = 7, to: int | None = None, windows: list[Window] | None = None, **parameters) -> Particles:
    values = PARTICLES.complete(parameters)
    growth = Particles(seed, values, windows=windows)
    growth.advance(growth.total if to is None else to)
    return growth


def rain_at_start(seed: int = 7, windows: list[Window] | None = None, **parameters) -> tuple[Rain, np.ndarray]:
    """A rain before its first particle, and the ground below it."""
    values = PARTICLES.complete(parameters)
    growth = Particles(seed, values, windows=windows)
    return rain_of(seed, values, growth.windows, growth.ground), growth.ground


def window(x=0.5, z=0.5, half=0.1, **more) -> Window:
    return Window(x, z, half, half, **more)


# --- tables --------------------------------------------------------------------------------------------------------


def shares(table: np.ndarray, width: int, column_bits: int) -> np.ndarray:
    """How many of the 2^width draws an alias table answers with each column."""
    depth = width - column_bits
    counts = np.zeros(len(table), np.int64)
    for column, entry in enumerate(table.tolist()):
        threshold = (1 << depth) - (entry >> (column_bits + 1))
        counts[column] += threshold
        counts[column + (entry & ((2 << column_bits) - 1)) - (1 << column_bits)] += (1 << depth) - threshold
    return counts


@settings(max_examples=15)
@given(weights=st.lists(st.integers(0, 10**30), min_size=1, max_size=16).filter(any))
def test_alias_tables_hold_their_weights_to_the_last_unit(weights):
    counts = shares(alias_table(weights, 12, 4), 12, 4)
    exact = [w * 2**12 / sum(weights) for w in weights]
    assert counts.sum() == 2**12 and not counts[len(weights) :].any()
    assert all(abs(count - share) < 1.0 for count, share in zip(counts, exact, strict=False))


def test_a_walk_is_every_way_to_walk_it():
    assert walk(1, 2, 1, 2) == [1, 4, 6, 4, 1]
    for ticks in (1, 3, 8):
        weights = walk(50, 30, 20, ticks)
        mean = sum(w * (i - ticks) for i, w in enumerate(weights)) / sum(weights)
        assert sum(weights) == 100**ticks and mean == pytest.approx(-0.3 * ticks)


def test_jump_tables_hold_the_distribution_of_many_ticks():
    tables = jump_tables(50, 30, 20).reshape(len(JUMPS), -1)
    for ticks, table in zip(JUMPS, tables, strict=True):
        counts, weights = shares(table, MOVE_BITS, COLUMN_BITS), walk(50, 30, 20, ticks)
        exact = [w * 2**MOVE_BITS / 100**ticks for w in weights]
        assert np.abs(counts[: 2 * ticks + 1] - exact).max() < 1.0 and counts.sum() == 2**MOVE_BITS


def test_the_longest_jump_that_fits_is_taken():
    for ticks, jump in enumerate(jump_of_ticks()):
        assert JUMPS[jump >> COLUMN_BITS] == jump & 0xFF == max(j for j in JUMPS if j <= max(ticks, 1))


# --- against the references ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given_values",
    [
        {"cells": 24, "particles": 150, "group": 8},
        {"cells": 31, "particles": 90, "group": 1, "mass": 0.2, "viscosity": 0.1, "radius": 2, "shape": "cone"},
        {"cells": 40, "particles": 120, "step": 2, "fall": 2, "box": 0.3, "mass": 1.0, "preset": "range", "height": 0.4},
        {"cells": 33, "particles": 130, "window": "ring", "box": -0.1, "ceiling": 0.05, "shape": "disc", "viscosity": 1.0},
        {"cells": 20, "particles": 60, "sideways": 50, "up": 0, "down": 100, "window": "rectangle", "viscosity": 0.0},
        # Far from all walls, where particles fall many heights at once.
        {"cells": 60, "particles": 150, "box": 2.0, "ceiling": 1.0, "height": 1.5, "mass": 0.05},
        {
            "cells": 50,
            "particles": 90,
            "box": 2.0,
            "ceiling": 2.0,
            "height": 2.0,
            "up": 5,
            "down": 30,
            "fall": 2,
            "sideways": 9,
        },
    ],
    ids=str,
)
def test_equals_the_reference_bit_for_bit(given_values):
    values = PARTICLES.complete(given_values)
    growth = Particles(5, values)
    reference = SlowRain(growth, values)
    growth.advance(growth.total)
    assert np.array_equal(growth.ground, reference.grow())
    assert growth.ground.max() > 0.0


@pytest.mark.parametrize(
    "given_values",
    [
        {"cells": 24, "particles": 150, "group": 8},
        {"cells": 31, "particles": 90, "group": 1, "viscosity": 1.0, "radius": 2, "box": 0.2, "step": 2},
        {"cells": 30, "particles": 200, "group": 200, "mass": 0.02, "fall": 2, "up": 20, "down": 50, "height": 0.3},
    ],
    ids=str,
)
def test_as_printed_is_the_articles_thirteen_steps_bit_for_bit(given_values):
    values = PARTICLES.complete({"method": "as-printed"} | given_values)
    growth = Particles(5, values)
    reference = SlowRounds(growth, values)
    growth.advance(growth.total // 3)
    growth.advance(growth.total)
    assert np.array_equal(growth.ground, reference.grow())
    assert growth.ground.max() > 0.0


def test_as_printed_moves_by_the_code_of_the_listing():
    """> 250 and < 500 of 0..999 are 251 and 249; > 200 and < 300 are 201 and 99."""
    values = PARTICLES.complete({"method": "as-printed"})
    assert chances(values) == ((251, 500, 249), (201, 700, 99))
    assert (values["slide"], values["mass"], values["rounds"]) == ("listing", 1.0, "on")


@pytest.mark.parametrize("rounds", ["off", "on"])
def test_particles_of_a_group_fall_on_the_land_of_those_beside_them(rounds):
    """The first one raises the land under those that are still in the air: they stray no farther."""
    spread = []
    for mass in (1e-6, 5.0):
        growth = grown(
            windows=[window(half=0.0)],
            cells=80,
            particles=300,
            group=300,
            mass=mass,
            radius=8,
            height=0.5,
            viscosity=1.0,
            rounds=rounds,
        )
        z, x = np.mgrid[0:81, 0:81]
        spread.append(float((growth.ground * np.hypot(x - 40, z - 40)).sum() / growth.ground.sum()))
    assert spread[1] < 0.9 * spread[0]


@pytest.mark.parametrize("box", [0.0, 2.0], ids=["jumping", "falling"])
def test_particles_touch_where_those_do_that_walk_tick_by_tick(box):
    """Hops against the article's loop over one rough map: where, and after how many ticks."""
    given = {"cells": 80, "particles": 4096, "group": 4096, "height": 0.3, "ceiling": 1.0, "mass": 1e-6, "start": "random"}
    values = PARTICLES.complete({**given, "box": box})
    rain, land = rain_at_start(3, [window(half=0.0)], **given, box=box)
    ground, lift = land.copy(), int(rain.emitter.tops[0])
    rain.fall(land, 4096)
    state = rain.group.state
    landed = state[kernels.STATUS] == kernels.LANDED
    ours = state[[kernels.X, kernels.Z, kernels.TICK]][:, landed].astype(float)
    dice = random.Random(11)
    walks = [walk_down(ground, 40, 40, lift, values, dice) for _ in range(1500)]
    theirs = np.array([w for w in walks if w is not None], float).T
    assert landed.mean() > 0.99 and theirs.shape[1] > 0.99 * len(walks)
    for a, b in zip(ours, theirs, strict=True):
        error = np.sqrt(a.var() / a.size + b.var() / b.size)
        assert abs(a.mean() - b.mean()) < 4.0 * error
        assert a.std() == pytest.approx(b.std(), rel=0.08)


def test_falls_take_as_long_and_stray_as_far_as_walks():
    """The mean and variance of a first passage, and of a walk of that many ticks, are known in closed form."""
    falls = fall_tables(25, 20, 50, 64)
    assert len(falls.of_gap) == 65 and 0.4**falls.lid < 2.0**-21 <= 0.4 ** (falls.lid - 1)
    drift, spread = 0.3, 0.7 - 0.09
    for k, depth in enumerate(FALLS):
        assert falls.of_gap[depth] == k << FALL_BITS | depth
        counts = shares(falls.ticks[k << FALL_BITS : (k + 1) << FALL_BITS], MOVE_BITS, FALL_BITS) / 2**MOVE_BITS
        ticks = depth + np.arange(counts.size)
        mean = (counts * ticks).sum()
        assert mean == pytest.approx(depth / drift, rel=1e-3)
        assert (counts * (ticks - mean) ** 2).sum() == pytest.approx(depth * spread / drift**3, rel=5e-3)
    tables = falls.stray.reshape(-1, 1 << COLUMN_BITS)
    for k, table in enumerate(tables):
        after = 16 * k if k < 40 else k - 40
        counts = shares(table, MOVE_BITS, COLUMN_BITS) / 2**MOVE_BITS
        away = np.arange(counts.size) - CENTRE
        assert abs((counts * away).sum()) < 1e-3 and (counts * away**2).sum() == pytest.approx(after / 2, rel=1e-3)


def test_no_falls_for_particles_that_hardly_sink_or_stray_too_far():
    assert len(fall_tables(25, 49, 50, 64).of_gap) == 1
    assert len(fall_tables(25, 20, 50, 2).of_gap) == 1
    assert 1 < len(fall_tables(25, 20, 50, 32).of_gap) < 65
    straight = fall_tables(0, 0, 100, 64)
    assert len(straight.of_gap) == 65 and straight.lid == 1


# --- emitters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_windows_on_the_map_and_differ_by_seed(preset):
    for seed in range(6):
        windows = preset_windows(preset, seed)
        assert 1 <= len(windows) <= MOST_WINDOWS
        assert all(w.weight > 0 and w.half_x > 0 and w.half_z > 0 for w in windows)
        inside = sum(w.weight for w in windows if 0 <= w.x <= 1 and 0 <= w.z <= 1)
        assert inside > 0.9 * sum(w.weight for w in windows)
    assert preset_windows(preset, 1) == preset_windows(preset, 1)
    assert preset == "map" or preset_windows(preset, 1) != preset_windows(preset, 2)


def test_windows_are_moved_scaled_and_shaped_together():
    windows = preset_windows("archipelago", 3)
    moved = arrange(windows, 0.25, 0.75, 0.5, "ring", 4)
    assert len(moved) == 4 and {w.shape for w in moved} == {"ring"}
    assert moved[0].x == pytest.approx(0.25 + 0.5 * (windows[0].x - 0.5)) and moved[0].half_z == windows[0].half_z * 0.5


@pytest.mark.parametrize("preset", PRESETS)
def test_windows_of_presets_are_written_in_words_and_read_back(preset):
    windows = preset_windows(preset, 4)
    read = [window_of(w.in_words()) for w in windows]
    assert read == windows


def test_own_windows_are_where_they_are_said_to_be():
    windows = {"window.2": "ring,0.7,0.5,0.3,0.3", "window.1": "rectangle,0.2,0.5,0.2,0.6"}
    growth = grown(**windows, cells=100, particles=4000, sideways=0, radius=1, viscosity=1.0)
    land = growth.ground > 0.0
    z, x = np.nonzero(land)
    left = x < 45
    assert (x[left].min(), x[left].max(), z[left].min(), z[left].max()) == (10, 30, 20, 80)
    away = np.hypot(x[~left] - 70, z[~left] - 50)
    assert 15.0 <= away.max() <= 15.8 and away.min() >= 0.72 * 15 - 1.0
    # Without weights it rains as densely under each.
    assert growth.ground[:, :45].sum() / growth.ground.sum() == pytest.approx(
        0.12 / (0.12 + growth.windows[1].area), abs=0.03
    )


@pytest.mark.parametrize(
    "words",
    [
        "disc",
        "disc,0.5,0.5,0.1",
        "oval,0.5,0.5,0.1,0.1",
        "disc,0.5,0.5,0,0.1",
        "disc,0.5,nan,0.1,0.1",
        "disc,0.5,0.5,0.1,0.1,0",
        "disc,0.5,0.5,0.1,0.1,1,0.5",
        "ring,0.5,0.5,0.1,0.1,1,1",
        "disc,50,0.5,0.1,0.1",
        "disc;0.5;0.5;0.1;0.1",
    ],
)
def test_words_that_are_no_window_are_refused(words):
    with pytest.raises(ParameterError, match=r"^window\.3=.* is not possible: it takes SHAPE,X,Z,SIZE_X,SIZE_Z"):
        PARTICLES.complete({"window.3": words})


def test_the_preset_map_rains_everywhere():
    growth = grown(preset="map", cells=64, particles=20_000)
    assert (growth.ground > 0.0).all()


@pytest.mark.parametrize("values", [{"window.1": "disc,1.5,0.5,0.2,0.2"}, {"preset": "archipelago", "size": 10.0}], ids=str)
def test_windows_beside_the_map_are_refused_before_the_work(values):
    with pytest.raises(ParameterError, match="no window stands over the map"):
        PARTICLES.grow(3, values)


@pytest.mark.parametrize("shape", ["disc", "rectangle", "ring"])
def test_particles_start_evenly_all_over_their_window_and_nowhere_else(shape):
    rain, _ = rain_at_start(windows=[window(half=0.25, shape=shape, inner=0.6)], cells=200, particles=8192, group=8192)
    at = []
    for p in range(4096):
        key = np.uint64(hash64(np.uint64(stream_key(7, 32)), p))
        x, z, _ = kernels.emit(key, rain.emitter)
        at.append((x - 100, z - 100))
    at = np.array(at)
    away = np.sqrt((at**2).sum(axis=1))
    quarters = [(at[:, 0] * a > 0) & (at[:, 1] * b > 0) for a in (-1, 1) for b in (-1, 1)]
    assert np.allclose([q.mean() for q in quarters], 0.25, atol=0.03)
    assert np.abs(at).max() <= 50 and np.abs(at).max() >= 48
    if shape == "rectangle":
        assert (away > 51).mean() == pytest.approx(1 - np.pi / 4, abs=0.03)
    else:
        assert away.max() <= 51
        inner = 0.6 if shape == "ring" else 0.0
        middle = np.sqrt((1 + inner**2) / 2) * 50
        assert (away < middle).mean() == pytest.approx(0.5, abs=0.03)
        assert away.min() >= inner * 50 - 1


def test_weights_share_the_particles_out():
    windows = [window(0.25, half=0.02, weight=3.0), window(0.75, half=0.02, weight=1.0)]
    growth = grown(windows=windows, cells=128, particles=4000, mass=0.001, viscosity=1.0)
    left = growth.ground[:, :64].sum() / growth.ground.sum()
    assert left == pytest.approx(0.75, abs=0.03)


def test_nothing_lies_outside_the_reach_of_the_emitter():
    """A particle cannot go farther than it has ticks; with `up=0` and `down=100` it has as many as its window is high."""
    growth = grown(
        windows=[window(half=0.05)],
        cells=200,
        particles=3000,
        up=0,
        down=100,
        height=0.1,
        viscosity=1.0,
        mass=0.001,
        radius=4,
    )
    z, x = np.nonzero(growth.ground)
    reach = 0.05 * 200 + 0.1 * 200 + 4
    assert x.size and max(np.abs(x - 100).max(), np.abs(z - 100).max()) <= reach


def test_with_no_sideways_moves_land_is_the_window():
    growth = grown(windows=[window(half=0.1)], cells=100, particles=2000, sideways=0, radius=1, viscosity=1.0)
    z, x = np.nonzero(growth.ground)
    assert np.hypot(x - 50, z - 50).max() <= 10.8 and np.hypot(x - 50, z - 50).max() >= 9.0


def test_archipelagos_are_separate_islands():
    for seed in (1, 2, 3):
        growth = grown(seed, cells=256, particles=60_000, preset="archipelago")
        assert len(islands(growth.heights[0] > growth.sea_level, least=30)) >= 5


def test_a_continent_is_mainly_one_land():
    growth = grown(1, cells=128, particles=40_000)
    sizes = islands(growth.heights[0] > growth.sea_level)
    assert sizes[0] > 0.8 * sum(sizes) and 0.1 < sum(sizes) / growth.heights.size < 0.7


def islands(land: np.ndarray, least: int = 1) -> list[int]:
    """Sizes of the connected parts, the largest first."""
    left, sizes = land.copy(), []
    while left.any():
        todo = [tuple(np.argwhere(left)[0])]
        left[todo[0]] = False
        size = 0
        while todo:
            j, i = todo.pop()
            size += 1
            for b, a in ((j - 1, i), (j + 1, i), (j, i - 1), (j, i + 1)):
                if 0 <= b < len(left) and 0 <= a < len(left) and left[b, a]:
                    left[b, a] = False
                    todo.append((b, a))
        sizes.append(size)
    return sorted((size for size in sizes if size >= least), reverse=True)


# --- piling up, mass -----------------------------------------------------------------------------------------------


def test_footprints():
    print_ = footprint(3, 2.0, "paraboloid")
    assert (
        print_.shape == (7, 7)
        and print_[3, 3] == 18.0
        and print_[3, 5] == 10.0
        and print_[3, 6] == 0.0
        and print_[1, 1] == 2.0
    )
    assert print_.sum() == slow_footprint(3, 2.0)
    volumes = [footprint(20, 1.0, shape).sum() for shape in ("paraboloid", "cone", "disc")]
    assert np.allclose(volumes, np.pi / 2 * 20**4, rtol=0.02)


@pytest.mark.parametrize("group", [1, 50])
def test_the_mass_is_the_sum_of_the_footprints(group):
    growth = grown(**STICKY, group=group, ceiling=4.0)
    assert growth.ground.sum(dtype=np.float64) == 300 * slow_footprint(3, MASS)


def test_what_falls_over_the_edge_is_lost():
    windows = [window(x=0.0, half=0.02)]
    growth = grown(windows=windows, **{**STICKY, "box": 0.5})
    mass = growth.ground.sum(dtype=np.float64)
    assert 0.2 < mass / (300 * slow_footprint(3, MASS)) < 0.8
    z, _ = np.nonzero(growth.ground)
    assert growth.ground[:, 0].max() > 0 and z.size


def test_a_box_smaller_than_the_map_keeps_particles_in():
    growth = grown(**{**STICKY, "box": -0.25, "size": 1.0, "radius": 1})
    z, x = np.nonzero(growth.ground)
    assert min(x.min(), z.min()) >= 16 and max(x.max(), z.max()) <= 48


def test_a_low_lid_kills_what_rises():
    free, closed = (grown(**STICKY, ceiling=ceiling).ground.sum(dtype=np.float64) for ceiling in (4.0, 0.0))
    assert free * 0.1 < closed < free * 0.9


def test_fall_speed_scales_the_lattice_alone():
    """Everything twice as high, moves included, is the same rain seen through a lens."""
    one = grown(**{**STICKY, "height": 0.25})
    two = grown(**{**STICKY, "height": 0.5, "ceiling": 0.25, "fall": 2, "mass": 2 * MASS})
    assert np.array_equal(one.ground, two.ground)


# --- sliding -------------------------------------------------------------------------------------------------------


def cone(n: int = 41) -> np.ndarray:
    z, x = np.mgrid[0:n, 0:n]
    return (40.0 - np.hypot(x - n // 2, z - n // 2)).astype(np.float32)


def slides(ground, viscosity, listing=False, x=20, z=20, keys=200):
    stops = [landing_kernels.slide(np.uint64(stream_key(k, 1)), x, z, ground, viscosity, listing, 1.0) for k in range(keys)]
    return np.array(stops) - (x, z)


def test_without_viscosity_everything_slides_to_the_bottom():
    stops = slides(cone(), 0.0) + 20
    ground = cone()
    for x, z in stops:
        near = ground[max(z - 1, 0) : z + 2, max(x - 1, 0) : x + 2]
        assert ground[z, x] == near.min()
    # On a round hill every direction is taken.
    assert len({(np.sign(x - 20), np.sign(z - 20)) for x, z in stops}) >= 4


def test_with_full_viscosity_nothing_slides():
    assert not slides(cone(), 1.0).any()


def test_slides_shorten_as_viscosity_rises():
    ways = [np.hypot(*slides(np.float32(0.2) * cone(), v).T).mean() for v in (0.1, 0.4, 0.8, 0.95)]
    assert ways[0] > ways[1] > ways[2] > ways[3] > 0.0


def test_the_listing_slides_more_with_viscosity_and_to_one_corner():
    still, some, most = (slides(cone(), v, listing=True) for v in (0.0, 0.1, 1.0))
    assert np.hypot(*still.T).mean() < 0.1 < np.hypot(*some.T).mean() < np.hypot(*most.T).mean()
    # Its scan begins at the lowest column: the printed bias.
    assert most[:, 0].mean() < -5.0
    assert abs(slides(cone(), 0.3)[:, 0].mean()) < 3.0


def test_nothing_slides_on_flat_ground():
    assert not slides(np.zeros((41, 41), np.float32), 0.0).any()


def test_low_viscosity_makes_flatter_land():
    heights = [grown(**{**STICKY, "viscosity": v}).ground.max() for v in (0.02, 0.5, 1.0)]
    assert heights[0] < heights[1] < heights[2]


# --- magnetism -----------------------------------------------------------------------------------------------------


def in_the_air(**parameters) -> np.ndarray:
    """The weights of those in the air when half of a rain from one window has landed."""
    given = {"cells": 96, "particles": 2000, "height": 0.3, "ceiling": 4.0, "mass": 0.01, "viscosity": 1.0}
    growth = grown(windows=[window(half=0.08)], to=1000, **given | parameters)
    return growth.rain.in_the_air(2000)[:, 3]


def test_without_magnetism_nothing_merges():
    weights = in_the_air(rounds="on")
    assert weights.size > 500 and (weights == 1).all()


def test_magnetism_merges_the_more_the_farther_it_reaches():
    alone = [in_the_air(magnetism=reach).size for reach in (1, 4, 12)]
    assert 600 > alone[0] > alone[1] > alone[2]


def test_particles_of_different_groups_merge():
    assert in_the_air(magnetism=8, group=1).max() > 1


def test_the_more_viscous_particles_are_the_more_they_merge():
    weights = [in_the_air(magnetism=6, viscosity=v).mean() for v in (0.01, 0.1, 1.0)]
    assert 1.0 < weights[0] < weights[1] < weights[2]


def test_breaking_up_leaves_lighter_particles_and_less_so_the_more_viscous_they_are():
    stay, sticky, loose = (
        in_the_air(magnetism=6, breakup=b, viscosity=v).mean() for b, v in ((0.0, 0.2), (0.9, 0.95), (0.9, 0.2))
    )
    assert loose < stay and loose < sticky


def test_a_super_particle_holds_the_volume_of_its_members():
    for shape, name in enumerate(("paraboloid", "cone", "disc")):
        one = footprint(20, 1.0, name).sum(dtype=np.float64)
        ground = np.zeros((121, 121), np.float32)
        pile_super(60, 60, 9, 20, 1.0, shape, ground)
        assert ground.sum(dtype=np.float64) == pytest.approx(9 * one, rel=0.03)


def test_the_mass_is_kept_when_particles_merge():
    growth = grown(**{**STICKY, "radius": 6, "magnetism": 6, "ceiling": 4.0})
    assert growth.ground.sum(dtype=np.float64) == pytest.approx(300 * slow_footprint(6, MASS), rel=0.05)


def crowd_at(places, reach: int, breakup: float = 0.0) -> tuple[Group, Crowd]:
    """Single particles in the air."""
    values = PARTICLES.complete({"particles": 4 * len(places), "magnetism": reach, "breakup": breakup, "viscosity": 0.5})
    crowd = rain_at_start(**values)[0].crowd
    group = group_of(4 * len(places))
    group.keys[:] = np.arange(4 * len(places))
    group.state[[kernels.X, kernels.Z, kernels.Y], : len(places)] = np.array(places).T
    group.state[kernels.WEIGHT], group.state[kernels.NEXT] = 1, -1
    group.state[kernels.LAST] = np.arange(4 * len(places))
    crowd.air[: len(places)] = np.arange(len(places))
    crowd.course[kernels.LISTED] = len(places)
    return group, crowd


def members_of(state: np.ndarray, leader: int) -> list[int]:
    found = [leader]
    while state[kernels.NEXT, found[-1]] >= 0:
        found.append(int(state[kernels.NEXT, found[-1]]))
    return found


@settings(max_examples=25)
@given(
    places=st.lists(st.tuples(*[st.integers(-12, 12)] * 3), min_size=1, max_size=24),
    reach=st.integers(1, 9),
    unit=st.sampled_from([1.0, 2.0]),
)
def test_each_joins_the_nearest_earlier_one_in_reach(places, reach, unit):
    group, crowd = crowd_at(places, reach)
    attract(group, crowd, 1.0, unit)
    leaders: dict[int, list[int]] = {}
    for m, (x, z, y) in enumerate(places):
        near = [
            (d, q)
            for q in leaders
            if (d := (x - places[q][0]) ** 2 + (z - places[q][1]) ** 2 + ((y - places[q][2]) * unit) ** 2) <= reach**2
        ]
        leaders.setdefault(min(near)[1] if near else m, []).append(m)
    assert list(crowd.air[: crowd.course[kernels.LISTED]]) == list(leaders)
    for leader, members in leaders.items():
        assert group.state[kernels.WEIGHT, leader] == len(members)
        mean = [sum(places[m][axis] for m in members) // len(members) for axis in (0, 1, 2)]
        assert list(group.state[:3, leader]) == mean and members_of(group.state, leader) == members


def test_parted_members_fly_on_from_where_they_parted_and_may_merge_again():
    group, crowd = crowd_at([(0, 0, 5), (1, 0, 5), (2, 0, 5), (40, 0, 5)], 3, breakup=1.0)
    attract(group, crowd, 1.0, 1.0)
    assert list(group.state[kernels.WEIGHT, :4]) == [3, 1, 1, 1]
    part(group, crowd, 1.0)
    assert list(group.state[kernels.WEIGHT, :4]) == [3, 1, 1, 1], "what is viscous does not part"
    part(group, crowd, 0.0)
    assert sorted(crowd.air[: crowd.course[kernels.LISTED]]) == [0, 1, 2, 3]
    assert (group.state[kernels.STATUS, :4] == kernels.FLYING).all() and list(group.state[kernels.X, :4]) == [1, 1, 1, 40]
    attract(group, crowd, 1.0, 1.0)
    assert list(group.state[kernels.WEIGHT, :4]) == [3, 1, 1, 1] and members_of(group.state, 0) == [0, 1, 2]


# --- heights, sea, marks -------------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(exponent=st.floats(0.25, 8.0))
def test_smoothing_is_a_power(exponent):
    x = np.linspace(0, 1, 4097)
    assert np.allclose(curve(exponent), x**exponent, atol=2e-6)


def test_heights_end_between_0_and_1_and_smoothing_makes_peaks_slim():
    plain, slim = (grown(cells=64, particles=4000, smoothing=s).heights for s in (1.0, 2.0))
    for heights in (plain, slim):
        assert heights.min() == 0.0 and heights.max() == 1.0
    assert np.allclose(slim, plain**2, atol=1e-5) and slim.mean() < plain.mean()


def test_land_rises_step_by_step():
    growth = grown(to=0, cells=48, particles=1000)
    assert not growth.heights.any()
    tops = []
    for step in range(100, 1001, 100):
        growth.advance(step)
        tops.append(float(growth.heights.max()))
    assert np.allclose(tops, np.arange(1, 11) / 10)


@pytest.mark.parametrize("start", ["random", "plasma"])
def test_a_start_map_is_seen_from_the_first_step(start):
    growth = grown(to=0, cells=50, particles=500, start=start, start_height=0.1)
    assert growth.heights.max() == pytest.approx(0.25) and growth.ground.max() == pytest.approx(5.0, rel=0.01)
    before = growth.ground.copy()
    growth.advance(500)
    assert (growth.ground >= before).all() and growth.ground.sum() > before.sum()


def test_an_image_is_the_start_map():
    image = np.linspace(0, 1, 33 * 33, dtype=np.float32).reshape(33, 33)
    values = PARTICLES.complete({"cells": 32, "particles": 10, "start": "image", "file": "image.png"})
    growth = Particles(1, values, start=image)
    assert np.allclose(growth.ground, image * 0.05 * 32)
    with pytest.raises(ParameterError, match="file=PATH"):
        PARTICLES.grow(1, {"cells": 32, "start": "image"})


def test_a_start_image_of_any_size_fits_the_map():
    image = np.zeros((20, 31), np.float32)
    image[8:12, 10:20] = 1.0
    values = PARTICLES.complete({"cells": 64, "particles": 10, "start": "image", "file": "image.png"})
    growth = Particles(1, values, start=image)
    assert growth.ground.shape == (65, 65)
    # The image lies in the middle of a square as wide as its longer side.
    assert growth.ground[32, 32] == pytest.approx(0.05 * 64) and growth.ground[:8].max() == 0.0


def test_land_may_be_asked_for():
    for share in (0.1, 0.4):
        growth = grown(cells=96, particles=20_000, land=share)
        assert (growth.heights > growth.sea_level).mean() == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize("magnetism", [0, 8])
def test_marks_are_particles_over_the_map_that_sink(magnetism):
    growth = grown(to=20_000, cells=128, particles=60_000, magnetism=magnetism)
    heights = growth.heights.copy()
    points = growth.marks(19_900, 20_000).points
    assert points.dtype == np.float32 and 50 < len(points) <= 2000
    assert np.isfinite(points).all() and np.abs(points[:, [0, 2]]).max() <= 0.5 and points[:, 1].min() > 0.0
    assert np.array_equal(points, growth.marks(19_900, 20_000).points) and np.array_equal(heights, growth.heights)
    sizes = np.unique(points[:, 3])
    assert (len(sizes) > 1) == (magnetism > 0) and sizes[0] == pytest.approx(4 / 128)
    if not magnetism:
        later = growth.marks(19_900, 20_001).points
        assert 0.0 < points[:200, 1].mean() - later[:200, 1].mean() < 0.01


def test_there_are_no_marks_when_all_have_landed():
    growth = grown(cells=32, particles=500)
    assert growth.marks(0, 500).points.shape == (0, 4)


# --- parameters ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given_values, message",
    [
        ({"up": 50, "down": 50}, "fall more often than rise"),
        ({"up": 60, "down": 50}, "at most"),
        ({"up": 20, "down": 10}, "fall more often"),
        ({"magnetism": 4, "viscosity": 0.0}, "does nothing"),
        ({"breakup": 0.2}, "does nothing"),
        ({"magnetism": 4, "breakup": 0.2, "viscosity": 1.0}, "does nothing"),
        ({"preset": "island", "window.1": "disc,0.5,0.5,0.1,0.1"}, "leave one of them out"),
    ],
)
def test_a_rain_that_need_not_end_or_has_parts_without_use_is_refused(given_values, message):
    with pytest.raises(ParameterError, match=message):
        PARTICLES.grow(1, given_values)


@settings(max_examples=20)
@given(data=st.data())
def test_every_corner_of_the_parameters_grows(data):
    """Drawn from the table itself, kept small where time or memory would grow with them."""
    small = {
        "cells": (1, 40),
        "particles": (1, 200),
        "radius": (1, 9),
        "group": (1, 70),
        "height": (0.0, 1.0),
        "box": (-0.5, 0.5),
    }
    values = {}
    for p in PARTICLES.parameters:
        low, high = small.get(p.name, (p.low, p.high))
        if p.choices:
            values[p.name] = data.draw(st.sampled_from([c for c in p.choices if c != "image"]), p.name)
        elif p.name in ("up", "down", "mass", "file", "carve"):  # carved land is not the rain's alone
            continue
        elif p.numbered:
            if data.draw(st.booleans(), p.name):
                values["window.1"] = data.draw(st.sampled_from(["rectangle,0.5,0.5,1,1", "ring,0.2,0.3,0.5,0.6,2,0.1"]))
        elif p.kind() is int:
            values[p.name] = data.draw(st.integers(int(low), int(high)), p.name)
        else:
            values[p.name] = data.draw(st.floats(low, high), p.name)
    try:
        growth = PARTICLES.grow(data.draw(st.integers(0, 2**64 - 1), "seed"), values)
        growth.advance(growth.total)
    except ParameterError as error:
        # Small boxes and wide steps, of which nothing lands.
        assert any(words in str(error) for words in ("wall", "does nothing", "leave one of them out", "no window stands"))
        return
    assert np.isfinite(growth.heights).all() and 0.0 <= growth.heights.min() <= growth.heights.max() <= 1.0
    again = PARTICLES.grow(growth.seed, values)
    for step in sorted({growth.total // 3, growth.total // 2, growth.total}):
        again.advance(step)
    assert np.array_equal(again.heights, growth.heights)
