"""Valleys are no burnt trenches: hollows on the way of a river are filled, and little land is lowered by much."""

from __future__ import annotations

import numpy as np

from demo.catalogue.generators import generator
from demo.mapping.local import courses
from demo.mapping.local.fine_mesh import FineMesh, least_lake_m2, strip_of
from demo.mapping.local.planet_mesh import fine_mesh_of
from demo.mapping.waters.hydrology import Hydrology, hydrology_of
from demo.mapping.waters.landmasses import globe_of
from demo.worlds.climate.mesh_climate import climate_of
from demo.worlds.doublecone.local_mesh import Planet

TRENCH_M, GORGE_M = 50.0, 150.0


def meshes_of(seed: int, gn: int, ln: int) -> tuple[Planet, Hydrology, FineMesh]:
    growth = generator("doublecone").grow(seed, {"gn": gn})
    growth.advance(gn)
    heights, globe = growth.planet.heights_m, globe_of(2**gn)
    least = least_lake_m2(globe.cells, ln, globe.radius_m)
    waters = hydrology_of(heights, climate_of(heights), globe=globe, least_lake_m2=least)
    return growth.planet, waters, fine_mesh_of(growth.planet, ln, waters, globe.neighbour)


def lowered(seed: int, gn: int, ln: int) -> np.ndarray:
    """By how many metres courses lower the ground at each point of land of the local mesh."""
    _, waters, mesh = meshes_of(seed, gn, ln)
    strip = strip_of(mesh, 0, 2 * mesh.cells)
    before, network = strip.heights_m.copy(), courses.network_of(mesh, waters)
    owner = courses.owners_of(mesh, network, strip)
    courses.chains_of(mesh, network, strip, owner, 0, 2 * mesh.cells + 1)
    return (before - strip.heights_m)[strip.wet == 0]


def test_few_places_of_the_fine_relief_are_dug_into():
    """A mesh with steps of 39 km has rivers as broad as a step; on finer ones valleys are a smaller part of the land."""
    coarse = np.concatenate([lowered(seed, 5, 3) for seed in (1, 2, 3)])
    assert (coarse > TRENCH_M).mean() < 0.13 and (coarse > GORGE_M).mean() < 0.08
    fine = lowered(1, 5, 4)
    assert (fine > TRENCH_M).mean() < 0.06 and (fine > GORGE_M).mean() < 0.03


def test_few_points_of_the_global_mesh_are_dug_into():
    for seed in (1, 2, 3, 4):
        planet, waters, _ = meshes_of(seed, 5, 1)
        weight = globe_of(32).area_m2 * (planet.heights_m > 0.0)
        dug = planet.heights_m - waters.heights_m > TRENCH_M
        assert (weight * dug).sum() < 0.03 * weight.sum()
