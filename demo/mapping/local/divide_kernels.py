"""Kernels of divides: the cells of the global points, and the borders of catchments.

Land is divided among the global points along the high ground between them; the part of one point is its cell. Within a
triangle the cell of a corner is connected and holds that corner. So the border between two catchments is one line through a
triangle, and three catchments have three lines that meet.
"""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.heap_kernels import pop, push
from ...worlds.kernels import INLINED, OPTIONS
from .fine_mesh_kernels import SIDES, beside, crossing, load, place_at, rounded
from .shore_kernels import landings, lands
from .thin_kernels import thin

NONE = -1
# The ground half-way between global points counts as this much higher than it is.
MIDDLE_M = 250.0


@numba.njit(**OPTIONS)
def divide(place, corner, mesh, waters, owner):
    """Fill `owner`, int32 by point of the strip, with the global point in whose cell each dry point of the triangles lies.

    Ground counts as high by its height above the plane through the corners, and more in the middle than at the corners.
    """
    n, heights, wet = mesh.n, mesh.heights, mesh.wet
    number, state = np.zeros((n + 1, n + 1), np.int64), np.zeros((n + 1, n + 1), np.uint8)
    height = np.zeros((n + 1, n + 1), np.float32)
    heap_key, heap_at = np.empty((n + 1) * (n + 1) + 1, np.float32), np.empty((n + 1) * (n + 1) + 1, np.int32)
    for t in range(place.shape[0]):
        load(place, t, mesh, number)
        a, b, c = corner[t, 0], corner[t, 1], corner[t, 2]
        _divide_edge(a, b, (0, 0, 1, 0), number, mesh, waters.body, owner)
        _divide_edge(a, c, (0, 0, 0, 1), number, mesh, waters.body, owner)
        _divide_edge(b, c, (n, 0, -1, 1), number, mesh, waters.body, owner)
        size = 0
        ends = (_top(a, number[0, 0], waters, heights), _top(b, number[n, 0], waters, heights))
        third = _top(c, number[0, n], waters, heights)
        for i in range(n + 1):
            for j in range(n + 1 - i):
                u, v = i / n, j / n
                plane = (1.0 - u - v) * ends[0] + u * ends[1] + v * third
                middle = (1.0 - u - v) * (u + v) + u * v
                height[i, j] = np.float32(heights[number[i, j]] - plane + 4.0 * MIDDLE_M * middle)
                state[i, j] = 0
                if (i == 0 or j == 0 or i + j == n) and wet[number[i, j]] == 0:
                    state[i, j] = 1
                    push(heap_key, heap_at, size, height[i, j], i * (n + 1) + j)
                    size += 1
        # A flood from the edges takes low ground first, so cells meet on high ground.
        while size > 0:
            top = pop(heap_key, heap_at, size)
            size -= 1
            i, j = top // (n + 1), top % (n + 1)
            for k in range(6):
                u, v = i + SIDES[k, 0], j + SIDES[k, 1]
                if u <= 0 or v <= 0 or u + v >= n or state[u, v] == 1:
                    continue
                p = number[u, v]
                if wet[p] == 0:
                    state[u, v] = 1
                    owner[p] = owner[number[i, j]]
                    push(heap_key, heap_at, size, max(height[u, v], height[i, j]), u * (n + 1) + v)
                    size += 1


@numba.njit(**INLINED)
def _top(p, k, waters, heights):
    """The height of corner p, which is point k of the strip, or of the water over it; float64 metres."""
    return np.float64(waters.level[p] if waters.body[p] >= 0 else heights[k])


@numba.njit(**OPTIONS)
def _divide_edge(p, q, edge, number, mesh, body, owner):
    """Divide the points of the global edge from p to q at the highest point between them.

    `edge`: (i, j, di, dj), the place of p in the triangle and the step towards q.
    """
    n, heights, wet = mesh.n, mesh.heights, mesh.wet
    i, j, di, dj = edge
    if body[p] >= 0 and body[q] >= 0:
        return
    if p > q:
        p, q = q, p
        i, j, di, dj = i + n * di, j + n * dj, -di, -dj
    last, highest = 0, -np.inf
    if body[p] < 0 and body[q] < 0:
        one, two = heights[number[i, j]], heights[number[i + n * di, j + n * dj]]
        for m in range(n):
            x = m / n
            h = heights[number[i + m * di, j + m * dj]] - ((1.0 - x) * one + x * two) + 4.0 * MIDDLE_M * x * (1.0 - x)
            if h > highest:
                last, highest = m, h
    for m in range(n + 1):
        k = number[i + m * di, j + m * dj]
        if wet[k] == 0:
            if body[p] >= 0 or (body[q] < 0 and m > last):
                owner[k] = q
            else:
                owner[k] = p


