"""The kernels of the plane cuts on rings: where each cut crosses each parallel, and the prefix sums that make heights of it.

They work as the kernels of the cube do (`cuts.kernels`), with the crossings as angles.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from ..circle_kernels import circle_of
from ..kernels import OPTIONS
from .kernels import BAND, BLOCK, GUARD, ROUND, SLACK

# A plane that touches a ring: the least square, see `kernels.TOUCHING`, that is not doubtful.
TOUCHING_RING = 1e-12

# acos(z) / (2 pi sqrt(1 - z)) on 0..1, by powers of z: Chebyshev interpolation, error of the angle below 1e-10 rad.
# A polynomial, because no library's acos vectorises, nor has it the same bits everywhere.
_A0, _A1, _A2 = 0.2499999999853897, -0.03415493954388728, 0.014172384030523273
_A3, _A4, _A5 = -0.008081599214537003, 0.0053409247359888145, -0.0037803278328574015
_A6, _A7, _A8 = 0.00264834332848936, -0.001647219519172309, 0.0007938186919835226
_A9, _A10 = -0.0002493046211549716, 3.6999006459320135e-05


@numba.njit(**OPTIONS)
def cut_rings(normals, offsets, turns, weights, cosines, sines, counts, starts, differences):
    """Add cuts to the differences of rings: circles of colatitude of evenly spaced points, the first one at longitude 0.

    `normals` float64 (k, 3), `offsets` float64 (k,); `turns` float64 (k,), the normals' longitudes in turns, 0..1; `weights`
    int32 (k,), added where n.p > d. Ring r: `cosines`, `sines` of its colatitude, `counts` points (int64), its differences
    in `differences` int32 from `starts[r]` on, counts[r] + 1 of them, the last never summed. A ring with a sine below
    1e-12 is a pole: one point, in the first difference.

    On a ring of colatitude B the side n.p > d is the arc cos(longitude - that of n) > (d - n_y cos B) / (|n_xz| sin B).
    """
    rings = len(counts)
    work = np.empty((8, BLOCK))
    # int64, as wide as the numbers beside them; otherwise the loop does not vectorise.
    heavy, of = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    sag = 0.125 * (math.pi * BAND / (rings - 1)) ** 2 + SLACK
    for start in range(0, len(offsets), BLOCK):
        block = min(BLOCK, len(offsets) - start)
        for first in range(0, rings, BAND):
            last = min(first + BAND, rings - 1)
            whole = 0
            active = 0
            for c in range(start, start + block):
                flat = math.sqrt(normals[c, 0] * normals[c, 0] + normals[c, 2] * normals[c, 2])
                near_side, far_side = normals[c, 1] * cosines[first] - offsets[c], normals[c, 1] * cosines[last] - offsets[c]
                near_span, far_span = flat * sines[first], flat * sines[last]
                # n.p - d bends along a meridian by at most 1, so between the border lines it strays by less than `sag`.
                if min(near_side - near_span, far_side - far_span) > sag:
                    whole += weights[c]
                elif max(near_side + near_span, far_side + far_span) >= -sag:
                    work[0, active], work[1, active], work[2, active] = offsets[c], normals[c, 1], flat
                    work[3, active], work[4, active] = turns[c], 1.0 / flat
                    heavy[active], of[active] = weights[c], c
                    active += 1
            for r in range(first, min(first + BAND, rings)):
                count = counts[r]
                cosine, sine = cosines[r], sines[r]
                row = differences[starts[r] : starts[r] + count + 1]
                if sine < 1e-12:
                    for c in range(active):
                        if normals[of[c], 0] * sine + normals[of[c], 1] * cosine > offsets[of[c]]:
                            row[0] += heavy[c]
                    row[0] += whole
                    continue
                inverse = 1.0 / sine
                near = GUARD * count / (2.0 * math.pi)
                doubts = 0
                wrapped = whole
                for c in range(active):
                    level = work[0, c] - work[1, c] * cosine
                    span = work[2, c] * sine
                    square = span * span - level * level
                    z = min(abs(level) * (work[4, c] * inverse), 1.0)
                    z2 = z * z
                    z4 = z2 * z2
                    p = ((_A0 + _A1 * z) + (_A2 + _A3 * z) * z2) + ((_A4 + _A5 * z) + (_A6 + _A7 * z) * z2) * z4
                    p += ((_A8 + _A9 * z) + _A10 * z2) * (z4 * z4)
                    reach = math.sqrt(1.0 - z) * p
                    reach = 0.5 - reach if level < 0.0 else reach
                    low = (work[3, c] - reach) * count + 1.0
                    high = (work[3, c] + reach) * count + 1.0
                    gap = min(abs(low - ((low + ROUND) - ROUND)), abs(high - ((high + ROUND) - ROUND)))
                    doubt = ((gap < near) & (square > 0.0)) | (abs(square) < TOUCHING_RING)
                    crossed = (square > 0.0) & (not doubt)
                    full = (square <= 0.0) & (level < 0.0) & (not doubt)
                    under, over = low < 0.0, high >= count + 1
                    wrapped += heavy[c] if full | (crossed & (under | over)) else 0
                    low = low + count if under else low
                    high = high - count if over else high
                    work[5, c] = low if crossed else 0.5
                    work[6, c] = high if crossed else 0.5
                    work[7, c] = 1.0 if doubt else 0.0
                    doubts += 1 if doubt else 0
                row[0] += wrapped
                for c in range(active):
                    row[np.int32(work[5, c])] += heavy[c]
                    row[np.int32(work[6, c])] -= heavy[c]
                if doubts:
                    for c in range(active):
                        if work[7, c] > 0.0:
                            _brute_ring(normals, offsets, of[c], heavy[c], cosine, sine, row)


@numba.njit(**OPTIONS)
def _brute_ring(normals, offsets, k, weight, cosine, sine, row):
    """Add cut k to the differences of one ring by testing every vertex."""
    count = len(row) - 1
    before = 0
    for m in range(count):
        along, aside = circle_of(m / count)
        x, z = along * sine, aside * sine
        now = 1 if normals[k, 0] * x + normals[k, 1] * cosine + normals[k, 2] * z > offsets[k] else 0
        row[m] += weight * (now - before)
        before = now


@numba.njit(**OPTIONS)
def sum_rings(differences, counts, starts, shift, unit, cone, heights):
    """heights float32 (faces, n, n) = unit * (2 * prefix sums of the differences along rings - shift).

    `cone`: faces of the double cone, whose rings are the lines row + column = ring; else row = ring.
    """
    faces, n = heights.shape[0], heights.shape[1]
    line = np.empty(faces * (n - 1) + 1, np.float32)
    for r in range(len(counts)):
        count = counts[r]
        total = -shift
        for m in range(count):
            total += 2 * np.int64(differences[starts[r] + m])
            line[m] = np.float32(unit * total)
        line[count] = line[0]
        if not cone:
            for face in range(faces):
                for i in range(n):
                    heights[face, r, i] = line[face * (n - 1) + i]
            continue
        length = min(r, 2 * (n - 1) - r)
        first = max(r - (n - 1), 0)
        for face in range(faces):
            for m in range(length + 1):
                heights[face, first + m, r - first - m] = line[face * length + m]
