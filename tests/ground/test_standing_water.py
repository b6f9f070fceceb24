"""Lakes: level, at the height of their outlet, told alike by the picture's shaders and by the camera's twin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from demo.catalogue.generators import GENERATORS
from demo.ground.detail import detail_of
from demo.ground.ground import Ground
from demo.ground.river_bends import OCTAVES, smooth_at
from demo.ground.rivers import calmed, river_parts, way_parts
from demo.ground.standing_water import calmed_by, lakes_of, lasting
from demo.worlds.atlas import CUBE, PLANE
from demo.worlds.carving.parts import Parts
from demo.worlds.carving.river_ways import courses_of
from demo.worlds.runoff import Runoff

SIZE_M, SEED = 400_000.0, 5
WORLDS = {
    "plane": ("plasma", {"cells": 128, "carve": 1.0}, 120_000.0),
    "cube": ("cuts", {"cells": 48, "cuts": 300, "carve": 0.3}, SIZE_M),
}


def runoff_of_bowl(n=9, level=2.0, deep=1.0, flow=1.0):
    """A plane at height 3 with a bowl in its middle, which spills over a lip at `level` to the east."""
    height = np.full((n, n), 3.0, np.float32)
    height[3:6, 3:6] = deep
    height[4, 6:] = level
    height[4, 7:] = 0.5
    nodes = np.arange(n * n, dtype=np.int32).reshape(n, n)
    receiver = nodes.copy()
    receiver[:, :-1] = nodes[:, 1:]
    receiver[3, 3:6], receiver[5, 3:6] = nodes[4, 3:6], nodes[4, 3:6]
    water = np.full((n, n), -np.inf, np.float32)
    water[3:6, 3:6] = level
    return Runoff(
        n=n,
        sample=nodes.reshape(-1),
        height=height.reshape(-1),
        level=water.reshape(-1),
        receiver=receiver.reshape(-1),
        land=np.ones(n * n, bool),
        flow=np.full(n * n, flow),
        sea=0.0,
    )


def lakes_in(runoff, metres=10.0):
    kept = lasting(runoff, PLANE, SIZE_M, metres)
    return lakes_of(kept, PLANE, runoff.height.reshape(1, runoff.n, runoff.n) * np.float32(metres), SIZE_M, metres)


def test_a_bowl_is_filled_to_its_lip_and_level_to_all_shores():
    lakes = lakes_in(runoff_of_bowl())
    u, v = np.meshgrid(np.linspace(2.0, 5.0, 31) / 8, np.linspace(2.0, 6.0, 41) / 8)
    assert np.abs(lakes.at(np.zeros(u.size, np.intp), u.ravel(), v.ravel()) - 20.0).max() < 1e-3


def test_beyond_the_lip_the_water_lies_under_the_ground():
    runoff = runoff_of_bowl()
    lakes = lakes_in(runoff)
    ground = runoff.height.reshape(9, 9) * 10.0
    beyond = lakes.level_m[0][:, 6:]
    assert (beyond[ground[:, 6:] <= 20.0] < ground[:, 6:][ground[:, 6:] <= 20.0]).all()


def test_shallow_hollows_and_dry_basins_have_no_lake():
    assert lakes_in(runoff_of_bowl(deep=1.99)) is None
    assert lakes_in(runoff_of_bowl(flow=1e-6)) is None
    assert lakes_in(runoff_of_bowl()) is not None


@pytest.fixture(scope="module", params=WORLDS)
def world(request):
    """(ground with lakes, its rivers, courses) of a small carved world."""
    name, given, size_m = WORLDS[request.param]
    generator = GENERATORS[name]
    values = generator.complete(given)
    growth = generator.grow(SEED, values)
    growth.advance(growth.stages["grown"])
    growth.again(lambda: generator.grow(SEED, values), [])
    growth.advance(growth.total)
    metres = 2_000.0 / float(growth.heights.max() - growth.sea_level)
    detail = detail_of(growth.atlas, (growth.heights - np.float32(growth.sea_level)) * np.float32(metres), size_m, SEED)
    runoff = lasting(growth.runoff, growth.atlas, size_m, metres)
    lakes = lakes_of(runoff, growth.atlas, detail.heights_m, size_m, metres)
    assert lakes is not None
    detail = calmed_by(lakes, calmed(detail, runoff))
    ground = Ground(growth.atlas, detail.heights_m, size_m, detail, lakes)
    courses = courses_of(runoff, lambda place: smooth_at(place, ground), growth.atlas, size_m, metres)
    return (
        ground,
        Parts(river_parts(courses, ground, SEED)).result(),
        Parts(way_parts(courses, ground, SEED)).result()[0].courses,
    )


def test_lakes_are_level_to_a_tenth_of_a_metre_where_they_are_not_led_under_the_ground(world):
    ground, *_ = world
    n = ground.lakes.level_m.shape[-1]
    face, rest = np.divmod(ground.lakes.wet, n * n)
    j, i = np.divmod(rest, n)
    inside = (i < n - 1) & (j < n - 1)
    face, i, j = face[inside], i[inside], j[inside]
    level = ground.lakes.level_m
    corners = np.stack([level[face, j + b, i + a] for a in (0, 1) for b in (0, 1)])
    same = (corners == corners[0]).all(axis=0)
    assert same.sum() > 3
    for x, y in np.random.default_rng(3).uniform(0.0, 1.0, (6, 2)):
        at = ground.lakes.at(face[same], (i[same] + x) / (n - 1), (j[same] + y) / (n - 1))
        assert np.abs(at - corners[0][same]).max() < 0.1


def test_one_point_has_one_lake_on_all_faces(world):
    ground, *_ = world
    if ground.atlas is CUBE:
        copies, owners = ground.atlas.seams(ground.lakes.level_m.shape[-1])
        flat = ground.lakes.level_m.reshape(-1)
        assert np.array_equal(flat[copies], flat[owners])


def test_the_camera_stands_on_the_water_of_a_lake(world):
    ground, *_ = world
    n = ground.lakes.level_m.shape[-1]
    flat = ground.lakes.level_m.reshape(-1)
    under = ground.lakes.wet[ground.heights_m.reshape(-1)[ground.lakes.wet] < flat[ground.lakes.wet] - 5.0]
    assert len(under)
    face, rest = np.divmod(under, n * n)
    place = ground.atlas.place(face, (rest % n) / (n - 1), (rest // n) / (n - 1))
    at = place * (ground.size_m + flat[under, None]) if ground.atlas.spherical else place * ground.size_m
    if not ground.atlas.spherical:
        at[:, 1] = flat[under]
    # The detail may raise an islet.
    drowned = ground.height(at) < flat[under]
    assert drowned.mean() > 0.7 and np.abs(ground.clearance(at)[drowned]).max() < 0.1
    assert (ground.max_near(at, 1.0) >= flat[under] - 0.1).all()
    dry = Ground(ground.atlas, ground.heights_m, ground.size_m, ground.detail)
    assert (dry.clearance(at)[drowned] > 0.0).all()


def test_no_river_climbs_to_a_lake_or_out_of_it(world):
    ground, rivers, courses = world
    for k in range(len(courses)):
        assert (np.diff(rivers.level_m[courses.line(k)]) <= 0.0).all()
    face, u, v, _ = ground.atlas.invert(rivers.place)
    lake, high = ground.lakes.at(face, u, v), ground.detail.height(face, u, v, OCTAVES)
    inside = (courses.lake_m > -np.inf) & (np.abs(lake - courses.lake_m) < 0.05) & (high < lake)
    assert inside.any()
    np.testing.assert_allclose(rivers.level_m[inside], lake[inside], atol=0.1)


def test_no_river_is_drawn_in_a_lake(world):
    ground, rivers, _ = world
    lake = ground.lakes.at(*ground.atlas.invert(rivers.place)[:3])
    high = smooth_at(rivers.place, replace_detail(ground))
    assert (rivers.shown[(lake - high) > 400.0] == 0.0).all()


def replace_detail(ground):
    return Ground(ground.atlas, ground.heights_m, ground.size_m, replace(ground.detail, rough_m=0 * ground.detail.rough_m))
