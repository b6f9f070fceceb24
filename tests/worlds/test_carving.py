"""Carving: its graph on every atlas, its rivers against known laws, its volumes, and coasts that stay."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from demo.catalogue.generators import generator
from demo.worlds.atlas import ATLASES, CUBE, PLANE
from demo.worlds.carving import kernels, raster_kernels
from demo.worlds.carving.carver import Carver, Forces
from demo.worlds.carving.growth import lattices, times
from demo.worlds.carving.kernels import DEGREE, INSIDE, LAND, OUTSIDE
from demo.worlds.carving.lattice import doubled
from demo.worlds.carving.node_graph import node_graph
from demo.worlds.carving.rainfall import LEAST, MOST, rainfall, winds
from demo.worlds.drainage import fill
from demo.worlds.drainage_kernels import CLOSED, UNSEEN

WORLDS = [
    ("plasma", {"cells": 64}),
    ("particles", {"cells": 48, "particles": 3000}),
    ("cuts", {"cells": 24, "cuts": 600}),
    ("cuts", {"cells": 20, "cuts": 400, "atlas": "latlong"}),
    ("simplex", {"cells": 24}),
    ("doublecone", {"gn": 4}),
]


def neighbours(nodes, p):
    begins = nodes.ways[0 if nodes.row else p]
    around = p + nodes.table[begins : begins + DEGREE]
    return [int(q) for q in around if q != p and nodes.place[q] != OUTSIDE]


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=lambda atlas: atlas.name)
@pytest.mark.parametrize("n", [2, 3, 9])
def test_neighbours_know_each_other_and_no_node_has_one_twice(atlas, n):
    nodes = node_graph(atlas, n)
    for p in np.flatnonzero(nodes.place):
        around = neighbours(nodes, p)
        assert len(set(around)) == len(around)
        assert all(p in neighbours(nodes, q) for q in around)


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=lambda atlas: atlas.name)
def test_areas_add_up_to_the_whole(atlas):
    nodes = node_graph(atlas, 17)
    assert nodes.area.sum(dtype=np.float64) == pytest.approx(4.0 * np.pi if atlas.spherical else 1.0, rel=1e-6)
    assert (nodes.area[nodes.place != OUTSIDE] > 0.0).all()


@pytest.mark.parametrize("atlas", [atlas for atlas in ATLASES.values() if atlas.spherical], ids=lambda atlas: atlas.name)
@pytest.mark.parametrize("n", [2, 3, 17])
def test_nodes_know_how_near_their_neighbours_are_whoever_they_share_that_with(atlas, n):
    nodes = node_graph(atlas, n)
    table, places = nodes.graph().table.reshape(nodes.count, DEGREE), atlas.positions(n).reshape(-1, 3)
    _, own = np.unique(nodes.node, return_index=True)
    apart = np.linalg.norm(places[own][table] - places[own][:, None], axis=-1)
    nearness = nodes.nearness[nodes.begins[:, None] + np.arange(DEGREE)]
    assert np.array_equal(nearness == 0.0, table == np.arange(nodes.count)[:, None])
    np.testing.assert_allclose(nearness[nearness > 0.0], 1.0 / apart[nearness > 0.0], rtol=1e-6)


def test_six_faces_of_a_cube_share_their_distances():
    nodes = node_graph(CUBE, 65)
    assert nodes.nearness.size < DEGREE * nodes.count / 4


def test_all_nodes_inside_a_face_share_their_neighbours():
    """But those at its rim, and beside it: together all neighbours take less than the heights do."""
    nodes = node_graph(CUBE, 65)
    assert nodes.table.size < DEGREE * (nodes.count / 6)
    inside = nodes.ways[nodes.node[:, 3:-3, 3:-3]]
    for face in inside:
        _, counts = np.unique(face, return_counts=True)
        assert counts.max() > 0.95 * face.size


def test_faces_of_a_cube_are_joined_across_their_edges():
    nodes = node_graph(CUBE, 9)
    # Six faces of 81 samples share twelve edges and eight corners.
    assert nodes.count == 6 * 8 * 8 + 2
    degrees = sorted(len(neighbours(nodes, p)) for p in range(nodes.count))
    assert degrees[:8] == [6] * 8 and set(degrees[8:]) == {8}


def test_doubled_keeps_what_was_there_and_lies_halfway_between():
    coarse = np.arange(9.0, dtype=np.float32).reshape(1, 3, 3) ** 2
    fine = doubled(coarse)
    assert np.array_equal(fine[:, ::2, ::2], coarse)
    assert fine[0, 0, 1] == 0.5 * (coarse[0, 0, 0] + coarse[0, 0, 1])
    assert fine[0, 1, 1] == 0.25 * coarse[0, :2, :2].sum()


@pytest.mark.parametrize("cells", [1, 7, 320, 1024])
def test_lattices_halve_and_their_times_add_up(cells):
    found = lattices(cells)
    assert found[0] == cells
    assert all(fine == 2 * coarse for fine, coarse in itertools.pairwise(found))
    assert sum(times(len(found))) == pytest.approx(1.0)


@pytest.mark.parametrize("name, given", WORLDS, ids=lambda value: str(value))
def test_land_stays_land_and_drains_better(name, given):
    source, carved = generator(name).world(3, given), generator(name).world(3, {**given, "carve": 1.0})
    land = source.heights > source.sea_level
    assert carved.sea_level == source.sea_level
    assert np.isfinite(carved.heights).all()
    assert (carved.heights[land] >= source.sea_level).all()
    # Deltas alone may rise out of the sea; on so coarse a mesh the double cone's shelves are wide.
    assert (carved.heights[~land] > source.sea_level).mean() < 0.08
    assert not np.array_equal(carved.heights, source.heights)
    assert pits(carved) <= 0.5 * pits(source)


def pits(world):
    """The count of land nodes that are lower than all their neighbours."""
    nodes = node_graph(world.atlas, world.n)
    height = nodes.of_samples(world.heights.astype(np.float64), np.inf)
    inland = [p for p in np.flatnonzero(nodes.place) if height[p] > world.sea_level]
    return sum(all(height[q] > height[p] for q in neighbours(nodes, p)) for p in inland)


def rough(n, seed=5):
    """A plane of small hills, float64 (1, n, n), above a sea at 0 that lies along its rim."""
    hills = np.random.default_rng(seed).uniform(0.001, 0.01, (1, n, n))
    hills[:, [0, -1], :] = hills[:, :, [0, -1]] = -0.01
    return hills


def carver(n, seed=5):
    nodes = node_graph(PLANE, n)
    return Carver(nodes, nodes.of_samples(rough(n, seed).astype(np.float32)), 0.0, 0.001, seed)


def forces(nodes, **changed):
    ones = np.ones(nodes.count, np.float32)
    given = {
        "uplift": 0.001 * ones,
        "softness": ones,
        "rate": 0.05,
        "rain": ones,
        "slope": 1e9,
        "creep": 0.002,
    }
    return Forces(**{**given, **changed})


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=lambda atlas: atlas.name)
@pytest.mark.parametrize("share", [0.02, 0.4, 1.0])
def test_lakes_have_the_levels_of_a_flood_and_their_water_gets_to_the_sea(atlas, share):
    """Against the priority flood of `drainage`; `share` of the samples is land. Heights of few values: flats and ties."""
    random, n = np.random.default_rng(int(100 * share)), 24
    nodes = node_graph(atlas, n)
    height = np.where(random.random(nodes.count) < share, random.integers(1, 30, nodes.count), 0).astype(np.float32)
    height[nodes.place == OUTSIDE] = 0.0
    work = Carver(nodes, height.copy(), 0.0, 0.001, 1)
    work.step(0, 0.0, forces(nodes, creep=0.0))
    land = work.kind == LAND
    level, seen = np.where(nodes.place == OUTSIDE, np.inf, height).astype(np.float32), np.where(land, UNSEEN, CLOSED)
    fill(nodes.graph(), level, seen.astype(np.uint8), np.flatnonzero(~land & (nodes.place != OUTSIDE)).astype(np.int32))
    assert np.array_equal(np.maximum(height, work.level)[land], level[land])
    there = np.arange(nodes.count)
    for _ in range(nodes.count):
        there = work.receiver[there]
    assert not land[there].any()
    assert work.flow[~land].max() <= nodes.area[land].sum(dtype=np.float64) * (1.0 + 1e-6)


def test_volumes_balance():
    """What the land and the bed of the sea gain is what rose, less what is lost to the depths."""
    work = carver(65)
    before = work.height.copy()
    for number in range(20):
        work.step(number, 1.0, forces(work.nodes, slope=0.2))
    gained = ((work.height.astype(np.float64) - before) * work.nodes.area).sum()
    assert work.budget.cut > 0.0 and work.budget.lost > 0.0
    assert gained == pytest.approx(work.budget.raised - work.budget.lost, abs=1e-5 * work.budget.cut)


def valley_into_a_shallow_sea():
    """A carver of a plane with a valley along its middle that falls to a shore, and a flat bed beyond it."""
    n = 65
    along, across = np.mgrid[0.0:1.0:65j, -1.0:1.0:65j]
    land = 0.001 + 0.1 * (0.7 - along) + 0.2 * np.abs(across)
    height = np.where(along < 0.7, land, -0.002)[None].astype(np.float32)
    nodes = node_graph(PLANE, n)
    return Carver(nodes, nodes.of_samples(height, outside=-0.002), 0.0, 0.001, 5)


def test_large_rivers_build_flat_deltas_and_small_ones_do_not():
    grown = []
    for wet in (1.0, 0.02):
        work = valley_into_a_shallow_sea()
        before = work.nodes.to_samples(work.height)[0] > 0.0
        for number in range(12):
            rain = np.full(work.nodes.count, wet, np.float32)
            work.step(number, 1.0, forces(work.nodes, uplift=0.0 * rain, rain=rain, slope=0.5))
        height = work.nodes.to_samples(work.height)[0]
        new = (height > 0.0) & ~before
        # Up to the shelf, but for the little by which rivers pile up on their way over it.
        assert not new.any() or np.percentile(height[new], 75) <= 0.001
        grown.append(new)
    delta, none = grown
    # A share of what the valley drains, at its mouth and broader than the river.
    assert 30 < delta.sum() < 0.1 * before.sum() and not none.any()
    assert delta.any(axis=0).sum() >= 5 and delta.any(axis=1).sum() >= 5


def test_a_river_lays_down_a_fan_where_it_leaves_a_slope_for_a_plain():
    nodes = node_graph(PLANE, 65)
    along, across = np.mgrid[0.0:1.0:65j, -1.0:1.0:65j]
    steep = np.maximum(0.5 - along, 0.0) * (0.6 + 0.5 * np.abs(across)) + 0.01 * (1.0 - along) + 0.001
    height = np.where(along < 0.98, steep, -0.01)[None].astype(np.float32)
    work = Carver(nodes, nodes.of_samples(height, outside=-0.01), 0.0, 0.001, 5)
    work.sediment = np.zeros(nodes.count, np.float32)
    for number in range(6):
        work.step(number, 1.0, forces(nodes, uplift=np.zeros(nodes.count, np.float32)))
    thick = work.nodes.to_samples(work.sediment)[0].sum(axis=1)
    assert thick[33:45].sum() > 3.0 * thick[5:17].sum() and thick[33:45].sum() > 1.5 * thick[48:60].sum()


def test_steps_can_be_repeated_bit_for_bit():
    first, second = carver(33), carver(33)
    for number in range(5):
        for work in (first, second):
            work.step(number, 1.0, forces(work.nodes))
    assert np.array_equal(first.height, second.height)


def test_slope_falls_with_area_as_the_law_says():
    """At a steady state with uniform uplift and rock, no creep and no deposits, slope ~ area^(-7/16)."""
    work = carver(129)
    nodes = work.nodes
    for number in range(200):
        work.step(number, 1.0, forces(nodes, creep=0.0, settling=0.0))
    area, slope = slopes(work)
    bins = np.geomspace(30.0, 1000.0, 8) / 128**2
    middle = [np.median(slope[(area >= low) & (area < high)]) for low, high in itertools.pairwise(bins)]
    theta = -np.polyfit(np.log(np.sqrt(bins[1:] * bins[:-1])), np.log(middle), 1)[0]
    assert theta == pytest.approx(7.0 / 16.0, abs=0.02)


def slopes(work):
    """(area, slope) of each land node on its way to the neighbour that takes its water."""
    height, nodes = work.height, work.nodes
    land = np.flatnonzero((height > 0.0) & (nodes.place != OUTSIDE))
    there = work.receiver[land]
    way = np.zeros(land.size)
    for slot, step in enumerate(nodes.table):
        way[there == land + step] = 1.0 / nodes.nearness[slot]
    kept = (there != land) & (height[there] > 0.0)
    return work.flow[land][kept], (height[land] - height[there])[kept] / way[kept]


def test_rasters_are_carved_as_meshes_are():
    """The kernels for rasters draw the same receivers, and let the same creep, as those for any table of neighbours."""
    nodes = node_graph(PLANE, 33)
    height = nodes.of_samples(rough(33).astype(np.float32))
    count, sea = nodes.count, np.float32(0.0)
    kind = np.where((nodes.place == INSIDE) & (height > sea), LAND, nodes.place).astype(np.uint8)
    begins = np.zeros(count, np.int32)
    found = [(np.empty(count, np.int32), np.empty(count, np.uint8), np.empty(count, np.int32)) for _ in range(2)]
    key = np.uint64(7)
    pits = (
        kernels.receive(height, sea, kind, nodes.nearness, begins, nodes.table, begins, key, *found[0]),
        raster_kernels.receive_raster(height, sea, kind, nodes.nearness, nodes.table, nodes.row, key, *found[1]),
    )
    assert pits[0] == pits[1] > 0
    assert all(np.array_equal(a, b) for a, b in zip(found[0][:2], found[1][:2], strict=True))
    share, slope, slide, crept = np.float32(0.01), np.float32(0.05), np.float32(0.08), (height.copy(), height.copy())
    kernels.creep(height, kind, nodes.area, nodes.nearness, begins, nodes.table, begins, share, slope, slide, crept[0])
    area = nodes.area[kind == LAND][0]
    raster_kernels.creep_raster(height, kind, nodes.nearness, nodes.table, nodes.row, area, share, slope, slide, crept[1])
    assert np.abs(crept[0] - height).max() > 0.001
    np.testing.assert_allclose(crept[1], crept[0], rtol=1e-5)


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=lambda atlas: atlas.name)
def test_it_rains_more_on_the_side_that_the_wind_comes_from(atlas):
    """Land with one mountain chain: on land the rain is 1 on average, and less where the air comes down."""
    xyz, n = atlas.positions(49), 49
    across = xyz[..., 2] - xyz[..., 2].mean()
    heights = (0.2 + np.maximum(0.0, 1.0 - 8.0 * np.abs(across))).astype(np.float32)
    heights[(xyz[..., 0] < 0.5) if atlas.spherical else (np.abs(across) > 0.4)] = -0.2
    rain = rainfall(SimpleNamespace(atlas=atlas, sea_level=0.0, unit="", seed=3), heights).parts(heights)
    nodes = node_graph(atlas, n)
    land, wind = heights > 0.0, nodes.to_samples(winds(atlas, nodes.places(atlas), 3)[:, 2])
    chain = land & (np.abs(across) < 0.15) & (np.abs(across) > 0.03) & (np.abs(wind) > 0.1)
    assert rain[chain & (across * wind < 0.0)].mean() > 1.3 * rain[chain & (across * wind > 0.0)].mean()
    area = nodes.to_samples(nodes.area)
    assert np.average(rain[land], weights=area[land]) == pytest.approx(1.0, abs=0.15)
    assert rain.min() >= LEAST * 0.99 and rain.max() <= MOST * 1.01


def test_a_world_that_is_carved_keeps_nothing_of_the_work():
    growth = generator("plasma").grow(3, {"cells": 64, "carve": 1.0})
    growth.advance(growth.total - 1)
    before = growth.heights.copy()
    growth.advance(growth.total)
    assert not np.array_equal(growth.heights, before)
    assert growth._work is None


@pytest.mark.parametrize(("name", "given"), [*WORLDS, ("plasma", {"cells": 256, "ice": 1.0})])
def test_a_world_grown_again_shows_what_was_carved_and_ends_as_it(name, given):
    def grow():
        return generator(name).grow(5, {**given, "carve": 1.0})

    first = grow()
    grown, total = first.stages["grown"], first.stages["end"]
    first.advance(grown)
    shown = range(grown, total, 3)
    again = first.again(grow, shown)
    steps = {}
    for step in range(grown + 1, total + 1):
        first.advance(step)
        steps[step] = first.heights.copy()
    assert (again.total, again.stages) == (first.total, first.stages)
    for step in shown[1:]:
        again.advance(step)
        # Kept to one in 65,535 of the range of what was carved, which is at most the whole relief.
        assert np.abs(again.heights - steps[step]).max() <= 2.0 * np.ptp(first.heights) / 65_535
    again.advance(total)
    assert np.array_equal(again.heights, first.heights) and again.sea_level == first.sea_level


def test_a_step_that_was_not_kept_cannot_be_shown():
    def grow():
        return generator("plasma").grow(5, {"cells": 16, "carve": 1.0})

    first = grow()
    first.advance(first.stages["grown"])
    again = first.again(grow, [])
    with pytest.raises(ValueError, match="is not kept"):
        again.advance(first.stages["grown"] + 1)


def test_years_of_carving_rise_to_its_age():
    growth = generator("plasma").grow(5, {"cells": 16, "carve": 1.0, "age": 2.0})
    assert len(growth.years) == growth.stages["end"] - growth.stages["grown"] + 1
    assert growth.years[0] == 0.0 and (np.diff(growth.years) > 0.0).all()
    assert growth.years[-1] == pytest.approx(2e6)
