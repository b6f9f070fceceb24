"""Kernels of the double cone: one level of midpoint displacement over rings, and the laying of a mesh onto faces.

They are serial: 4 x 1025^2 take a tenth of a second, and a parallel kernel would take half a second longer to compile.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from ..kernels import INLINED, OPTIONS, hash32, signed_unit32

# Globals, because every literal cast within a kernel costs compile time.
ZERO, HALF, ONE, THREE, FOUR, FIVE, SIX = (np.float32(x) for x in (0.0, 0.5, 1.0, 3.0, 4.0, 5.0, 6.0))
SIXTH = np.float32(1.0 / 6.0)


class Evenness(NamedTuple):
    """How the random numbers of neighbours are mixed, by ring, float32 (rings,), so that forms are as wide as they are high.

    Towards the poles a step along a ring is up to pi / 2 times as long as one between rings. A point's number takes `along`
    times what it is more than each of the two beside it on its ring, which narrows it, and `across` of those on either ring
    beside its own, which widens it. `unit` gives the sum the variance of one number. A mean along a ring lies nearer to the
    pole than one along the great circle that touches it; `drift`, in coarser rings, puts it back.
    """

    along: np.ndarray
    across: np.ndarray
    unit: np.ndarray
    drift: np.ndarray


# Where a height this far from the sea has half the roughness of the highest peaks.
CALM_M = np.float32(600.0)


@numba.njit(**INLINED)
def _taps(t, blur):
    """Weights of four evenly spaced samples at -1, 0, 1, 2 for the place t in 0..1.

    blur 0 is Catmull-Rom, which goes through the samples; blur 1 is the cubic B-spline, whose curvature is continuous; a
    value between mixes the two. At t = 0 and blur 0 the weights are exactly 0, 1, 0, 0, so old points keep their bits.
    """
    s = ONE - t
    c0 = -HALF * t * s * s
    c1 = ONE + HALF * t * t * (THREE * t - FIVE)
    c2 = HALF * t * (ONE + t * (FOUR - THREE * t))
    c3 = -HALF * s * t * t
    if blur == ZERO:
        return c0, c1, c2, c3
    b0 = s * s * s * SIXTH
    b1 = (FOUR + t * t * (THREE * t - SIX)) * SIXTH
    b2 = (FOUR + s * s * (THREE * s - SIX)) * SIXTH
    b3 = t * t * t * SIXTH
    return c0 + blur * (b0 - c0), c1 + blur * (b1 - c1), c2 + blur * (b2 - c2), c3 + blur * (b3 - c3)


@numba.njit(**INLINED)
def _count(ring, cells):
    return max(4 * min(ring, 2 * cells - ring), 1)


@numba.njit(**INLINED)
def _along(mesh, first, count, scale, place):
    """A ring's field, linear between its points, at point `place` of a ring with 1 / `scale` times as many points."""
    x = np.float64(place) * scale
    q = np.int64(x)
    q = q if q < count else count - 1
    a = mesh[first + q]
    return a + np.float32(x - q) * (mesh[first + (q + 1 if q + 1 < count else 0)] - a)


@numba.njit(**INLINED)
def _number(key, ring, place):
    return signed_unit32(hash32(key, np.uint32(ring), np.uint32(place), np.uint32(0)))


@numba.njit(**INLINED)
def _numbers_along(key, ring, cells, place, count):
    """The random numbers of `ring`, linear between its points, at point `place` of a ring of `count`."""
    here = _count(ring, cells)
    x = np.float64(place) * (np.float64(here) / np.float64(count))
    q = np.int64(x)
    q = q if q < here else here - 1
    a = _number(key, ring, q)
    return a + np.float32(x - q) * (_number(key, ring, q + 1 if q + 1 < here else 0) - a)


@numba.njit(**INLINED)
def _even_number(key, ring, place, count, cells, along, across, unit):
    """The random number of a point, -1..1 or a little beyond, made as wide to the east as to the north; see `Evenness`."""
    here = _number(key, ring, place)
    if count == 1:
        return here
    west, east = place - 1 if place else count - 1, place + 1 if place + 1 < count else 0
    beside = _number(key, ring, west) + _number(key, ring, east)
    beyond = _numbers_along(key, ring - 1, cells, place, count) + _numbers_along(key, ring + 1, cells, place, count)
    return unit * ((ONE - across - across) * (here + along * (here + here - beside)) + across * beyond)


