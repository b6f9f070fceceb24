"""Small inland seas become hollows of the land; nothing else of the relief changes."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.map_stages import stages_of
from demo.mapping.waters.landmasses import globe_of
from demo.mapping.waters.ponds import MOST_POINTS, without_ponds
from demo.worlds.doublecone import global_mesh as meshes

GLOBE = globe_of(16)


def land_with(*seas: list[int]) -> np.ndarray:
    """A planet of land with one ocean around its south pole, and these inland seas."""
    heights = np.random.default_rng(1).uniform(100.0, 900.0, meshes.point_count(16)).astype(np.float32)
    heights[-300:] = -3000.0
    for depth, sea in enumerate(seas, 1):
        heights[sea] = -100.0 * depth - np.arange(len(sea))
    return heights


def test_small_inland_seas_become_hollows():
    first = [int(meshes.ring_starts(16)[ring] + 3) for ring in (4, 8, 12)]
    one, two = [first[0]], [first[1], first[1] + 1]
    large = [first[2] + k for k in range(MOST_POINTS + 1)]
    heights = land_with(one, two, large)
    raised = without_ponds(heights)
    for sea in (one, two):
        around = np.setdiff1d(GLOBE.neighbour[sea], sea)
        assert (raised[sea] > 0.0).all() and raised[sea].max() < heights[around].min()
    assert raised[two[1]] < raised[two[0]]
    rest = np.setdiff1d(np.arange(len(heights)), [*one, *two])
    np.testing.assert_array_equal(raised[rest], heights[rest])


def test_the_only_sea_stays_however_small():
    heights = np.full(meshes.point_count(4), 300.0, np.float32)
    heights[9] = -50.0
    np.testing.assert_array_equal(without_ponds(heights), heights)
    np.testing.assert_array_equal(without_ponds(np.abs(heights)), np.abs(heights))


@pytest.mark.parametrize(("gn", "ln"), [(6, 2), (4, 5)])
def test_no_sea_of_a_map_is_a_pond(gn, ln):
    """Also where the drained mesh is finer than the global one."""
    for seed in (1, 2):
        sea = stages_of(seed, {"gn": gn, "ln": ln}).waters.landmasses.sea_of_point
        points = np.bincount(sea[sea >= 0])
        assert len(points) > 1 and points.min() > MOST_POINTS
