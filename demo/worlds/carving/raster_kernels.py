"""Kernels of carving on a raster, row by row and several nodes at once: what `kernels` has for meshes.

The rasters are those of `node_graph`: a closed rim lies around the samples, and all land has one area.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS, hash64
from .kernels import DEGREE, LAND, NOWHERE, UNKNOWN, ZERO


@numba.njit(**OPTIONS)
def receive_raster(height, sea, kind, nearness, table, row, key, receiver, slot, pits):
    """`kernels.receive` on a raster with rows of `row` nodes."""
    count, inner = 0, row - 2
    summed, left = np.empty((DEGREE, inner), np.float32), np.empty(inner, np.float32)
    chosen = np.empty(inner, np.uint8)
    for p in range(height.size):
        receiver[p], slot[p] = p, UNKNOWN
    for begin in range(row + 1, height.size - row, row):
        here, land = height[begin : begin + inner], kind[begin : begin + inner]
        left[:] = ZERO
        for k in range(DEGREE):
            other, near, total = height[begin + table[k] : begin + table[k] + inner], nearness[k], summed[k]
            for i in range(inner):
                fall = max((here[i] - max(other[i], sea)) * near, ZERO)
                left[i] += fall * fall
                total[i] = left[i]
        for i in range(inner):
            left[i] *= np.float32(hash64(key, begin + i) >> np.uint64(40)) * np.float32(2.0**-24)
        chosen[:] = 0
        for k in range(DEGREE - 1):
            total = summed[k]
            for i in range(inner):
                chosen[i] += total[i] <= left[i]
        for i in range(inner):
            if land[i] != LAND:
                continue
            p, c = begin + i, np.int64(chosen[i])
            if summed[DEGREE - 1, i] == ZERO:
                slot[p] = NOWHERE
                pits[count] = p
                count += 1
                continue
            while c > 0 and summed[c, i] == summed[c - 1, i]:
                c -= 1
            receiver[p], slot[p] = p + table[c], c
    return count


@numba.njit(**OPTIONS)
def creep_raster(height, kind, nearness, table, row, area, share, slope, slide, out):
    """`kernels.creep` on a raster with rows of `row` nodes; `area`: of a node inside."""
    inner = row - 2
    gained = np.empty(inner, np.float32)
    out[:] = height
    for begin in range(row + 1, height.size - row, row):
        here, land, new = height[begin : begin + inner], kind[begin : begin + inner], out[begin : begin + inner]
        gained[:] = ZERO
        for k in range(DEGREE):
            there = begin + table[k]
            other, kinds, near = height[there : there + inner], kind[there : there + inner], nearness[k]
            creeps, most = share * near * near * area, slope / near
            for i in range(inner):
                difference = other[i] - here[i]
                excess = difference - min(max(difference, -most), most)
                gained[i] += creeps * difference + slide * excess if kinds[i] == LAND else ZERO
        for i in range(inner):
            new[i] = here[i] + gained[i] if land[i] == LAND else here[i]
