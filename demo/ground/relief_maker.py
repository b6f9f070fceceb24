"""ReliefMaker: from heights to what light needs, by kernels that run on the worker."""

from __future__ import annotations

import numba
import numpy as np

from ..worlds.atlas import Atlas
from ..worlds.kernels import OPTIONS
from .relief import GUTTER, HORIZON, Relief, fill_gutter


class ReliefMaker:
    """Fills reliefs of one atlas and size. `size_m`: radius or extent; `height_scale`: metres of a full-scale height;
    `bearings`: unit (3, 2), x and z towards the sun on its way over a terrain."""

    def __init__(self, atlas: Atlas, n: int, size_m: float, height_scale: float, bearings: np.ndarray) -> None:
        self.atlas, self.n, self.size_m, self.height_scale = atlas, n, size_m, float(height_scale)
        self._bearings = np.ascontiguousarray(bearings, np.float32)
        self._directions = _lattice_directions(atlas, n) if atlas.spherical else None
        self._shared = _shared_samples(atlas, n) if atlas.spherical else None

    def fill(
        self,
        out: Relief,
        heights: np.ndarray,
        sea: float,
        metres: float,
        moving: bool = True,
        above: np.ndarray | None = None,
    ) -> None:
        """Fill `out` from heights float32 (faces, n, n): height_m = (heights - sea) * metres.

        `moving`: whether the sun will; where it rests at its first bearing one horizon does for all. `above`: as in
        `Growth`, on planets; what is negative there is shown as water.
        """
        self._lay(out.heights_m, heights, sea, metres)
        out.height_scale = self.height_scale
        if self.atlas.spherical:
            dry = out.heights_m
            if above is not None:
                dry = np.empty_like(out.heights_m)
                self._lay(dry, above, sea, metres)
            _sphere_shade(out.heights_m, self._directions, self.size_m, self.height_scale, dry, out.shade)
            _join(out.shade, *self._shared)
        else:
            _plane_shade(out.heights_m[0], self.size_m / (self.n - 1), self.height_scale, out.shade[0])
            bearings = self._bearings if moving else self._bearings[:1]
            _plane_light(out.heights_m[0], self.size_m / (self.n - 1), bearings, out.light[0])

    def _lay(self, out: np.ndarray, heights: np.ndarray, sea: float, metres: float) -> None:
        """Metres above the sea into `out`, its gutter too."""
        inner = out[:, GUTTER : self.n + GUTTER, GUTTER : self.n + GUTTER]
        np.subtract(heights, np.float32(sea), out=inner)
        inner *= np.float32(metres)
        fill_gutter(self.atlas, out)


def _lattice_directions(atlas: Atlas, n: int) -> np.ndarray:
    """Unit vectors to all samples and the gutter; face by face, because in float64 they are large."""
    line = np.arange(-GUTTER, n + GUTTER) / (n - 1)
    out = np.empty((atlas.faces, len(line), len(line), 3), np.float32)
    for face in range(atlas.faces):
        out[face] = atlas.direction(np.array(face), line[None, :], line[:, None])
    return out


def _shared_samples(atlas: Atlas, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Samples that are one point on several faces: their flat indices (k,) into the padded faces, and which point (k,)."""
    copies, owners = atlas.seams(n)
    first, point = np.unique(owners, return_inverse=True)
    face, rest = np.divmod(np.concatenate([first, copies]), n * n)
    j, i = np.divmod(rest, n)
    side = n + 2 * GUTTER
    return (face * side + j + GUTTER) * side + i + GUTTER, np.concatenate([np.arange(len(first)), point])


def _join(shade: np.ndarray, places: np.ndarray, point: np.ndarray) -> None:
    """Give samples that are one point the mean of their normals: each face's lattice finds its own, and where the land is
    rough an edge between them would be seen."""
    flat = shade.reshape(-1, 4)
    found = flat[places, :3].astype(np.float64)
    mean = np.stack([np.bincount(point, found[:, k]) for k in range(3)], axis=1)
    mean *= 32767.0 / np.sqrt((mean * mean).sum(axis=1, keepdims=True))
    flat[places, :3] = mean[point]


@numba.njit(**OPTIONS)
def _sphere_shade(heights, directions, radius, scale, above, shade):
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
def _plane_shade(heights, cell, scale, shade):
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
def _plane_light(heights, cell, bearings, light):
    """The horizon at each bearing by a march towards it, and the open sky by the slopes in eight directions.

    The steps of both marches grow with distance, as what is far needs less care.
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
                    # Beyond this nothing is high enough to stand above what has been met.
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
