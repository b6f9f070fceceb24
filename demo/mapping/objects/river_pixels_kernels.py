"""Kernels of pixels along rivers: the height of each, with which rivers fall between the pixels.

Lines have `vertex`, float64 (v, 2), degrees. Segment g runs from vertex number begin[g], int64, to the next, and has
count[g] places, int64. River r has the segments first[r] .. first[r + 1] - 1, downstream. The raster of the whole planet has
`width` by `height` pixels. A place lies among four pixels, its square, whose number is that of the one in the north-west.
Places that follow each other in one square are a run; those of river r are runs[r] .. runs[r + 1] - 1.
"""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import INLINED, OPTIONS

# How often all rivers are walked at most: what one lowers may be upstream of another.
ROUNDS = 96


@numba.njit(**OPTIONS)
def squares_along(vertex, begin, count, first, width, height, square, runs):
    """Fill `square`, int64, with the square of each run, and `runs`, int64 (rivers + 1,). It has room for a run a place."""
    found = 0
    for r in range(first.size - 1):
        runs[r], before = found, np.int64(-1)
        for g in range(first[r], first[r + 1]):
            for k in range(count[g]):
                here, _, _ = _square_at(vertex, begin[g], (k + 0.5) / count[g], width, height)
                if here != before:
                    square[found], before = here, here
                    found += 1
    runs[first.size - 1] = found


@numba.njit(**OPTIONS)
def lowest_beside(vertex, begin, count, first, width, height, runs, pixel, level, lowest):
    """Lower `lowest`, float64 by pixel, to the lowest level of the places around which each pixel lies, in place.

    `pixel`: int32 (runs, 4), the pixels of each run. `level`: float64 (v,), of the vertices; it is linear between them.
    """
    for r in range(first.size - 1):
        run, before = runs[r] - 1, np.int64(-1)
        for g in range(first[r], first[r + 1]):
            one, two = level[begin[g]], level[begin[g] + 1]
            for k in range(count[g]):
                part = (k + 0.5) / count[g]
                here, u, v = _square_at(vertex, begin[g], part, width, height)
                run, before = run + (here != before), here
                there = one + part * (two - one)
                for c in range(4):
                    if _weight(c, u, v) > 0.0:
                        lowest[pixel[run, c]] = min(lowest[pixel[run, c]], there)


@numba.njit(**OPTIONS)
def descend(vertex, begin, count, first, width, height, runs, pixel, value, rise, walk, walked, lowered):
    """Walk rivers once and lower `value`, float64 by pixel, where it rises by more than `rise` along them, in place.

    Rivers whose pixels are as their last walk found and left them have nothing to lower, and are left out. `walked`, int32
    (rivers,), has the number of each river's last walk; walks have the numbers after `walk`, whose last one is returned.
    `lowered`, int32 by pixel, has the last walk that has lowered it. `pixel`: as in `lowest_beside`.
    """
    for r in range(first.size - 1):
        if not _has_changed(runs[r], runs[r + 1], pixel, lowered, walked[r]):
            continue
        walk += 1
        walked[r] = walk
        run, before, lowest = runs[r] - 1, np.int64(-1), np.inf
        for g in range(first[r], first[r + 1]):
            for k in range(count[g]):
                here, u, v = _square_at(vertex, begin[g], (k + 0.5) / count[g], width, height)
                run, before = run + (here != before), here
                there = 0.0
                for c in range(4):
                    there += _weight(c, u, v) * value[pixel[run, c]]
                if there > lowest + rise:
                    # To less than may be, so that the next round finds nothing.
                    most = lowest + 0.5 * rise
                    there = 0.0
                    for c in range(4):
                        value[pixel[run, c]] = min(value[pixel[run, c]], most)
                        there += _weight(c, u, v) * value[pixel[run, c]]
                        lowered[pixel[run, c]] = walk
                lowest = min(lowest, there)
    return walk


@numba.njit(**OPTIONS)
def _has_changed(begin, end, pixel, lowered, walked):
    """Whether a pixel of the runs begin .. end - 1 has been lowered since the walk `walked`, or by it."""
    for run in range(begin, end):
        for c in range(4):
            if lowered[pixel[run, c]] >= walked:
                return True
    return False


@numba.njit(**INLINED)
def _square_at(vertex, begin, part, width, height):
    """(the square, how far east and how far south in it, 0..1) of the place at `part` of the way to the next vertex."""
    one, two = vertex[begin], vertex[begin + 1]
    x = (one[0] + part * (two[0] - one[0]) + 180.0) * (width / 360.0) - 0.5
    y = (90.0 - (one[1] + part * (two[1] - one[1]))) * (height / 180.0) - 0.5
    left, top = np.int64(np.floor(x)), min(max(np.int64(np.floor(y)), 0), height - 2)
    return top * width + left % width, x - left, min(max(y - top, 0.0), 1.0)


@numba.njit(**INLINED)
def _weight(c, u, v):
    """The weight of one of the pixels of a square in a bilinear height: north-west, north-east, south-west, south-east."""
    across = u if c % 2 else 1.0 - u
    return across * (v if c // 2 else 1.0 - v)
