"""Kernels of the rivers in the show: the distance from the farthest source, levels that fall, and what is drawn."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import OPTIONS
from ..local.chain_ways import LAKE, SEA


@numba.njit(**OPTIONS)
def longest(receiver, place):
    """The length of the way to each point from the farthest point that flows to it: float64 (points,), radians."""
    count = receiver.size
    waiting, run = np.zeros(count, np.int32), np.zeros(count)
    for p in range(count):
        if receiver[p] >= 0:
            waiting[receiver[p]] += 1
    ready, made = np.empty(count, np.int32), 0
    for p in range(count):
        if waiting[p] == 0 and receiver[p] >= 0:
            ready[made] = p
            made += 1
    done = 0
    while done < made:
        p = ready[done]
        r = receiver[p]
        done += 1
        apart = 0.0
        for axis in range(3):
            apart += (place[p, axis] - place[r, axis]) ** 2
        run[r] = max(run[r], run[p] + np.sqrt(apart))
        waiting[r] -= 1
        if waiting[r] == 0 and receiver[r] >= 0:
            ready[made] = r
            made += 1
    return run


@numba.njit(**OPTIONS)
def lower(first, height):
    """Lower `height`, in place, so that it never rises along a line."""
    for k in range(first.size - 1):
        for p in range(first[k] + 1, first[k + 1]):
            height[p] = min(height[p], height[p - 1])


@numba.njit(**OPTIONS)
def shown(chain, first, wet, joined, kind, steps, beyond):
    """The points of each line to draw: (from, first dry, last dry, to), int64 (lines, 4).

    A line is drawn from the last point under water on its first edge to the first point in the water that it ends in, and
    up to `beyond` points further into the water at either end. An edge has `steps` points. A line does not end before the
    last of its vertices, chain[k] .. chain[k + 1] - 1, at which another river has `joined` it.
    """
    span = np.empty((first.size - 1, 4), np.int64)
    for k in range(first.size - 1):
        start, stop, end = first[k], first[k + 1] - 1, first[k + 1]
        for p in range(first[k], min(first[k] + steps, end)):
            if wet[p]:
                start = p
        if kind[k] == SEA or kind[k] == LAKE:
            # Only the last edges lead into the water. A wet point before them is the shore of another lake.
            for p in range(max(end - 1 - 2 * steps, start + 1), end):
                if wet[p]:
                    stop = p
                    break
            for m in range(chain[k], chain[k + 1] - 1):
                if joined[m]:
                    stop = max(stop, first[k] + steps * (m - chain[k]))
            end = min(stop + 1 + beyond, end)
        span[k, 0], span[k, 1], span[k, 2], span[k, 3] = max(start - beyond, first[k]), start, stop, end
    return span
