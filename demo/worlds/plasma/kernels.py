"""The kernels of plasma: one level of diamond-square, the article's rule, and heights between the vertices of a lattice."""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import INLINED, OPTIONS, PARALLEL, hash32, signed_unit32

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


@numba.njit(**INLINED)
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


@numba.njit(**OPTIONS)
def _middle(low, high):
    """Delphi's Round((low + high) / 2): halves go to the even number."""
    total = low + high
    half = total >> 1
    return half + (half & 1) if total & 1 else half


@numba.njit(**OPTIONS)
def recursion_as_printed(field, key, depth):
    """The article's recursion, in its own order and to `depth` calls deep, over `field` float32 (n, n) with its corners set.

    It differs from levels where the width is no power of two: its smallest rectangles are then longer than wide, and their
    middles fall on corners, which they overwrite before others read them.
    """
    stack = np.empty((4 * depth + 4, 5), np.int64)
    stack[0] = (0, 0, field.shape[1] - 1, field.shape[0] - 1, depth)
    left = 1
    zero, most = np.float32(0.0), np.float32(255.0)
    while left:
        left -= 1
        x1, y1, x2, y2, deep = stack[left]
        if (x2 - x1 < 2 and y2 - y1 < 2) or deep == 0:
            continue
        a, b, c, d = field[y1, x1], field[y1, x2], field[y2, x1], field[y2, x2]
        x, y = _middle(x1, x2), _middle(y1, y2)
        above, below = _halved(a + b), _halved(c + d)
        field[y1, x], field[y2, x] = above, below
        field[y, x1], field[y, x2] = _halved(a + c), _halved(b + d)
        h = hash32(key, x, y, 0)
        reach = np.uint64((x2 - x1) + (y2 - y1))
        size = np.rint(np.float32((np.uint64(h) * reach) >> np.uint64(32)) * np.float32(0.5))
        sign = np.float32(1 - 2 * np.int32(h & np.uint32(1)))
        field[y, x] = min(max(_halved(above + below) + sign * size, zero), most)
        # The first of the four quarters is taken from the stack first.
        stack[left] = (x, y, x2, y2, deep - 1)
        stack[left + 1] = (x1, y, x, y2, deep - 1)
        stack[left + 2] = (x, y1, x2, y, deep - 1)
        stack[left + 3] = (x1, y1, x, y, deep - 1)
        left += 4


@numba.njit(**OPTIONS)
def sample(lattice, first, weights, line, out):
    """Fill `out` float32 (n, n) from `lattice` float32 (m, m), along both axes alike.

    Sample k is the sum of `weights` float32 (n, 4) times the vertices `first` int64 (n,) - 1 .. + 2, the nearest ones where
    there are none. `line`: float32 (m,), scratch.
    """
    m, n = lattice.shape[0], out.shape[0]
    for j in range(n):
        rows = (max(first[j] - 1, 0), first[j], min(first[j] + 1, m - 1), min(first[j] + 2, m - 1))
        for i in range(m):
            line[i] = (weights[j, 0] * lattice[rows[0], i] + weights[j, 3] * lattice[rows[3], i]) + (
                weights[j, 1] * lattice[rows[1], i] + weights[j, 2] * lattice[rows[2], i]
            )
        for i in range(n):
            k = first[i]
            ends = weights[i, 0] * line[max(k - 1, 0)] + weights[i, 3] * line[min(k + 2, m - 1)]
            out[j, i] = ends + (weights[i, 1] * line[k] + weights[i, 2] * line[min(k + 1, m - 1)])
