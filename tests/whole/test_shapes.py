"""Arrays from outside are checked where they enter: a wrong shape is one clear error, and never a kernel's overrun."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from demo.catalogue.generators import GENERATORS
from demo.ground.detail import detail_of
from demo.ground.ground import Ground
from demo.ground.relief import Relief, fill_gutter
from demo.ground.relief_maker import ReliefMaker
from demo.mapping.local.courses import chains_of, gate_levels, network_of, owners_of
from demo.mapping.local.fine_mesh import strip_of
from demo.mapping.local.peaks import Summits, standing_m, summits_of, tops_of
from demo.mapping.local.planet_mesh import fine_mesh_of
from demo.mapping.local.shores import arcs_of
from demo.mapping.shown.streams import streams_of
from demo.mapping.waters.basins import basins_of
from demo.mapping.waters.hydrology import hydrology_of
from demo.mapping.waters.landmass_waters import filled, waters_of
from demo.mapping.waters.landmasses import globe_of, landmasses_of, shore_of
from demo.worlds.atlas import ATLASES, CUBE, PLANE
from demo.worlds.climate.mesh_climate import climate_of
from demo.worlds.doublecone import global_mesh as meshes
from demo.worlds.doublecone.global_relief import RingWindow, displace
from demo.worlds.doublecone.local_mesh import Planet
from demo.worlds.drainage import Graph, accumulate, fill, route
from demo.worlds.heightmap import HeightMap, squared, sunk_rim
from demo.worlds.land_share import cube_level, ring_level
from demo.worlds.particles.growth import Particles
from demo.worlds.particles.rain import rain_of

CELLS = 8
POINTS = meshes.point_count(CELLS)
EAST = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])


def zeros(*shape, dtype=np.float32):
    return np.zeros(shape, dtype)


RAINS = GENERATORS["particles"].complete({"cells": 16, "particles": 100})


def rain(ground):
    return rain_of(1, RAINS, Particles(1, RAINS).windows, ground)


def maker(atlas=CUBE, bearings=EAST):
    return ReliefMaker(atlas, 9, 1000.0, 100.0, bearings)


def relief(heights, atlas=CUBE, above=None, **parts):
    out = replace(Relief.empty(atlas, 9), **parts)
    maker(atlas).fill(out, heights, 0.0, 1.0, above=above)


def graph(points=10):
    return Graph.of_mesh(np.repeat(np.arange(points, dtype=np.int32)[:, None], 6, axis=1))


def flooded(points=10, seen=10, seeds=(0,), bins=4, dtype=np.float32):
    fill(graph(), zeros(points, dtype=dtype), zeros(seen, dtype=np.uint8), np.array(seeds, np.int32), bins)


def displaced(length, rough=6):
    source, target = RingWindow.whole(2), RingWindow.whole(4)
    return displace(zeros(length), source, target, 1, 3000, 1.0, zeros(rough))


WORLDS = {
    "a picture of one axis": lambda: squared(zeros(9), 0.0, 8),
    "a picture in colour": lambda: squared(zeros(9, 9, 3), 0.0, 8),
    "a rim around colours": lambda: sunk_rim(zeros(9, 9, 3), 0.0, 2.0),
    "an oblong height map": lambda: HeightMap(1, zeros(9, 8), 0.0),
    "a height map of one sample": lambda: HeightMap(1, zeros(1, 1), 0.0),
    "oblong ground under a rain": lambda: rain(zeros(17, 9)),
    "double ground under a rain": lambda: rain(zeros(17, 17, dtype=np.float64)),
    "a rain from no window": lambda: rain_of(1, RAINS, [], zeros(17, 17)),
    "a rain from too many windows": lambda: rain_of(1, RAINS, Particles(1, RAINS).windows * 2000, zeros(17, 17)),
    "a rain onto smaller ground": lambda: rain(zeros(17, 17)).fall(zeros(9, 9), 10),
    "flights over smaller ground": lambda: rain(zeros(17, 17)).in_flight(zeros(9, 9), np.arange(1), np.ones(1)),
    "a flood of fewer heights": lambda: flooded(points=9),
    "a flood of double heights": lambda: flooded(dtype=np.float64),
    "a flood of fewer marks": lambda: flooded(seen=9),
    "a flood from beyond": lambda: flooded(seeds=(10,)),
    "a flood from a negative place": lambda: flooded(seeds=(-1,)),
    "a flood of one list": lambda: flooded(bins=1),
    "neighbours beyond the mesh": lambda: Graph.of_mesh(np.full((4, 6), 4, np.int32)),
    "a route over fewer heights": lambda: route(graph(), zeros(9), zeros(9, dtype=np.uint8), zeros(60)),
    "a route of fewer lengths": lambda: route(graph(), zeros(10), zeros(10, dtype=np.uint8), zeros(59)),
    "a receiver beyond": lambda: accumulate(np.array([0, 2], np.int32), zeros(2, dtype=np.uint8), np.zeros(2)),
    "less flow than receivers": lambda: accumulate(zeros(3, dtype=np.int32), zeros(3, dtype=np.uint8), np.zeros(2)),
    "a climate on a table": lambda: climate_of(zeros(POINTS, 2)),
    "shares of five faces": lambda: cube_level(zeros(5, 9, 9), 0.5),
    "shares of double heights": lambda: cube_level(zeros(6, 9, 9, dtype=np.float64), 0.5),
    "shares of fewer points": lambda: ring_level(
        zeros(POINTS - 1), meshes.ring_starts(CELLS), meshes.ring_weights(CELLS), 0.5
    ),
    "shares of fewer rings": lambda: ring_level(zeros(POINTS), meshes.ring_starts(CELLS), np.ones(CELLS), 0.5),
    "faces of another mesh": lambda: meshes.to_faces(zeros(POINTS), CELLS // 2),
    "a mesh of three faces": lambda: meshes.from_faces(zeros(3, 9, 9)),
    "a packed mesh of other cells": lambda: meshes.pack(zeros(POINTS), CELLS // 2),
    "fewer coarse points": lambda: displaced(meshes.point_count(2) - 1),
    "roughness of no mesh": lambda: displaced(meshes.point_count(2), rough=7),
}

GROUND = {
    "detail of a single face": lambda: detail_of(CUBE, zeros(9, 9), 1000.0, 1),
    "detail of five faces": lambda: detail_of(CUBE, zeros(5, 9, 9), 1000.0, 1),
    "ground of oblong faces": lambda: Ground(PLANE, zeros(1, 9, 8), 1000.0),
    "a gutter of too few faces": lambda: fill_gutter(CUBE, zeros(5, 13, 13)),
    "a gutter without samples": lambda: fill_gutter(PLANE, zeros(1, 5, 5)),
    "a gutter in a part of an array": lambda: fill_gutter(PLANE, zeros(1, 13, 26)[:, :, ::2]),
    "two bearings": lambda: maker(ATLASES["plane"], EAST[:2]),
    "a relief of larger faces": lambda: relief(zeros(6, 10, 10)),
    "a relief of one value": lambda: relief(zeros(1)),
    "depths of smaller faces": lambda: relief(zeros(6, 9, 9), above=zeros(6, 8, 8)),
    "a smaller shade": lambda: relief(zeros(6, 9, 9), shade=zeros(6, 9, 9, 4, dtype=np.int16)),
    "a larger light": lambda: relief(zeros(1, 9, 9), PLANE, light=zeros(1, 13, 13, 4, dtype=np.uint8)),
    "the relief of another atlas": lambda: relief(zeros(1, 9, 9), PLANE, heights_m=zeros(6, 13, 13)),
}


@pytest.mark.parametrize("case", [*WORLDS, *GROUND])
def test_wrong_shapes_of_worlds_and_ground_are_refused(case):
    with pytest.raises(ValueError, match=r"takes|not|fit|no ") as raised:
        (WORLDS | GROUND)[case]()
    assert "\n" not in str(raised.value) and "broadcast" not in str(raised.value)


@pytest.fixture(scope="module")
def planet():
    """The parts of a small planet by name, as its map is made from them."""
    ring = np.abs(np.arange(2 * CELLS + 1) - CELLS)
    heights = np.repeat(np.where(ring < 3, 300.0 - 20.0 * ring, -500.0), meshes.ring_counts(CELLS)).astype(np.float32)
    globe, climate = globe_of(CELLS), climate_of(heights)
    waters = hydrology_of(heights, climate, globe=globe)
    world = Planet(1, 3, heights, np.ones(6, np.float32))
    mesh = fine_mesh_of(world, 1, waters, globe.neighbour)
    network, strip = network_of(mesh, waters), strip_of(mesh, 0, 2 * CELLS)
    owner = owners_of(mesh, network, strip)
    # Courses cut valleys into their strip.
    chains = chains_of(mesh, network, strip_of(mesh, 0, 2 * CELLS), owner, 0, 2 * CELLS + 1)
    return {
        "heights": heights,
        "globe": globe,
        "climate": climate,
        "waters": waters,
        "world": world,
        "mesh": mesh,
        "network": network,
        "strip": strip,
        "owner": owner,
        "chains": chains,
        "masses": waters.landmasses,
        "points": waters.landmasses.points[0],
    }


MAPPING = {
    "waters of fewer heights": lambda p: hydrology_of(p["heights"][:-1], p["climate"], globe=p["globe"]),
    "waters of another climate": lambda p: hydrology_of(
        p["heights"], replace(p["climate"], rain_mm=zeros(7)), globe=p["globe"]
    ),
    "a landmass of fewer heights": lambda p: waters_of(p["globe"], p["points"], p["heights"][:-1], p["climate"]),
    "landmasses of a table": lambda p: landmasses_of(p["globe"], p["heights"][:, None]),
    "a shore of points beyond": lambda p: shore_of(p["globe"], np.array([POINTS])),
    "a shore of points out of order": lambda p: shore_of(p["globe"], p["points"][::-1]),
    "basins of fewer heights": lambda p: basins_of(shore_of(p["globe"], p["points"]), zeros(3)),
    "filling fewer heights": lambda p: filled(shore_of(p["globe"], p["points"]), zeros(3)),
    "summits of fewer heights": lambda p: summits_of(zeros(3), p["globe"].neighbour, p["masses"], 0.0),
    "summits among fewer neighbours": lambda p: summits_of(p["heights"], p["globe"].neighbour[:-1], p["masses"], 0.0),
    "summits beside points beyond": lambda p: summits_of(p["heights"], p["globe"].neighbour + 1, p["masses"], 0.0),
    "tops of fewer owners": lambda p: tops_of(
        p["mesh"], p["strip"], p["owner"][:-1], Summits(zeros(0, dtype=np.int32), np.zeros(0)), 0, CELLS
    ),
    "courses of fewer owners": lambda p: chains_of(p["mesh"], p["network"], p["strip"], p["owner"][:-1], 1, CELLS),
    "shores of fewer owners": lambda p: arcs_of(p["mesh"], p["network"], p["strip"], p["owner"][:-1], 1, CELLS),
    "levels of fewer gates": lambda p: gate_levels(p["mesh"], zeros(3)),
    "a mesh of other waters": lambda p: fine_mesh_of(replace(p["world"], gn=4), 1, p["waters"], p["globe"].neighbour),
    "a mesh of fewer neighbours": lambda p: fine_mesh_of(p["world"], 1, p["waters"], p["globe"].neighbour[:-1]),
    "rivers over three faces": lambda p: streams_of(p["mesh"], p["waters"], p["network"], p["chains"], zeros(3, 9, 9)),
    "rivers of another mesh": lambda p: streams_of(
        replace(p["mesh"], body=p["mesh"].body[:-1]), p["waters"], p["network"], p["chains"], zeros(4, 9, 9)
    ),
}


@pytest.mark.parametrize("case", MAPPING)
def test_wrong_shapes_of_a_map_are_refused(planet, case):
    with pytest.raises(ValueError, match=r"takes|not|fit|no ") as raised:
        MAPPING[case](planet)
    assert "\n" not in str(raised.value) and "broadcast" not in str(raised.value)


def test_the_parts_of_the_planet_fit_together(planet):
    """The parts that the cases above spoil one by one are taken as they are."""
    assert len(summits_of(standing_m(planet["waters"]), planet["globe"].neighbour, planet["masses"], 0.0).point)
    rain(zeros(17, 17)).fall(zeros(17, 17), 10)
    relief(zeros(6, 9, 9), above=zeros(6, 9, 9))
    flooded()
    displaced(meshes.point_count(2))


def test_a_planet_needs_no_bearings():
    """Its stories have none."""
    assert maker(CUBE, EAST[:0]).atlas is CUBE
