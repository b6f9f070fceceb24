"""Kernels of valleys: the ground beside a course, and where its line runs within them.

A line is not drawn through the points of the mesh, which would show, but beside them: through a place on the edge to one of
the neighbours. The relief is linear along edges, so its height there is known, and a place is taken only if heights fall
from the vertex before it and to the next point. So the ground under a line falls from vertex to vertex.
"""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import INLINED, OPTIONS
from .fine_mesh_kernels import around, index_of, number_of
from .value_noise_kernels import chance

NONE = -1
# Marks of points in a cell: beside a course, and beside those.
FLOOR, SIDE = 0, 1
# The floor of a valley stands at most this high above the course.
FLOOR_M = np.float32(3.0)
# How far a line keeps off the points of the mesh, in steps: at a bend it cuts the corner, elsewhere it goes where it likes.
CORNER, STRAY = np.float32(0.25), np.float32(0.2)
LEAST = np.float32(0.02)
# The octaves of the random numbers.
WHERE, HOW_FAR = 29, 30
ZERO, HALF, ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)


@numba.njit(**INLINED)
def _brought(height, floor, rest, may_rise):
    """A height that stands at most `rest` above the floor, and not below it if it `may_rise`."""
    lowered = min(height, floor + max(rest, ZERO))
    return max(lowered, floor) if may_rise else lowered


@numba.njit(**OPTIONS)
def widen(p, floor, summit, course, mesh, owner, bank, mark, found):
    """Bring the ground beside the points `course` of cell `p` to their levels; returns how many points were brought.

    `floor`, 0..1: the part of a step to which the valley's floor reaches on either side. Ground a step away loses this part
    of its height above the course; beside a floor of a whole step, ground two steps away loses half. The `mark` of a
    course's point is below NONE. The indices of the others are put into `found`, from the first on, and their mark becomes
    FLOOR or SIDE. `summit`: the point that stays as it is, or NONE. `bank`: 0 away from water; elsewhere ground is not
    raised, and there is no floor, or shores would move. `found` must be long enough.
    """
    heights = mesh.heights
    beside, sides = np.empty(7, np.int64), np.empty(7, np.int64)
    count = 0
    for k in range(course.size):
        x = np.int64(course[k])
        for s in range(around(x, mesh, beside)):
            y = beside[s]
            if y < 0 or y >= mark.size or owner[y] != p or mark[y] != NONE or y == summit:
                continue
            mark[y] = FLOOR
            found[count] = y
            count += 1
            lowest, met = np.float32(np.inf), 0
            for m in range(around(y, mesh, sides)):
                z = sides[m]
                if 0 <= z < mark.size and owner[z] == p and mark[z] < NONE:
                    lowest = min(lowest, heights[z])
                    met += 1
            # The inner side of a bend is flat: there a line cuts the corner.
            rest = max((ONE - floor) * (heights[y] - lowest), FLOOR_M)
            if bank[y] == 0 and met > 2:
                rest = ZERO
            heights[y] = _brought(heights[y], lowest, rest, bank[y] == 0)
    if floor < ONE:
        return count
    floors = count
    for k in range(floors):
        x = np.int64(found[k])
        for s in range(around(x, mesh, beside)):
            y = beside[s]
            if y < 0 or y >= mark.size or owner[y] != p or mark[y] != NONE or y == summit:
                continue
            mark[y] = SIDE
            found[count] = y
            count += 1
            lowest = np.float32(np.inf)
            for m in range(around(y, mesh, sides)):
                z = sides[m]
                if 0 <= z < mark.size and owner[z] == p and mark[z] == FLOOR:
                    lowest = min(lowest, heights[z])
            heights[y] = _brought(heights[y], lowest, HALF * (heights[y] - lowest), bank[y] == 0)
    return count


@numba.njit(**OPTIONS)
def reach_over(vertex, floors, mesh, owner, bank, settled):
    """Bring the ground of other cells beside courses to their levels, as `widen` does that of their own cells.

    `vertex`: int64, local mesh numbers of all courses; `floors`: float32, how far the floor reaches beside each. `settled`:
    uint8 by point, 1 for courses and for the floors beside them in their own cells, which stay. So do points on global
    rings: a strip knows all courses beside the other points.
    """
    n, ring, heights = mesh.n, mesh.ring, mesh.heights
    beside = np.empty(7, np.int64)
    level, most = np.full(heights.size, np.float32(np.inf)), np.full(heights.size, np.float32(np.inf))
    for k in range(vertex.size):
        x = index_of(vertex[k], mesh)
        for s in range(around(x, mesh, beside)):
            y = beside[s]
            if y < 0 or y >= heights.size or owner[y] < 0 or settled[y] == 1 or ring[y] % n == 0:
                continue
            level[y] = min(level[y], heights[x])
            most[y] = min(most[y], heights[x] + (ONE - floors[k]) * max(heights[y] - heights[x], ZERO))
    for y in range(heights.size):
        if level[y] < np.inf:
            lowered = min(heights[y], most[y])
            heights[y] = max(lowered, level[y]) if bank[y] == 0 else lowered


@numba.njit(**INLINED)
def _among(z, points, count):
    found = False
    for k in range(count):
        found |= points[k] == z
    return found


@numba.njit(**OPTIONS)
def beside_point(p, x, before, after, level_before, level_after, mesh, owner, key):
    """(neighbour, part): the line runs through the place at `part` of the edge from course point `x` to that neighbour.

    `before`, `after`: the points of the course on either side, and the levels of the line that the place must keep to. All
    are indices in the strip, those of the course perhaps outside it. The part is 0 where no other place will do.
    """
    fine, ring, heights = mesh.fine, mesh.ring, mesh.heights
    nears, sides = np.empty(7, np.int64), np.empty(7, np.int64)
    best, most, bend = x, NONE, False
    at = np.int64(8.0 * chance(ring[x], number_of(x, mesh), fine, key, WHERE))
    near = around(x, mesh, nears)
    for k in range(near):
        y = nears[(k + at) % near]
        if y < 0 or y >= heights.size or owner[y] != p or y in (before, after):
            continue
        count = around(y, mesh, sides)
        touches = np.int64(_among(before, sides, count)) + np.int64(_among(after, sides, count))
        if touches > most:
            best, most, bend = y, touches, touches == 2
    far = chance(ring[x], number_of(x, mesh), fine, key, HOW_FAR)
    part = CORNER * (HALF + far) if bend else STRAY * far
    here, there = heights[x], heights[best]
    if there < here:
        part = min(part, (here - level_after) / (here - there))
    elif there > here:
        part = min(part, (level_before - here) / (there - here))
    return (best, part) if part > LEAST else (x, ZERO)
