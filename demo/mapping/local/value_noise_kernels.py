"""Kernels of value noise on the rings of the local mesh: a random number for each point, and a smooth random field."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import INLINED, OPTIONS, hash32

# The contrast of the field.
STRETCH = np.float32(3.0)
ZERO, HALF, ONE, UNIT = np.float32(0.0), np.float32(0.5), np.float32(1.0), np.float32(2.0**-32)


@numba.njit(**INLINED)
def chance(ring, along, fine, key, octave):
    """A random number 0..1 for each point of the mesh of `fine` cells, float32."""
    count = max(4 * min(ring, 2 * fine - ring), 1)
    return np.float32(hash32(key, np.uint32(ring), np.uint32(along % count), np.uint32(octave))) * UNIT


@numba.njit(**OPTIONS)
def value_noise(number, ring, n, fine, start, key):
    """Value noise at local point `number`, float32 0..1: the mean of octaves from half a global step to two local steps.

    Each octave has random values at the points of a mesh with steps of its width, and is linear along and between rings.
    """
    turn = np.float64(number - start[ring]) / np.float64(max(4 * min(ring, 2 * fine - ring), 1))
    total, octaves, wide = ZERO, 0, max(n // 2, 1)
    while wide >= 2 or octaves == 0:
        cells = fine // wide
        upper = min(ring // wide, 2 * cells - 1)
        down = np.float32(ring - upper * wide) / np.float32(wide)
        for k in range(2):
            here = upper + k
            x = turn * max(4 * min(here, 2 * cells - here), 1)
            along = np.int64(x)
            a, b = chance(here, along, cells, key, octaves), chance(here, along + 1, cells, key, octaves)
            total += (a + np.float32(x - along) * (b - a)) * (down if k == 1 else ONE - down)
        octaves += 1
        wide //= 2
    return min(max(HALF + STRETCH * (total / np.float32(octaves) - HALF), ZERO), ONE)
