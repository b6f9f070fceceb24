"""The shapes of lakes: as winding as those of the Earth, and as large as their water allows."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("shapely")

import shapely

from benchmarks.map_stages import Stages, lakes_of, stages_of
from demo.mapping.local import lake_shapes
from demo.mapping.objects.outlines import area_m2
from demo.mapping.objects.records import Polygons
from demo.mapping.waters.landmasses import EARTH_RADIUS_M

SEEDS = (1, 2, 3, 5, 6)
# Lakes of fewer cells of the finest mesh can hardly be other than round.
LEAST_CELLS = 8


@functools.cache
def planets(gn: int, ln: int) -> list[tuple[Stages, list[Polygons]]]:
    """Some planets and their lakes."""
    found = [stages_of(seed, {"gn": gn, "ln": ln}) for seed in SEEDS]
    return [(stages, lakes_of(stages)) for stages in found]


def area_km2(polygons: Polygons) -> float:
    return area_m2(polygons, EARTH_RADIUS_M) * 1e-6


@functools.cache
def outlines(gn: int, ln: int) -> tuple[shapely.Polygon, ...]:
    """The outer shores of the lakes of some planets, in kilometres."""
    cell_km2 = 4.0 * np.pi * 6371.0**2 / 4 ** (gn + ln + 1)
    found = []
    for _, lakes in planets(gn, ln):
        for polygons in lakes:
            ring = max(polygons, key=lambda polygon: len(polygon[0]))[0]
            if area_km2(polygons) > LEAST_CELLS * cell_km2:
                east = np.cos(np.radians(ring[:, 1].mean()))
                found.append(shapely.Polygon((ring - ring[0]) * [111.2 * east, 111.2]))
    return tuple(found)


@pytest.mark.parametrize("ln", [3, 4])
def test_lakes_are_no_blobs(ln):
    """Earth's lakes have shores about twice as long as a circle of their area; hardly one is nearly convex."""
    shores = outlines(5, ln)
    assert len(shores) >= 25
    longer = [shore.length / (2.0 * np.sqrt(np.pi * shore.area)) for shore in shores]
    convex = [shore.area > 0.85 * shore.convex_hull.area for shore in shores]
    assert 1.6 < np.median(longer) < 3.0 and np.mean(convex) < 0.25


@pytest.mark.parametrize("ln", [3, 4])
def test_lakes_are_no_stars(ln):
    """Most lie in troughs along the way of their water: three quarters as long again as wide, in the median."""
    boxes = [np.array(shore.minimum_rotated_rectangle.exterior.coords) for shore in outlines(5, ln)]
    sides = [np.hypot(*(box[1:3] - box[:2]).T) for box in boxes]
    assert np.median([side.max() / side.min() for side in sides]) > 1.65


@pytest.mark.parametrize("ln", [3, 4])
def test_shores_do_not_run_along_the_mesh(ln):
    """Hardly any part of a shore is straight for several steps of the finest mesh, as rods and combs of its points are."""
    step_km = 2.0 * np.pi * 6371.0 / (4 * 2 ** (5 + ln))
    straight, whole = 0.0, 0.0
    for shore in outlines(5, ln):
        sides = np.hypot(*np.diff(np.array(shore.simplify(0.12 * step_km).exterior.coords), axis=0).T)
        straight += sides[sides > 2.5 * step_km].sum()
        whole += sides.sum()
    assert straight < 0.12 * whole


@pytest.mark.parametrize(("gn", "ln"), [(5, 3), (5, 4)])
def test_lakes_cover_the_area_that_their_water_allows(gn, ln):
    ratios = []
    cell_km2 = 4.0 * np.pi * 6371.0**2 / 4 ** (gn + ln + 1)
    for stages, lakes in planets(gn, ln):
        wanted = stages.waters.lakes.area_m2 * 1e-6
        found = [area_km2(polygons) for polygons in lakes]
        assert len(found) == len(wanted)
        ratios += [area / km2 for area, km2 in zip(found, wanted, strict=True) if km2 > LEAST_CELLS * cell_km2]
        assert min(found) > cell_km2
    assert len(ratios) >= 8 and 0.9 < np.median(ratios) < 1.1
    assert np.mean(np.abs(np.log(ratios)) < np.log(1.3)) > 0.85


@pytest.mark.parametrize("odd", [0, 1])
def test_lakes_that_touch_have_the_same_shapes_when_few_are_wanted(odd):
    """A region wants few lakes. Banks between two lakes depend on both."""
    stages, _ = planets(5, 4)[SEEDS.index(5)]
    mesh, waters = stages.mesh, stages.waters
    seas = len(waters.landmasses.sea_area_m2)
    sphere = waters.landmasses.area_m2.sum() + waters.landmasses.sea_area_m2.sum()
    bare = replace(mesh, lakes=lake_shapes.without_lakes(len(mesh.triangles.place), mesh.ln))
    wanted = np.arange(len(waters.lakes)) % 2 == odd
    given = waters.lakes.area_m2 / sphere, seas, waters.passed_m3_s
    some, every = lake_shapes.lake_shapes_of(bare, *given, wanted), mesh.lakes
    lake = mesh.body[mesh.triangles.corner].max(axis=1) - seas
    own = np.flatnonzero((every.row >= 0) & wanted[np.maximum(lake, 0)])
    assert len(own) > 300 and (some.row >= 0).sum() < (every.row >= 0).sum()
    for name in ("bank", "rise_m", "depth_m"):
        np.testing.assert_array_equal(getattr(some, name)[some.row[own]], getattr(every, name)[every.row[own]])
