"""Kernels of the final relief: heights and waters between the points of a strip."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.doublecone.kernels import sample_number
from ...worlds.kernels import OPTIONS
from ..degrees import turn_of

# Ground at the level of the water beside it is dry, whatever the last bits of an interpolated height say.
DRY_M = np.float32(0.01)


@numba.njit(**OPTIONS)
def sample(longitude, row, n, fine, start, base, heights, coarse, cells, body, level):
    """(ground, water level or nan), float32 (k,) each, at degrees of longitude and local rings `row`, float64 (k,).

    `start`, `base`, `heights`: of the local mesh's strip, as in `StripMesh`. `coarse`: int64, the ring starts of the global
    mesh of `cells`. `body`, `level`: as in `GlobalWaters`.
    """
    ground, water = np.empty(longitude.size, np.float32), np.full(longitude.size, np.float32(np.nan))
    for k in range(longitude.size):
        turn = 4.0 * turn_of(longitude[k])
        face = min(np.int64(turn), 3)
        length = row[k] if row[k] <= fine else 2.0 * fine - row[k]
        along = (turn - face) * length
        y = along if row[k] <= fine else row[k] - (fine - along)
        x = row[k] - y
        i, j = min(max(np.int64(x), 0), fine - 1), min(max(np.int64(y), 0), fine - 1)
        u, v = np.float32(x - i), np.float32(y - j)
        # On a ring the triangle south of it is taken, so that no point outside the belt counts.
        lower = i + j < min(np.int64(row[k]), 2 * fine - 1)
        b = heights[sample_number(start, fine, face, j, i + 1) - base]
        c = heights[sample_number(start, fine, face, j + 1, i) - base]
        if lower:
            a = heights[sample_number(start, fine, face, j + 1, i + 1) - base]
            ground[k] = (u + v - 1) * a + (1 - v) * b + (1 - u) * c
        else:
            a = heights[sample_number(start, fine, face, j, i) - base]
            ground[k] = (1 - u - v) * a + u * b + v * c
        # The global triangle.
        rest = i % n + j % n + (1 if lower else 0)
        south = 1 if rest >= n else 0
        p = sample_number(coarse, cells, face, j // n + south, i // n + south)
        q = sample_number(coarse, cells, face, j // n, i // n + 1)
        r = sample_number(coarse, cells, face, j // n + 1, i // n)
        for corner in (p, q, r):
            if body[corner] >= 0 and ground[k] < level[corner] - DRY_M:
                water[k] = level[corner]
    return ground, water
