"""Kernels of lakes' shapes: which local points a lake of a given area covers, found by flooding the fine relief.

A lake lies within the triangles around its global points. It grows from these over the lowest ground that it borders on, as
a depression fills. A point is covered only if water and land stay in one piece each in every triangle, and the water on an
edge of the global mesh stays in one piece at the lake's end. So the topology of the shores is that of the global mesh,
however winding they are.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from ...worlds.heap_kernels import pop, push
from ...worlds.kernels import INLINED, OPTIONS
from .condition_kernels import ease
from .fine_mesh_kernels import NONE, SIDES, load

# States of a point while a lake grows.
OUTSIDE, FREE, WAITING, WET = 0, 1, 2, 3
# Ground counts as this much higher, in parts of the fine relief, at the rim of a lake's triangles than at its points: of two
# ways of equal height a lake takes the shorter one.
FAR = np.float32(0.3)
# Most lakes lie in troughs of ice or rivers, along the way of their water. Off that way ground counts as up to this much
# higher, in the same parts, at the rim. How narrow the trough is comes by chance.
TROUGH = np.float32(12.0)
# Troughs have arms narrower than the mesh can show. So for each point under water beside it but one, ground counts as up to
# this much higher, divided by the steps of an edge. Lakes of more or fewer than BROAD points have fewer arms.
NARROW, BROAD = np.float32(1.4), 20.0
# A lake covers at least this many points. Its shore runs nearer to the points under water than to the dry ones: for each
# step that it crosses, this part of a point's area is dry.
LEAST, SHORT = 4, 0.05


class LakeTriangles(NamedTuple):
    """The triangles of l lakes, lake after lake, k in all.

    `first`: int64 (l + 1,), where each lake's triangles begin. `place`, `corner`: as in `Triangles`, (k, 4) and (k, 3).
    `body`: int32 (l,), the lakes' bodies. `area`: float64 (l,), how much they are to cover, in parts of the sphere.
    `relief_m`: float32 (l,), how rough the ground is. `narrow`: float32 (l,), 0..1, how narrow the trough of each is.
    `across`: float32 (k, 3), how far each corner lies off the trough, 0..1.
    """

    first: np.ndarray
    place: np.ndarray
    corner: np.ndarray
    body: np.ndarray
    area: np.ndarray
    relief_m: np.ndarray
    narrow: np.ndarray
    across: np.ndarray


@numba.njit(**INLINED)
def _turns(i, j, n, number, state):
    """Of the points around local point (i, j) of a triangle: how often water and land change places, how many are under
    water, and whether some lie in another triangle."""
    first, before, changes, edge, under = NONE, NONE, 0, False, 0
    for k in range(6):
        u, v = i + SIDES[k, 0], j + SIDES[k, 1]
        if u < 0 or v < 0 or u + v > n:
            edge, before = True, NONE
            continue
        now = 1 if state[number[u, v]] == WET else 0
        changes += before != NONE and before != now
        under += now
        before = now
        first = now if k == 0 else first
    # The last side and the first are neighbours too.
    changes += before != NONE and first != NONE and before != first
    return changes, under, edge


@numba.njit(**OPTIONS)
def _joined(x, n, numbers, state, where):
    """How many points under water lie beside point x; NONE where covering it would part the water or the land.

    `where`: its places in the triangles.
    """
    most = 0
    for k in range(2):
        at = where[x, k]
        if at < 0:
            continue
        t, rest = at // ((n + 1) * (n + 1)), at % ((n + 1) * (n + 1))
        changes, under, edge = _turns(rest // (n + 1), rest % (n + 1), n, numbers[t], state)
        if changes != (1 if edge else 2):
            return NONE
        most = max(most, under)
    return most


@numba.njit(**OPTIONS)
def _lay_out(lakes, one, mesh, body, coast, numbers, where, state, ground, own):
    """Fill the work arrays for the triangles of lake `one`: numbers, places, states and the heights that count."""
    n = mesh.n
    eased = np.empty((n + 1, n + 1), np.float32)
    begin, far = lakes.first[one], FAR * lakes.relief_m[one]
    trough = TROUGH * lakes.narrow[one] * lakes.relief_m[one]
    for t in range(begin, lakes.first[one + 1]):
        off = lakes.across[t]
        number = numbers[t - begin]
        load(lakes.place, t, mesh, number)
        a, b, c = lakes.corner[t, 0], lakes.corner[t, 1], lakes.corner[t, 2]
        ease(a, b, c, number, n, coast, mesh.heights, eased)
        mine = (body[a] == own, body[b] == own, body[c] == own)
        for i in range(n + 1):
            for j in range(n + 1 - i):
                x, d = number[i, j], n - i - j
                # The corners that this point lies between.
                dry = (d > 0 and not mine[0]) or (i > 0 and not mine[1]) or (j > 0 and not mine[2])
                wet = (d > 0 and mine[0]) or (i > 0 and mine[1]) or (j > 0 and mine[2])
                if not wet:
                    state[x] = OUTSIDE
                    continue
                away = np.float32((0 if mine[0] else d) + (0 if mine[1] else i) + (0 if mine[2] else j)) / np.float32(n)
                across = (off[0] * np.float32(d) + off[1] * np.float32(i) + off[2] * np.float32(j)) / np.float32(n)
                ground[x] = eased[i, j] + far * away * away + trough * across * across
                state[x] = FREE if dry else WET
                at = ((t - begin) * (n + 1) + i) * (n + 1) + j
                where[x, 0 if where[x, 0] < 0 else 1] = at


@numba.njit(**OPTIONS)
def flood(lakes, mesh, body, coast, weight, wet, top, mean):
    """Fill `wet`, uint8 (k, n + 1, n + 1), 1 at the local points (i, j) of each triangle that its lake covers; `top`,
    float32 (l,), the greatest height that each lake reaches; and `mean`, float64 (l,), that of the ground that it covers.

    `mesh`: with the raw heights of the relief. `weight`: float64 by local ring, the part of the sphere that a point stands
    for. Heights are eased by `coast`, as when the relief is conditioned.
    """
    n, size = mesh.n, mesh.heights.size
    most = 1
    for one in range(lakes.body.size):
        most = max(most, lakes.first[one + 1] - lakes.first[one])
    numbers, where = np.zeros((most, n + 1, n + 1), np.int64), np.full((size, 2), NONE, np.int32)
    state, ground = np.zeros(size, np.uint8), np.empty(size, np.float32)
    room = most * (n + 1) * (n + 2)
    heap_key, heap_at = np.empty(room, np.float32), np.empty(room, np.int64)
    for one in range(lakes.body.size):
        begin, end = lakes.first[one], lakes.first[one + 1]
        _lay_out(lakes, one, mesh, body, coast, numbers, where, state, ground, lakes.body[one])
        covered, count, high, left = 0.0, 0, np.float32(-np.inf), 0
        total, grown = 0.0, 0
        points = lakes.area[one] / weight[mesh.ring[numbers[0, 0, 0]]]
        narrow = NARROW / np.float32(n) * lakes.narrow[one] * lakes.relief_m[one]
        narrow *= np.float32(min(points / BROAD, BROAD / points))
        for t in range(end - begin):
            for i in range(n + 1):
                for j in range(n + 1 - i):
                    x = numbers[t, i, j]
                    if state[x] != WET:
                        continue
                    if where[x, 0] == (t * (n + 1) + i) * (n + 1) + j:
                        covered += weight[mesh.ring[x]]
                        count += 1
                    left = _wait(i, j, n, numbers[t], state, ground, heap_key, heap_at, left)
        crossed = 6
        while left > 0 and (count < LEAST or covered * (1.0 - SHORT * crossed / count) < lakes.area[one]):
            key, x = heap_key[0], pop(heap_key, heap_at, left)
            left -= 1
            state[x] = FREE
            beside = _joined(x, n, numbers, state, where)
            if beside == NONE:
                continue
            late = ground[x] + narrow * np.float32(beside - 1)
            if late > key:
                # The water has come nearer since.
                state[x] = WAITING
                push(heap_key, heap_at, left, late, x)
                left += 1
                continue
            state[x] = WET
            covered += weight[mesh.ring[x]]
            count += 1
            crossed += 6 - 2 * beside
            high = max(high, ground[x])
            total += ground[x]
            grown += 1
            for k in range(2):
                at = where[x, k]
                if at >= 0:
                    t, rest = at // ((n + 1) * (n + 1)), at % ((n + 1) * (n + 1))
                    left = _wait(rest // (n + 1), rest % (n + 1), n, numbers[t], state, ground, heap_key, heap_at, left)
        top[one], mean[one] = high, total / max(grown, 1)
        for t in range(end - begin):
            for i in range(n + 1):
                for j in range(n + 1 - i):
                    x = numbers[t, i, j]
                    wet[begin + t, i, j] = state[x] == WET
        for t in range(end - begin):
            for i in range(n + 1):
                for j in range(n + 1 - i):
                    x = numbers[t, i, j]
                    state[x], where[x, 0], where[x, 1] = OUTSIDE, NONE, NONE


@numba.njit(**INLINED)
def _wait(i, j, n, number, state, ground, heap_key, heap_at, left):
    """Put the free points around local point (i, j) on the heap; returns its size."""
    for k in range(6):
        u, v = i + SIDES[k, 0], j + SIDES[k, 1]
        if u < 0 or v < 0 or u + v > n:
            continue
        y = number[u, v]
        if state[y] == FREE:
            state[y] = WAITING
            push(heap_key, heap_at, left, ground[y], y)
            left += 1
    return left
