"""Kernels of drainage on any graph of points: priority flood, receivers, accumulation, order downstream.

A graph is `table`, `stride`, `relative`: neighbour k of point p is `p * relative + table[p * stride + k]`. A mesh has a
table of point numbers, its degree as stride, and relative 0. A raster has one row of index differences, stride 0, relative
1, and a closed rim. A mesh point with fewer neighbours has itself in the spare slots.
"""

from __future__ import annotations

import numba
import numpy as np

from .heap_kernels import lower, pop, push
from .kernels import OPTIONS

# `seen` holds the slot of a point's parent, or one of these.
UNSEEN, CLOSED = 255, 254
ZERO = np.float32(0.0)
INFINITE = np.float32(np.inf)
FIRST_HEAP = 1024


@numba.njit(**OPTIONS)
def flood(level, seen, back, seeds, table, stride, relative, bins):
    """Priority flood: raise `level` (float32, in place) to the level at which standing water runs off.

    `seen` (uint8) is UNSEEN where the flood may go and CLOSED elsewhere, seeds included. Afterwards it holds the slot of
    the neighbour that the flood came from. `back[p * stride + k]` is the slot of p among the neighbours of its neighbour
    k. Closed points that are not seeds have an infinite level. Returns the number of pushes to the heap.

    After Barnes (2014), with a plain queue for pits, and Zhou (2016): slopes are climbed without the heap. The heap gets
    only points from which the flood may still go down, and of the points around an unseen one only the lowest. Entries
    wait in `bins` lists, spread evenly over the heights, and enter the 4-ary heap of (height, point) when their list is
    due. One large heap would give the same order, but it would not fit into the caches.
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
                push(heap_key, heap_at, size, level[p], p)
                size += 1
                waiting -= 1
                p = following[p]
        pits[0] = pop(heap_key, heap_at, size)
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
                    if seen[r] != UNSEEN and lower(level[r], r, here, p):
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
            push(heap_key, heap_at, size, here, p)
            size += 1
    return pushes


@numba.njit(**OPTIONS)
def receive(level, seen, nearness, table, stride, relative, receiver, arrivals):
    """Fill `receiver` (int32) on a flooded surface: the steepest fall, or on flats the neighbour that the flood came from.

    `nearness` is 1 / distance to each neighbour (float32, in the layout of `table`). Closed points receive themselves.
    `arrivals` (uint8, zero at first) counts the points that flow directly to each one.
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
    """Add the flow of each point to all points downstream, in place. `arrivals`, as `receive` leaves it, is used up."""
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
    """Fill `receiver` on the unfilled relief by steepest descent, on flats to the lowest neighbour; a pit receives itself.

    `neighbour` and `length` are (points, degree). Points from number `land` on are sea and receive themselves.
    """
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
    """All points, each after every point that flows to it: int32 (points,). Points on a circle of receivers are left out."""
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
