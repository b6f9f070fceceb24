"""A region of a planet: a rectangle of longitude and latitude, in whole pixels of the planet's raster."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Region:
    """The pixels left .. left + columns - 1 and top .. top + rows - 1 of a raster `width` wide and half as high.

    A raster begins at -180 degrees of longitude and 90 of latitude. A region may go on beyond the raster's right side, which
    is its left side again. Its edges do not depend on the last bits of a cosine.
    """

    width: int
    left: int
    top: int
    columns: int
    rows: int

    @property
    def west(self) -> float:
        """Degrees of longitude, -180..180."""
        return -180.0 + self.left * (360.0 / self.width)

    @property
    def east(self) -> float:
        """Degrees of longitude; beyond 180 where the region crosses that meridian."""
        return -180.0 + (self.left + self.columns) * (360.0 / self.width)

    @property
    def north(self) -> float:
        """Degrees of latitude."""
        return 90.0 - self.top * (360.0 / self.width)

    @property
    def south(self) -> float:
        """Degrees of latitude."""
        return 90.0 - (self.top + self.rows) * (360.0 / self.width)

    @property
    def pixels(self) -> int:
        """How many it has."""
        return self.columns * self.rows

    @property
    def boxes(self) -> tuple[tuple[float, float, float, float], ...]:
        """(west, south, east, north) in -180..180: one box, or two on either side of the 180th meridian."""
        if self.east <= 180.0:
            return ((self.west, self.south, self.east, self.north),)
        return (self.west, self.south, 180.0, self.north), (-180.0, self.south, self.east - 360.0, self.north)

    def holds(self, place: tuple[float, float] | np.ndarray) -> bool:
        """Whether a place, (longitude, latitude) in degrees, lies in it or on its edge."""
        return any(w <= place[0] <= e and s <= place[1] <= n for w, s, e, n in self.boxes)

    def widened(self, pixels: int) -> Region:
        """The same with a margin of so many pixels, as far as the raster has them."""
        top, columns = max(self.top - pixels, 0), self.columns + 2 * pixels
        rows = min(self.top + self.rows + pixels, self.width // 2) - top
        if columns >= self.width:
            return Region(self.width, 0, top, self.width, rows)
        return Region(self.width, (self.left - pixels) % self.width, top, columns, rows)


def region_around(longitude: float, latitude: float, km: float, width: int, radius_m: float) -> Region:
    """The square of `km` each way around a place in degrees, on a raster `width` wide.

    It lies between two parallels and two meridians. One that reaches a pole has all longitudes.
    """
    step, half = 360.0 / width, math.degrees(0.5 * km * 1e3 / radius_m)
    top = max(math.floor((90.0 - latitude - half) / step), 0)
    rows = min(math.ceil((90.0 - latitude + half) / step), width // 2) - top
    shrink = math.cos(math.radians(latitude))
    if abs(latitude) + half >= 90.0 or half >= 180.0 * shrink:
        return Region(width, 0, top, width, rows)
    left = math.floor((longitude + 180.0 - half / shrink) / step)
    columns = math.ceil((longitude + 180.0 + half / shrink) / step) - left
    return Region(width, left % width, top, columns, rows)
