"""Kernels of pixels along rivers: the height of each, with which rivers fall between the pixels."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import OPTIONS

# How often all rivers are walked at most: what one lowers may be upstream of another.
ROUNDS = 96


@numba.njit(**OPTIONS)
def pixels_around(vertex, begin, count, width, height, pixel, weight):
    """Fill `pixel`, int64 (s, 4), with the pixels around places along lines, and `weight`, float64 (s, 4), with theirs.

    Segment g runs from `vertex`, float64 (v, 2), degrees, number begin[g] to the next, and has count[g] places, int64. The
    raster of the whole planet has `width` by `height` pixels. Weights are those of a bilinear height.
    """
    across, down, s = width / 360.0, height / 180.0, 0
    for g in range(begin.size):
        one, two = vertex[begin[g]], vertex[begin[g] + 1]
        for k in range(count[g]):
            part = (k + 0.5) / count[g]
            x = (one[0] + part * (two[0] - one[0]) + 180.0) * across - 0.5
            y = (90.0 - (one[1] + part * (two[1] - one[1]))) * down - 0.5
            left, top = np.int64(np.floor(x)), min(max(np.int64(np.floor(y)), 0), height - 2)
            u, v = x - left, min(max(y - top, 0.0), 1.0)
            west, east = left % width, (left + 1) % width
            pixel[s, 0], pixel[s, 1] = top * width + west, top * width + east
            pixel[s, 2], pixel[s, 3] = (top + 1) * width + west, (top + 1) * width + east
            weight[s, 0], weight[s, 1] = (1.0 - u) * (1.0 - v), u * (1.0 - v)
            weight[s, 2], weight[s, 3] = (1.0 - u) * v, u * v
            s += 1


@numba.njit(**OPTIONS)
def lowest_beside(place, weight, level, lowest):
    """Lower `lowest`, float64 by pixel, to the lowest `level`, float64 (s,), of the samples around which each pixel lies.

    `place`: int32 (s, 4), pixels around a sample; `weight`: float64 (s, 4), theirs.
    """
    for s in range(place.shape[0]):
        for k in range(4):
            if weight[s, k] > 0.0:
                lowest[place[s, k]] = min(lowest[place[s, k]], level[s])


@numba.njit(**OPTIONS)
def descend(first, place, weight, value, rise, walk, lowered):
    """Walk rivers once and lower `value`, float64 by pixel, where it rises by more than `rise` along them, in place.

    `lowered`, int32 by pixel, becomes the number `walk` of this walk where it does. `first`: int64 (rivers + 1,), the
    samples of each river, downstream; `place`, `weight`: as in `lowest_beside`.
    """
    for r in range(first.size - 1):
        lowest = np.inf
        for s in range(first[r], first[r + 1]):
            height = 0.0
            for k in range(4):
                height += weight[s, k] * value[place[s, k]]
            if height > lowest + rise:
                # To less than may be, so that the next round finds nothing.
                most = lowest + 0.5 * rise
                height = 0.0
                for k in range(4):
                    value[place[s, k]] = min(value[place[s, k]], most)
                    height += weight[s, k] * value[place[s, k]]
                    lowered[place[s, k]] = walk
            lowest = min(lowest, height)
