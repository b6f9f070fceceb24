"""The ground of a planet under edits: the heights of its global mesh, and which of its points lie where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ..degrees import degrees_of, directions
from ..waters.hydrology import Hydrology
from ..waters.landmasses import Globe
from .peak_tops import PeakTops


class Ground:
    """Heights in metres, float32 (points,), of which edits change a copy; `waters`, `peaks`: those before the edits.

    `place`: float64 (points, 3), unit vectors. `degrees`: float64 (points, 2). `step`: the chord of a step along a meridian.
    """

    def __init__(self, heights_m: np.ndarray, globe: Globe, waters: Hydrology, peaks: PeakTops) -> None:
        self.globe, self.waters, self.peaks = globe, waters, peaks
        self.heights_m = heights_m.copy()
        self.place = meshes.from_faces(globe.atlas.positions(globe.cells + 1))
        self.degrees = degrees_of(self.place)
        self.step = 0.5 * np.pi / globe.cells

    def again(self) -> Ground:
        """The same places with a copy of the heights, which edits may change."""
        other = copy(self)
        other.heights_m = self.heights_m.copy()
        return other

    @property
    def step_km(self) -> float:
        """The length of a step of the mesh, km."""
        return float(self.step * self.globe.radius_m * 1e-3)

    def beside(self, point: int) -> list[int]:
        """The neighbours of a point."""
        return sorted({int(q) for q in self.globe.neighbour[point]} - {point})

    def nearest(self, at: Sequence[float]) -> int:
        """The point nearest to a place in degrees."""
        return int(np.argmax(self.place @ directions(np.array(at))))

    def within(self, point: int, steps: float) -> tuple[np.ndarray, np.ndarray]:
        """(points nearer than `steps`, their squared distances in parts of that, 0..1)."""
        apart = self.place - self.place[point]
        square = (apart * apart).sum(axis=1) / (steps * self.step) ** 2
        near = np.flatnonzero(square < 1.0)
        return near, square[near]

    def inside(self, rings: Iterable[Iterable[Sequence[float]]]) -> np.ndarray:
        """Points inside an odd number of rings, ascending."""
        lines = [np.array(list(ring), np.float64) for ring in rings]
        return odd_points(self.degrees, lines)

    def path(self, line: Sequence[Sequence[float]]) -> list[int]:
        """Points along a line, each beside the one before it and beside no earlier one."""
        found = [self.nearest(line[0])]
        for begin, end in zip(directions(np.array(line[:-1])), directions(np.array(line[1:])), strict=True):
            parts = int(np.ceil(4.0 * np.sqrt(((end - begin) ** 2).sum()) / self.step)) + 1
            for part in range(1, parts + 1):
                here = begin + (end - begin) * (part / parts)
                while True:
                    near = [found[-1], *self.beside(found[-1])]
                    on = max(near, key=lambda point: (float(self.place[point] @ here), -point))
                    if on == found[-1]:
                        break
                    found.append(on)
        return self._shortened(found)

    def _shortened(self, path: list[int]) -> list[int]:
        """A path without loops and detours: only consecutive points are neighbours."""
        last = {point: k for k, point in enumerate(path)}
        out, k = [path[0]], last[path[0]]
        while k < len(path) - 1:
            k = max(last[point] for point in self.beside(path[k]) if last.get(point, -1) > k)
            out.append(path[k])
        return out


def odd_points(degrees: np.ndarray, lines: list[np.ndarray]) -> np.ndarray:
    """Which places (k, 2) lie inside an odd number of the closed loops that the `lines`, (m, 2) each, make up: ascending."""
    ends = [(line[:-1], line[1:]) for line in lines if len(line) > 1]
    if not ends:
        return np.zeros(0, np.int64)
    a, b = (np.concatenate(part) for part in zip(*ends, strict=True))
    low, high = np.minimum(a[:, 1], b[:, 1]), np.maximum(a[:, 1], b[:, 1])
    west = min(a[:, 0].min(), b[:, 0].min())
    near = (degrees[:, 0] >= west) & (degrees[:, 1] >= low.min()) & (degrees[:, 1] <= high.max())
    found = []
    for point in np.flatnonzero(near).tolist():
        x, y = degrees[point]
        across = np.flatnonzero((low <= y) & (y < high))
        p, q = a[across], b[across]
        crossed = p[:, 0] + (y - p[:, 1]) * (q[:, 0] - p[:, 0]) / (q[:, 1] - p[:, 1]) < x
        if crossed.sum() % 2:
            found.append(point)
    return np.array(found, np.int64)


def rounded(line: Any) -> tuple[tuple[float, float], ...]:
    """Places in degrees with seven decimals, as edits hold them."""
    return tuple((round(float(x), 7) + 0.0, round(float(y), 7) + 0.0) for x, y in line)