@numba.njit(**OPTIONS)
def refine_rings(coarse, source, fine, target, key, blur, amplitude, calm, even, rough, r_start, r_cells):
    """One level of generalised midpoint displacement: `fine`, float32, from `coarse`, on a mesh of half as many cells.

    `source` and `target` are their windows (`global_relief.RingWindow`). A new point gets the mean of four rings by four
    points, weighted by its true place between them, so that no mesh line, face or triangle leaves a crease. A hash of
    (level, ring, place) is added, times `amplitude`, times the field `rough` there, times calm + (1 - calm) |h| /
    (|h| + 600). It is added to every point when blur > 0, and only to new points when blur = 0. `rough` is float32 over a
    whole mesh of `r_cells` a quarter, whose rings begin at `r_start`.

    A value depends on its point alone, never on the window. Poles are rings of one point; a ring beyond a pole is the same
    ring half a turn on. The two parts of every sum stand in a fixed order.
    """
    cells, c_first, c_start, c_low = source.cells, source.first, source.start, source.low
    f_first, f_start, f_low = target.first, target.start, target.low
    cells_here = 2 * cells
    rows = f_start.size - 1
    four = np.empty(4, np.float32)
    for k in range(rows):
        ring = f_first + k
        count = _count(ring, cells_here)
        base, width = f_start[k], f_start[k + 1] - f_start[k]
        for n in range(width):
            fine[base + n] = ZERO
        e = ring // 2
        odd = ring - 2 * e
        t = (HALF if odd else ZERO) + blur * even.drift[ring]
        if t < ZERO:
            e, t = e - 1, t + ONE
        four[0], four[1], four[2], four[3] = _taps(t, blur)
        for m in range(4):
            w = four[m]
            if w == ZERO:
                continue
            r, turn = e - 1 + m, 0
            if r < 0:
                r, turn = -r, -2 * r
            elif r > 2 * cells:
                r = 4 * cells - r
                turn = 2 * (2 * cells - r)
            c = _count(r, cells)
            row = r - c_first
            src = c_start[row]
            if c == 1:
                for n in range(width):
                    fine[base + n] += w * coarse[src]
                continue
            shift = (turn - 1 - c_low[row]) % c
            scale = np.float64(c) / np.float64(count)
            p = f_low[k]
            for n in range(width):
                x = np.float64(p) * scale
                q = np.int64(x)
                w0, w1, w2, w3 = _taps(np.float32(x - q), blur)
                i0 = q + shift
                i0 = i0 - c if i0 >= c else i0
                i1 = i0 + 1 if i0 + 1 < c else 0
                i2 = i1 + 1 if i1 + 1 < c else 0
                i3 = i2 + 1 if i2 + 1 < c else 0
                mean = (w0 * coarse[src + i0] + w3 * coarse[src + i3]) + (w1 * coarse[src + i1] + w2 * coarse[src + i2])
                fine[base + n] += w * mean
                p = p + 1 if p + 1 < count else 0
        y = np.float64(ring) * (np.float64(r_cells) / np.float64(cells_here))
        upper = min(np.int64(y), 2 * r_cells - 1)
        towards = np.float32(y - upper)
        c, d = _count(upper, r_cells), _count(upper + 1, r_cells)
        c_scale, d_scale = np.float64(c) / np.float64(count), np.float64(d) / np.float64(count)
        along, across, unit = even.along[ring], even.across[ring], even.unit[ring]
        p = f_low[k]
        for n in range(width):
            if blur > ZERO or odd or p & 1:
                h = fine[base + n]
                size = abs(h)
                local = amplitude * (calm + (ONE - calm) * (size / (size + CALM_M)))
                above = _along(rough, r_start[upper], c, c_scale, p)
                local *= above + towards * (_along(rough, r_start[upper + 1], d, d_scale, p) - above)
                fine[base + n] = h + local * _even_number(key, ring, p, count, cells_here, along, across, unit)
            p = p + 1 if p + 1 < count else 0


@numba.njit(**OPTIONS)
def lay_on_faces(mesh, start, cells, heights):
    """Fill heights (4, n, n) from a whole mesh of `cells` a quarter, n - 1 a multiple of `cells`.

    Linear on the mesh's triangles: every rhombus is split along its parallel.
    """
    n = heights.shape[1]
    step = (n - 1) // cells
    inverse = ONE / np.float32(step)
    for face in range(4):
        for j in range(n):
            row = min(j // step, cells - 1)
            fy = np.float32(j - row * step) * inverse
            b = mesh[sample_number(start, cells, face, row, 0)]
            d = mesh[sample_number(start, cells, face, row + 1, 0)]
            for column in range(cells):
                a, c = b, d
                b = mesh[sample_number(start, cells, face, row, column + 1)]
                d = mesh[sample_number(start, cells, face, row + 1, column + 1)]
                last = step + 1 if column == cells - 1 else step
                for i in range(last):
                    fx = np.float32(i) * inverse
                    rest = ONE - fx - fy
                    upper = (rest * a + fx * b) + fy * c
                    lower = (-rest * d + (ONE - fy) * b) + (ONE - fx) * c
                    heights[face, j, column * step + i] = upper if rest >= ZERO else lower


@numba.njit(**INLINED)
def sample_number(start, cells, face, row, column):
    """Mesh number of a face sample; the scalar twin of `global_mesh.point_of`."""
    ring, along = sample_along(cells, face, row, column)
    return start[ring] + along


@numba.njit(**INLINED)
def sample_along(cells, face, row, column):
    """(ring, place along it) of a face sample."""
    ring = row + column
    length = min(ring, 2 * cells - ring)
    along = face * length + (row if ring <= cells else cells - column)
    return ring, along if along < 4 * length else 0
