"""Kernels of landmasses: the connected parts of a mesh."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import OPTIONS


@numba.njit(**OPTIONS)
def connect(side, neighbour):
    """The lowest point of the connected part that each point belongs to: int32 (points,).

    Two neighbours are connected where `side` is equal. `neighbour`: int32 (points, degree).
    """
    part = np.full(side.size, -1, np.int32)
    todo = np.empty(side.size, np.int32)
    for start in range(side.size):
        if part[start] >= 0:
            continue
        part[start] = start
        todo[0] = start
        left = 1
        while left > 0:
            left -= 1
            p = todo[left]
            for k in range(neighbour.shape[1]):
                q = neighbour[p, k]
                if part[q] < 0 and side[q] == side[p]:
                    part[q] = start
                    todo[left] = q
                    left += 1
    return part
