"""Regions of maps: bit for bit what the map of the whole planet has there."""

from __future__ import annotations

import functools
from dataclasses import fields
from types import SimpleNamespace

import numpy as np
import pytest

from demo.catalogue.generators import generator
from demo.mapping.local import blocks
from demo.mapping.local.fine_mesh import raw_rings, strip_of, triangles_of, window_strip
from demo.mapping.local.fine_mesh_kernels import index_of, numbers
from demo.mapping.local.memory_plan import MemoryPlan
from demo.mapping.local.sections import sections_of
from demo.mapping.local.strip_rows import in_order, ring_of_points, rows_of
from demo.mapping.objects.clipping import clipped
from demo.mapping.objects.planet_map import planet_map_of
from demo.mapping.objects.region_map import region_map_of
from demo.mapping.region import Region, region_around
from demo.worlds.doublecone import global_mesh as meshes
from demo.worlds.doublecone.ring_spans import refine_spans, spans_of
from tests.mapping.test_objects import PLANETS, parts_of

RADIUS_M = 6.371e6
KINDS = ("landmasses", "coastlines", "seas", "oceans", "lakes", "rivers", "confluences", "catchments", "peaks")
WORLDS = {"plain": {"gn": 4, "ln": 3}, "fine": {"gn": 3, "ln": 5}, "even": {"gn": 4, "ln": 2, "keeps": "areas"}}
# The 180th meridian, where faces 3 and 0 of the mesh meet, a pole, and where the local mesh is finer than the drained one.
PLACES = {
    "inland": ("plain", 3, (-91.0, -40.0, 4000.0)),
    "the 180th meridian": ("plain", 3, (179.0, -30.0, 3000.0)),
    "where the mesh begins": ("plain", 3, (-1.0, 5.0, 2500.0)),
    "a pole": ("plain", 7, (60.0, 84.0, 2000.0)),
    "a fine mesh": ("fine", 3, (100.0, 30.0, 3000.0)),
    "lakes": ("fine", 3, (-60.0, 37.0, 3500.0)),
    "even areas": ("even", 7, (-60.0, 10.0, 3500.0)),
}


def values_of(world):
    return generator("doublecone").complete({"poles": "any", **WORLDS[world]})


@functools.cache
def whole_of(world, seed):
    return planet_map_of(seed, values_of(world), "code", threads=2)[0]


def region_of(world, around):
    values = values_of(world)
    return region_around(*around, 4 * 2 ** (values["gn"] + values["ln"]), RADIUS_M)


@functools.cache
def both_of(place):
    """(the part of the whole planet's map, the map of the region alone, the region)."""
    world, seed, around = PLACES[place]
    region = region_of(world, around)
    return whole_of(world, seed), region_map_of(seed, values_of(world), "code", region, threads=2), region


def assert_same(one, two, what, but=()):
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, two, what)
    elif isinstance(one, tuple):
        assert len(one) == len(two), what
        for k, (a, b) in enumerate(zip(one, two, strict=True)):
            assert_same(a, b, f"{what}[{k}]")
    elif hasattr(one, "__dataclass_fields__"):
        for name in (field.name for field in fields(one) if field.name not in but):
            assert_same(getattr(one, name), getattr(two, name), f"{what}.{name}")
    else:
        assert one == two, what


@pytest.mark.parametrize("place", PLACES)
def test_a_region_has_the_things_of_the_whole_planet(place):
    """Those that are not cut in all their figures, but a catchment upstream may be cut; those that are in their shapes."""
    planet, part, region = both_of(place)
    expected = clipped(planet, region)
    assert part.region == region and sum(len(getattr(part, kind)) for kind in KINDS) > 5
    assert part.cut == expected.cut
    assert place != "lakes" or len(part.lakes) - len(part.cut["lakes"]) > 2
    for kind in KINDS:
        cut = part.cut.get(kind, frozenset())
        assert [thing.id for thing in getattr(part, kind)] == [thing.id for thing in getattr(expected, kind)]
        for one, two in zip(getattr(expected, kind), getattr(part, kind), strict=True):
            whole = one.id not in cut
            figures = ("upstream_km2",) if whole and kind == "rivers" else ()
            if whole:
                assert_same(one, two, f"{kind} {one.id}", figures)
            for name in ("lines", "widths_m", "polygons", "mouth_id", "outlet", "name", "landmass", "point"):
                if hasattr(one, name):
                    assert_same(getattr(one, name), getattr(two, name), f"{kind} {one.id}.{name}")


@pytest.mark.parametrize("place", PLACES)
def test_a_region_has_the_heights_of_the_whole_planet(place):
    planet, part, region = both_of(place)
    step = 360.0 / region.width
    column = (region.left + np.arange(region.columns)) % region.width
    row = region.top + np.arange(region.rows)
    at = (-180.0 + step * (column + 0.5))[None, :], (90.0 - step * (row + 0.5))[:, None]
    for one, two in zip(planet.relief.sampled(*at), part.relief.sampled(*at), strict=True):
        np.testing.assert_array_equal(one, two)
    rasters = []
    for made in (planet, part):
        values = made.relief.sample(*at)
        made.river_pixels.put(values, region, 0)
        rasters.append(values)
    np.testing.assert_array_equal(*rasters)


