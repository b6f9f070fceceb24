"""Kernels of rain on a graph of nodes: air that the wind drives from node to node."""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS
from .kernels import DEGREE, OUTSIDE, ZERO


@numba.njit(**OPTIONS)
def upwind(place, xyz, wind, table, ways, share):
    """Fill `share`, float32 (nodes, DEGREE): what part of a node's air comes from each neighbour, 0 where none does.

    `xyz`, `wind`: float64 (nodes, 3). Parts are as the squared cosine between the wind and the way.
    """
    each = min(ways.size - 1, 1)
    for p in range(len(xyz)):
        total = 0.0
        for k in range(DEGREE):
            q = p + table[ways[p * each] + k]
            share[p, k] = 0.0
            if q == p or place[p] == OUTSIDE or place[q] == OUTSIDE:
                continue
            along, length = 0.0, 0.0
            for axis in range(3):
                way = xyz[p, axis] - xyz[q, axis]
                along += wind[p, axis] * way
                length += way * way
            if along > 0.0:
                share[p, k] = along * along / length
                total += along * along / length
        for k in range(DEGREE):
            share[p, k] = share[p, k] / total if total > 0.0 else 0.0


@numba.njit(**OPTIONS)
def blow(height, sea, share, table, ways, lost, climbing, humid, uptake, recycled, capacity, air, rain, out):
    """Let the wind blow over one node's distance: from `air` (float32, the water in it) to `out`.

    `rain` takes what falls: a part `lost` of the water by node, `climbing` by the unit of height that the air climbs, and
    what is beyond `capacity`. The sea fills the air by `uptake` of what it lacks to be as `humid` as over a wide sea; of the
    rain on land `recycled` returns to the air. Air from outside is the sea's.
    """
    each = min(ways.size - 1, 1)
    for p in range(height.size):
        here = max(height[p], sea)
        water, climb, whole = ZERO, ZERO, ZERO
        for k in range(DEGREE):
            part = share[p, k]
            if part > ZERO:
                q = p + table[ways[p * each] + k]
                water += part * air[q]
                climb += part * max(here - max(height[q], sea), ZERO)
                whole += part
        if whole == ZERO:
            water = humid[p]
        falls = max(water * min(lost[p] + climbing * climb, np.float32(0.9)), water - capacity[p])
        rain[p] = falls
        left = water - falls
        out[p] = left + recycled * falls if height[p] > sea else left + uptake * max(humid[p] - left, ZERO)
