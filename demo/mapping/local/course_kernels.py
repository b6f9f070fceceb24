"""Kernels of river courses within the cells of the global points (`divide_kernels`).

A course is the cheapest way over low ground from one gate (`outlet_kernels`) to the next.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from ...worlds.heap_kernels import pop, push
from ...worlds.kernels import OPTIONS
from .fine_mesh_kernels import around, index_of, number_of
from .valley_kernels import beside_point, reach_over, widen
from .value_noise_kernels import chance, value_noise

NONE = -1
INFINITE = np.float32(np.inf)
# A step costs ONE; up to HILL more on ground high above the gate; up to ROUGH more by chance, point by point; and on plains
# up to WHIM more by a smooth random field, through which rivers wind.
# Few points are rough by chance, and those are much dearer than others: where all steps cost about the same, the cheapest
# way is a straight line along the mesh.
ONE, HILL, ROUGH, WHIM = np.float32(1.0), np.float32(24.0), np.float32(120.0), np.float32(48.0)
# A step costs this much more at one step from a bank, and twice that on the bank, where shores have yet to be thinned.
BANK = np.float32(25.0)
# And this much at the rim of a cell: what lies beyond it is another cell's, and not to be lowered.
RIM = np.float32(12.0)
# A river springs at this part of the costliest way up its cell, and cuts through ridges up to this part of the relief.
SPRING, RIDGE = np.float32(0.7), np.float32(0.1)
# Gravel fills hollows on the way of a river up to this part of the relief.
FILL = np.float32(0.2)
# The octave of the random numbers of single points.
OWN = 31
ZERO = np.float32(0.0)


class CellCourses(NamedTuple):
    """The rivers through c cells, as `lay` takes them.

    `point`: int32 (c,), the global points. `feeder`: int32 (f,), the points whose courses enter each cell, the greatest
    first; those of cell k are first[k] .. first[k + 1] - 1, and a cell without any is a source. `first`: int64 (c + 1,).
    `own`: int64 (c,), the local mesh numbers of the points. `root_m`: float32 (c,), the level at which the cell's course
    ends. `in_m`: float32 (f,), the level at which each feeder's course enters. `relief_m`: float32 (c,), how rough each cell
    is. `floor`: float32 (c,), 0..1, the part of a local step to which the floors of its valleys reach on either side.
    `even_m`: a cell that falls by this many metres is half a plain. `key`: uint32, of the random numbers.
    """

    point: np.ndarray
    feeder: np.ndarray
    first: np.ndarray
    own: np.ndarray
    root_m: np.ndarray
    in_m: np.ndarray
    relief_m: np.ndarray
    floor: np.ndarray
    even_m: np.float32
    key: np.uint32


@numba.njit(**OPTIONS)
def _spring(touched, cost, ahead, heights, crest, bank, own):
    """The point where a river springs: the costliest to reach below SPRING of the highest cost of all; `own` without any.

    It is also `own` where the way down would lead over it: a peak may stand there, which no river may lower.
    """
    most, best = ZERO, own
    for x in touched:
        if bank[x] == 0:
            most = max(most, cost[x])
    for x in touched:
        if bank[x] > 0 or cost[x] > SPRING * most or heights[x] < crest[x]:
            continue
        if best == own or cost[x] > cost[best] or (cost[x] == cost[best] and x < best):
            best = np.int64(x)
    if cost[best] == ZERO:
        return own
    x = best
    while x >= 0:
        if x == own:
            return own
        x = np.int64(ahead[x])
    return best


@numba.njit(**OPTIONS)
def lay(courses, gate, mesh, owner):
    """Lay the `courses` within their cells; cuts the valleys into `mesh.heights`, in place.

    `gate`: int64 (points, 2), as `outlet_kernels.gates` fills it. `owner`: int32 by point of the strip, the global point of
    its cell. Returns (first, joins, vertex, level_m, toward, part). There is one chain for each feeder or source, in their
    order, downstream from its gate; the vertices of chain k are first[k] .. first[k + 1] - 1. `joins`: int32, the chain of
    the same cell in which a chain ends, its last vertex being one of that chain's, or NONE where it leaves the cell.
    `vertex`: int64, local mesh numbers. `level_m`: float32, metres. `toward`, `part`: int64 and float32, where the line runs
    beside the vertex (`valley_kernels.beside_point`).
    """
    n, fine, start, ring = mesh.n, mesh.fine, mesh.start, mesh.ring
    heights, wet = mesh.heights, mesh.wet
    cells, feeders, first_feeder, own = courses.point, courses.feeder, courses.first, courses.own
    root_m, in_m, relief_m = courses.root_m, courses.in_m, courses.relief_m
    even_m, key = courses.even_m, courses.key
    size = heights.size
    beside = np.empty(7, np.int64)
    cost, ahead = np.full(size, INFINITE), np.full(size, NONE, np.int32)
    drag, crest = np.empty(size, np.float32), np.empty(size, np.float32)
    mark = np.full(size, NONE, np.int32)
    bank, rim = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    for x in range(size):
        if owner[x] < 0:
            continue
        for k in range(around(x, mesh, beside)):
            if beside[k] < 0 or beside[k] >= size or wet[beside[k]] == 1:
                bank[x] = 2
            elif owner[beside[k]] != owner[x]:
                rim[x] = 1
    for x in range(size):
        if owner[x] < 0 or bank[x] == 2:
            continue
        for k in range(around(x, mesh, beside)):
            # Only within its own cell: the strip holds all of that and its surroundings.
            if owner[beside[k]] == owner[x] and bank[beside[k]] == 2:
                bank[x] = 1
    heap_key, heap_at = np.empty(1024, np.float32), np.empty(1024, np.int32)
    touched, tree = np.empty(1024, np.int32), np.empty(1024, np.int32)
    course, dam = np.empty(1024, np.int32), np.empty(1024, np.float32)
    chains = 0
    for c in range(cells.size):
        chains += max(1, first_feeder[c + 1] - first_feeder[c])
    first, joins = np.zeros(chains + 1, np.int64), np.full(chains, NONE, np.int32)
    vertex, level_m = np.empty(64 * chains + 64, np.int64), np.empty(64 * chains + 64, np.float32)
    toward, part = np.empty(64 * chains + 64, np.int64), np.empty(64 * chains + 64, np.float32)
    floors = np.empty(64 * chains + 64, np.float32)
    joint, settled = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    made, used = 0, 0
    for c in range(cells.size):
        p = cells[c]
        begin, end = first_feeder[c], first_feeder[c + 1]
        springs = begin == end
        wanted = 1 if springs else end - begin
        root = gate[p, 0] if gate[p, 0] >= 0 else index_of(own[c], mesh)
        summit = np.int64(index_of(own[c], mesh)) if springs else np.int64(NONE)
        top = heights[summit] if springs else in_m[begin]
        wander = WHIM * even_m / (even_m + max(top - root_m[c], ZERO))
        # The cheapest way to the root from every point of the cell.
        heap, met = 0, 1
        cost[root], drag[root], crest[root] = ZERO, ONE, root_m[c]
        touched[0] = root
        push(heap_key, heap_at, heap, cost[root], root)
        heap += 1
        while heap > 0:
            key_now = heap_key[0]
            x = pop(heap_key, heap_at, heap)
            heap -= 1
            if key_now > cost[x]:
                continue
            for k in range(around(x, mesh, beside)):
                y = beside[k]
                if y < 0 or y >= size or owner[y] != p:
                    continue
                if cost[y] == INFINITE:
                    hill = max(heights[y] - root_m[c], ZERO)
                    own_chance = chance(ring[y], number_of(y, mesh), fine, key, OWN)
                    drag[y] = ONE + HILL * (hill / (hill + relief_m[c])) + ROUGH * own_chance * own_chance * own_chance
                    drag[y] += (
                        BANK * np.float32(bank[y])
                        if bank[y] > 0
                        else BANK
                        if y == summit
                        else wander * value_noise(number_of(y, mesh), ring[y], n, fine, start, key)
                    )
                    drag[y] += RIM * np.float32(rim[y])
                through = cost[x] + drag[y]
                if through >= cost[y]:
                    continue
                if cost[y] == INFINITE:
                    if met == touched.size:
                        touched = np.concatenate((touched, touched))
                    touched[met] = y
                    met += 1
                cost[y], ahead[y], crest[y] = through, x, max(crest[x], heights[y] - RIDGE * relief_m[c])
                if heap == heap_at.size:
                    heap_key, heap_at = np.concatenate((heap_key, heap_key)), np.concatenate((heap_at, heap_at))
                push(heap_key, heap_at, heap, through, y)
                heap += 1
        spring = _spring(touched[:met], cost, ahead, heights, crest, bank, summit) if springs else root
        # Along every course heights fall to that of the root.
        branches = 0
        for w in range(wanted):
            x = spring if springs else np.int64(gate[feeders[begin + w], 1])
            level = INFINITE if springs else in_m[begin + w]
            way = 0
            while True:
                if way == course.size:
                    course, dam = np.concatenate((course, course)), np.concatenate((dam, dam))
                course[way] = x
                way += 1
                if x == root:
                    break
                x = np.int64(ahead[x])
            # Hollows are filled up to the barrier ahead, so that barriers need not be cut down to them.
            high = root_m[c]
            for k in range(way - 1, -1, -1):
                high = max(high, heights[course[k]])
                dam[k] = high
            for k in range(way):
                x = np.int64(course[k])
                ground = heights[x]
                if mark[x] == NONE:
                    if branches == tree.size:
                        tree = np.concatenate((tree, tree))
                    tree[branches] = x
                    branches += 1
                    mark[x] = -2 - w
                    if bank[x] == 0 and x != spring:
                        ground = min(dam[k], ground + FILL * relief_m[c])
                level = max(min(level, ground), root_m[c])
                heights[x] = level
        heights[root] = root_m[c]
        while touched.size < met + 19 * branches:
            touched = np.concatenate((touched, touched))
        met += widen(p, courses.floor[c], summit, tree[:branches], mesh, owner, bank, mark, touched[met:])
        for w in range(wanted):
            x = spring if springs else np.int64(gate[feeders[begin + w], 1])
            while mark[x] == -2 - w and x != root:
                x = np.int64(ahead[x])
            joint[x] = mark[x] != -2 - w
        for w in range(wanted):
            x = spring if springs else np.int64(gate[feeders[begin + w], 1])
            before = np.int64(NONE) if springs else np.int64(gate[feeders[begin + w], 0])
            above = INFINITE if springs else in_m[begin + w]
            while True:
                if used == vertex.size:
                    vertex, level_m = np.concatenate((vertex, vertex)), np.concatenate((level_m, level_m))
                    toward, part = np.concatenate((toward, toward)), np.concatenate((part, part))
                    floors = np.concatenate((floors, floors))
                after = np.int64(ahead[x]) if x != root else np.int64(gate[p, 1])
                vertex[used], level_m[used] = number_of(x, mesh), heights[x]
                toward[used], part[used] = vertex[used], ZERO
                floors[used] = courses.floor[c]
                here = heights[x]
                inside = before >= 0 and after >= 0 and gate[p, 0] >= 0 and ring[x] > 0 and ring[x] < 2 * fine
                if inside and bank[x] == 0 and joint[x] == 0:
                    low = heights[after] if x != root else root_m[c]
                    near, beyond = beside_point(p, x, before, after, above, low, mesh, owner, key)
                    toward[used], part[used] = number_of(near, mesh), beyond
                    here += beyond * (heights[near] - here)
                above = here
                used += 1
                if mark[x] != -2 - w:
                    joins[made] = -2 - mark[x]
                    break
                if x == root:
                    break
                before, x = x, np.int64(ahead[x])
            made += 1
            first[made] = used
        for k in range(branches):
            joint[tree[k]] = 0
        for k in range(met):
            settled[touched[k]] |= mark[touched[k]] != NONE
            cost[touched[k]], ahead[touched[k]], mark[touched[k]] = INFINITE, NONE, NONE
    reach_over(vertex[:used], floors[:used], mesh, owner, bank, settled)
    return first, joins, vertex[:used].copy(), level_m[:used].copy(), toward[:used].copy(), part[:used].copy()
