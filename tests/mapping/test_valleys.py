"""Valleys are no burnt trenches: hollows on the way of a river are filled, and little land is lowered by much."""

from __future__ import annotations

import numpy as np

from benchmarks.map_stages import stages_of
from demo.mapping.local import courses
from demo.mapping.local.fine_mesh import strip_of
from demo.mapping.waters.landmasses import globe_of

TRENCH_M, GORGE_M = 50.0, 150.0


def lowered(seed: int, gn: int, ln: int) -> np.ndarray:
    """By how many metres courses lower the ground at each point of land of the local mesh."""
    _, _, mesh, network = stages_of(seed, {"gn": gn, "ln": ln})
    strip = strip_of(mesh, 0, 2 * mesh.cells)
    before = strip.heights_m.copy()
    owner = courses.owners_of(mesh, network, strip)
    courses.chains_of(mesh, network, strip, owner, 0, 2 * mesh.cells + 1)
    return (before - strip.heights_m)[strip.wet == 0]


def test_few_places_of_the_fine_relief_are_dug_into():
    """Valleys are as wide as their rivers' class, however long a step of the mesh is."""
    for gn, ln in ((5, 3), (5, 4)):
        dug = np.concatenate([lowered(seed, gn, ln) for seed in (1, 2)])
        assert (dug > TRENCH_M).mean() < 0.05 and (dug > GORGE_M).mean() < 0.025


def test_few_points_of_the_global_mesh_are_dug_into():
    for seed in (1, 2, 3, 4):
        planet, waters, _, _ = stages_of(seed, {"gn": 5, "ln": 1})
        weight = globe_of(32).area_m2 * (planet.heights_m > 0.0)
        dug = planet.heights_m - waters.heights_m > TRENCH_M
        assert (weight * dug).sum() < 0.03 * weight.sum()
