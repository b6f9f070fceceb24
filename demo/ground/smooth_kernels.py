"""Kernel of the smooth surface through samples: that of E. Catmull and R. Rom (1974), held up over the floors of valleys."""

from __future__ import annotations

import numba
import numpy as np

from ..worlds.kernels import OPTIONS


@numba.njit(inline="always", **OPTIONS)
def _weights(f, out):
    """Fills `out` (4,) with what `gradients.cubic_weights` returns."""
    out[0] = f * (-0.5 + f * (1.0 - 0.5 * f))
    out[1] = 1.0 + f * f * (-2.5 + 1.5 * f)
    out[2] = f * (0.5 + f * (2.0 - 1.5 * f))
    out[3] = f * f * (-0.5 + 0.5 * f)


@numba.njit(inline="always", **OPTIONS)
def _steps(f, out):
    """Fills `out` (4,) with the derivatives of those weights."""
    out[0] = -0.5 + f * (2.0 - 1.5 * f)
    out[1] = f * (-5.0 + 4.5 * f)
    out[2] = 0.5 + f * (4.0 - 4.5 * f)
    out[3] = f * (-1.0 + 1.5 * f)


@numba.njit(**OPTIONS)
def rises(padded, face, x, y, gutter, out):
    """Fills `out`, float64 (2, k), with how much the surface through the samples rises in a column and in a row, metres.

    It is that of `smooth` where nothing holds it up. The other arguments are those of `smooth`.
    """
    last = padded.shape[-1] - 2 * gutter - 1
    wx, wy, sx, sy = np.empty(4), np.empty(4), np.empty(4), np.empty(4)
    for p in range(len(x)):
        i, j = min(max(np.int64(np.floor(x[p])), -1), last), min(max(np.int64(np.floor(y[p])), -1), last)
        _weights(x[p] - i, wx)
        _weights(y[p] - j, wy)
        _steps(x[p] - i, sx)
        _steps(y[p] - j, sy)
        along = down = 0.0
        for b in range(4):
            level = step = 0.0
            for a in range(4):
                high = padded[face[p], j + gutter - 1 + b, i + gutter - 1 + a]
                level += wx[a] * high
                step += sx[a] * high
            along += wy[b] * step
            down += sy[b] * level
        out[0, p], out[1, p] = along, down


@numba.njit(**OPTIONS)
def smooth(padded, face, x, y, gutter, slack, surface, lift):
    """Fills `surface` and `lift`, float64 (k,), with what `smooth_surface.cubic` returns.

    `padded`: float32 (faces, n + 2 gutter, n + 2 gutter); `face`: int64 (k,); x, y: float64 (k,), columns and rows.
    `slack`: float32, as SLACK of `smooth_surface`.
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
        floor = 0.0
        for b in range(2):
            for a in range(2):
                least = most = around[b, a]
                for k in range(1, 9):
                    beside = around[b + k // 3, a + k % 3]
                    least, most = min(least, beside), max(most, beside)
                floor += part[b, a] * np.float64(least - slack * (most - least))
        inside = min(max(min(min(x[p], last - x[p]), min(y[p], last - y[p])), 0.0), 1.0)
        lift[p] = inside * max(floor - total, 0.0)
        surface[p] = total + lift[p]
