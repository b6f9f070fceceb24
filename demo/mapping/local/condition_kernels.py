"""Kernels that condition the local relief: they raise or lower it until its shores match those of the global mesh.

A shore crosses every global edge from land to water exactly once and no other edge. The rest of a shore runs through a
triangle as one line. The points of a triangle are numbered as in `fine_mesh_kernels`.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from ...worlds.kernels import INLINED, OPTIONS
from .fine_mesh_kernels import SIDES, load
from .lake_bank_kernels import DEEP, STEPS

# The least depth of a point under water.
SHOAL_M = np.float32(1.0)
# A point that changes sides is mirrored at the water's level, and its height or depth is multiplied by TURNED. What is
# changed on an edge is felt within REACH of it, in parts of an edge.
ONE, TURNED, REACH = np.float32(1.0), np.float32(0.3), np.float32(0.45)
# Ground around a lake that has to rise or sink does so by the whole of it from this part of an edge on, inversely.
FADE = np.float32(2.5)
# Mud has filled lakes to this part of their depth.
DEPTH = np.float32(0.6)


class LakeShapes(NamedTuple):
    """Which points of their triangles lakes cover (`lake_shape_kernels`), and their banks; k triangles have a shape.

    `row`: int32 by triangle of the planet, the number of its shape, or -1. `bank`: int8 (k, n + 1, n + 1), positive at local
    points (i, j) under water, as `lake_bank_kernels.lay_banks` has it. `rise_m`: float32 (k,), by how much the ground of the
    lake is to be raised to lie at its level. `depth_m`: float32 (k,), the lake's mean depth before mud fills it.
    """

    row: np.ndarray
    bank: np.ndarray
    rise_m: np.ndarray
    depth_m: np.ndarray


@numba.njit(**OPTIONS)
def condition(place, corner, mesh, waters, coast, raw, lakes, row):
    """Fill `mesh.heights` and `mesh.wet` at all points of the triangles, from the heights `raw` (float32, metres).

    Beside water heights are eased as `coast` says (`fine_mesh.coast_of`), so that a shore finds its way between land and
    water corners, away from the edges. What still has to change along an edge fades out within the triangles beside it;
    otherwise dams and channels would run along the edges. `row`: int32 (t,), the shape of each triangle in `lakes`; with
    one, the shore is that of the shape.
    """
    n, heights, wet, body, level = mesh.n, mesh.heights, mesh.wet, waters.body, waters.level
    number, state = np.zeros((n + 1, n + 1), np.int64), np.zeros((n + 1, n + 1), np.uint8)
    eased = np.empty((n + 1, n + 1), np.float32)
    todo, change = np.empty((n + 1) * (n + 1), np.int64), np.zeros((3, n + 1), np.float32)
    reach = REACH * np.float32(n)
    for t in range(place.shape[0]):
        load(place, t, mesh, number)
        a, b, c = corner[t, 0], corner[t, 1], corner[t, 2]
        ease(a, b, c, number, n, coast, raw, eased)
        shaped = row[t] >= 0
        if shaped:
            _raise(a, b, c, body, lakes.rise_m[row[t]], n, eased)
        changed = _edge(a, b, (0, 0, 1, 0), number, mesh, waters, eased, change[0])
        changed |= _edge(a, c, (0, 0, 0, 1), number, mesh, waters, eased, change[1])
        changed |= _edge(b, c, (n, 0, -1, 1), number, mesh, waters, eased, change[2])
        if shaped:
            # The shape alone counts but on the dry edge.
            for k, p, q in ((0, a, b), (1, a, c), (2, b, c)):
                if body[p] >= 0 or body[q] >= 0:
                    change[k, :] = np.float32(0.0)
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
        drowned = (body[a] >= 0) + (body[b] >= 0) + (body[c] >= 0)
        if drowned == 0:
            continue
        water = level[a] if body[a] >= 0 else level[b] if body[b] >= 0 else level[c]
        if shaped:
            _fill_shape(a, b, c, number, n, water, mesh, waters, eased, lakes.bank[row[t]], lakes.depth_m[row[t]])
        elif drowned == 3:
            for i in range(1, n):
                for j in range(1, n - i):
                    k = number[i, j]
                    heights[k], wet[k] = _under(heights[k], water), 1
        else:
            _inside(number, n, water, heights, wet, todo, state)


@numba.njit(**INLINED)
def _share(a, b, c, body, i, j, n):
    """How much of local point (i, j) belongs to corners under water, 0..1: 1 at these, 0 on the edge between dry ones."""
    own = (n - i - j if body[a] >= 0 else 0) + (i if body[b] >= 0 else 0) + (j if body[c] >= 0 else 0)
    return np.float32(own) / np.float32(n)


@numba.njit(**OPTIONS)
def _raise(a, b, c, body, rise, n, eased):
    """Raise a triangle's heights by `rise`, less and less towards its dry edge or corner; corners stay as they are."""
    for i in range(n + 1):
        for j in range(n + 1 - i):
            if (i, j) not in ((0, 0), (n, 0), (0, n)):
                eased[i, j] += rise * min(FADE * _share(a, b, c, body, i, j, n), ONE)


