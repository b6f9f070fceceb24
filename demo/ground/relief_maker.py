"""ReliefMaker: fills reliefs from heights, by kernels that run on the worker."""

from __future__ import annotations

import numpy as np

from ..worlds.atlas import CUBE, Atlas, fill_lattice
from ..worlds.heightfield import sample
from ..worlds.shapes import check_shape
from .coarse_levels import CoarseLevels
from .relief import GUTTER, OPEN, Relief, fill_gutter, open_light
from .relief_kernels import plane_light, plane_shade, sphere_shade
from .sphere_light_kernels import sphere_light


class ReliefMaker:
    """Fills reliefs of one atlas and size.

    `size_m`: radius or extent. `height_scale`: the height, in metres, that `Relief.shade` stores as 1. `bearings`: (3, 2),
    unit vectors in x and z towards the sun on its way over a terrain; planets read none. `coarse`: the coarser levels, None
    where they are every second sample. Raises ValueError for bearings of another shape.
    """

    def __init__(
        self,
        atlas: Atlas,
        n: int,
        size_m: float,
        height_scale: float,
        bearings: np.ndarray,
        coarse: CoarseLevels | None = None,
    ) -> None:
        self.atlas, self.n, self.size_m, self.height_scale = atlas, n, size_m, float(height_scale)
        self._coarse = coarse
        self._bearings = np.ascontiguousarray(bearings, np.float32)
        if not atlas.spherical:
            check_shape("bearings", self._bearings, 3, 2)
        self._sphere = (_lattice_directions(atlas, n), *_shared_samples(atlas, n)) if atlas.spherical else None

    def fill(
        self,
        out: Relief,
        heights: np.ndarray,
        sea: float,
        metres: float,
        moving: bool = True,
        above: np.ndarray | None = None,
        suns: np.ndarray | None = None,
    ) -> None:
        """Fill `out` from heights float32 (faces, n, n): height_m = (heights - sea) * metres.

        `moving`: whether the sun moves; one that rests at its first bearing needs one horizon. `above`: as in `Growth`, on
        planets; places where it is negative are shown as water. `suns`: (3, 3), unit vectors towards the sun on its way
        around a planet; None: mountains throw no shadows. Raises ValueError for arrays of other shapes.
        """
        if suns is not None:
            check_shape("suns", suns, 3, 3)
        self._check(out, heights, heights if above is None else above)
        self._lay(out.heights_m, heights, sea, metres)
        out.height_scale = self.height_scale
        if self._coarse is not None:
            out.coarse_m = self._coarse.packed(out.heights_m[:, GUTTER:-GUTTER, GUTTER:-GUTTER])
        if self._sphere is not None:
            directions, places, point = self._sphere
            dry = out.heights_m
            if above is not None:
                dry = np.empty_like(out.heights_m)
                self._lay(dry, above, sea, metres)
            sphere_shade(out.heights_m, directions, self.size_m, self.height_scale, dry, out.shade)
            _join(out.shade, places, point)
            out.light = open_light(self.atlas.faces, OPEN) if suns is None else self._light(out.heights_m, directions, suns)
        else:
            plane_shade(out.heights_m[0], self.size_m / (self.n - 1), self.height_scale, out.shade[0])
            bearings = self._bearings if moving else self._bearings[:1]
            plane_light(out.heights_m[0], self.size_m / (self.n - 1), bearings, out.light[0])

    def _light(self, heights_m: np.ndarray, directions: np.ndarray, suns: np.ndarray) -> np.ndarray:
        """`Relief.light` of a planet whose sun is on its way along `suns` (3, 3)."""
        light = open_light(self.atlas.faces, heights_m.shape[-1])
        cube = _on_cube(self.atlas, heights_m[:, GUTTER:-GUTTER, GUTTER:-GUTTER])
        cell = self.atlas.edge / (self.n - 1)
        sphere_light(cube, heights_m, directions, self.size_m, cell, np.ascontiguousarray(suns, np.float32), light)
        return light

    def _check(self, out: Relief, heights: np.ndarray, above: np.ndarray) -> None:
        faces, side = self.atlas.faces, self.n + 2 * GUTTER
        check_shape("heights", heights, faces, self.n, self.n)
        check_shape("above", above, faces, self.n, self.n)
        check_shape("heights_m", out.heights_m, faces, side, side)
        check_shape("shade", out.shade, faces, side, side, 4)
        if not self.atlas.spherical:
            check_shape("light", out.light, faces, side // 2, side // 2, 4)

    def _lay(self, out: np.ndarray, heights: np.ndarray, sea: float, metres: float) -> None:
        """Fill `out`, its gutter included, with metres above the sea."""
        inner = out[:, GUTTER : self.n + GUTTER, GUTTER : self.n + GUTTER]
        np.subtract(heights, np.float32(sea), out=inner)
        inner *= np.float32(metres)
        fill_gutter(self.atlas, out)


def _lattice_directions(atlas: Atlas, n: int) -> np.ndarray:
    """Unit vectors to all samples, gutter included, float32."""
    line = np.arange(-GUTTER, n + GUTTER) / (n - 1)
    out = np.empty((atlas.faces, len(line), len(line), 3), np.float32)
    for face in range(atlas.faces):
        fill_lattice(atlas, face, line, out[face])
    return out


def _on_cube(atlas: Atlas, heights: np.ndarray) -> np.ndarray:
    """Heights (faces, n, n) of a planet on the faces of CUBE, float32 (6, n, n) in the same unit, 0 below the sea.

    A march over a sphere crosses faces, and to find the place of a direction takes a cube two divisions.
    """
    if atlas is CUBE:
        return np.maximum(heights, np.float32(0.0))
    n = heights.shape[-1]
    line = np.arange(n) / (n - 1)
    out = np.empty((CUBE.faces, n, n), np.float32)
    for face in range(CUBE.faces):
        out[face] = sample(heights, *atlas.invert(CUBE.direction(np.array(face), line[None, :], line[:, None]))[:3])
    return np.maximum(out, np.float32(0.0))


def _shared_samples(atlas: Atlas, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Samples that are one point on several faces: flat indices (k,) into the padded faces, and the point of each (k,)."""
    copies, owners = atlas.seams(n)
    first, point = np.unique(owners, return_inverse=True)
    face, rest = np.divmod(np.concatenate([first, copies]), n * n)
    j, i = np.divmod(rest, n)
    side = n + 2 * GUTTER
    return (face * side + j + GUTTER) * side + i + GUTTER, np.concatenate([np.arange(len(first)), point])


def _join(shade: np.ndarray, places: np.ndarray, point: np.ndarray) -> None:
    """Give samples that are one point the mean of their normals.

    Each face's lattice finds a normal of its own; on rough land the edge between them would be visible.
    """
    flat = shade.reshape(-1, 4)
    found = flat[places, :3].astype(np.float64)
    mean = np.stack([np.bincount(point, found[:, k]) for k in range(3)], axis=1)
    mean *= 32767.0 / np.sqrt((mean * mean).sum(axis=1, keepdims=True))
    flat[places, :3] = mean[point]
