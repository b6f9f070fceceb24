"""Peaks and their prominence, on the global mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from demo.mapping.landmasses import Landmasses
from demo.worlds.kernels import OPTIONS

# Less prominent tops are hills. 600 m makes an "ultra" of four in ten of them and leaves some hundreds.
PROMINENT_M = 300.0


@dataclass(frozen=True)
class Summits:
    """By height, the highest first: `point` int32, `prominence_m` float64."""

    point: np.ndarray
    prominence_m: np.ndarray


def summits_of(heights_m: np.ndarray, neighbour: np.ndarray, masses: Landmasses, sea_level_m: float) -> Summits:
    """All tops of at least PROMINENT_M: above the highest pass to higher land, or above the sea."""
    land = np.flatnonzero(masses.landmass_of_point >= 0)
    order = land[np.lexsort((land, -heights_m[land]))].astype(np.int32)
    key = prominence(order, heights_m, neighbour, np.float32(sea_level_m))
    tops = order[key[order] >= PROMINENT_M]
    return Summits(tops, key[tops])


@numba.njit(**OPTIONS)
def prominence(order, heights, neighbour, sea_level):
    """Prominence of each point that is a top, float64 (points,), 0 elsewhere; `order`: land points, the highest first."""
    result = np.zeros(heights.size)
    set_of, top = np.full(heights.size, -1, np.int32), np.empty(heights.size, np.int32)
    for p in order:
        set_of[p], top[p] = p, p
        for k in range(neighbour.shape[1]):
            s = neighbour[p, k]
            if set_of[s] < 0:
                continue
            while set_of[s] != s:
                set_of[s] = set_of[set_of[s]]
                s = set_of[s]
            mine = p
            while set_of[mine] != mine:
                set_of[mine] = set_of[set_of[mine]]
                mine = set_of[mine]
            if s == mine:
                continue
            # The lower top ends here; ties go to the one that came first in mesh order.
            a, b = top[s], top[mine]
            high, low = (a, b) if heights[a] > heights[b] or (heights[a] == heights[b] and a < b) else (b, a)
            result[low] = np.float64(heights[low]) - np.float64(heights[p])
            set_of[mine] = s
            top[s] = high
    for p in order:
        if set_of[p] == p:
            result[top[p]] = np.float64(heights[top[p]]) - np.float64(sea_level)
    return result