@pytest.mark.parametrize(("world", "seed", "points"), [("plain", 3, 8000), ("fine", 3, 12_000)])
def test_a_planet_is_the_same_in_sections_of_any_size(world, seed, points):
    whole = whole_of(world, seed)
    kept = {}

    def keep(key, make):
        if key not in kept:
            kept[key] = make()
        return kept[key]

    plan = MemoryPlan(points, 2, 10_000)
    made, _ = planet_map_of(seed, values_of(world), "code", threads=2, keep=keep, plan=plan)
    assert len(kept) > 80
    for kind in (*KINDS, "river_pixels"):
        assert_same(getattr(whole, kind), getattr(made, kind), kind)
    longitude, latitude = np.meshgrid(np.linspace(-180, 180, 181), np.linspace(90, -90, 121))
    for one, two in zip(whole.relief.sampled(longitude, latitude), made.relief.sampled(longitude, latitude), strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("cells", [1, 8, 64])
@pytest.mark.parametrize("points", [1, 3000, 200_000])
def test_every_triangle_is_in_one_section(cells, points):
    mesh = SimpleNamespace(triangles=triangles_of(cells))
    found = [section.triangles(mesh) for section in sections_of(cells, 4, points, 16)]
    assert all((np.diff(numbers) > 0).all() and len(numbers) for numbers in found)
    np.testing.assert_array_equal(np.sort(np.concatenate(found)), np.arange(8 * cells * cells))


def test_a_region_is_the_same_in_blocks_of_any_size_and_on_any_number_of_threads(monkeypatch):
    world, seed, _ = PLACES["a fine mesh"]
    _, part, region = both_of("a fine mesh")
    for side, threads in ((1, 1), (2, 3)):
        monkeypatch.setattr(blocks, "side_of", lambda ln, side=side: side)
        made = region_map_of(seed, values_of(world), "code", region, threads=threads)
        for kind in KINDS:
            assert_same(getattr(part, kind), getattr(made, kind), kind)
        assert_same(part.river_pixels, made.river_pixels, "river_pixels")


def test_a_margin_too_small_by_one_is_noticed(monkeypatch):
    """The tests above find it when blocks know no courses beside their own cells."""
    world, seed, _ = PLACES["a fine mesh"]
    planet, _, region = both_of("a fine mesh")

    def less(mesh, asked):
        cells = blocks.corners_of(mesh, asked)
        return cells, np.flatnonzero(blocks.around(mesh, cells))

    monkeypatch.setattr(blocks, "needed_by", less)
    monkeypatch.setattr(blocks, "side_of", lambda ln: 1)
    made = region_map_of(seed, values_of(world), "code", region)
    longitude = np.linspace(region.west, region.east, 800)[None, 1:-1]
    latitude = np.linspace(region.south, region.north, 800)[1:-1, None]
    one, two = (made.relief.sample(longitude, latitude) for made in (planet, made))
    assert (one != two).any()


@pytest.mark.parametrize("ln", [0, 1, 3])
def test_parts_of_rings_have_the_heights_of_whole_ones(ln):
    growth = generator("doublecone").grow(6, {"gn": 4})
    growth.advance(4)
    triangles, cells = triangles_of(16), 16
    belt, fine = triangles.place[:, 1:].sum(axis=1), 16 * 2**ln
    every = raw_rings(growth.planet, ln, 0, 2 * fine)
    random = np.random.default_rng(ln)
    points = [0, 1, 3, 5, 13, meshes.point_count(cells) - 1, *random.integers(meshes.point_count(cells), size=30)]
    for point in points:
        some = (triangles.corner == point).any(axis=1)
        for _ in range(int(random.integers(3))):
            some = np.isin(triangles.corner, triangles.corner[some]).any(axis=1)
        window, values = refine_spans(growth.planet, ln, spans_of(cells, belt[some], triangles.corner[some]))
        rows, ring = rows_of(window), ring_of_points(window)
        along = np.arange(len(ring)) - rows.shift[ring]
        along += np.where(along >= rows.cut[ring] - rows.gap[ring], rows.gap[ring], 0)
        number = rows.start[ring] + along
        assert (np.diff(number) > 0).all()
        np.testing.assert_array_equal(in_order(window, values), every[number])


def test_strips_of_some_triangles_are_those_of_whole_rings():
    mesh, _, _ = parts_of(next(iter(PLANETS)))
    whole = strip_of(mesh, 0, 2 * mesh.cells)
    for point in (0, 1, 40, len(mesh.body) - 1):
        near = blocks.around(mesh, blocks.corners_of(mesh, np.flatnonzero((mesh.triangles.corner == point).any(axis=1))))
        strip = window_strip(mesh, np.flatnonzero(near))
        place, _ = strip.triangles(mesh)
        n = mesh.steps
        for face, row, column, south in place.tolist():
            corner = meshes.point_of(mesh.fine_cells, face, (row + south) * n, (column + south) * n)
            at = index_of.py_func(int(corner), strip.points(mesh))
            assert numbers(np.array([at]), strip.points(mesh))[0] == corner
            assert strip.heights_m[at] == whole.heights_m[corner] and strip.wet[at] == whole.wet[corner]


def test_regions_are_squares_in_whole_pixels():
    region = region_around(10.0, 60.0, 1000.0, 4096, RADIUS_M)
    height, width = np.radians([region.north - region.south, region.east - region.west]) * RADIUS_M * 1e-3
    assert height == pytest.approx(1000.0, abs=30.0) and width * 0.5 == pytest.approx(1000.0, abs=30.0)
    assert region.holds((10.0, 60.0)) and not region.holds((30.0, 60.0))
    across = region_around(179.9, 0.0, 500.0, 4096, RADIUS_M)
    assert len(across.boxes) == 2 and across.east > 180.0 and across.holds((-179.0, 0.0))
    polar = region_around(0.0, 89.9, 500.0, 4096, RADIUS_M)
    assert (polar.west, polar.east, polar.north) == (-180.0, 180.0, 90.0)
    assert region.widened(3) == Region(4096, region.left - 3, region.top - 3, region.columns + 6, region.rows + 6)
    assert polar.widened(3).rows == polar.rows + 3
