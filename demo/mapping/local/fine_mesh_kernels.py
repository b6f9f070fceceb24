"""Kernels of the local mesh: the points within a global triangle, their neighbours, and crossings of shores.

The local points of a triangle are (i, j) with i + j <= n: the apex (0, 0) and the corners (n, 0) and (0, n), anticlockwise
on the map. The water of a triangle is that of its wet corners; no triangle has two waters. A shore crosses every global
edge from land to water exactly once and no other edge. The rest of a shore runs through a triangle as one line.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from ...worlds.doublecone.kernels import sample_along
from ...worlds.kernels import INLINED, OPTIONS
from ..degrees import longitude_of

# A shore keeps this far from the points it runs between, in local steps, so that no two of its vertices coincide.
APART = 0.1
# The grid of all vertices, and how far they keep from the 180th meridian, in degrees.
DEGREE, BESIDE = 2.0**-30, 2.0**-20
NONE = -1
SIDES = np.array([[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]], np.int64)


class StripMesh(NamedTuple):
    """A strip of the local mesh as kernels take it; m is the count of its points.

    `n`: local steps along a global edge. `fine`: cells of the local mesh from a pole to the equator. `start`: int64
    (2 fine + 2,), the number of each ring's first point. `shift`, `cut`, `gap`: int64 (2 fine + 2,), where a ring's points
    are in the strip, as `index_at` has it; points are in the order of their numbers. `ring`: int32 (m,). `heights`: float32
    (m,), metres. `wet`: uint8 (m,), 1 under the water of its triangle.
    """

    n: int
    fine: int
    start: np.ndarray
    shift: np.ndarray
    cut: np.ndarray
    gap: np.ndarray
    ring: np.ndarray
    heights: np.ndarray
    wet: np.ndarray


class GlobalWaters(NamedTuple):
    """The waters of the global mesh as kernels take them, by global point.

    `body`: int32, the sea or lake over a point, negative on land. `level`: float32, metres: the level of that water, or on
    land of the highest water beside the point, -inf without any. `receiver`: int32, the point that water flows to, or -1.
    """

    body: np.ndarray
    level: np.ndarray
    receiver: np.ndarray


@numba.njit(forceinline=True, **OPTIONS)
def index_at(ring, along, shift, cut, gap):
    """The index in a strip of the point at place `along` of a ring.

    From `cut` on a strip holds the ring's last points, which follow at once on its first ones: it leaves out `gap` between.
    """
    return shift[ring] + along - (gap[ring] if along >= cut[ring] else 0)


@numba.njit(**INLINED)
def along_of(x, mesh):
    """The place along its ring of strip point x."""
    ring = mesh.ring[x]
    along = x - mesh.shift[ring]
    return along + mesh.gap[ring] if along >= mesh.cut[ring] - mesh.gap[ring] else along


@numba.njit(**INLINED)
def number_of(x, mesh):
    """The local mesh number of strip point x."""
    return mesh.start[mesh.ring[x]] + along_of(x, mesh)


@numba.njit(**OPTIONS)
def numbers(points, mesh):
    """The local mesh numbers of strip points, int64 (k,): int64 (k,)."""
    out = np.empty(points.size, np.int64)
    for k in range(points.size):
        out[k] = number_of(points[k], mesh)
    return out


@numba.njit(**INLINED)
def index_of(number, mesh):
    """The index in the strip of a local mesh number; it must be one of the strip's."""
    ring = np.searchsorted(mesh.start, number, side="right") - 1
    return index_at(ring, number - mesh.start[ring], mesh.shift, mesh.cut, mesh.gap)


@numba.njit(**INLINED)
def local_index(place, t, mesh, i, j):
    """The index in the strip of local point (i, j) of triangle `t`."""
    n = mesh.n
    if place[t, 3]:
        ring, along = sample_along(mesh.fine, place[t, 0], (place[t, 1] + 1) * n - i, (place[t, 2] + 1) * n - j)
    else:
        ring, along = sample_along(mesh.fine, place[t, 0], place[t, 1] * n + i, place[t, 2] * n + j)
    return index_at(ring, along, mesh.shift, mesh.cut, mesh.gap)


