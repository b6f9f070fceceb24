"""The kernels of the plane cuts on a cube: where each cut crosses each row, and the prefix sums that make heights of it.

A row of the mesh is an arc of a circle on the sphere, so a plane crosses it at most twice, at points known in closed form.
Only these crossings are written, as +w and -w into differences along the row, and one prefix sum a picture turns them into
counts. The work is cuts x rows + vertices, not cuts x vertices. All sums are integers, so order and blocks do not matter.

Rows are taken in bands. The border lines of a band tell which cuts of a block leave it wholly on one side. The other cuts
are worked through row by row in two steps: a loop over cuts that the compiler vectorises, which leaves the crossings in
`work`, and a scalar loop that adds them up. A crossing within GUARD of a vertex is doubtful, and so is a plane that nearly
touches a row; both are settled by brute force, n.p > d at the row's own vertices. The errors of the closed forms stay below
a tenth of GUARD. All scratch numbers of the vector loop are in one array, because LLVM does not vectorise a loop over many
arrays that might overlap.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from ..atlas import CUBE_CENTRE, CUBE_DOWN, CUBE_RIGHT
from ..kernels import OPTIONS

BLOCK = 512
BAND = 32
# Distance to a vertex below which a crossing is doubtful: face coordinate s in -1..1, or radians along a ring.
GUARD = 1e-8
# A plane that touches a row: the least square of (slope of n.p - d at the crossing, times |(s, t, 1)|) that is not doubtful.
TOUCHING = 1e-7
# Planes that run nearly parallel to all rows of a cube face, where the crossing is a quotient of two small numbers.
PARALLEL, PARALLEL_CENTRAL = 1e-6, 1e-12
FAR = 1e15
# What rounding may do to a bound.
SLACK = 1e-9
# (x + ROUND) - ROUND is the integer next to x, for |x| < 2^51.
ROUND = 6755399441055744.0


@numba.njit(**OPTIONS)
def cut_cube(normals, offsets, weights, differences):
    """Add cuts to the differences of the six faces of a cube.

    `normals` float64 (k, 3), `offsets` float64 (k,), all >= 0; `weights` int32 (k,), added where n.p > d;
    `differences` int32 (6, n, n + 1), whose last column is never summed.

    On a face (a, b, e) are the normal's parts along centre, right and down. In row t the side n.p > d is
    b s + A > d sqrt(s^2 + q^2), A = a + e t, q^2 = 1 + t^2. With g = b^2 - d^2 and D = A^2 + q^2 g the crossings are
    (-A b +- d sqrt D) / g: where g > 0 one, with the sign of b; where g < 0 two, if A > 0 and D > 0.
    """
    n = differences.shape[1]
    half = 0.5 * (n - 1)
    near = GUARD * half
    end = n + 0.5
    bands = (n + BAND - 1) // BAND
    cuts = np.empty((BLOCK, 8))
    side = np.empty((bands, BLOCK), np.int8)
    work = np.empty((11, BLOCK))
    of, weight = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int32)
    for face in range(6):
        for start in range(0, len(offsets), BLOCK):
            block = min(BLOCK, len(offsets) - start)
            for c in range(block):
                _describe(face, normals, offsets, start + c, n, cuts, side, c)
            for band in range(bands):
                whole = 0
                active = 0
                for c in range(block):
                    if side[band, c] > 0:
                        whole += weights[start + c]
                    elif side[band, c] == 0:
                        for r in range(8):
                            work[r, active] = cuts[c, r]
                        of[active] = start + c
                        weight[active] = weights[start + c]
                        active += 1
                for j in range(band * BAND, min((band + 1) * BAND, n)):
                    t = 2.0 * (j / (n - 1)) - 1.0
                    q2 = 1.0 + t * t
                    row = differences[face, j]
                    row[0] += whole
                    doubts = 0
                    for c in range(active):
                        along = work[0, c] + work[1, c] * t
                        square = along * along + q2 * work[2, c]
                        middle = work[3, c] * along
                        reach = work[4, c] * math.sqrt(max(square, 0.0))
                        low = min(max(middle + reach + work[5, c], 0.5), end)
                        high = min(max(middle - reach + work[6, c], 0.5), end)
                        gap = min(abs(low - ((low + ROUND) - ROUND)), abs(high - ((high + ROUND) - ROUND)))
                        maybe = (along > work[7, c]) & (square > -TOUCHING)
                        close = (gap < near) | (square < TOUCHING)
                        sure = maybe & (not close)
                        doubt = maybe & close
                        work[8, c] = low if sure else end
                        work[9, c] = high if sure else end
                        work[10, c] = 1.0 if doubt else 0.0
                        doubts += 1 if doubt else 0
                    for c in range(active):
                        row[np.int32(work[8, c])] += weight[c]
                        row[np.int32(work[9, c])] -= weight[c]
                    if doubts:
                        for c in range(active):
                            if work[10, c] > 0.0:
                                _brute_row(face, j, normals, offsets, of[c], weight[c], differences)


@numba.njit(**OPTIONS)
def _describe(face, normals, offsets, k, n, cuts, side, c):
    """Describe cut k on one face for the vector loop, at place c of `cuts` and `side`.

    `cuts`: a, e, g, the crossings' factors and constants, the least A. `side` of every band: 1 where all of it has
    n.p > d, -1 where none of it has, 0 where the rows must tell. n.p - d, times the length of (s, t, 1), is concave on the
    face: its least value on a band is at a corner, and its greatest exceeds those on the border lines by what a curvature
    of at most d allows.
    """
    half = 0.5 * (n - 1)
    x, y, z, d = normals[k, 0], normals[k, 1], normals[k, 2], offsets[k]
    a = x * CUBE_CENTRE[face, 0] + y * CUBE_CENTRE[face, 1] + z * CUBE_CENTRE[face, 2]
    b = x * CUBE_RIGHT[face, 0] + y * CUBE_RIGHT[face, 1] + z * CUBE_RIGHT[face, 2]
    e = x * CUBE_DOWN[face, 0] + y * CUBE_DOWN[face, 1] + z * CUBE_DOWN[face, 2]
    g = (b - d) * (b + d)
    if abs(g) < (PARALLEL if d > 0.0 else PARALLEL_CENTRAL):
        # With these numbers the vector loop doubts every row.
        cuts[c, :] = 0.0
        cuts[c, 7] = -FAR
        side[:, c] = 0
        return
    cuts[c, 0], cuts[c, 1], cuts[c, 2], cuts[c, 3], cuts[c, 4] = a, e, g, -b / g * half, d / g * half
    cuts[c, 5] = -FAR if g > 0.0 and b < 0.0 else half + 1.0
    cuts[c, 6] = FAR if g > 0.0 and b > 0.0 else half + 1.0
    cuts[c, 7] = -FAR if g > 0.0 else 0.0
    sag = 0.5 * d * (BAND / (n - 1)) ** 2 + SLACK
    waist = math.sqrt(max(-g, 0.0))
    upper, lower = 0.0, 0.0
    for band in range(side.shape[0] + 1):
        t = 2.0 * (min(band * BAND, n - 1) / (n - 1)) - 1.0
        along, ends = a + e * t, d * math.sqrt(2.0 + t * t)
        q = math.sqrt(1.0 + t * t)
        least = along - abs(b) - ends
        most = along - q * waist if abs(b) * q < waist else along + abs(b) - ends
        if band > 0:
            side[band - 1, c] = 1 if min(least, lower) > SLACK else (-1 if max(most, upper) < -sag else 0)
        upper, lower = most, least


@numba.njit(**OPTIONS)
def _brute_row(face, j, normals, offsets, k, weight, differences):
    """Add cut k to the differences of one row of a cube face by testing every vertex."""
    n = differences.shape[1]
    t = 2.0 * (j / (n - 1)) - 1.0
    before = 0
    for i in range(n):
        s = 2.0 * (i / (n - 1)) - 1.0
        x = CUBE_CENTRE[face, 0] + s * CUBE_RIGHT[face, 0] + t * CUBE_DOWN[face, 0]
        y = CUBE_CENTRE[face, 1] + s * CUBE_RIGHT[face, 1] + t * CUBE_DOWN[face, 1]
        z = CUBE_CENTRE[face, 2] + s * CUBE_RIGHT[face, 2] + t * CUBE_DOWN[face, 2]
        r = math.sqrt(x * x + y * y + z * z)
        now = 1 if normals[k, 0] * (x / r) + normals[k, 1] * (y / r) + normals[k, 2] * (z / r) > offsets[k] else 0
        differences[face, j, i] += weight * (now - before)
        before = now


@numba.njit(**OPTIONS)
def sum_cube(differences, shift, unit, heights):
    """heights float32 (6, n, n) = unit * (2 * prefix sums of the differences along rows - shift)."""
    n = heights.shape[1]
    line = np.empty(n, np.int32)
    for face in range(6):
        for j in range(n):
            total = np.int32(0)
            for i in range(n):
                total += differences[face, j, i]
                line[i] = total
            for i in range(n):
                heights[face, j, i] = np.float32(unit * (2.0 * line[i] - shift))


@numba.njit(**OPTIONS)
def raise_record(places, normals, offsets, weights, slabs, counts, highest):
    """Add cuts in their order to `counts` and return the greatest count that there has been, at least `highest`.

    `places` float64 (3, m), unit vectors; `counts` int64 (m,), changed in place. `normals` float64 (k, 3), `offsets` float64
    (k,); `weights` int32 (k,), added where n.p > d, or where |n.p| < d for those of `slabs`, bool (k,), and subtracted
    elsewhere.
    """
    x, y, z = places[0], places[1], places[2]
    for k in range(len(offsets)):
        a, b, c, d, weight = normals[k, 0], normals[k, 1], normals[k, 2], offsets[k], np.int64(weights[k])
        # From -inf on there is no second plane.
        lower = -d if slabs[k] else -np.inf
        inside = weight if slabs[k] else -weight
        most = highest
        for p in range(len(counts)):
            along = a * x[p] + b * y[p] + c * z[p]
            counts[p] += inside if (along > lower) & (along <= d) else -inside
            most = max(most, counts[p])
        highest = most
    return highest
