"""Rivers: the order of nodes downstream, water, incision upstream.

Powers are chains of square roots, which are exact on every processor.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS
from .kernels import DEGREE, LAND, NOWHERE, RIM, UNKNOWN, ZERO

_DONE = 255


@numba.njit(**OPTIONS)
def gather(kind, receiver, rain, area, flow, arrivals, order, shore):
    """Gather water: fill `order`, int32, with all land, each node after those that flow to it, and `flow` with their water.

    `flow`, float64 (nodes,), of land is the rain on its area, and on that of all land upstream; of other nodes it is what
    land brings them. Those that get any go to `shore`, int32. `arrivals`, uint8 (nodes,), is work space. Returns how much
    there is in `order` and in `shore`.
    """
    for p in range(kind.size):
        arrivals[p] = 0
        flow[p] = np.float64(rain[p]) * area[p] if kind[p] == LAND else 0.0
    for p in range(kind.size):
        if kind[p] == LAND:
            arrivals[receiver[p]] += 1
    tail, beside = 0, 0
    for p in range(kind.size):
        if arrivals[p] != 0 or kind[p] != LAND:
            continue
        q = p
        while True:
            order[tail] = q
            tail += 1
            arrivals[q] = _DONE
            r = receiver[q]
            if kind[r] != LAND:
                if flow[r] == 0.0:
                    shore[beside] = r
                    beside += 1
                flow[r] += flow[q]
                break
            flow[r] += flow[q]
            arrivals[r] -= 1
            if arrivals[r] != 0:
                break
            q = r
    return tail, beside


@numba.njit(**OPTIONS)
def sink(height, sea, place, nearness, begins, table, ways, shore, receiver, slot, flow, arrivals, order, land):
    """Lead rivers on over the sea's bed, the steepest way down, and add that way to `order`, which holds `land` nodes.

    A pit of the bed receives itself, and so does a node at a plane's rim. Returns how much there is in `order`.
    """
    tail, each = land, min(begins.size - 1, 1)
    for k in range(shore.size):
        p = shore[k]
        while slot[p] == UNKNOWN:
            arrivals[p] = 0
            order[tail] = p
            tail += 1
            best, base, near = ZERO, ways[p * each], begins[p * each]
            slot[p] = NOWHERE
            if place[p] == RIM and height[p] > sea:
                break
            for m in range(DEGREE):
                q = p + table[base + m]
                fall = (height[p] - height[q]) * nearness[near + m]
                if fall > best and place[q] != 0:
                    best = fall
                    receiver[p], slot[p] = q, m
            p = receiver[p]
    for k in range(land, tail):
        p = order[k]
        if receiver[p] != p:
            arrivals[receiver[p]] += 1
    # The same nodes once more, now in order.
    traced = order[land:tail].copy()
    tail = land
    for k in range(traced.size):
        q = traced[k]
        while arrivals[q] == 0:
            order[tail] = q
            tail += 1
            arrivals[q] = _DONE
            r = receiver[q]
            if r == q:
                break
            flow[r] += flow[q]
            arrivals[r] -= 1
            q = r
    return tail


@numba.njit(**OPTIONS)
def sharpness(flow, softness, rate, nearness, begins, slot, share):
    """Fill `share`, float32 (nodes,): of its fall, what a river cuts in one implicit step, with exponents 7/16 and 1."""
    each = min(begins.size - 1, 1)
    # Two passes, of which the second has no look-ups and works on several nodes at once.
    for p in range(flow.size):
        share[p] = softness[p] * nearness[begins[p * each] + (slot[p] & 7)]
    for p in range(flow.size):
        # x^(7/16) = x^(1/2) / x^(1/16).
        half = np.sqrt(np.float32(flow[p]))
        sixteenth = np.sqrt(np.sqrt(np.sqrt(half)))
        f = share[p] * rate * (half / max(sixteenth, np.float32(1e-30)))
        share[p] = f / (np.float32(1.0) + f)


@numba.njit(**OPTIONS)
def incise(order, receiver, level, floor, share, height, load, area):
    """One implicit step of stream-power incision, upstream, after Braun and Willett (2013).

    `order`: land, downstream; no land is cut below `floor`, and no bed of a lake is cut. `share`, as `sharpness` fills it,
    is infinite afterwards. `load` takes the volume that each node loses. Returns the volume that all lose.
    """
    cut = 0.0
    for k in range(order.size - 1, -1, -1):
        p = order[k]
        part, here = share[p], height[p]
        share[p] = np.inf
        load[p] = 0.0
        r = receiver[p]
        base = max(max(height[r], floor), level[r])
        if level[p] > here or here <= base:
            continue
        new = here - (here - base) * part
        height[p] = new
        lost = np.float64(here - new) * area[p]
        load[p] = lost
        cut += lost
    return cut