@numba.njit(**OPTIONS)
def load(place, t, mesh, number):
    """Fill `number`, int64 (n + 1, n + 1), with the indices of triangle t's points in its strip."""
    n = mesh.n
    for i in range(n + 1):
        for j in range(n + 1 - i):
            number[i, j] = local_index(place, t, mesh, i, j)


@numba.njit(**INLINED)
def place_at(x, mesh):
    """(longitude -360..0, latitude) in degrees of strip point x."""
    fine, ring = mesh.fine, mesh.ring[x]
    length = min(ring, 2 * fine - ring)
    turn = np.float64(along_of(x, mesh)) / np.float64(4 * length) if length > 0 else 0.0
    return longitude_of(turn), 90.0 - 90.0 * np.float64(ring) / np.float64(fine)


@numba.njit(**INLINED)
def rounded(x, y):
    """Degrees in multiples of DEGREE, which is 0.1 mm on the ground: coarse enough to shift longitudes by turns exactly.

    The longitude lies between -180 and 180 and is never either, so a cut along that meridian meets no vertex.
    """
    x -= 360.0 if x > 180.0 else 0.0
    x += 360.0 if x < -180.0 else 0.0
    x = min(max(x, BESIDE - 180.0), 180.0 - BESIDE)
    return np.rint(x / DEGREE) * DEGREE, np.rint(y / DEGREE) * DEGREE


@numba.njit(**INLINED)
def beside(x, y):
    """Longitude x in degrees, shifted by a whole turn where that brings it nearer to longitude y."""
    return x + 360.0 if x - y < -180.0 else x - 360.0 if x - y > 180.0 else x


@numba.njit(**INLINED)
def crossing(dry, under, mesh, water):
    """Where the shore crosses between a dry point and one under water: degrees, as `rounded` has them."""
    fine, ring = mesh.fine, mesh.ring
    high, low = np.float64(mesh.heights[dry] - water), np.float64(mesh.heights[under] - water)
    part = min(max(high / (high - low), APART), 1.0 - APART)
    x, y = place_at(dry, mesh)
    u, v = place_at(under, mesh)
    # At a pole any longitude will do. Elsewhere the shorter way round is meant.
    if ring[under] == 0 or ring[under] == 2 * fine:
        u = x
    if ring[dry] == 0 or ring[dry] == 2 * fine:
        x = u
    x += part * (beside(u, x) - x)
    return rounded(x, y + part * (v - y))


@numba.njit(**INLINED)
def around(x, mesh, beside):
    """Fill `beside` with the indices of the neighbours of strip point x; returns their count.

    Beyond the strip's edge an index is that of no point or of any.
    """
    return beside_along(mesh.ring[x], along_of(x, mesh), mesh.fine, mesh.shift, mesh.cut, mesh.gap, beside)


@numba.njit(**OPTIONS)
def beside_along(r, along, fine, shift, cut, gap, beside):
    """Fill `beside` with the strip indices of the neighbours of the point `along` ring r; returns their count."""
    if r == 0 or r == 2 * fine:
        ring = 1 if r == 0 else 2 * fine - 1
        for k in range(4):
            beside[k] = index_at(ring, k, shift, cut, gap)
        return 4
    length = min(r, 2 * fine - r)
    face, rest = along // length, along % length
    count = 4 * length
    beside[0] = index_at(r, (along + count - 1) % count, shift, cut, gap)
    beside[1] = index_at(r, (along + 1) % count, shift, cut, gap)
    found = 2
    for side in range(-1, 2, 2):
        ring = r + side
        if min(ring, 2 * fine - ring) > length:
            count = 4 * (length + 1)
            low = along + face - (1 if rest == 0 else 0)
            for k in range(low, along + face + 2):
                beside[found] = index_at(ring, (k + count) % count, shift, cut, gap)
                found += 1
        elif length == 1:
            beside[found] = index_at(ring, 0, shift, cut, gap)
            found += 1
        else:
            count = 4 * (length - 1)
            low = along - face - (0 if rest == 0 else 1)
            for k in range(low, along - face + 1):
                beside[found] = index_at(ring, (k + count) % count, shift, cut, gap)
                found += 1
    return found
