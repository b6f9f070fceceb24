"""Kernels of shores: traced through the global triangles, with the places where rivers cross them."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import INLINED, OPTIONS
from .fine_mesh_kernels import NONE, SIDES, beside, crossing, load, rounded
from .thin_kernels import thin, touches_itself


@numba.njit(**OPTIONS)
def landings(corner, t, number, mesh, waters, runs, owner, landing):
    """Fill `landing`, int64 (3, 4): where rivers cross the shore of triangle t, between each corner's cell and the water.

    A row holds the places (i, j) of a dry point of the cell and of a point under water beside it, or NONE where no river
    crosses. `runs`: bool by global point, whether a river's course runs from it to its receiver. A bay is preferred to a
    cape, and then the lowest ground. Only values within the triangle count, so tracing the shore finds the same places and
    keeps its vertices around them.
    """
    n, heights, wet = mesh.n, mesh.heights, mesh.wet
    body, receiver = waters.body, waters.receiver
    landing[:] = NONE
    fewest, lowest = np.full(3, 7), np.empty(3, np.float32)
    for k in range(3):
        p = corner[t, k]
        for other in range(3):
            q = corner[t, other]
            if body[p] < 0 and body[q] >= 0 and ((runs[p] and receiver[p] == q) or (runs[q] and receiver[q] == p)):
                fewest[k] = 6
    for i in range(n + 1):
        for j in range(n + 1 - i):
            x = number[i, j]
            if wet[x] == 1 or owner[x] < 0:
                continue
            k = 0 if owner[x] == corner[t, 0] else 1 if owner[x] == corner[t, 1] else 2
            if fewest[k] == 7:
                continue
            around, shore = 0, NONE
            for s in range(6):
                u, v = i + SIDES[s, 0], j + SIDES[s, 1]
                if u < 0 or v < 0 or u + v > n:
                    around += 1
                elif wet[number[u, v]] == 1:
                    around += 1
                    shore = s
            if shore >= 0 and (around < fewest[k] or landing[k, 0] < 0 or (around == fewest[k] and heights[x] < lowest[k])):
                fewest[k], lowest[k] = around, heights[x]
                landing[k, 0], landing[k, 1] = i, j
                landing[k, 2], landing[k, 3] = i + SIDES[shore, 0], j + SIDES[shore, 1]


@numba.njit(**INLINED)
def lands(landing, i, j):
    """Whether a river crosses the shore within two local steps of place (i, j)."""
    for k in range(3):
        if landing[k, 0] >= 0:
            u, v = landing[k, 0] - i, landing[k, 1] - j
            if abs(u) <= 2 and abs(v) <= 2 and abs(u + v) <= 2:
                return True
    return False


@numba.njit(**OPTIONS)
def trace(place, corner, kind, mesh, waters, runs, owner, tolerance, shrink, whole):
    """The shores of triangles, one arc for each triangle, with the land on the left.

    Returns (arcs, vertices, first). `arcs`, int32 (a, 6): the global edge (land point, water point) at which an arc begins,
    the edge at which it ends, the water, and the triangle. `vertices`, float64 (v, 2), degrees: the vertices of arc k are
    first[k] .. first[k + 1] - 1, from the crossing where it begins up to the one before the crossing where it ends.
    `first`: int64 (a + 1,).

    Lines are thinned to `tolerance` degrees of latitude (0: not at all); `shrink`, by belt, is how many of them a degree of
    longitude has. A place where three catchments meet is always a vertex; `kind`, int32, is the catchment of each global
    point. All vertices are kept around the places where rivers end. `whole`: uint8 by triangle, becomes 1 where no line is
    thinned.
    """
    n, wet, body, level = mesh.n, mesh.wet, waters.body, waters.level
    count = 0
    for t in range(place.shape[0]):
        drowned = (body[corner[t, 0]] >= 0) + (body[corner[t, 1]] >= 0) + (body[corner[t, 2]] >= 0)
        count += 0 < drowned < 3
    arcs, first = np.empty((count, 6), np.int32), np.zeros(count + 1, np.int64)
    vertices = np.empty((max(count * (2 * n + 2), 1), 2))
    number, landing = np.zeros((n + 1, n + 1), np.int64), np.empty((3, 4), np.int64)
    kept, stack = np.empty(2 * (n + 1) * (n + 1), np.uint8), np.empty((2 * (n + 1) * (n + 1), 2), np.int64)
    made, used = 0, 0
    for t in range(place.shape[0]):
        drowned = (body[corner[t, 0]] >= 0) + (body[corner[t, 1]] >= 0) + (body[corner[t, 2]] >= 0)
        if drowned == 0 or drowned == 3:
            continue
        load(place, t, mesh, number)
        landings(corner, t, number, mesh, waters, runs, owner, landing)
        if used + 2 * (n + 1) * (n + 1) > vertices.shape[0]:
            vertices = np.concatenate((vertices, np.empty((vertices.shape[0] // 2 + 2 * (n + 1) * (n + 1), 2))))
        # The edges from land to water and from water to land, anticlockwise around the triangle.
        enter, leave = -1, -1
        for k in range(3):
            here, there = body[corner[t, k]] >= 0, body[corner[t, (k + 1) % 3]] >= 0
            if not here and there:
                enter = k
            elif here and not there:
                leave = k
        dry, under = corner[t, enter], corner[t, (enter + 1) % 3]
        water = level[under]
        arcs[made, 0], arcs[made, 1] = dry, under
        arcs[made, 2], arcs[made, 3] = corner[t, (leave + 1) % 3], corner[t, leave]
        arcs[made, 4], arcs[made, 5] = body[under], t
        # Parts thinned one by one may cross each other. Then all vertices of this triangle stay.
        for attempt in range(2):
            i, j = (0, 0) if enter == 0 else (n, 0) if enter == 1 else (0, n)
            di, dj = (1, 0) if enter == 0 else (-1, 1) if enter == 1 else (0, -1)
            while wet[number[i + di, j + dj]] == 0:
                i, j = i + di, j + dj
            p, q, r = kind[corner[t, 0]], kind[corner[t, 1]], kind[corner[t, 2]]
            three = p not in (q, r) and q != r
            part, parts, side = used, 1, kind[dry]
            allowed = 0.0 if attempt == 1 else tolerance
            narrow = shrink[place[t, 1] + place[t, 2] + place[t, 3]]
            while True:
                a, b = number[i, j], number[i + di, j + dj]
                x, y = crossing(a, b, mesh, water)
                x = beside(x, vertices[first[made], 0]) if used > first[made] else x
                if three and kind[owner[a]] != side:
                    side = kind[owner[a]]
                    u, v = rounded(0.5 * (vertices[used - 1, 0] + x), 0.5 * (vertices[used - 1, 1] + y))
                    vertices[used, 0], vertices[used, 1] = beside(u, x), v
                    used = thin(vertices, part, used, allowed, narrow, kept, stack)
                    part = used
                    parts += 1
                    used += 1
                vertices[used, 0], vertices[used, 1] = x, y
                if lands(landing, i, j):
                    used = thin(vertices, part, used, allowed, narrow, kept, stack)
                    part = used
                    parts += 1
                # The next point ahead: the step from dry to wet, turned by 60 degrees anticlockwise.
                u, v = i - dj, j + di + dj
                if u < 0 or v < 0 or u + v > n:
                    break
                used += 1
                if wet[number[u, v]] == 0:
                    di, dj = i + di - u, j + dj - v
                    i, j = u, v
                else:
                    di, dj = u - i, v - j
            # The last vertex is the first of the next arc.
            used = thin(vertices, part, used, allowed, narrow, kept, stack)
            if attempt == 1 or tolerance == 0.0 or parts == 1 or not touches_itself(vertices, first[made], used):
                break
            whole[t] = 1
            used = first[made]
        for k in range(first[made], used):
            vertices[k, 0] = beside(vertices[k, 0], 0.0)
        made += 1
        first[made] = used
    return arcs, vertices[:used].copy(), first


@numba.njit(**OPTIONS)
def crossings(pairs, mesh, water):
    """`crossing` for pairs (dry, under water) of strip indices, int64 (k, 2), and levels, float32 (k,): float64 (k, 2)."""
    out = np.empty((pairs.shape[0], 2))
    for k in range(pairs.shape[0]):
        out[k, 0], out[k, 1] = crossing(pairs[k, 0], pairs[k, 1], mesh, water[k])
    return out
