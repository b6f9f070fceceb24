"""Kernels of hydrology, alike for the planet's mesh and for planar rasters: flooding, receivers, order, accumulation.

A graph is `table`, `stride`, `relative`: neighbour k of point p is `p * relative + table[p * stride + k]`. A mesh has a
table of its own numbers and stride 6, relative 0; a raster the eight differences of places, stride 0, relative 1, and a
closed rim around it. A mesh point that has fewer neighbours has itself in the places left over.
"""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import OPTIONS

# What `seen` holds: a slot towards the point's parent, or one of these.
UNSEEN, CLOSED = 255, 254
ZERO = np.float32(0.0)
INFINITE = np.float32(np.inf)
FIRST_HEAP = 1024


@numba.njit(**OPTIONS)
def connect(side, neighbour):
    """The lowest point of each point's connected part of equal `side`, int32 (points,)."""
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


@numba.njit(inline="always", **OPTIONS)
def _lower(key, at, other_key, other_at):
    return key < other_key or (key == other_key and at < other_at)


@numba.njit(**OPTIONS)
def _push(heap_key, heap_at, size, key, at):
    """Put (key, at) into a 4-ary heap of `size` entries that has room for one more."""
    i = size
    while i > 0:
        up = (i - 1) >> 2
        if _lower(heap_key[up], heap_at[up], key, at):
            break
        heap_key[i], heap_at[i] = heap_key[up], heap_at[up]
        i = up
    heap_key[i], heap_at[i] = key, at


@numba.njit(**OPTIONS)
def _pop(heap_key, heap_at, size):
    """Take the lowest entry of a 4-ary heap of `size` entries."""
    top = heap_at[0]
    size -= 1
    key, at = heap_key[size], heap_at[size]
    i = 0
    while True:
        child = 4 * i + 1
        if child >= size:
            break
        best = child
        for c in range(child + 1, min(child + 4, size)):
            if _lower(heap_key[c], heap_at[c], heap_key[best], heap_at[best]):
                best = c
        if _lower(key, at, heap_key[best], heap_at[best]):
            break
        heap_key[i], heap_at[i] = heap_key[best], heap_at[best]
        i = best
    heap_key[i], heap_at[i] = key, at
    return top


@numba.njit(**OPTIONS)
def flood(level, seen, back, seeds, table, stride, relative, bins):
    """Priority flood: raise `level` (float32) to where water that stands there would run off; returns pushes to the heap.

    `seen` (uint8) is UNSEEN where the flood is to go and CLOSED elsewhere, seeds included; afterwards it holds the slot of
    the neighbour from which the flood came. `back[p * stride + k]` is the slot of p among the neighbours of its neighbour
    k. Closed points that are no seeds have an infinite level.

    After Barnes (2014) with a plain queue for pits, and Zhou (2016): slopes are walked upwards without the heap, which gets
    only points from which the flood may yet go down, and of the points around an unseen one only the lowest. Entries wait
    in lists, `bins` of them evenly over the heights, and enter the 4-ary heap of (height, point) when their list is due:
    the order is that of one large heap, which would be out of the caches all the time.
    """
    low, high = np.inf, -np.inf
    for p in range(level.size):
        v = level[p]
        if v < low:
            low = v
        if high < v < INFINITE:
            high = v
    low = np.float64(low)
    scale = (bins - 1) / (np.float64(high) - low) if high > low else 0.0
    width = table.size if stride == 0 else stride
    first, following = np.full(bins, -1, np.int32), np.empty(level.size, np.int32)
    heap_key, heap_at = np.empty(FIRST_HEAP, np.float32), np.empty(FIRST_HEAP, np.int32)
    pits, slope, later = np.empty(level.size, np.int32), np.empty(level.size, np.int32), np.empty(level.size, np.int32)
    for k in range(seeds.size):
        p = seeds[k]
        b = np.int64((level[p] - low) * scale)
        following[p] = first[b]
        first[b] = p
    waiting, pushes = seeds.size, seeds.size
    bucket, size = -1, 0
    while size > 0 or waiting > 0:
        while size == 0:
            bucket += 1
            p = first[bucket]
            while p >= 0:
                if size == heap_at.size:
                    heap_key, heap_at = np.concatenate((heap_key, heap_key)), np.concatenate((heap_at, heap_at))
                _push(heap_key, heap_at, size, level[p], p)
                size += 1
                waiting -= 1
                p = following[p]
        pits[0] = _pop(heap_key, heap_at, size)
        size -= 1
        water = level[pits[0]]
        read, tail, top, held = 0, 1, 0, 0
        while read < tail or top > 0:
            if read < tail:
                p = pits[read]
                read += 1
            else:
                top -= 1
                p = slope[top]
            here, base, origin = level[p], p * stride, p * relative
            open_below = False
            for k in range(width):
                q = origin + table[base + k]
                if seen[q] != UNSEEN:
                    continue
                if level[q] > here:
                    seen[q] = back[base + k]
                    slope[top] = q
                    top += 1
                elif here == water:
                    seen[q] = back[base + k]
                    level[q] = here
                    pits[tail] = q
                    tail += 1
                else:
                    open_below = True
            if open_below:
                later[held] = p
                held += 1
        for j in range(held):
            p = later[j]
            here, base, origin = level[p], p * stride, p * relative
            lowest = False
            for k in range(width):
                q = origin + table[base + k]
                if seen[q] != UNSEEN:
                    continue
                lowest = True
                for m in range(width):
                    r = q * relative + table[q * stride + m]
                    if seen[r] != UNSEEN and _lower(level[r], r, here, p):
                        lowest = False
                        break
                if lowest:
                    break
            if not lowest:
                continue
            pushes += 1
            b = np.int64((here - low) * scale)
            if b > bucket:
                following[p] = first[b]
                first[b] = p
                waiting += 1
                continue
            if size == heap_at.size:
                heap_key, heap_at = np.concatenate((heap_key, heap_key)), np.concatenate((heap_at, heap_at))
            _push(heap_key, heap_at, size, here, p)
            size += 1
    return pushes


