"""Kernels of the final relief: heights and waters between the points of a strip."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.doublecone.kernels import sample_along, sample_number
from ...worlds.kernels import INLINED, OPTIONS
from ..degrees import turn_of
from .fine_mesh_kernels import index_at

# Ground at the level of the water beside it is dry, whatever the last bits of an interpolated height say.
DRY_M = np.float32(0.01)


@numba.njit(**OPTIONS)
def sample(longitude, row, n, fine, shift, cut, gap, heights, coarse, cells, body, level):
    """(ground, water level or nan), float32 (k,) each, at degrees of longitude and local rings `row`, float64 (k,).

    `shift`, `cut`, `gap`, `heights`: of the local mesh's strip, as in `StripMesh`. `coarse`: int64, the ring starts of the
    global mesh of `cells`. `body`, `level`: as in `GlobalWaters`.
    """
    ground, water = np.empty(longitude.size, np.float32), np.full(longitude.size, np.float32(np.nan))
    for k in range(longitude.size):
        face, x, y, i, j, lower = _located(longitude[k], row[k], fine)
        u, v = np.float32(x - i), np.float32(y - j)
        b = heights[_index(fine, face, j, i + 1, shift, cut, gap)]
        c = heights[_index(fine, face, j + 1, i, shift, cut, gap)]
        if lower:
            a = heights[_index(fine, face, j + 1, i + 1, shift, cut, gap)]
            ground[k] = (u + v - 1) * a + (1 - v) * b + (1 - u) * c
        else:
            a = heights[_index(fine, face, j, i, shift, cut, gap)]
            ground[k] = (1 - u - v) * a + u * b + v * c
        # The global triangle.
        south = _south(i, j, lower, n)
        p = sample_number(coarse, cells, face, j // n + south, i // n + south)
        q = sample_number(coarse, cells, face, j // n, i // n + 1)
        r = sample_number(coarse, cells, face, j // n + 1, i // n)
        for corner in (p, q, r):
            if body[corner] >= 0 and ground[k] < level[corner] - DRY_M:
                water[k] = level[corner]
    return ground, water


@numba.njit(**OPTIONS)
def triangles_at(longitude, row, n, fine):
    """Which global triangle `sample` takes at degrees of longitude and local rings `row`: int64 (k,), as `place_keys`."""
    found, cells = np.empty(longitude.size, np.int64), fine // n
    for k in range(longitude.size):
        face, _, _, i, j, lower = _located(longitude[k], row[k], fine)
        found[k] = ((face * cells + j // n) * cells + i // n) * 2 + _south(i, j, lower, n)
    return found


@numba.njit(**INLINED)
def _located(longitude, row, fine):
    """(face, place x and y on it, its column and row there, whether the southern triangle is meant) on the local mesh."""
    turn = 4.0 * turn_of(longitude)
    face = min(np.int64(turn), 3)
    length = row if row <= fine else 2.0 * fine - row
    along = (turn - face) * length
    y = along if row <= fine else row - (fine - along)
    x = row - y
    i, j = min(max(np.int64(x), 0), fine - 1), min(max(np.int64(y), 0), fine - 1)
    # On a ring the triangle south of it is taken, so that no point outside the belt counts.
    lower = i + j < min(np.int64(row), 2 * fine - 1)
    return face, x, y, i, j, lower


@numba.njit(**INLINED)
def _south(i, j, lower, n):
    """1 where a local triangle lies in the southern half of its rhombus of the global mesh, else 0."""
    return 1 if i % n + j % n + (1 if lower else 0) >= n else 0


@numba.njit(**INLINED)
def _index(fine, face, row, column, shift, cut, gap):
    """The index in a strip of a sample of a face of the local mesh."""
    ring, along = sample_along(fine, face, row, column)
    return index_at(ring, along, shift, cut, gap)
