"""Kernels of lakes' banks: how steeply ground and bed leave the level where a shore runs.

A shore crosses the steps between points under water and dry ones. Where it crosses tells how it looks: if all ground beside
a lake rises alike, shores run along the mesh.
"""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import INLINED, OPTIONS
from .fine_mesh_kernels import SIDES, load, number_of
from .value_noise_kernels import chance

# In a table of banks: the bed of a point without dry points beside it is that of the relief.
DEEP = 127
# Banks are multiples of the lake's mean depth divided by STEPS. With few points of its kind beside it a point lies near the
# level, at LOW of what it has among them, so that capes and bays are round and narrow arms are narrow. By chance that is
# multiplied by LEAST to MOST, most often by little.
STEPS, STEEPEST, LOW, LEAST, MOST = np.float32(50.0), 99, np.float32(0.25), np.float32(0.3), np.float32(2.5)
# The octave of the random numbers.
STEEPNESS = 2
ONE = np.float32(1.0)


@numba.njit(**OPTIONS)
def lay_banks(place, mesh, wet, key, bank):
    """Fill `bank`, int8 (k, n + 1, n + 1), from `wet`, uint8 alike, 1 at the local points of triangles under water.

    A bank is positive under water and negative at dry points beside it: the depth, or the height, as the constants tell. It
    is DEEP away from shores and at corners under water, and 0 at other dry points. `place`: int32 (k, 4), as in `Triangles`;
    all triangles of each lake are there. `key`: uint32, of the chances.
    """
    n = mesh.n
    number, under = np.zeros((n + 1, n + 1), np.int64), np.zeros(mesh.heights.size, np.uint8)
    for t in range(place.shape[0]):
        load(place, t, mesh, number)
        for i in range(n + 1):
            for j in range(n + 1 - i):
                for k in range(6):
                    u, v = i + SIDES[k, 0], j + SIDES[k, 1]
                    if u < 0 or v < 0 or u + v > n or wet[t, u, v] == 0:
                        continue
                    # A step along an edge is met in two triangles.
                    along = (i == 0 and u == 0) or (j == 0 and v == 0) or (i + j == n and u + v == n)
                    under[number[i, j]] += 1 if along else 2
    for t in range(place.shape[0]):
        load(place, t, mesh, number)
        for i in range(n + 1):
            for j in range(n + 1 - i):
                x = number[i, j]
                near = np.int64(under[x]) // 2
                corner = (i, j) in ((0, 0), (n, 0), (0, n))
                if wet[t, i, j] == 1:
                    bank[t, i, j] = DEEP if corner or near == 6 else _bank(near, x, mesh, key)
                else:
                    bank[t, i, j] = 0 if corner or near == 0 else -_bank(6 - near, x, mesh, key)


@numba.njit(**INLINED)
def _bank(alike, x, mesh, key):
    """The bank of strip point x, 1..STEEPEST; `alike`: how many of the six points around it are of its kind."""
    part = chance(mesh.ring[x], number_of(x, mesh), mesh.fine, key, STEEPNESS)
    steep = (LOW + (ONE - LOW) * np.float32(alike) / np.float32(6.0)) * (LEAST + (MOST - LEAST) * part * part)
    return min(max(np.int64(STEPS * steep), 1), STEEPEST)
