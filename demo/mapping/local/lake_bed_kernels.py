"""Kernels of lake beds: the water over the triangles of the local mesh."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import INLINED, OPTIONS
from .fine_mesh_kernels import load


@numba.njit(**INLINED)
def _mean_depth(a, b, c):
    """The mean over a triangle of a depth that is linear on it, with these values at its corners, where it is positive."""
    low, high = min(a, b, c), max(a, b, c)
    middle = a + b + c - low - high
    if high <= 0.0:
        return 0.0
    if low >= 0.0:
        return (a + b + c) / 3.0
    if middle <= 0.0:
        return high / 3.0 * (high / (high - low)) * (high / (high - middle))
    # The whole less what lies dry at the lowest corner.
    return (a + b + c) / 3.0 - low / 3.0 * (low / (low - high)) * (low / (low - middle))


@numba.njit(**OPTIONS)
def fill_beds(place, corner, mesh, waters, seas, area, volume, depth):
    """Add the water of lakes over triangles to `volume`, int64 by lake in m^3; raise `depth`, float64, to the greatest.

    `seas`: the number of the first lake among the waters' bodies. `area`: float64 by local ring, m^2 of a local triangle.
    """
    n, heights, wet, ring = mesh.n, mesh.heights, mesh.wet, mesh.ring
    number = np.zeros((n + 1, n + 1), np.int64)
    deep = np.zeros((n + 1, n + 1))
    for t in range(place.shape[0]):
        load(place, t, mesh, number)
        lake = max(waters.body[corner[t, 0]], waters.body[corner[t, 1]], waters.body[corner[t, 2]]) - seas
        level = 0.0
        for k in range(3):
            if waters.body[corner[t, k]] >= 0:
                level = np.float64(waters.level[corner[t, k]])
        for i in range(n + 1):
            for j in range(n + 1 - i):
                x = number[i, j]
                below = level - np.float64(heights[x])
                deep[i, j] = max(below, 0.0) if wet[x] == 1 else min(below, 0.0)
                if wet[x] == 1:
                    depth[lake] = max(depth[lake], below)
        for i in range(n):
            for j in range(n - i):
                part = area[ring[number[i, j]]]
                volume[lake] += np.int64(part * _mean_depth(deep[i, j], deep[i + 1, j], deep[i, j + 1]) + 0.5)
                if i + j < n - 1:
                    mean = _mean_depth(deep[i + 1, j + 1], deep[i + 1, j], deep[i, j + 1])
                    volume[lake] += np.int64(part * mean + 0.5)
