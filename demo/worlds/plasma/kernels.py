"""The two kernels of plasma: one level of diamond-square, and one level of the article's rule."""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS, PARALLEL, hash32, signed_unit32

STRIP = 16  # coarse rows whose lines of up to 16 kB are worked on together
SHARES = 16  # of a level's rows, for parallel work; it does not depend on the number of threads


@numba.njit(**OPTIONS)
def _displace(lines, q, first, last, key, level, x, y, amplitude):
    """Add random displacements to line q from first to before last: the vertices x, x + 2, ... of row y at this level."""
    for i in range(first, last):
        lines[q, i] += amplitude * signed_unit32(hash32(key, level, x + 2 * (i - first), y))


@numba.njit(**OPTIONS)
def level_default(coarse, fine, lines, rows, begin, end, key, level, centre, side, tile):
    """One level, float32 (m+1, m+1) -> (2m+1, 2m+1): the fine rows of the coarse rows begin <= j < end, end <= m + 1.

    `lines`: float32 (4, STRIP + 4, m + 2), scratch. `rows`: int64 (3, m + 4), from `growth`. The rows are taken in strips
    whose lines stay in the cache. Each strip gets its centres, then corners relaxed towards them, then side points from
    both, and last corners and centres relaxed towards the side points. Line q of a strip is coarse row first - 2 + q. Lines
    of m values carry a ghost value at either end: that of the opposite side where the field tiles, else the nearest one.
    """
    m = coarse.shape[0] - 1
    centres, corners, across, down = lines[0], lines[1], lines[2], lines[3]
    quarter, half = np.float32(0.25), np.float32(0.5)
    left, right = 1, m
    if tile:
        left, right = m, 1
    for first in range(begin, end, STRIP):
        count = STRIP + 3
        if first + STRIP > end:
            count = end - first + 3
        for q in range(count):
            r = rows[0, first + q]
            for i in range(m):
                mean = ((coarse[r, i] + coarse[r, i + 1]) + (coarse[r + 1, i] + coarse[r + 1, i + 1])) * quarter
                centres[q, i + 1] = mean
            _displace(centres, q, 1, m + 1, key, level, 1, 2 * r + 1, centre)
            centres[q, 0] = centres[q, left]
            centres[q, m + 1] = centres[q, right]
            if q == 0:
                continue
            r = rows[1, first + q]
            for i in range(m + 1):
                mean = ((centres[q - 1, i] + centres[q - 1, i + 1]) + (centres[q, i] + centres[q, i + 1])) * quarter
                corners[q, i] = (coarse[r, i] + mean) * half
            _displace(corners, q, 0, m + 1, key, level, 0, 2 * r, side)
            if tile:
                corners[q, m] = corners[q, 0]
            for i in range(m):
                mean = ((corners[q, i] + corners[q, i + 1]) + (centres[q - 1, i + 1] + centres[q, i + 1])) * quarter
                across[q, i + 1] = mean
            _displace(across, q, 1, m + 1, key, level, 1, 2 * r, side)
            across[q, 0] = across[q, left]
            across[q, m + 1] = across[q, right]
        for q in range(1, count - 1):
            p = rows[2, first + q] - first + 2
            for i in range(m + 1):
                mean = ((corners[p, i] + corners[p + 1, i]) + (centres[p, i] + centres[p, i + 1])) * quarter
                down[q, i] = mean
            _displace(down, q, 0, m + 1, key, level, 0, 2 * rows[0, first + q] + 1, side)
            if tile:
                down[q, m] = down[q, 0]
        for q in range(2, count - 1):
            j = 2 * (first - 2 + q)
            for i in range(m):
                mean = ((across[q, i] + across[q, i + 1]) + (down[q - 1, i] + down[q, i])) * quarter
                fine[j, 2 * i] = (corners[q, i] + mean) * half
                fine[j, 2 * i + 1] = across[q, i + 1]
            mean = ((across[q, m] + across[q, m + 1]) + (down[q - 1, m] + down[q, m])) * quarter
            fine[j, 2 * m] = (corners[q, m] + mean) * half
            if j == 2 * m:
                break
            for i in range(m):
                mean = ((across[q, i + 1] + across[q + 1, i + 1]) + (down[q, i] + down[q, i + 1])) * quarter
                fine[j + 1, 2 * i] = down[q, i]
                fine[j + 1, 2 * i + 1] = (centres[q, i + 1] + mean) * half
            fine[j + 1, 2 * m] = down[q, m]


@numba.njit(**PARALLEL)
def level_parallel(coarse, fine, lines, rows, key, level, centre, side, tile):
    """`level_default` in SHARES of rows, each computed from `coarse` alone; `lines`: (SHARES, 4, STRIP + 4, m + 2)."""
    end = coarse.shape[0]
    for share in numba.prange(SHARES):
        first, last = end * share // SHARES, end * (share + 1) // SHARES
        level_default(coarse, fine, lines[share], rows, first, last, key, level, centre, side, tile)


@numba.njit(inline="always", **OPTIONS)
def _halved(total):
    """Pascal's `div 2` of a sum that is not negative: bytes are kept in float32, in which all of this is exact."""
    return np.float32(np.int32(total * np.float32(0.5)))


@numba.njit(**OPTIONS)
def level_as_printed(coarse, fine, key, width):
    """One level of the article's rule: float32 (m+1, m+1) -> (2m+1, 2m+1), whole numbers. `width` of a square is in cells.

    The centre's random number is Round(Random(2 width) * 0.5) of either sign; Delphi's Round rounds halves to even.
    """
    m = coarse.shape[0] - 1
    shift = np.uint32(31)
    while width >> (np.uint32(31) - shift) > 1:
        shift -= np.uint32(1)
    zero, most = np.float32(0.0), np.float32(255.0)
    for j in range(m + 1):
        for i in range(m):
            fine[2 * j, 2 * i] = coarse[j, i]
            fine[2 * j, 2 * i + 1] = _halved(coarse[j, i] + coarse[j, i + 1])
        fine[2 * j, 2 * m] = coarse[j, m]
        if j == m:
            break
        y = j * width + (width >> 1)
        for i in range(m):
            above = _halved(coarse[j, i] + coarse[j, i + 1])
            below = _halved(coarse[j + 1, i] + coarse[j + 1, i + 1])
            h = hash32(key, i * width + (width >> 1), y, 0)
            size = np.rint(np.float32(np.int32(h >> shift)) * np.float32(0.5))
            sign = np.float32(1 - 2 * np.int32(h & np.uint32(1)))
            fine[2 * j + 1, 2 * i] = _halved(coarse[j, i] + coarse[j + 1, i])
            fine[2 * j + 1, 2 * i + 1] = min(max(_halved(above + below) + sign * size, zero), most)
        fine[2 * j + 1, 2 * m] = _halved(coarse[j, m] + coarse[j + 1, m])
