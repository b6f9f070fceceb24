"""Kernel of the smooth surface through samples: that of E. Catmull and R. Rom (1974), held up over the floors of valleys."""

from __future__ import annotations

import numba
import numpy as np

from ..worlds.atlas import CUBE, CUBE_CENTRE, CUBE_DOWN, CUBE_RIGHT, DOUBLE_CONE, EVEN_CONE, LATLONG, PLANE
from ..worlds.kernels import INLINED, OPTIONS

# How much of the way in which gullies run is that of the surface itself, and how much steeper than the samples it may be.
# As in tile.frag.
OWN, STEEPER = 0.6, 1.2
# Where the tangents of a face span less than this share of their squares, it is taken for a pole.
POINTED = 1e-3
# Kernels take no records.
_PLANE, _LATLONG, _DOUBLE_CONE, _CUBE, _EVEN_CONE = (atlas.code for atlas in (PLANE, LATLONG, DOUBLE_CONE, CUBE, EVEN_CONE))


@numba.njit(**INLINED)
def _weights(f, out):
    """Fills `out` (4,) with what `gradients.cubic_weights` returns."""
    out[0] = f * (-0.5 + f * (1.0 - 0.5 * f))
    out[1] = 1.0 + f * f * (-2.5 + 1.5 * f)
    out[2] = f * (0.5 + f * (2.0 - 1.5 * f))
    out[3] = f * f * (-0.5 + 0.5 * f)


@numba.njit(**INLINED)
def _steps(f, out):
    """Fills `out` (4,) with the derivatives of those weights."""
    out[0] = -0.5 + f * (2.0 - 1.5 * f)
    out[1] = f * (-5.0 + 4.5 * f)
    out[2] = 0.5 + f * (4.0 - 4.5 * f)
    out[3] = f * (-1.0 + 1.5 * f)


@numba.njit(**INLINED)
def _tangents(atlas, face, u, v, at, along, down):
    """Fills `along` and `down` (3,) with how a face's place moves with u and with v, in radii or extents.

    `atlas`: its code; `at` (3,): the place.
    """
    if atlas == _PLANE:
        along[0], along[1], along[2] = 1.0, 0.0, 0.0
        down[0], down[1], down[2] = 0.0, 0.0, 1.0
    elif atlas == _CUBE:
        centre, right, low = CUBE_CENTRE[face], CUBE_RIGHT[face], CUBE_DOWN[face]
        out = at[0] * centre[0] + at[1] * centre[1] + at[2] * centre[2]
        to_right = at[0] * right[0] + at[1] * right[1] + at[2] * right[2]
        to_low = at[0] * low[0] + at[1] * low[1] + at[2] * low[2]
        for axis in range(3):
            along[axis] = 2.0 * out * (right[axis] - at[axis] * to_right)
            down[axis] = 2.0 * out * (low[axis] - at[axis] * to_low)
    else:
        # Radians of colatitude and of longitude with u and with v.
        if atlas == _LATLONG:
            high_u, high_v, wide_u, wide_v = 0.0, np.pi, np.pi, 0.0
        else:
            k = u + v
            from_pole = max(min(k, 2.0 - k), 1e-9)
            own, other = (v, u) if k <= 1.0 else (1.0 - u, 1.0 - v)
            turn = 0.5 * np.pi / (from_pole * from_pole)
            wide_u, wide_v = (-own * turn, other * turn) if k <= 1.0 else (-other * turn, own * turn)
            high_u = 0.5 * np.pi if atlas == _DOUBLE_CONE else 2.0 / np.sqrt(2.0 - from_pole * from_pole)
            high_v = high_u
        sine = max(np.sqrt(at[0] * at[0] + at[2] * at[2]), 1e-9)
        lower = at[0] * at[1] / sine, -sine, at[2] * at[1] / sine
        east = -at[2], 0.0, at[0]
        for axis in range(3):
            along[axis] = high_u * lower[axis] + wide_u * east[axis]
            down[axis] = high_v * lower[axis] + wide_v * east[axis]


