"""Kernels of the climate: places beside the mesh's points, values carried from them, and the steps of the air.

They are serial, and sums stand in a fixed order, so the bits are those of plain numpy.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS


@numba.njit(**OPTIONS)
def lay_stencil(counts, starts, turn, y, source, share):
    """Fill `source` int32 and `share` float64, (4, points), for places `turn` (by ring, of a circle) beside each point of a
    ring, on the level `y` (by ring, counted in rings): between two rings, and between two points on each."""
    last = counts.size - 1
    for ring in range(counts.size):
        upper = min(np.int64(y[ring]), last - 1)
        lower_weight = y[ring] - upper
        for k in range(counts[ring]):
            p = starts[ring] + k
            t = k / counts[ring] + turn[ring]
            t -= np.floor(t)
            for side in range(2):
                row = upper + side
                weight = lower_weight if side == 1 else 1.0 - lower_weight
                x = t * counts[row]
                whole = np.floor(x)
                q = np.int64(whole)
                source[2 * side, p] = starts[row] + q % counts[row]
                source[2 * side + 1, p] = starts[row] + (q + 1) % counts[row]
                share[2 * side, p] = weight * (1.0 - (x - whole))
                share[2 * side + 1, p] = weight * (x - whole)


@numba.njit(**OPTIONS)
def carry(values, source, share, out):
    """Fill `out` with the weighted values at a stencil's places."""
    for p in range(values.size):
        upper = share[0, p] * values[source[0, p]] + share[1, p] * values[source[1, p]]
        lower = share[2, p] * values[source[2, p]] + share[3, p] * values[source[3, p]]
        out[p] = upper + lower


@numba.njit(**OPTIONS)
def blow(steps, source, share, lost, capacity, filled, kept, humid, water):
    """Rain, mm of one step, after `steps` steps of the air from `water` mm: float64 (points,). All by mesh point.

    `lost`: the part of the arriving water that falls; water beyond `capacity` falls in any case. `kept`: the part of the
    rain that returns to the air. `filled`: the part of the deficit below `humid` that the sea fills.
    """
    rain, here, there = np.empty(water.size), water.copy(), np.empty(water.size)
    for _ in range(steps):
        for p in range(water.size):
            upper = share[0, p] * here[source[0, p]] + share[1, p] * here[source[1, p]]
            lower = share[2, p] * here[source[2, p]] + share[3, p] * here[source[3, p]]
            arriving = upper + lower
            fallen = max(lost[p] * arriving, arriving - capacity[p])
            left = arriving - fallen * (1.0 - kept[p])
            left += filled[p] * max(humid[p] - left, 0.0)
            rain[p], there[p] = fallen, left
        here, there = there, here
    return rain
