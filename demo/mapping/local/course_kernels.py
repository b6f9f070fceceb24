"""Kernels of river courses: their ways within the cells of the global points (`divide_kernels`).

A river's course is the least costly way from gate to gate (`gate_kernels`), over low ground.
"""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.drainage_kernels import pop, push
from ...worlds.kernels import OPTIONS, hash32

NONE = -1
INFINITE = np.float32(np.inf)
# Cost of a step: ONE, up to HILL more for ground high above the gate, up to ROUGH more by chance point by point, and on
# plains up to WHIM more by a field of chance with a contrast of STRETCH, which rivers wind through.
ONE, HILL, ROUGH, WHIM, STRETCH = np.float32(1.0), np.float32(16.0), np.float32(40.0), np.float32(48.0), np.float32(3.0)
# And so much more a step from what is beside water, and twice that beside it, where shores have yet to be thinned.
BANK = np.float32(25.0)
# A river springs so far up its cell, in parts of the costliest way, and cuts through ridges no higher than so much relief.
SPRING, RIDGE = np.float32(0.7), np.float32(0.1)
OWN = 31
ZERO, HALF, UNIT = np.float32(0.0), np.float32(0.5), np.float32(2.0**-32)


@numba.njit(inline="always", **OPTIONS)
def around(p, base, start, fine, r, beside):
    """Fill `beside` with the strip indices of the neighbours of strip point p on fine ring r; returns their count."""
    if r == 0 or r == 2 * fine:
        ring = 1 if r == 0 else 2 * fine - 1
        for k in range(4):
            beside[k] = start[ring] + k - base
        return 4
    length = min(r, 2 * fine - r)
    along = p + base - start[r]
    face, rest = along // length, along % length
    count = 4 * length
    beside[0] = start[r] + (along + count - 1) % count - base
    beside[1] = start[r] + (along + 1) % count - base
    found = 2
    for side in range(-1, 2, 2):
        ring = r + side
        if min(ring, 2 * fine - ring) > length:
            count = 4 * (length + 1)
            low = along + face - (1 if rest == 0 else 0)
            for k in range(low, along + face + 2):
                beside[found] = start[ring] + (k + count) % count - base
                found += 1
        elif length == 1:
            beside[found] = start[ring] - base
            found += 1
        else:
            count = 4 * (length - 1)
            low = along - face - (0 if rest == 0 else 1)
            for k in range(low, along - face + 1):
                beside[found] = start[ring] + (k + count) % count - base
                found += 1
    return found


@numba.njit(inline="always", **OPTIONS)
def _chance(ring, along, fine, key, octave):
    """0..1 by chance for each point of the mesh of `fine` cells."""
    count = max(4 * min(ring, 2 * fine - ring), 1)
    return np.float32(hash32(key, np.uint32(ring), np.uint32(along % count), np.uint32(octave))) * UNIT


