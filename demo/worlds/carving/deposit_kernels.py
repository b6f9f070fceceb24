"""Deposits: what rivers carry is laid down as valley fills, as fans at the feet of mountains, and as deltas in the sea."""

from __future__ import annotations

import numba
import numpy as np

from ..heap_kernels import pop, push
from ..kernels import OPTIONS
from .kernels import DEGREE, INSIDE, LAND, ONE, ZERO

# A river lays down a fan where it falls less than one in so many of what it fell above.
SLOWED = 3.0
# The nodes that one mouth fills in a step, at most.
LOBE = 1024
# How much lower a delta is at its rim than at the mouth, in parts of its height, and how much farther away than flat ground
# the bed is for each such height below it.
FLAT, DEEP = 0.75, np.float32(0.1)
# A mouth fills the sea at least so many times as far away as its farthest neighbour.
AROUND = np.float32(1.3)
# The area of half a disc in squared radii.
HALF_DISC = 1.57


@numba.njit(**OPTIONS)
def settle(
    order, receiver, kind, level, sea, shelf, flow, rain, settling, fan, mouth, large, delta, reach, marks, place, nearness,
    begins, table, ways, height, load, area, ceiling,
):  # fmt: skip
    """Lay down what rivers carry, downstream. Returns the volume that ends in pits of the sea's bed or leaves a plane.

    On land a share `settling` * own water / all water of the load stays, after Yuan et al. (2019), and a share up to `fan`
    where a steep river grows flat, but no node rises above the nodes that flow to it: `ceiling`, float32 (nodes,), infinite
    at first. A lake keeps what fits below its level. Rivers with more water than `large` build deltas up to `shelf` with a
    share `delta` of their load, as far from the mouth as the root of `reach` * water. Then each node of the sea's bed keeps
    a share `mouth` of what comes by, up to as far below the sea as `shelf` is above it. `marks`, uint8 (nodes,), is
    work space.
    """
    lost, each = 0.0, min(begins.size - 1, 1)
    for p in range(marks.size):
        marks[p] = 0
    keys, heap = np.empty(DEGREE * LOBE + 1, np.float32), np.empty(DEGREE * LOBE + 1, np.int32)
    seen = np.empty(DEGREE * LOBE + 1, np.int32)
    for p in order:
        r, here, carried = receiver[p], height[p], load[p]
        if carried != 0.0:
            if kind[p] != LAND:
                # Only land is a ceiling here: this is a mouth.
                if flow[p] > large and ceiling[p] < np.inf:
                    far = np.float32(np.sqrt(reach * flow[p]))
                    # A mouth's neighbours at least, or deltas would be lines of single nodes.
                    for k in range(DEGREE):
                        near = nearness[begins[p * each] + k]
                        if near > ZERO:
                            far = max(far, AROUND / near)
                    carried -= _prograde(
                        p, delta * carried, HALF_DISC * reach * flow[p], far, sea, shelf, kind, place, nearness, begins,
                        table, ways, height, area, marks, keys, heap, seen,
                    )  # fmt: skip
                    here = height[p]
                stays = min(mouth * carried, max(0.5 * (2.0 * sea - shelf - here) * area[p], 0.0))
            elif level[p] > here:
                stays = min(carried, (np.float64(level[p]) - here) * area[p])
            else:
                steep = np.float64(ceiling[p]) - here
                share = settling * (np.float64(rain[p]) * area[p]) / flow[p]
                if 0.0 < steep < np.inf:
                    share += fan * max(0.0, 1.0 - SLOWED * max(np.float64(here - height[r]), 0.0) / steep)
                stays = min(carried * min(share, 1.0), max(0.5 * steep * area[p], 0.0))
            new = np.float32(here + stays / area[p])
            carried -= np.float64(new - here) * area[p]
            height[p] = new
            here = new
            if r != p:
                load[r] += carried
            else:
                lost += carried
        if r != p and kind[p] == LAND and here < ceiling[r]:
            ceiling[r] = here
    return lost


@numba.njit(**OPTIONS)
def _prograde(
    p, volume, ground, far, sea, shelf, kind, place, nearness, begins, table, ways, height, area, marks, keys,
    heap, seen,
):  # fmt: skip
    """Fill the sea around the mouth `p` with up to `volume`, the nearest nodes first, deep ones counting as farther away.

    `ground`: on so much area. Nodes within the distance `far` rise to `shelf`, or less towards the rim. Returns the volume
    that the bed rose by.
    """
    keys[0], heap[0], seen[0], marks[p] = ZERO, p, p, 1
    size, count, filled, left = 1, 1, 0, volume
    high, each = np.float32(shelf - sea), min(ways.size - 1, 1)
    while size > 0 and left > 0.0 and ground > 0.0 and filled < LOBE:
        away = keys[0]
        q = pop(keys, heap, size)
        size -= 1
        filled += 1
        # Flat, and gently lower outwards, so that rivers run off.
        top = sea + (shelf - sea) * (1.0 - FLAT * np.float64(away) / np.float64(far))
        # Of the last node the part that is left of `ground`.
        stays = min(left, max((top - height[q]) * min(np.float64(area[q]), ground), 0.0))
        if stays > 0.0:
            new = np.float32(height[q] + stays / area[q])
            left -= np.float64(new - height[q]) * area[q]
            height[q] = new
            ground -= area[q]
        base, first = ways[q * each], begins[q * each]
        for k in range(DEGREE):
            n, near = q + table[base + k], nearness[first + k]
            if marks[n] or kind[n] == LAND or place[n] != INSIDE or near == ZERO:
                continue
            deep = max(np.float32(shelf) - height[n], ZERO) / high
            cost = away + (ONE + DEEP * deep) / near
            if cost < far:
                marks[n] = 1
                seen[count] = n
                count += 1
                push(keys, heap, size, cost, n)
                size += 1
    for k in range(count):
        marks[seen[k]] = 0
    return volume - left
