"""Kernels of carving on a graph of nodes: receivers, water, incision, sediment, creep.

A graph is `table`, `stride`, `relative`, as in `drainage_kernels`. Heights are float64 in any one unit; lengths are in radii
or extents. Serial, with sums in a fixed order; powers are chains of square roots, which are exact on every processor.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS, hash32, signed_unit32, uniform64

CLOSED = 254


@numba.njit(inline="always", **OPTIONS)
def power_7_16(x):
    """x^(7/16) = x^(1/2) / x^(1/16), for x >= 0."""
    half = np.sqrt(x)
    sixteenth = np.sqrt(np.sqrt(np.sqrt(half)))
    return half / sixteenth if sixteenth > 0.0 else 0.0


@numba.njit(**OPTIONS)
def shore(land, outside, table, stride, relative):
    """The nodes beside land that are not land themselves: int32 (k,)."""
    width = table.size if stride == 0 else stride
    beside = np.empty(land.size, np.int32)
    count = 0
    for p in range(land.size):
        if land[p] or outside[p]:
            continue
        base, origin = p * stride, p * relative
        for k in range(width):
            if land[origin + table[base + k]]:
                beside[count] = p
                count += 1
                break
    return beside[:count]


@numba.njit(**OPTIONS)
def receive(level, seen, nearness, table, stride, relative, key, receiver, slot):
    """Fill `receiver` (int32) and `slot` (uint8) on a flooded surface: a lower neighbour, drawn by its squared slope.

    The steepest of eight directions alone would show the grid. On flats it is the neighbour that the flood came from.
    Closed nodes receive themselves.
    """
    width = table.size if stride == 0 else stride
    for p in range(level.size):
        if seen[p] >= CLOSED:
            receiver[p], slot[p] = p, 0
            continue
        here, base, origin = level[p], p * stride, p * relative
        total = 0.0
        for k in range(width):
            fall = np.float64((here - level[origin + table[base + k]]) * nearness[base + k])
            if fall > 0.0:
                total += fall * fall
        chosen = np.int64(seen[p])
        if total > 0.0:
            left = uniform64(key, p) * total
            for k in range(width):
                fall = np.float64((here - level[origin + table[base + k]]) * nearness[base + k])
                if fall > 0.0:
                    chosen = k
                    left -= fall * fall
                    if left < 0.0:
                        break
        receiver[p], slot[p] = origin + table[base + chosen], chosen


@numba.njit(**OPTIONS)
def sink(height, sea, outside, nearness, table, stride, relative, receiver, slot):
    """Fill `receiver` and `slot` of nodes of the sea: the steepest way down its bed; a pit of the bed receives itself."""
    width = table.size if stride == 0 else stride
    for p in range(height.size):
        if outside[p] or height[p] > sea:
            continue
        best, base, origin = 0.0, p * stride, p * relative
        receiver[p], slot[p] = p, 0
        for k in range(width):
            q = origin + table[base + k]
            if q == p or outside[q]:
                continue
            fall = (height[p] - height[q]) * nearness[base + k]
            if fall > best:
                best = fall
                receiver[p], slot[p] = q, k


@numba.njit(**OPTIONS)
def gather(order, receiver, flow):
    """Add the flow of each node to all nodes downstream, in place."""
    for p in order:
        r = receiver[p]
        if r != p:
            flow[r] += flow[p]


@numba.njit(**OPTIONS)
def incise(order, receiver, slot, level, sea, flow, rate, nearness, stride, height, load, area):
    """One implicit step of stream-power incision, upstream, after Braun and Willett (2013), with exponents 7/16 and 1.

    `rate`: float64 (nodes,), erodibility times time. The beds of lakes and of the sea are not cut. `load` takes the volume
    that each node loses.
    """
    for k in range(order.size - 1, -1, -1):
        p = order[k]
        r = receiver[p]
        load[p] = 0.0
        if r == p or height[p] <= sea or level[p] > height[p]:
            continue
        base = max(height[r], sea, np.float64(level[r]) if level[r] > height[r] else sea)
        if height[p] <= base:
            continue
        f = rate[p] * power_7_16(flow[p]) * nearness[p * stride + slot[p]]
        cut = (height[p] - base) * f / (1.0 + f)
        height[p] -= cut
        load[p] = cut * area[p]


@numba.njit(**OPTIONS)
def settle(order, receiver, level, sea, shelf, flow, settling, mouth, large, height, load, area, ceiling):
    """Lay down what rivers carry, downstream. Returns the volume that ends in pits of the sea's bed.

    On land a share `settling` * own water / all water of the load stays, after Yuan et al. (2019), but no node rises above
    the nodes that flow to it. A lake keeps what fits below its level. Each
    node of the sea's bed keeps a share `mouth` of what comes by: up to `shelf` off rivers with more water than `large`,
    which build deltas, and up to as far below the sea off others.
    """
    lost = 0.0
    for p in order:
        ceiling[p] = np.inf
    for p in order:
        r = receiver[p]
        if load[p] > 0.0:
            if height[p] <= sea:
                top = shelf if flow[p] > large else 2.0 * sea - shelf
                room = 0.5 * (top - height[p]) * area[p]
                stays = min(mouth * load[p], max(room, 0.0))
            elif level[p] > height[p]:
                stays = min(load[p], (np.float64(level[p]) - height[p]) * area[p])
            else:
                room = 0.5 * (ceiling[p] - height[p]) * area[p]
                stays = min(load[p] * settling[p] / flow[p], max(room, 0.0))
            height[p] += stays / area[p]
            load[p] -= stays
            if r != p:
                load[r] += load[p]
            else:
                lost += load[p]
        if r != p and height[p] < ceiling[r]:
            ceiling[r] = height[p]
    return lost


@numba.njit(**OPTIONS)
def creep(height, sea, outside, area, nearness, table, stride, relative, share, slope, moved, out):
    """Let slopes creep, and slide where they are steeper than `slope`; fill `out` with the new heights.

    `share` of a difference flows between the nearest neighbours, less between farther ones; `moved` of what is too steep.
    Only land moves, so coasts stay. What one node loses another gains.
    """
    width = table.size if stride == 0 else stride
    for p in range(height.size):
        out[p] = height[p]
        if outside[p] or height[p] <= sea:
            continue
        base, origin = p * stride, p * relative
        gained = 0.0
        for k in range(width):
            q = origin + table[base + k]
            near = np.float64(nearness[base + k])
            if q == p or near == 0.0 or outside[q] or height[q] <= sea:
                continue
            both = min(area[p], area[q])
            difference = height[q] - height[p]
            flux = share * difference * both * near * near * both
            excess = abs(difference) - slope / near
            if excess > 0.0:
                flux += moved * both * (excess if difference > 0.0 else -excess)
            gained += flux
        out[p] += gained / area[p]


@numba.njit(**OPTIONS)
def blur(values, outside, table, stride, relative, out):
    """Fill `out` with half of each node's value and half of the mean of its neighbours'."""
    width = table.size if stride == 0 else stride
    for p in range(values.size):
        out[p] = values[p]
        if outside[p]:
            continue
        base, origin = p * stride, p * relative
        total, count = 0.0, 0
        for k in range(width):
            q = origin + table[base + k]
            if q == p or outside[q]:
                continue
            total += values[q]
            count += 1
        if count > 0:
            out[p] = 0.5 * values[p] + 0.5 * total / count


@numba.njit(inline="always", **OPTIONS)
def _smooth(t):
    return t * t * (3.0 - 2.0 * t)


@numba.njit(**OPTIONS)
def patches(place, key, frequency, octaves, out):
    """Fill `out`, float64 (k,), with value noise in -1..1 at places (k, 3): each octave twice as fine and half as strong."""
    for p in range(out.size):
        total, strength, scale = 0.0, 1.0, frequency
        for octave in range(octaves):
            x, y, z = place[p, 0] * scale, place[p, 1] * scale, place[p, 2] * scale
            i, j, k = np.floor(x), np.floor(y), np.floor(z)
            u, v, w = _smooth(x - i), _smooth(y - j), _smooth(z - k)
            value = 0.0
            for corner in range(8):
                a, b, c = corner & 1, (corner >> 1) & 1, corner >> 2
                weight = (u if a else 1.0 - u) * (v if b else 1.0 - v) * (w if c else 1.0 - w)
                h = hash32(key + octave, np.int64(i) + a, np.int64(j) + b, np.int64(k) + c)
                value += weight * signed_unit32(h)
            total += strength * value
            strength *= 0.5
            scale *= 2.0
        out[p] = total / (2.0 - 2.0 * strength)