@numba.njit(**OPTIONS)
def lead(padded, face, u, v, at, gutter, atlas, size, lean):
    """Turns `lean`, float64 (k, 3), as `smooth_surface.led` says.

    `padded`: float32 (faces, n + 2 gutter, n + 2 gutter); `face`: int64 (k,); u, v: float64 (k,); `at`: float64 (k, 3), the
    places. `atlas`: its code; `size`: metres of a radius or extent.
    """
    cells = padded.shape[-1] - 2 * gutter - 1
    wx, wy, sx, sy = np.empty(4), np.empty(4), np.empty(4), np.empty(4)
    along, down = np.empty(3), np.empty(3)
    for p in range(len(u)):
        x, y = u[p] * cells, v[p] * cells
        inner = OWN * min(max(min(min(x, cells - x), min(y, cells - y)), 0.0), 1.0)
        if atlas in (_DOUBLE_CONE, _EVEN_CONE):
            inner *= min(max(abs(x + y - cells) - 1.0, 0.0), 1.0)
        if inner <= 0.0:
            continue
        i, j = min(max(np.int64(np.floor(x)), -1), cells), min(max(np.int64(np.floor(y)), -1), cells)
        _weights(x - i, wx)
        _weights(y - j, wy)
        _steps(x - i, sx)
        _steps(y - j, sy)
        rise = fall = 0.0
        for b in range(4):
            level = step = 0.0
            for a in range(4):
                high = padded[face[p], j + gutter - 1 + b, i + gutter - 1 + a]
                level += wx[a] * high
                step += sx[a] * high
            rise += wy[b] * step
            fall += sy[b] * level
        rise, fall = rise * (cells / size), fall * (cells / size)
        _tangents(atlas, face[p], u[p], v[p], at[p], along, down)
        e = along[0] * along[0] + along[1] * along[1] + along[2] * along[2]
        f = along[0] * down[0] + along[1] * down[1] + along[2] * down[2]
        g = down[0] * down[0] + down[1] * down[1] + down[2] * down[2]
        area = e * g - f * f
        # At a pole a whole row is one point.
        if area <= POINTED * (e + g) * (e + g):
            continue
        before = after = 0.0
        for axis in range(3):
            own = (along[axis] * (g * rise - f * fall) + down[axis] * (e * fall - f * rise)) / area
            before += lean[p, axis] * lean[p, axis]
            lean[p, axis] += (own - lean[p, axis]) * inner
            after += lean[p, axis] * lean[p, axis]
        most = min(STEEPER * np.sqrt(before) / max(np.sqrt(after), 1e-9), 1.0)
        for axis in range(3):
            lean[p, axis] *= most


@numba.njit(**OPTIONS)
def smooth(padded, face, x, y, gutter, slack, least_room, surface, lift):
    """Fills `surface` and `lift`, float64 (k,), with what `smooth_surface.cubic` returns.

    `padded`: float32 (faces, n + 2 gutter, n + 2 gutter); `face`: int64 (k,); x, y: float64 (k,), columns and rows.
    `slack`: float32, as SLACK of `smooth_surface`; `least_room`: as its LEAST_ROOM_M.
    """
    last = padded.shape[-1] - 2 * gutter - 1
    wx, wy, part = np.empty(4), np.empty(4), np.empty((2, 2))
    for p in range(len(x)):
        i, j = min(max(np.int64(np.floor(x[p])), -1), last), min(max(np.int64(np.floor(y[p])), -1), last)
        fx, fy = x[p] - i, y[p] - j
        _weights(fx, wx)
        _weights(fy, wy)
        around = padded[face[p], j + gutter - 1 : j + gutter + 3, i + gutter - 1 : i + gutter + 3]
        total = 0.0
        for b in range(4):
            row = 0.0
            for a in range(4):
                row += wx[a] * around[b, a]
            total += wy[b] * row
        part[0, 0], part[0, 1] = (1.0 - fy) * (1.0 - fx), (1.0 - fy) * fx
        part[1, 0], part[1, 1] = fy * (1.0 - fx), fy * fx
        floor = room = 0.0
        for b in range(2):
            for a in range(2):
                least = most = around[b, a]
                for k in range(1, 9):
                    beside = around[b + k // 3, a + k % 3]
                    least, most = min(least, beside), max(most, beside)
                spare = slack * (most - least)
                floor += part[b, a] * np.float64(least - spare)
                room += part[b, a] * np.float64(spare)
        inside = min(max(min(min(x[p], last - x[p]), min(y[p], last - y[p])), 0.0), 1.0)
        below, room = floor - total, max(room, least_room)
        bent = min(max(below + room, 0.0), 2.0 * room)
        lift[p] = inside * (bent * bent / (4.0 * room) + max(below - room, 0.0))
        surface[p] = total + lift[p]
