"""Kernels of ice: glaciers that gather downstream and melt, floors that they deepen, troughs that they widen.

Serial, with sums in a fixed order; powers are chains of square roots.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS
from .kernels import DEGREE, LAND, ZERO

ONE = np.float32(1.0)
# The most that melts on a node, in parts of its rain.
MELTING = np.float32(-3.0)
# Half the width in cells of glaciers that let the sea in; narrower fjords would be chains of ponds.
FJORD_CELLS = np.float32(2.0)


@numba.njit(**OPTIONS)
def glaciers(order, receiver, height, snow_line, gain, rain, area, ice):
    """Fill `ice`, float32 (nodes,), with what flows through each node: snow on it and upstream, less what melts.

    `order`: land, downstream. On `snow_line`, float32 (nodes,), as much snow falls as melts; above it more of `rain` stays,
    by `gain` of it in a unit of height up to all of it, and below it as much melts. Returns how many nodes have ice.
    """
    ice[:] = ZERO
    count = 0
    for p in order:
        balance = min(max((height[p] - snow_line[p]) * gain, MELTING), ONE)
        flows = max(ice[p] + balance * rain[p] * np.float32(area[p]), ZERO)
        ice[p] = flows
        if flows > ZERO:
            count += 1
            if receiver[p] != p:
                ice[receiver[p]] += flows
    return count


@numba.njit(**OPTIONS)
def measure_troughs(order, widest, ice, width):
    """Fill `width`, float32 (nodes,), with half the width of each glacier's trough: `widest` * ice^(7/16)."""
    for p in order:
        half = np.sqrt(ice[p])
        sixteenth = np.sqrt(np.sqrt(np.sqrt(half)))
        width[p] = widest * (half / max(sixteenth, np.float32(1e-30)))


@numba.njit(**OPTIONS)
def deepen(order, receiver, slot, nearness, begins, kind, sea, share, depth, width, height, load, area):
    """Cut the floors of glaciers upstream, as rivers cut theirs: one implicit step in which ice takes `share` * `width` /
    distance of the fall. At the coast wide ones sink below the sea, by `depth` * `width` at most, and the
    others stay above it; so the sea comes in by a node a step. Returns the volume cut; `load`, float64 (nodes,), gains it.
    """
    cut, lowest, each = 0.0, np.nextafter(sea, np.float32(np.inf)), min(begins.size - 1, 1)
    for k in range(order.size - 1, -1, -1):
        p = order[k]
        r = receiver[p]
        if width[p] == ZERO or r == p:
            continue
        near = nearness[begins[p * each] + (slot[p] & 7)]
        base = max(height[r], lowest)
        if kind[r] != LAND and width[p] * near >= FJORD_CELLS:
            # The bed off the coast may be shallower than the fjord behind it: such a sill stands.
            base = sea - depth * width[p]
            width[r] = max(width[r], width[p])
        here = height[p]
        if here <= base:
            continue
        f = share * width[p] * near
        new = here - (here - base) * (f / (ONE + f))
        height[p] = new
        lost = np.float64(here - new) * area[p]
        load[p] += lost
        cut += lost
    return cut


@numba.njit(**OPTIONS)
def widen(
    order, receiver, kind, sea, nearness, begins, table, ways, width, steep, depth, bite, height, load, area,
    floor, far, trunk, front,
):  # fmt: skip
    """Widen the valleys of glaciers to troughs: flat at the bottom and steep at the sides. Returns the volume cut.

    A trough rises from its glacier's floor as the fourth power of the distance to it, to `steep` * width at its edge; of
    what stands higher `bite` is cut. In the sea floors are `depth` * width below it. Afterwards `floor`, float32 (nodes,),
    is finite under ice. `load` gains the volume.
    `far`, float32, `trunk` and `front`, int32 (nodes,), are work space.
    """
    floor[:] = np.inf
    tail, each = 0, min(begins.size - 1, 1)
    for p in order:
        # Narrower ones have no sides on this lattice.
        if width[p] * nearness[begins[p * each] + 1] >= ONE:
            floor[p], far[p], trunk[p] = height[p], ZERO, p
            front[tail] = p
            tail += 1
        r = receiver[p]
        if kind[r] != LAND and width[r] > ZERO and floor[r] == np.inf:
            floor[r], far[r], trunk[r] = sea - depth * width[r], ZERO, r
            front[tail] = r
            tail += 1
    head = 0
    # A node may come to the front again, when another glacier cuts it lower; the front is a ring.
    waiting = tail
    while waiting > 0:
        p = front[head]
        head = (head + 1) % front.size
        waiting -= 1
        t, base, near = trunk[p], ways[p * each], begins[p * each]
        for k in range(DEGREE):
            q = p + table[base + k]
            if q == p or kind[q] != LAND or nearness[near + k] == ZERO:
                continue
            way = far[p] + ONE / nearness[near + k]
            if way >= width[t]:
                continue
            part = way / width[t]
            part *= part
            level = floor[t] + steep * width[t] * (part * part)
            if level < floor[q] and waiting < front.size:
                floor[q], far[q], trunk[q] = level, way, t
                front[tail % front.size] = q
                tail = (tail + 1) % front.size
                waiting += 1
    cut = 0.0
    for p in order:
        here = height[p]
        if floor[p] < here:
            new = here - (here - floor[p]) * bite
            height[p] = new
            lost = np.float64(here - new) * area[p]
            load[p] += lost
            cut += lost
    return cut
