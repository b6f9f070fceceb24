"""Lakes: depressions of a carved surface are filled to where their water runs off, one after another, pit by pit.

The flood of a whole land would cost far more: carved land has few depressions. A flood rises from each pit until it finds
ground that drains elsewhere. Depressions that spill into each other are one: the flood goes on through both. The idea of
basins as nodes is Cordonnier, Bovy and Braun's (Earth Surface Dynamics 7, 2019); levels are those of a priority flood.
"""

from __future__ import annotations

import numba
import numpy as np

from ..heap_kernels import pop, push
from ..kernels import OPTIONS
from .kernels import DEGREE, LAND

FIRST_HEAP = 1024


@numba.njit(**OPTIONS)
def _root(up, x):
    """The root of `x` in a forest of parents, which is flattened on the way."""
    while up[x] != x:
        up[x] = up[up[x]]
        x = up[x]
    return x


@numba.njit(**OPTIONS)
def _basin(p, basin, receiver):
    """The basin of a node: downstream to a node whose basin is known. Basins are below 0 where they are not yet known."""
    q = p
    while basin[q] < 0:
        if receiver[q] == q:
            basin[q] = 0
        else:
            q = receiver[q]
    found = basin[q]
    while basin[p] < 0:
        basin[p] = found
        p = receiver[p]
    return found


@numba.njit(**OPTIONS)
def fill_lakes(height, sea, kind, table, ways, pits, receiver, slot, level, basin, mark, lake):
    """Fill the depressions above `pits`, and turn the receivers of their nodes towards the outlets.

    `level`, float32 (nodes,), minus infinity at first, takes the water's level of nodes in depressions. `basin`, `mark` and
    `lake`, int32 (nodes,), are work space. Returns the count of nodes in depressions, with those that were flooded twice.
    """
    for p in range(height.size):
        basin[p] = -1
        mark[p] = 0
    count = pits.size + 1
    for b in range(1, count):
        basin[pits[b - 1]] = b
    # Basin 0 is the sea. Joined depressions have one root in `joined`. `end` leads to where a basin's water gets to: the
    # sea, or a depression that has not been filled yet. `spill`: the basin that a full one flows to.
    joined, end, spill = np.arange(count), np.arange(count), np.zeros(count, np.int64)
    heap_key, heap_at = np.empty(FIRST_HEAP, np.float32), np.empty(FIRST_HEAP, np.int32)
    flooded, each = 0, min(ways.size - 1, 1)
    for b in range(1, count):
        size, held, water, outlet = 1, 0, height[pits[b - 1]], -1
        heap_key[0], heap_at[0] = water, pits[b - 1]
        mark[pits[b - 1]] = b
        # Of the nodes in `lake` the first `held` are flooded; those up to `wet` lie below the water and wait.
        wet = 0
        while wet > held or size > 0:
            if wet == held:
                water = max(water, heap_key[0])
                lake[wet] = pop(heap_key, heap_at, size)
                size -= 1
                wet += 1
            p = lake[held]
            root = _root(joined, _basin(p, basin, receiver))
            if root != b:
                if _root(end, root) != b:
                    spill[b], end[b], outlet = root, root, p
                    break
                # Its water would come back: all on the way are one depression.
                while root != b:
                    joined[root] = b
                    root = _root(joined, spill[root])
            held += 1
            base = ways[p * each]
            for k in range(DEGREE):
                q = p + table[base + k]
                if mark[q] == b:
                    continue
                mark[q] = b
                v = height[q] if kind[q] == LAND else max(height[q], sea)
                if v <= water:
                    lake[wet] = q
                    wet += 1
                    continue
                if size == heap_at.size:
                    heap_key, heap_at = np.concatenate((heap_key, heap_key)), np.concatenate((heap_at, heap_at))
                push(heap_key, heap_at, size, v, q)
                size += 1
        flooded += held
        for k in range(held):
            level[lake[k]] = water
            mark[lake[k]] = -b
        if outlet >= 0:
            _turn(outlet, -b, table, ways, receiver, slot, mark, lake)
    return flooded


@numba.njit(**OPTIONS)
def _turn(outlet, own, table, ways, receiver, slot, mark, lake):
    """Turn the receivers of the nodes with the mark `own` towards `outlet`, the nearest first; their marks lose the sign."""
    lake[0] = outlet
    read, tail, each = 0, 1, min(ways.size - 1, 1)
    while read < tail:
        p = lake[read]
        read += 1
        for k in range(DEGREE):
            q = p + table[ways[p * each] + k]
            if mark[q] != own:
                continue
            mark[q] = -own
            receiver[q] = p
            for back in range(DEGREE):
                if q + table[ways[q * each] + back] == p:
                    slot[q] = back
            lake[tail] = q
            tail += 1
