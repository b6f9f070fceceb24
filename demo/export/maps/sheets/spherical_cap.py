"""The cap of the sphere that a sheet shows with its surroundings: what lies beyond it is cut off before it is projected.

A place beside the projection's antipode lies anywhere on paper, and a line that passes by there would run across the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from ....mapping.degrees import degrees_of, directions
from ....mapping.objects.outlines import areas
from ....mapping.objects.records import Polygons

# Edges of the cap's rim, and the widest cap, in degrees: it leaves out little around the antipode.
RIM_EDGES, WIDEST = 720, 179.0


@dataclass(frozen=True)
class SphericalCap:
    """All places within `radius` degrees, above 0 and below 180, of `longitude` and `latitude` in degrees."""

    longitude: float
    latitude: float
    radius: float

    @cached_property
    def _middle(self) -> np.ndarray:
        return directions(np.array([self.longitude, self.latitude]))

    @cached_property
    def _area(self) -> shapely.Geometry:
        """The cap on the plane of longitude and latitude, closed along the poles and cut at the 180th meridian."""
        east = directions(np.array([self.longitude + 90.0, 0.0]))
        north = directions(np.array([self.longitude, self.latitude + 90.0]))
        turn = (np.arange(RIM_EDGES) + 0.5) / RIM_EDGES * 2.0 * np.pi
        around = np.cos(turn)[:, None] * east + np.sin(turn)[:, None] * north
        reach = np.radians(self.radius)
        rim = degrees_of(np.cos(reach) * self._middle + np.sin(reach) * around)
        made = shapely.union_all([shapely.Polygon(part[0], part[1:]) for part in areas([rim])])
        shapely.prepare(made)
        return made

    def holds(self, places: np.ndarray) -> np.ndarray:
        """Which places, degrees (..., 2), lie in the cap: bool (...)."""
        held: np.ndarray = directions(places) @ self._middle >= np.cos(np.radians(self.radius))
        return held

    def clipped(self, polygons: Polygons) -> Polygons:
        """What lies in the cap of an area, polygons in degrees."""
        found: list[tuple[np.ndarray, ...]] = []
        for polygon in polygons:
            if self.holds(polygon[0]).all() and not self._far_side_in(polygon):
                found.append(polygon)
                continue
            whole = shapely.Polygon(polygon[0], polygon[1:])
            if not self._area.intersects(whole):
                continue
            parts = shapely.get_parts(shapely.intersection(shapely.make_valid(whole), self._area))
            found += [
                tuple(shapely.get_coordinates(ring) for ring in (part.exterior, *part.interiors))
                for part in parts
                if part.geom_type == "Polygon" and part.area > 0.0
            ]
        return tuple(found)

    def runs(self, line: np.ndarray) -> Iterator[slice]:
        """The runs of at least two vertices of a line, degrees (k, 2), that lie in the cap."""
        ends = np.flatnonzero(np.diff(np.concatenate([[False], self.holds(line), [False]])))
        for first, last in ends.reshape(-1, 2).tolist():
            if last - first > 1:
                yield slice(first, last)

    def _far_side_in(self, polygon: tuple[np.ndarray, ...]) -> bool:
        """Whether an area whose shell lies in the cap holds the antipode, so that it is all that the shell leaves out."""
        antipode = (self.longitude + 360.0) % 360.0 - 180.0, -self.latitude
        return bool(shapely.Polygon(polygon[0], polygon[1:]).contains(shapely.Point(antipode)))
