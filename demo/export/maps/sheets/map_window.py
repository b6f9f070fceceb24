"""The window of a sheet onto the sphere: projection, scale and size, and the map's objects brought into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from ....mapping.objects.records import Polygons
from .projection import EqualEarth, Projection, Values
from .spherical_cap import WIDEST, SphericalCap

# Longer edges bend on the sheet and get vertices in between.
LONGEST_EDGE_DEG = 1.0
VERTICES_AT_ONCE = 1 << 16
# How far beyond the corners of a sheet geometry is kept, in parts of their distance from the middle.
BEYOND = 0.05


class PlacedLine(NamedTuple):
    """A run of a line's vertices on paper, float64 (k, 2): those of line `number` from vertex `first` on."""

    number: int
    first: int
    points: np.ndarray


@dataclass(frozen=True)
class MapWindow:
    """`width` x `height` points of paper, with the projection's origin in the middle; `points_per_radius` is the scale."""

    projection: Projection
    points_per_radius: float
    radius_km: float
    width: float
    height: float

    @property
    def km_per_point(self) -> float:
        """The scale, where the projection is true to it."""
        return self.radius_km / self.points_per_radius

    @cached_property
    def whole(self) -> bool:
        """True when the sheet shows the whole planet."""
        return isinstance(self.projection, EqualEarth)

    def place(self, places: np.ndarray) -> np.ndarray:
        """Degrees (..., 2) as points of paper, float64 (..., 2), y downwards."""
        places = np.asarray(places, np.float64)
        x, y = self.projection.forward(places[..., 0], places[..., 1])
        scale = self.points_per_radius
        return np.stack([0.5 * self.width + scale * x, 0.5 * self.height - scale * y], axis=-1)

    def degrees(self, x: Values, y: Values) -> tuple[np.ndarray, np.ndarray]:
        """(longitude, latitude) of points of paper."""
        scale = self.points_per_radius
        return self.projection.inverse((x - 0.5 * self.width) / scale, (0.5 * self.height - y) / scale)

    def inside(self, points: np.ndarray, margin: float = 0.0) -> np.ndarray:
        """Which points of paper (..., 2) lie in the window or within `margin` points around it: bool (...)."""
        x, y = points[..., 0], points[..., 1]
        return (x > -margin) & (x < self.width + margin) & (y > -margin) & (y < self.height + margin)

    def outline(self) -> np.ndarray:
        """The edge of the window, or of the map of the whole planet, on paper: a closed ring (k, 2)."""
        if isinstance(self.projection, EqualEarth):
            return self.points_per_radius * self.projection.outline() * [1.0, -1.0] + 0.5 * np.array(
                [self.width, self.height]
            )
        return np.array([[0, 0], [self.width, 0], [self.width, self.height], [0, self.height], [0, 0]], np.float64)

    @cached_property
    def cap(self) -> SphericalCap | None:
        """What the sheet may show, with a margin; None for the whole planet."""
        projection = self.projection
        if isinstance(projection, EqualEarth):
            return None
        half = 0.5 * (1.0 + BEYOND) * np.hypot(self.width, self.height) / self.points_per_radius
        radius = np.degrees(2.0 * np.arcsin(min(0.5 * half, 1.0)))
        return SphericalCap(projection.longitude, projection.latitude, float(min(radius, WIDEST)))

    def lines(self, parts: Sequence[np.ndarray]) -> list[PlacedLine]:
        """Those lines in degrees that touch the window, or what lies of them in its `cap`.

        On a map of the whole planet a line that shows at both edges comes twice.
        """
        if self.cap is None:
            return self._lines(parts)
        runs = [(k, run) for k, part in enumerate(parts) for run in self.cap.runs(part)]
        placed = self._lines([parts[k][run] for k, run in runs])
        return [PlacedLine(runs[line.number][0], runs[line.number][1].start, line.points) for line in placed]

    def _lines(self, parts: Sequence[np.ndarray]) -> list[PlacedLine]:
        sizes = np.array([len(part) for part in parts], np.int64)
        # In groups of lines, so that the work needs little memory beside the lines themselves.
        group = np.cumsum(sizes) // VERTICES_AT_ONCE
        cuts = np.searchsorted(group, np.unique(group)).tolist()
        found = []
        for first, last in pairwise([*cuts, len(parts)]):
            found += self._placed(parts[first:last], sizes[first:last], first)
        return found

    def _placed(self, parts: Sequence[np.ndarray], sizes: np.ndarray, first: int) -> list[PlacedLine]:
        """As `_lines`, for a run of them whose indices begin with `first`."""
        places, ends = np.concatenate(parts), np.cumsum(sizes)
        starts = ends - sizes
        found = []
        for turn in (-360.0, 0.0, 360.0) if self.whole else (0.0,):
            points = self.place(turned(places, turn))
            low, high = (reduce.reduceat(points, starts, axis=0) for reduce in (np.minimum, np.maximum))
            seen = (high > 0.0).all(axis=1) & (low[:, 0] < self.width) & (low[:, 1] < self.height)
            found += [PlacedLine(first + k, 0, points[starts[k] : ends[k]].copy()) for k in np.flatnonzero(seen).tolist()]
        return sorted(found, key=itemgetter(0))

    def rings(self, polygons: Polygons) -> list[np.ndarray]:
        """All rings of an area on paper, to be filled by the even-odd rule; empty when the area misses the window."""
        found = []
        for polygon in polygons if self.cap is None else self.cap.clipped(polygons):
            outer = polygon[0]
            for turn in self._turns(outer):
                outer_on_paper = self.place(turned(densified(outer), turn))
                if self._touches(outer_on_paper):
                    found.append(outer_on_paper)
                    found += [self.place(turned(densified(ring), turn)) for ring in polygon[1:]]
        return found

    def _turns(self, line: np.ndarray) -> list[float]:
        """The whole turns, in degrees, by which a line must be moved to be seen: also across the edge of a world map."""
        if not isinstance(self.projection, EqualEarth):
            return [0.0]
        west, east = self.projection.middle - 180.0, self.projection.middle + 180.0
        low, high = line[:, 0].min(), line[:, 0].max()
        return [turn for turn in (-360.0, 0.0, 360.0) if low + turn < east and high + turn > west]

    def _touches(self, points: np.ndarray) -> bool:
        low, high = points.min(axis=0), points.max(axis=0)
        return bool((high > 0.0).all() and low[0] < self.width and low[1] < self.height)


def densified(ring: np.ndarray) -> np.ndarray:
    """A ring or line in degrees, (k, 2), with vertices added until no edge is longer than LONGEST_EDGE_DEG."""
    length = np.abs(np.diff(ring, axis=0)).max(axis=1)
    if length.max(initial=0.0) <= LONGEST_EDGE_DEG:
        return ring
    parts = np.maximum(np.ceil(length / LONGEST_EDGE_DEG), 1).astype(int)
    start = np.repeat(np.arange(len(parts)), parts)
    within = (np.arange(len(start)) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[start]
    inner = ring[start] + within[:, None] * (ring[start + 1] - ring[start])
    return np.concatenate([inner, ring[-1:]])


def turned(line: np.ndarray, turn: float) -> np.ndarray:
    """A line in degrees, (k, 2), moved `turn` degrees to the east."""
    return line + np.array([turn, 0.0])
