"""Kernels of `sphere_light`: how much of sun and sky the mountains of a planet leave open."""

from __future__ import annotations

import numba
import numpy as np

from ..worlds.kernels import INLINED, OPTIONS
from .relief import HORIZON

# A march begins this many cells away, and its steps grow by this factor, because far hills need less precision.
FIRST, GROWTH, STEPS = np.float32(1.5), np.float32(1.2), 24


@numba.njit(**INLINED)
def _height(cube, x, y, z):
    """The height in metres where the ray (x, y, z) from the middle meets a cube of heights."""
    ax, ay, az = abs(x), abs(y), abs(z)
    if ax >= ay and ax >= az:
        face, s, t, along = 0 if x > 0 else 1, -z if x > 0 else z, -y, ax
    elif ay >= az:
        face, s, t, along = 2 if y > 0 else 3, x, z if y > 0 else -z, ay
    else:
        face, s, t, along = 4 if z > 0 else 5, x if z > 0 else -x, -y, az
    half = np.float32(0.5) * np.float32(cube.shape[1] - 1)
    u, v = (s / along + np.float32(1.0)) * half, (t / along + np.float32(1.0)) * half
    i = min(max(int(u), 0), cube.shape[1] - 2)
    j = min(max(int(v), 0), cube.shape[1] - 2)
    fx, fy = u - np.float32(i), v - np.float32(j)
    top = cube[face, j, i] + (cube[face, j, i + 1] - cube[face, j, i]) * fx
    low = cube[face, j + 1, i] + (cube[face, j + 1, i + 1] - cube[face, j + 1, i]) * fx
    return top + (low - top) * fy


@numba.njit(**INLINED)
def _sine(tangent):
    return tangent / np.sqrt(np.float32(1.0) + tangent * tangent)


@numba.njit(**OPTIONS)
def sphere_light(cube, heights, directions, radius, cell, suns, light):
    """Fill `light` (faces, s, s, 4) as `Relief` has it: the horizons towards `suns` (3, 3), and the open sky.

    `cube`: float32 (6, m, m), the planet's heights in metres on the faces of CUBE, 0 on the sea. `heights`, `directions`:
    of the places, (faces, s, s) metres and (faces, s, s, 3) unit vectors. `radius`: metres; `cell`: radians.

    A march follows a great circle: direction + bearing * tan(angle), which need not be a unit vector on a cube.
    """
    faces, side, _ = heights.shape
    one, radius, first = np.float32(1.0), np.float32(radius), FIRST * np.float32(cell)
    highest, scale = cube.max(), np.float32(255.0 / HORIZON)
    for f in range(faces):
        for j in range(side):
            for i in range(side):
                dx, dy, dz = directions[f, j, i, 0], directions[f, j, i, 1], directions[f, j, i, 2]
                h = max(heights[f, j, i], np.float32(0.0))
                for k in range(3):
                    over = suns[k, 0] * dx + suns[k, 1] * dy + suns[k, 2] * dz
                    bx, by, bz = suns[k, 0] - over * dx, suns[k, 1] - over * dy, suns[k, 2] - over * dz
                    norm = np.sqrt(bx * bx + by * by + bz * bz)
                    steepest, step, x = np.float32(0.0), first, np.float32(0.0)
                    if norm > np.float32(1e-3):
                        bx, by, bz = bx / norm, by / norm, bz / norm
                        for _ in range(STEPS):
                            x += step
                            # By how much the planet falls away below the level, in radii.
                            fallen = x * x / (one + np.sqrt(one + x * x))
                            drop = (radius + h) * fallen
                            # Nothing farther away is high enough to rise above the horizon found so far.
                            if highest - h - drop < steepest * radius * x:
                                break
                            there = _height(cube, dx + bx * x, dy + by * x, dz + bz * x)
                            steepest = max(steepest, (there - h - drop) / ((radius + there) * x))
                            step *= GROWTH
                    light[f, j, i, k] = np.uint8(min(_sine(steepest) * scale, np.float32(255.0)))
                # Over the sea all of the sky is open.
                if h > 0:
                    light[f, j, i, 3] = np.uint8(_open_sky(cube, dx, dy, dz, h, radius, first) * np.float32(255.0))
                else:
                    light[f, j, i, 3] = np.uint8(255)


@numba.njit(**INLINED)
def _open_sky(cube, dx, dy, dz, h, radius, first):
    """The share of the sky that is open, by the slopes in eight directions."""
    # Any frame will do, as the eight directions are evenly spread (T. Duff et al., 2017).
    sign = np.float32(1.0) if dz >= 0 else np.float32(-1.0)
    k = np.float32(-1.0) / (sign + dz)
    m = dx * dy * k
    ax, ay, az = np.float32(1.0) + sign * dx * dx * k, sign * m, -sign * dx
    bx, by, bz = m, sign + dy * dy * k, -dy
    diagonal = np.float32(0.70710678)
    total = np.float32(0.0)
    for d in range(8):
        c, s = (1, 1, 0, -1, -1, -1, 0, 1)[d], (0, 1, 1, 1, 0, -1, -1, -1)[d]
        shorter = diagonal if c * s != 0 else np.float32(1.0)
        tx = np.float32(c * ax + s * bx) * shorter
        ty = np.float32(c * ay + s * by) * shorter
        tz = np.float32(c * az + s * bz) * shorter
        steepest, x = np.float32(0.0), first
        for _ in range(3):
            drop = (radius + h) * np.float32(0.5) * x * x
            there = _height(cube, dx + tx * x, dy + ty * x, dz + tz * x)
            steepest = max(steepest, (there - h - drop) / (radius * x))
            x *= np.float32(2.5)
        total += np.float32(1.0) - _sine(steepest)
    return total * np.float32(0.125)