@numba.njit(**OPTIONS)
def whim(number, ring, n, fine, start, key):
    """A smooth field of chance, 0..1, at a fine mesh point: the mean of octaves from half a global step to two local ones.

    Each is linear between the rings, and along the rings, of a mesh with so wide steps.
    """
    turn = np.float64(number - start[ring]) / np.float64(max(4 * min(ring, 2 * fine - ring), 1))
    total, octaves, wide = ZERO, 0, max(n // 2, 1)
    while wide >= 2 or octaves == 0:
        cells = fine // wide
        upper = min(ring // wide, 2 * cells - 1)
        down = np.float32(ring - upper * wide) / np.float32(wide)
        for k in range(2):
            here = upper + k
            x = turn * max(4 * min(here, 2 * cells - here), 1)
            along = np.int64(x)
            a, b = _chance(here, along, cells, key, octaves), _chance(here, along + 1, cells, key, octaves)
            total += (a + np.float32(x - along) * (b - a)) * (down if k == 1 else ONE - down)
        octaves += 1
        wide //= 2
    return min(max(HALF + STRETCH * (total / np.float32(octaves) - HALF), ZERO), ONE)


@numba.njit(**OPTIONS)
def _spring(touched, cost, ahead, heights, crest, bank, own):
    """Of the points that a way leads down from, the farthest one up to SPRING of the farthest; `own` without any.

    Also `own` if the way leads over it: a peak may stand there, which no river lowers.
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
def lay(
    cells,
    feeders,
    first_feeder,
    own,
    root_m,
    in_m,
    relief_m,
    even_m,
    gate,
    n,
    fine,
    start,
    base,
    ring,
    key,
    heights,
    wet,
    owner,
):
    """Courses within the cells of the global points `cells`; cuts their valleys into `heights`, in place.

    `feeders`: int32, the points whose courses enter each cell, the greatest first (first_feeder: (cells + 1,)); a cell
    without any is a source. `own`: the fine numbers of the cells' points. `relief_m`: float32, how rough each cell is; a
    cell that falls by `even_m` is half a plain. `root_m`, `in_m`: float32, levels at which a
    cell's course ends, and at which each feeder's begins. Returns (first, joins, vertex, level_m, free): a chain a feeder or
    source, in that order, downstream from its gate; joins int32: the chain of the cell that it ends in, its last vertex
    being one of that one, or -1 where it leaves the cell; vertex int64 fine mesh numbers; free uint8: well off water.
    """
    size = heights.size
    beside, sides = np.empty(7, np.int64), np.empty(7, np.int64)
    cost, ahead = np.full(size, INFINITE), np.full(size, NONE, np.int32)
    drag, crest = np.empty(size, np.float32), np.empty(size, np.float32)
    mark = np.full(size, NONE, np.int32)
    bank = np.zeros(size, np.uint8)
    for x in range(size):
        if owner[x] < 0:
            continue
        for k in range(around(x, base, start, fine, ring[x], beside)):
            if beside[k] < 0 or beside[k] >= size or wet[beside[k]] == 1:
                bank[x] = 2
    for x in range(size):
        if owner[x] < 0 or bank[x] == 2:
            continue
        for k in range(around(x, base, start, fine, ring[x], beside)):
            # Only in its own cell, all of which a strip holds with what is around it.
            if owner[beside[k]] == owner[x] and bank[beside[k]] == 2:
                bank[x] = 1
    heap_key, heap_at = np.empty(1024, np.float32), np.empty(1024, np.int32)
    touched, tree = np.empty(1024, np.int32), np.empty(1024, np.int32)
    chains = 0
    for c in range(cells.size):
        chains += max(1, first_feeder[c + 1] - first_feeder[c])
    first, joins = np.zeros(chains + 1, np.int64), np.full(chains, NONE, np.int32)
    vertex, level_m = np.empty(64 * chains + 64, np.int64), np.empty(64 * chains + 64, np.float32)
    free = np.empty(64 * chains + 64, np.uint8)
    made, used = 0, 0
    for c in range(cells.size):
        p = cells[c]
        begin, end = first_feeder[c], first_feeder[c + 1]
        springs = begin == end
        wanted = 1 if springs else end - begin
        root = (gate[p, 0] if gate[p, 0] >= 0 else own[c]) - base
        summit = np.int64(own[c] - base) if springs else np.int64(NONE)
        top = heights[summit] if springs else in_m[begin]
        wander = WHIM * even_m / (even_m + max(top - root_m[c], ZERO))
        # The cheapest ways to the root from everywhere in the cell.
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
            for k in range(around(x, base, start, fine, ring[x], beside)):
                y = beside[k]
                if y < 0 or y >= size or owner[y] != p:
                    continue
                if cost[y] == INFINITE:
                    hill = max(heights[y] - root_m[c], ZERO)
                    own_chance = _chance(ring[y], y + base, fine, key, OWN)
                    drag[y] = ONE + HILL * (hill / (hill + relief_m[c])) + ROUGH * own_chance * own_chance * own_chance
                    drag[y] += (
                        BANK * np.float32(bank[y])
                        if bank[y] > 0
                        else BANK
                        if y == summit
                        else wander * whim(y + base, ring[y], n, fine, start, key)
                    )
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
        # Heights fall to the root's along every course.
        branches = 0
        for w in range(wanted):
            x = spring if springs else np.int64(gate[feeders[begin + w], 1] - base)
            level = INFINITE if springs else in_m[begin + w]
            while True:
                if mark[x] == NONE:
                    if branches == tree.size:
                        tree = np.concatenate((tree, tree))
                    tree[branches] = x
                    branches += 1
                    mark[x] = -2 - w
                level = max(min(level, heights[x]), root_m[c])
                heights[x] = level
                if x == root:
                    break
                x = np.int64(ahead[x])
        heights[root] = root_m[c]
        # Valley sides: half of what stands above the course is gone.
        for k in range(branches):
            x = np.int64(tree[k])
            for s in range(around(x, base, start, fine, ring[x], beside)):
                y = beside[s]
                if y < 0 or y >= size or owner[y] != p or mark[y] != NONE or y == summit:
                    continue
                mark[y] = 0
                if met == touched.size:
                    touched = np.concatenate((touched, touched))
                touched[met] = y
                met += 1
                lowest = INFINITE
                for m in range(around(y, base, start, fine, ring[y], sides)):
                    z = sides[m]
                    if 0 <= z < size and owner[z] == p and mark[z] <= -2:
                        lowest = min(lowest, heights[z])
                if heights[y] > lowest:
                    heights[y] = HALF * (heights[y] + lowest)
        for w in range(wanted):
            x = spring if springs else np.int64(gate[feeders[begin + w], 1] - base)
            while True:
                if used == vertex.size:
                    vertex, level_m = np.concatenate((vertex, vertex)), np.concatenate((level_m, level_m))
                    free = np.concatenate((free, free))
                vertex[used], level_m[used], free[used] = x + base, heights[x], bank[x] == 0
                used += 1
                if mark[x] != -2 - w:
                    joins[made] = -2 - mark[x]
                    break
                if x == root:
                    break
                x = np.int64(ahead[x])
            made += 1
            first[made] = used
        for k in range(met):
            cost[touched[k]], ahead[touched[k]], mark[touched[k]] = INFINITE, NONE, NONE
    return first, joins, vertex[:used].copy(), level_m[:used].copy(), free[:used].copy()
