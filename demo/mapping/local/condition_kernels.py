"""Kernels that bring the local relief to the shores of the global mesh.

Every global edge from land to water is crossed by the shore exactly once, other edges never, and the rest of a shore runs
through a triangle as one line. The triangles' points are numbered as in `local_kernels`.
"""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import OPTIONS
from .fine_mesh_kernels import SIDES, load

# What is to be under water lies at least so deep.
SHOAL_M = np.float32(1.0)
# What changes sides is turned over at the water, and so much as high or deep then; and how far into a triangle, in parts of
# an edge, the changes of its edges are felt.
ONE, TURNED, REACH = np.float32(1.0), np.float32(0.3), np.float32(0.45)


@numba.njit(**OPTIONS)
def condition(place, corner, n, fine, start, base, body, level, coast, raw, heights, wet):
    """Fill heights (float32) and `wet` (uint8) of all points of the triangles: `raw` ones brought to the global shores.

    Beside water they are eased as `coast` says (`local.coast_of`), so that the shore finds its way between land and water
    corners, away from the edges. What an edge is still changed by fades out within the triangles beside it, or dams and
    channels would run along the edges.
    """
    number, state = np.zeros((n + 1, n + 1), np.int64), np.zeros((n + 1, n + 1), np.uint8)
    eased = np.empty((n + 1, n + 1), np.float32)
    todo, change = np.empty((n + 1) * (n + 1), np.int64), np.zeros((3, n + 1), np.float32)
    reach = REACH * np.float32(n)
    for t in range(place.shape[0]):
        load(place, t, n, fine, start, base, number)
        a, b, c = corner[t, 0], corner[t, 1], corner[t, 2]
        _ease(a, b, c, number, n, coast, raw, eased)
        changed = _edge(a, b, number, n, 0, 0, 1, 0, body, level, eased, heights, wet, change[0])
        changed |= _edge(a, c, number, n, 0, 0, 0, 1, body, level, eased, heights, wet, change[1])
        changed |= _edge(b, c, number, n, n, 0, -1, 1, body, level, eased, heights, wet, change[2])
        for i in range(1, n):
            for j in range(1, n - i):
                h, d = eased[i, j], n - i - j
                if changed:
                    if j < reach:
                        h += change[0, i + j // 2] * (ONE - j / reach) ** 2
                    if i < reach:
                        h += change[1, j + i // 2] * (ONE - i / reach) ** 2
                    if d < reach:
                        h += change[2, j + d // 2] * (ONE - d / reach) ** 2
                heights[number[i, j]] = h
        waters = (body[a] >= 0) + (body[b] >= 0) + (body[c] >= 0)
        if waters == 0:
            continue
        water = level[a] if body[a] >= 0 else level[b] if body[b] >= 0 else level[c]
        if waters == 3:
            for i in range(1, n):
                for j in range(1, n - i):
                    k = number[i, j]
                    heights[k], wet[k] = _under(heights[k], water), 1
            continue
        _inside(number, n, water, heights, wet, todo, state)


@numba.njit(inline="always", **OPTIONS)
def _ease(a, b, c, number, n, coast, raw, eased):
    """Fill `eased` with the heights of a triangle's points, the three columns of `coast` taken linearly between corners.

    On an edge the same from either side, and the raw height to the bit where nothing is to be eased.
    """
    whole = np.float32(n)
    for i in range(n + 1):
        for j in range(n + 1 - i):
            u, v, w = np.float32(n - i - j), np.float32(i), np.float32(j)
            datum = (coast[a, 0] * u + coast[b, 0] * v + coast[c, 0] * w) / whole
            lift = (coast[a, 1] * u + coast[b, 1] * v + coast[c, 1] * w) / whole
            part = (coast[a, 2] * u + coast[b, 2] * v + coast[c, 2] * w) / whole
            h = raw[number[i, j]]
            eased[i, j] = h + (part * lift - (ONE - part) * (h - datum))
    for i, j in ((0, 0), (n, 0), (0, n)):
        eased[i, j] = raw[number[i, j]]


@numba.njit(inline="always", **OPTIONS)
def _under(h, water):
    """A height brought under water where it is not: what stood out is turned down, less high."""
    most = water - SHOAL_M
    return h if h <= most else most - TURNED * (h - most)


@numba.njit(inline="always", **OPTIONS)
def _over(h, water):
    """A height brought above water where it is not."""
    return h if h >= water else water + (SHOAL_M + TURNED * (water - h))


@numba.njit(**OPTIONS)
def _edge(p, q, number, n, i, j, di, dj, body, level, raw, heights, wet, change):
    """One global edge from point p at (i, j) to point q: dry, or wet, or with one change. The same from either side.

    Fills `change` (float32 (n + 1,)) with what heights were changed by, from (i, j) on; returns whether any was.
    """
    turned = body[p] >= 0 and body[q] < 0
    if turned:
        p, q = q, p
        i, j, di, dj = i + n * di, j + n * dj, -di, -dj
    if body[p] >= 0:
        dry, water = 0, level[p]
    elif body[q] < 0:
        # Dry means above the water on either side of the edge, but it need not be higher than its ends.
        dry, water = n + 1, min(max(level[p], level[q]), raw[i, j], raw[i + n * di, j + n * dj])
    else:
        # As many points from land on stay dry as agree best with the heights there are.
        water = level[q]
        wrong = 0
        for m in range(1, n):
            wrong += raw[i + m * di, j + m * dj] >= water
        dry, least = 1, wrong
        for m in range(1, n):
            wrong += -1 if raw[i + m * di, j + m * dj] >= water else 1
            if wrong < least:
                dry, least = m + 1, wrong
    changed = False
    for m in range(n + 1):
        k = number[i + m * di, j + m * dj]
        h = raw[i + m * di, j + m * dj]
        heights[k] = _over(h, water) if m < dry else _under(h, water)
        wet[k] = m >= dry
        change[n - m if turned else m] = heights[k] - h
        changed |= heights[k] != h
    return changed


@numba.njit(**OPTIONS)
def _inside(number, n, water, heights, wet, todo, state):
    """The points within a triangle with a shore: what is not joined to water or land at the edges changes sides."""
    for side in range(2):
        left = 0
        for i in range(n + 1):
            for j in range(n + 1 - i):
                state[i, j] = 0
                if (i == 0 or j == 0 or i + j == n) and (wet[number[i, j]] == 1) == (side == 0):
                    state[i, j] = 1
                    todo[left] = i * (n + 1) + j
                    left += 1
        while left > 0:
            left -= 1
            i, j = todo[left] // (n + 1), todo[left] % (n + 1)
            for k in range(6):
                u, v = i + SIDES[k, 0], j + SIDES[k, 1]
                if u <= 0 or v <= 0 or u + v >= n or state[u, v] == 1:
                    continue
                h = heights[number[u, v]]
                if (h < water) == (side == 0):
                    state[u, v] = 1
                    todo[left] = u * (n + 1) + v
                    left += 1
        for i in range(1, n):
            for j in range(1, n - i):
                k = number[i, j]
                if side == 0:
                    wet[k] = state[i, j]
                    heights[k] = _under(heights[k], water) if state[i, j] == 1 else _over(heights[k], water)
                elif state[i, j] == 0:
                    heights[k], wet[k] = _under(heights[k], water), 1
