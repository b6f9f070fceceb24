"""Kernels of `relief_maker`: normals and heights for shaders, and how much of sun and sky hills leave open."""

from __future__ import annotations

import numba
import numpy as np

from ..worlds.kernels import OPTIONS
from .relief import HORIZON


@numba.njit(**OPTIONS)
def sphere_shade(heights, directions, radius, scale, above, shade):
    faces, side, _ = heights.shape
    for f in range(faces):
        for j in range(side):
            ja, jb = max(j - 1, 0), min(j + 1, side - 1)
            for i in range(side):
                ia, ib = max(i - 1, 0), min(i + 1, side - 1)
                rl, rr = radius + heights[f, j, ia], radius + heights[f, j, ib]
                ru, rd = radius + heights[f, ja, i], radius + heights[f, jb, i]
                ax = directions[f, j, ib, 0] * rr - directions[f, j, ia, 0] * rl
                ay = directions[f, j, ib, 1] * rr - directions[f, j, ia, 1] * rl
                az = directions[f, j, ib, 2] * rr - directions[f, j, ia, 2] * rl
                bx = directions[f, jb, i, 0] * rd - directions[f, ja, i, 0] * ru
                by = directions[f, jb, i, 1] * rd - directions[f, ja, i, 1] * ru
                bz = directions[f, jb, i, 2] * rd - directions[f, ja, i, 2] * ru
                nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
                dx, dy, dz = directions[f, j, i, 0], directions[f, j, i, 1], directions[f, j, i, 2]
                length = np.sqrt(nx * nx + ny * ny + nz * nz)
                outward = nx * dx + ny * dy + nz * dz
                if length <= 1e-12 * radius * radius or abs(outward) < 1e-6 * length:
                    # A pole, where a whole row is one point.
                    nx, ny, nz, length, outward = dx, dy, dz, 1.0, 1.0
                k = 32767.0 / length if outward > 0 else -32767.0 / length
                shade[f, j, i, 0] = np.int16(nx * k)
                shade[f, j, i, 1] = np.int16(ny * k)
                shade[f, j, i, 2] = np.int16(nz * k)
                shade[f, j, i, 3] = np.int16(min(max(above[f, j, i] / scale, -1.0), 1.0) * 32767.0)


@numba.njit(**OPTIONS)
def plane_shade(heights, cell, scale, shade):
    side = heights.shape[0]
    for j in range(side):
        ja, jb = max(j - 1, 0), min(j + 1, side - 1)
        for i in range(side):
            ia, ib = max(i - 1, 0), min(i + 1, side - 1)
            nx = (heights[j, ia] - heights[j, ib]) / ((ib - ia) * cell)
            nz = (heights[ja, i] - heights[jb, i]) / ((jb - ja) * cell)
            k = 32767.0 / np.sqrt(nx * nx + nz * nz + 1.0)
            shade[j, i, 0] = np.int16(nx * k)
            shade[j, i, 1] = np.int16(k)
            shade[j, i, 2] = np.int16(nz * k)
            shade[j, i, 3] = np.int16(min(max(heights[j, i] / scale, -1.0), 1.0) * 32767.0)


@numba.njit(**OPTIONS)
def plane_light(heights, cell, bearings, light):
    """The horizon, by a march towards each bearing, and the open sky, by the slopes in eight directions.

    The steps of both marches grow with distance, because far hills need less precision.
    """
    side = heights.shape[0]
    highest = heights.max()
    scale = np.float32(255.0 / HORIZON)
    for half_j in range(light.shape[0]):
        j = 2 * half_j
        for half_i in range(light.shape[1]):
            i = 2 * half_i
            h = max(heights[j, i], np.float32(0.0))
            for k in range(bearings.shape[0]):
                ux, uz = bearings[k, 0], bearings[k, 1]
                steepest, step, away = np.float32(0.0), np.float32(1.5), np.float32(0.0)
                x, z = np.float32(i), np.float32(j)
                for _ in range(40):
                    x += ux * step
                    z += uz * step
                    away += step
                    a, b = int(x), int(z)
                    # Nothing farther away is high enough to rise above the horizon found so far.
                    if a < 0 or b < 0 or a >= side - 1 or b >= side - 1 or steepest * away > highest - h:
                        break
                    fx, fz = x - np.float32(a), z - np.float32(b)
                    top = heights[b, a] + (heights[b, a + 1] - heights[b, a]) * fx
                    low = heights[b + 1, a] + (heights[b + 1, a + 1] - heights[b + 1, a]) * fx
                    steepest = max(steepest, (top + (low - top) * fz - h) / away)
                    step *= np.float32(1.09)
                slope = steepest / np.float32(cell)
                sine = slope / np.sqrt(np.float32(1.0) + slope * slope)
                light[half_j, half_i, k] = np.uint8(min(sine * scale, np.float32(255.0)))
            for k in range(bearings.shape[0], 3):
                light[half_j, half_i, k] = light[half_j, half_i, 0]
            open_sky = np.float32(0.0)
            for d in range(8):
                dx = (1, 1, 0, -1, -1, -1, 0, 1)[d]
                dz = (0, 1, 1, 1, 0, -1, -1, -1)[d]
                steepest = np.float32(0.0)
                reach = 2
                for _ in range(4):
                    a, b = i + dx * reach, j + dz * reach
                    if a < 0 or b < 0 or a >= side or b >= side:
                        break
                    run = np.float32(cell * reach * (1.41421356 if dx * dz != 0 else 1.0))
                    steepest = max(steepest, (heights[b, a] - h) / run)
                    reach *= 2
                open_sky += np.float32(1.0) - steepest / np.sqrt(np.float32(1.0) + steepest * steepest)
            light[half_j, half_i, 3] = np.uint8(open_sky / 8.0 * 255.0)