@numba.njit(**OPTIONS)
def borders(place, corner, kind, mesh, waters, runs, owner, tolerance, shrink, whole):
    """The borders between catchments in triangles; `kind`, int32, is the catchment of each global point.

    Returns (arcs, vertices, first). `arcs`, int32 (a, 6): the global edge (two points) at which an arc begins, the edge at
    which it ends or (NONE, triangle) where three arcs meet, and the catchments on its left and right. `vertices`, float64
    (v, 2), degrees: the vertices of arc k are first[k] .. first[k + 1] - 1, both ends included. `first`: int64 (a + 1,).
    Between land and water a border is the shore. Lines are thinned as in `shore_kernels.trace`, which
    has filled `whole`.
    """
    n, wet, body, level = mesh.n, mesh.wet, waters.body, waters.level
    count = 0
    for t in range(place.shape[0]):
        a, b, c = kind[corner[t, 0]], kind[corner[t, 1]], kind[corner[t, 2]]
        count += 0 if a == b == c else 3 if a != b and b != c and a != c else 1
    arcs, first = np.empty((count, 6), np.int32), np.zeros(count + 1, np.int64)
    vertices = np.empty((max(count * (2 * n + 2), 1), 2))
    number, local = np.zeros((n + 1, n + 1), np.int64), np.zeros((n + 1, n + 1), np.int32)
    landing = np.empty((3, 4), np.int64)
    kept, stack = np.empty(2 * (n + 1) * (n + 1), np.uint8), np.empty((2 * (n + 1) * (n + 1), 2), np.int64)
    made, used = 0, 0
    for t in range(place.shape[0]):
        a, b, c = kind[corner[t, 0]], kind[corner[t, 1]], kind[corner[t, 2]]
        if a == b == c:
            continue
        three = a != b and b != c and a != c
        load(place, t, mesh, number)
        landings(corner, t, number, mesh, waters, runs, owner, landing)
        water, under = np.float32(0.0), NONE
        for k in range(3):
            if body[corner[t, k]] >= 0:
                water, under = level[corner[t, k]], kind[corner[t, k]]
        for i in range(n + 1):
            for j in range(n + 1 - i):
                p = number[i, j]
                local[i, j] = under if wet[p] == 1 else kind[owner[p]]
        for k in range(3):
            p, q = corner[t, k], corner[t, (k + 1) % 3]
            if kind[p] == kind[q]:
                continue
            if used + 2 * (n + 1) * (n + 1) > vertices.shape[0]:
                vertices = np.concatenate((vertices, np.empty((vertices.shape[0] // 2 + 2 * (n + 1) * (n + 1), 2))))
            i, j = (0, 0) if k == 0 else (n, 0) if k == 1 else (0, n)
            di, dj = (1, 0) if k == 0 else (-1, 1) if k == 1 else (0, -1)
            while local[i + di, j + dj] == kind[p]:
                i, j = i + di, j + dj
            arcs[made, 0], arcs[made, 1], arcs[made, 4], arcs[made, 5] = p, q, kind[p], kind[q]
            allowed = 0.0 if whole[t] == 1 else tolerance
            part, narrow = used, shrink[place[t, 1] + place[t, 2] + place[t, 3]]
            while True:
                x, y = number[i, j], number[i + di, j + dj]
                vertices[used, 0], vertices[used, 1] = _between(x, y, mesh, water)
                vertices[used, 0] = beside(vertices[used, 0], vertices[first[made], 0])
                if wet[x] != wet[y] and (lands(landing, i, j) if wet[y] else lands(landing, i + di, j + dj)):
                    used = thin(vertices, part, used, allowed, narrow, kept, stack)
                    part = used
                used += 1
                u, v = i - dj, j + di + dj
                if u < 0 or v < 0 or u + v > n:
                    # The arc leaves by an edge of the triangle.
                    side = 0 if v < 0 else 2 if u < 0 else 1
                    arcs[made, 2], arcs[made, 3] = corner[t, side], corner[t, (side + 1) % 3]
                    break
                if local[u, v] == kind[p]:
                    di, dj = i + di - u, j + dj - v
                    i, j = u, v
                elif local[u, v] == kind[q]:
                    di, dj = u - i, v - j
                else:
                    z = number[u, v]
                    vertices[used, 0], vertices[used, 1] = _meeting(x, y, z, mesh, water)
                    vertices[used, 0] = beside(vertices[used, 0], vertices[first[made], 0])
                    used += 1
                    arcs[made, 2], arcs[made, 3] = NONE, t
                    break
            used = 1 + thin(vertices, part, used - 1, allowed, narrow, kept, stack)
            for m in range(first[made], used):
                vertices[m, 0] = beside(vertices[m, 0], 0.0)
            made += 1
            first[made] = used
            if not three:
                break
    return arcs, vertices[:used].copy(), first


@numba.njit(**OPTIONS)
def _between(x, y, mesh, water):
    """Where a border crosses between x and y: at the shore, or half-way. Degrees, the same from either side."""
    wet = mesh.wet
    if wet[x] != wet[y]:
        dry, under = (x, y) if wet[y] == 1 else (y, x)
        return crossing(dry, under, mesh, water)
    x, y = min(x, y), max(x, y)
    a, b = place_at(x, mesh)
    c, d = place_at(y, mesh)
    a = c if b == 90.0 or b == -90.0 else a
    c = a if d == 90.0 or d == -90.0 else c
    return rounded(0.5 * (a + beside(c, a)), 0.5 * (b + d))


@numba.njit(**OPTIONS)
def _meeting(x, y, z, mesh, water):
    """Where the borders between x, y and z meet: on the shore between them, or else in their middle. Degrees."""
    wet = mesh.wet
    px, py = _between(x, y, mesh, water)
    qx, qy = _between(y, z, mesh, water)
    rx, ry = _between(z, x, mesh, water)
    qx, rx = beside(qx, px), beside(rx, px)
    if wet[x] == wet[y] == wet[z]:
        # The order of the three makes no difference: rounding is far coarser than the errors of the sums.
        return rounded((px + qx + rx) / 3.0, (py + qy + ry) / 3.0)
    if wet[x] == wet[y]:
        return rounded(0.5 * (qx + rx), 0.5 * (qy + ry))
    if wet[y] == wet[z]:
        return rounded(0.5 * (px + rx), 0.5 * (py + ry))
    return rounded(0.5 * (px + qx), 0.5 * (py + qy))
