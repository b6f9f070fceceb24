"""Kernels of carving on a graph of nodes: land that rises, receivers, slopes that creep.

Neighbour k of node p is p + table[ways[p] + k], k < DEGREE, and nearness[begins[p] + k] says how near it is. A raster has
one entry in `ways` and `begins`, for all nodes. `raster_kernels` are for rasters alone; kernels of other modules are for
both, and read ways[p * each] where `each` is 0 for a raster and 1 for a mesh. Heights are float32 in any one unit; lengths
are in radii or extents. Serial, with sums in a fixed order.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS, hash64

# Where a node lies: around a plane's raster, at a plane's edge, or inside; and what it is in a step: LAND or not.
OUTSIDE, RIM, INSIDE, LAND = 0, 1, 2, 3
# Neighbours of a node at most. The pole of a LATLONG atlas keeps this many of its row, spread evenly, or its water would
# form a star.
DEGREE = 8
# Slots of a node that has not been asked for its receiver, and of one that receives itself.
UNKNOWN, NOWHERE = 255, 254
ZERO, ONE = np.float32(0.0), np.float32(1.0)


@numba.njit(**OPTIONS)
def rise(height, sea, uplift, time, area, place, kind):
    """Raise land by `uplift` * `time`, and say what each node is: `kind`, uint8 (nodes,), is LAND or the node's place.

    Land at a plane's rim does not count: water leaves there. Returns the volume that rose, and the count of nodes inside
    that are no land.
    """
    volume, water = 0.0, 0
    for p in range(height.size):
        kind[p] = place[p]
        if place[p] != INSIDE:
            water += place[p] == RIM
            continue
        if height[p] <= sea:
            water += 1
            continue
        kind[p] = LAND
        new = height[p] + uplift[p] * time
        volume += np.float64(new - height[p]) * area[p]
        height[p] = new
    return volume, water


@numba.njit(**OPTIONS)
def receive(height, sea, kind, nearness, begins, table, ways, key, receiver, slot, pits):
    """Fill `receiver` (int32) and `slot` (uint8) of land: a lower neighbour, drawn by its squared slope.

    The steepest of eight directions alone would show the grid. Land without a lower neighbour receives itself, and so does
    what is no land. `pits`, int32, takes the former; returns how many there are.
    """
    count = 0
    summed = np.empty(DEGREE, np.float32)
    for p in range(height.size):
        receiver[p], slot[p] = p, UNKNOWN
        if kind[p] != LAND:
            continue
        here, base, near = height[p], ways[p], begins[p]
        total = ZERO
        for k in range(DEGREE):
            fall = max((here - max(height[p + table[base + k]], sea)) * nearness[near + k], ZERO)
            total += fall * fall
            summed[k] = total
        if total == ZERO:
            slot[p] = NOWHERE
            pits[count] = p
            count += 1
            continue
        # 24 random bits are exact in float32. Without branches, which nobody could foresee.
        left = np.float32(hash64(key, p) >> np.uint64(40)) * np.float32(2.0**-24) * total
        chosen = 0
        for k in range(DEGREE - 1):
            chosen += summed[k] <= left
        # Rounding may leave `left` at the total: then the last that falls is meant.
        while chosen > 0 and summed[chosen] == summed[chosen - 1]:
            chosen -= 1
        receiver[p], slot[p] = p + table[base + chosen], chosen
    return count


@numba.njit(**OPTIONS)
def creep(height, kind, area, nearness, begins, table, ways, share, slope, slide, out):
    """Let slopes creep, and slide where they are steeper than `slope`; fill `out` with the new heights.

    `share` of a difference flows between the nearest neighbours, less between farther ones; `slide` of what is too steep.
    Only land moves, so coasts stay. What one node loses another gains.
    """
    for p in range(height.size):
        here = height[p]
        out[p] = here
        if kind[p] != LAND:
            continue
        base, first = ways[p], begins[p]
        own, gained = np.float32(area[p]), ZERO
        for k in range(DEGREE):
            q = p + table[base + k]
            near = nearness[first + k]
            both = min(own, np.float32(area[q])) if kind[q] == LAND else ZERO
            difference = height[q] - here
            # A spare slot is the node itself, at no difference and an infinite distance.
            most = slope / near
            excess = difference - min(max(difference, -most), most)
            gained += both * (share * near * near * both * difference + slide * excess)
        out[p] = here + gained / own