@numba.njit(**OPTIONS)
def _fill_shape(a, b, c, number, n, water, mesh, waters, eased, bank, depth):
    """Condition a triangle whose lake has a shape: what that covers goes under water, and the rest above it.

    `bank`, `depth`: as in `LakeShapes`, of this triangle.
    """
    heights, wet, body = mesh.heights, mesh.wet, waters.body
    for i in range(n + 1):
        for j in range(n + 1 - i):
            if _share(a, b, c, body, i, j, n) == np.float32(0.0):
                continue
            k, d = number[i, j], n - i - j
            h = eased[i, j] if i == 0 or j == 0 or d == 0 else heights[k]
            wet[k] = bank[i, j] > 0
            off = DEPTH * depth * np.float32(abs(bank[i, j])) / STEPS
            if bank[i, j] == 0:
                heights[k] = _over(h, water)
            elif bank[i, j] < 0:
                heights[k] = max(_over(h, water), water + (SHOAL_M + off))
            elif (i, j) in ((0, 0), (n, 0), (0, n)):
                heights[k] = _under(h, water)
            elif bank[i, j] < DEEP:
                heights[k] = water - max(off, SHOAL_M)
            else:
                heights[k] = water - max(DEPTH * (water - _under(h, water)), SHOAL_M)


@numba.njit(**INLINED)
def ease(a, b, c, number, n, coast, raw, eased):
    """Fill `eased`, float32 (n + 1, n + 1), with a triangle's heights; `coast` is interpolated between its corners.

    The heights of an edge are the same from either side. Where nothing has to be eased they are the raw ones, bit for bit.
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


@numba.njit(**INLINED)
def _under(h, water):
    """A height that is under water: one that stood out is mirrored downwards, at TURNED of its height."""
    most = water - SHOAL_M
    return h if h <= most else most - TURNED * (h - most)


@numba.njit(**INLINED)
def _over(h, water):
    """A height that is above water: one that lay under it is mirrored upwards, at TURNED of its depth."""
    return h if h >= water else water + (SHOAL_M + TURNED * (water - h))


@numba.njit(**OPTIONS)
def _edge(p, q, edge, number, mesh, waters, raw, change):
    """Condition the global edge from p to q: it becomes dry, or wet, or changes sides once. The same from either side.

    `edge`: (i, j, di, dj), the place of p in the triangle and the step towards q. `raw`: float32 (n + 1, n + 1), the
    triangle's heights. Fills `change`, float32 (n + 1,), with what was added to each height from p on; returns whether any
    height changed.
    """
    n, heights, wet, body, level = mesh.n, mesh.heights, mesh.wet, waters.body, waters.level
    i, j, di, dj = edge
    turned = body[p] >= 0 and body[q] < 0
    if turned:
        p, q = q, p
        i, j, di, dj = i + n * di, j + n * dj, -di, -dj
    if body[p] >= 0:
        dry, water = 0, level[p]
    elif body[q] < 0:
        # Dry ground stands above the water on either side of the edge, but need not be higher than the ends.
        dry, water = n + 1, min(max(level[p], level[q]), raw[i, j], raw[i + n * di, j + n * dj])
    else:
        # From the land on, as many points stay dry as agree best with the present heights.
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
    """Condition the points within a triangle with a shore: those not joined to water or land at the edges change sides."""
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
