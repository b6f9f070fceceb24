"""Ground: how high the drawn surface stands under a point, in metres."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..maths.vectors import lengths, tangents, unit
from ..worlds.atlas import Atlas
from ..worlds.heightfield import sample
from ..worlds.shapes import check_shape, check_square
from .detail import Detail
from .standing_water import Lakes

UP = np.array([0.0, 1.0, 0.0])
# The middle and two rings around it, in radii.
_ANGLES = np.radians(np.arange(0.0, 360.0, 45.0))
RINGS = np.array([(0.0, 0.0), *((r * np.cos(a), r * np.sin(a)) for r in (0.5, 1.0) for a in _ANGLES)])

# The ground under so many places is worked out by compiled loops, with the same bits. Fewer would load numba, and be no
# sooner.
MANY = 1024


class Ground:
    """Heights in metres above the sea over an atlas, with the detail between their samples where there is one, and lakes.

    `heights_m`: float32 (faces, n, n), the sea bed negative; `size_m`: radius of a planet or extent of a terrain. The
    terrain's square lies on the plane y = 0 centred on the origin with sea around it; a planet's centre is the origin.
    `above_m`: float32 of that shape, how far the samples of a map's planet are above the water there, negative under it; its
    lakes are filled in `heights_m`. None for other worlds. Raises ValueError for heights of another shape.
    """

    def __init__(
        self,
        atlas: Atlas,
        heights_m: np.ndarray,
        size_m: float,
        detail: Detail | None = None,
        lakes: Lakes | None = None,
        above_m: np.ndarray | None = None,
    ) -> None:
        check_square("heights_m", heights_m, atlas.faces)
        if above_m is not None:
            check_shape("above_m", above_m, *heights_m.shape)
        self.atlas = atlas
        self.above_m = above_m
        self.detail = detail
        self.lakes = lakes
        self.heights_m = heights_m
        self.size_m = float(size_m)
        self.highest_m = max(float(heights_m.max()), 0.0)

    def without_octaves(self) -> Ground:
        """The same ground with the smooth surface alone between its samples."""
        return self.with_detail(self.detail and self.detail.without_octaves())

    def with_octaves(self) -> Ground:
        """The ground that this one is without its octaves."""
        return self.with_detail(self.detail and self.detail.with_octaves())

    def with_detail(self, detail: Detail | None) -> Ground:
        """The same samples with another detail between them."""
        return Ground(self.atlas, self.heights_m, self.size_m, detail, self.lakes, self.above_m)

    @property
    def surface_m(self) -> np.ndarray:
        """The samples' heights with lakes filled, float32 (faces, n, n)."""
        return self.heights_m if self.lakes is None else np.maximum(self.heights_m, self.lakes.level_m)

    @property
    def cell_m(self) -> float:
        """Edge of a cell in metres (about the largest on spheres)."""
        return self.atlas.edge * self.size_m / (self.heights_m.shape[-1] - 1)

    @property
    def margin_m(self) -> float:
        """By how much the ground between the samples may leave their range, in metres."""
        return self.detail.margin_m if self.detail else 0.0

    @property
    def even_m(self) -> float:
        """Metres over which the ground changes little: a cell, or a few of the shortest waves of the detail."""
        if self.detail is None or not self.detail.octaves:
            return self.cell_m
        return min(self.cell_m, 8.0 * self.detail.wavelength_m * 0.5 ** (self.detail.octaves - 1))

    def up(self, point: np.ndarray) -> np.ndarray:
        """The unit vector (..., 3) away from the ground at points (..., 3)."""
        if not self.atlas.spherical:
            return np.broadcast_to(UP, point.shape)
        return unit(point)

    def altitude(self, points: np.ndarray) -> np.ndarray:
        """Height of points (..., 3) above the sea, float64 (...), in metres."""
        if not self.atlas.spherical:
            return np.asarray(points[..., 1], np.float64)
        return lengths(points) - self.size_m

    def height(self, points: np.ndarray, shortest_m: float = 0.0) -> np.ndarray:
        """Ground under points (..., 3) in metres above the sea, float64 (...): negative on the sea bed, 0 beside a terrain.

        Octaves of the detail that are shorter than `shortest_m` are left out, to save time.
        """
        detail = self.detail
        if detail is None:
            return self._under(points, self._between)
        octaves = detail.octaves_down_to(shortest_m)
        return self._under(points, lambda face, u, v: detail.height(face, u, v, octaves))

    def standing(self, points: np.ndarray) -> np.ndarray:
        """The level of the water that stands over points (..., 3), where the ground is below it: the sea's or a lake's.

        float64 (...), metres above the sea, at least 0.
        """
        lakes = self.lakes
        points = np.asarray(points, np.float64)
        return np.zeros(points.shape[:-1]) if lakes is None else np.maximum(self._under(points, lakes.at), 0.0)

    def sampled(self, points: np.ndarray) -> np.ndarray:
        """`height` without the detail, which takes most of the time; for judging many places at once."""
        points = np.asarray(points, np.float64)
        if points.size < 3 * MANY:
            return self._under(points, self._between)
        from .ray_kernels import heights_under

        found = np.empty(points.shape[:-1])
        flat = np.ascontiguousarray(points).reshape(-1, 3)
        heights_under(self.heights_m, self.atlas.code, self.size_m, flat, found.reshape(-1))
        return found

    def met_by(self, eyes: np.ndarray, rays: np.ndarray, along: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where rays (k, r, 3) from eyes (k, 3) first are at or below the ground without its detail, or the sea.

        (metres, infinite for nowhere, (k, r); places (k, r, 3); heights (k, r) of the ground, metres above the sea). The
        ground is looked for `along` (k, steps) the rays of each eye, in metres.
        """
        # Imports numba, which the first picture does without.
        from .ray_kernels import meet

        count = rays.shape[:2]
        distance, place, height = np.empty(count), np.empty((*count, 3)), np.empty(count)
        where = (np.ascontiguousarray(part, np.float64) for part in (eyes, rays, along))
        meet(self.heights_m, self.atlas.code, self.size_m, self.highest_m, *where, distance, place, height)
        return distance, place, height

    def between(self, values: np.ndarray, points: np.ndarray) -> np.ndarray:
        """What lies under points (..., 3) of `values` (faces, n, n), told at n by n samples of each face, whatever n is.

        float64 (...), bilinear; 0 beside a terrain.
        """
        return self._under(points, lambda face, u, v: sample(values, face, u, v))

    def _between(self, face: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        return sample(self.heights_m, face, u, v)

    def _under(self, points: np.ndarray, height: Callable[..., np.ndarray]) -> np.ndarray:
        points = np.asarray(points, np.float64)
        if self.atlas.spherical:
            face, u, v, _ = self.atlas.invert(points)
            return height(face, u, v)
        u, v = points[..., 0] / self.size_m + 0.5, points[..., 2] / self.size_m + 0.5
        inside = (u >= 0.0) & (u <= 1.0) & (v >= 0.0) & (v <= 1.0)
        return np.where(inside, height(0, np.clip(u, 0.0, 1.0), np.clip(v, 0.0, 1.0)), 0.0)

    def clearance(self, points: np.ndarray) -> np.ndarray:
        """Height of points (..., 3) above the drawn land or sea below them: float64 (...), in metres."""
        return self.altitude(points) - np.maximum(self.height(points), self.standing(points))

    def max_near(self, points: np.ndarray, radius_m: float, detail: bool = True) -> np.ndarray:
        """The greatest height of the drawn ground, at least 0, on two rings within `radius_m` of points (..., 3).

        float64 (...), in metres. Without the `detail` it takes a hundredth of the time.
        """
        points = np.asarray(points, np.float64)
        side, ahead = self._tangents(points)
        aside, forward = (radius_m * RINGS[:, axis].reshape(-1, *[1] * points.ndim) for axis in (0, 1))
        # All at once, because the time of a query hardly depends on the number of points.
        height, around = self.height if detail else self.sampled, points + aside * side + forward * ahead
        return np.maximum(height(around), self.standing(around)).max(axis=0)

    def _tangents(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not self.atlas.spherical:
            return np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
        return tangents(self.up(points))
