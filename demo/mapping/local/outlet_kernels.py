"""Kernels of gates: where a river leaves the cell of a global point (`divide_kernels`) for the next cell or the water."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import OPTIONS
from .fine_mesh_kernels import SIDES, load
from .shore_kernels import landings


@numba.njit(**OPTIONS)
def gates(place, corner, mesh, waters, runs, owner, gate, gate_m):
    """Fill `gate` and `gate_m`, by global point, where the course of a point leaves for its receiver.

    `gate`: int64 (points, 2), the strip points before and behind the gate. `gate_m`: float32 (points,), the height of
    its higher dry end, infinite at first. A gate between two cells is the lowest pass; of equal passes it is the one with
    the lower numbers. A gate to or from water is one of the `landings` of its triangle.
    """
    n, heights = mesh.n, mesh.heights
    body, receiver = waters.body, waters.receiver
    number, landing = np.zeros((n + 1, n + 1), np.int64), np.empty((3, 4), np.int64)
    for t in range(place.shape[0]):
        loaded = False
        for k in range(3):
            p, q = corner[t, k], corner[t, (k + 1) % 3]
            if receiver[p] != q:
                p, q = q, p
            if not runs[p] or receiver[p] != q:
                continue
            if not loaded:
                load(place, t, mesh, number)
                loaded = True
            if body[p] >= 0 or body[q] >= 0:
                landings(corner, t, number, mesh, waters, runs, owner, landing)
                dry = k if corner[t, k] == (p if body[p] < 0 else q) else (k + 1) % 3
                if landing[dry, 0] < 0:
                    continue
                x, y = number[landing[dry, 0], landing[dry, 1]], number[landing[dry, 2], landing[dry, 3]]
                if heights[x] < gate_m[p]:
                    gate_m[p] = heights[x]
                    gate[p, 0], gate[p, 1] = (x, y) if body[p] < 0 else (y, x)
                continue
            for i in range(n + 1):
                for j in range(n + 1 - i):
                    x = number[i, j]
                    if owner[x] != p:
                        continue
                    for s in range(6):
                        u, v = i + SIDES[s, 0], j + SIDES[s, 1]
                        if u < 0 or v < 0 or u + v > n or owner[number[u, v]] != q:
                            continue
                        y = number[u, v]
                        height, one, two = max(heights[x], heights[y]), x, y
                        if height < gate_m[p] or (
                            height == gate_m[p] and (one < gate[p, 0] or (one == gate[p, 0] and two < gate[p, 1]))
                        ):
                            gate_m[p], gate[p, 0], gate[p, 1] = height, one, two
