"""Inland seas too small to be seas: their beds become hollows of the land, with or without a lake by their water.

An inland sea stands at the level of the ocean, though no water runs between them. Of one point of the mesh it would be a
round pond, whatever the ground around it. As a hollow it has what every hollow has: a lake with shores of the fine relief at
a level of its own, a river that cuts through its rim, or a dry bed.
"""

from __future__ import annotations

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from .landmass_kernels import connect

# An inland sea has more points of the mesh than this.
MOST_POINTS = 3
# A bed this far below the sea is raised to a third of the height of the lowest land beside it; a shallow one to a half.
DEEP_M = np.float32(100.0)


def without_ponds(heights_m: np.ndarray) -> np.ndarray:
    """Heights of a whole mesh, float32 (4 N^2 + 2,) metres, with the beds of small inland seas raised above the sea.

    A raised bed stays below all land beside it, and the deeper of two beds stays deeper. The largest sea is never small.
    """
    neighbour = meshes.neighbours(meshes.cells_of(heights_m))
    own = np.arange(len(heights_m), dtype=np.int32)
    neighbour = np.where(neighbour < 0, own[:, None], neighbour)
    sea = heights_m <= 0.0
    part = connect(sea, neighbour)
    points = np.bincount(part[sea], minlength=len(part))
    small = sea & (points[part] <= MOST_POINTS) & (part != int(points.argmax()))
    bed = own[small]
    land = np.where(sea[neighbour[bed]], np.float32(np.inf), heights_m[neighbour[bed]]).min(axis=1)
    lowest = np.full(len(heights_m), np.inf, np.float32)
    np.minimum.at(lowest, part[bed], land)
    raised = heights_m.copy()
    raised[bed] = lowest[part[bed]] / (np.float32(2.0) - heights_m[bed] / DEEP_M)
    return raised