@numba.njit(**OPTIONS)
def receive(level, seen, nearness, table, stride, relative, receiver, arrivals):
    """Receivers on a flooded surface: down the steepest fall, `nearness` being 1 / distance; on flats back along the flood.

    Closed points receive themselves. `arrivals` (uint8) counts the points that each one receives from.
    """
    width = table.size if stride == 0 else stride
    for p in range(level.size):
        if seen[p] >= CLOSED:
            receiver[p] = p
            continue
        here, base, origin = level[p], p * stride, p * relative
        best, r = ZERO, origin + table[base + seen[p]]
        for k in range(width):
            q = origin + table[base + k]
            fall = (here - level[q]) * nearness[base + k]
            if fall > best:
                best, r = fall, q
        receiver[p] = r
        arrivals[r] += 1


@numba.njit(**OPTIONS)
def accumulate(receiver, arrivals, flow):
    """Add each point's flow to all points downstream; `arrivals` is used up."""
    for p in range(receiver.size):
        if arrivals[p] != 0:
            continue
        q = p
        while True:
            arrivals[q] = UNSEEN
            r = receiver[q]
            if r == q:
                break
            flow[r] += flow[q]
            arrivals[r] -= 1
            if arrivals[r] != 0:
                break
            q = r


@numba.njit(**OPTIONS)
def descend(level, neighbour, length, land, receiver):
    """Receivers on the bare relief: steepest descent; on a flat the lowest neighbour number; a pit receives itself."""
    for p in range(land):
        best, r = ZERO, p
        for k in range(neighbour.shape[1]):
            q = neighbour[p, k]
            fall = (level[p] - level[q]) / length[p, k]
            if fall > best:
                best, r = fall, q
            elif best == ZERO and level[q] == level[p] and q < r:
                r = q
        receiver[p] = r
    for p in range(land, level.size):
        receiver[p] = p


@numba.njit(**OPTIONS)
def downstream(receiver):
    """All points, each after every point that flows to it: int32 (points,); shorter where receivers run in circles."""
    arrivals = np.zeros(receiver.size, np.int32)
    for p in range(receiver.size):
        if receiver[p] != p:
            arrivals[receiver[p]] += 1
    order = np.empty(receiver.size, np.int32)
    tail = 0
    for p in range(receiver.size):
        if arrivals[p] == 0:
            order[tail] = p
            tail += 1
    for k in range(receiver.size):
        if k == tail:
            break
        r = receiver[order[k]]
        if r != order[k]:
            arrivals[r] -= 1
            if arrivals[r] == 0:
                order[tail] = r
                tail += 1
    return order[:tail]
