"""Two projections of the sphere onto a plane, both of equal area. Lengths on the plane are in radii, y upwards.

Source: J. P. Snyder, "Map Projections: A Working Manual", USGS 1987; B. Savric, T. Patterson and B. Jenny, "The Equal Earth
map projection", 2018.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

Pair = tuple[np.ndarray, np.ndarray]
Values = np.ndarray | float
Same = TypeVar("Same", float, np.ndarray)


@dataclass(frozen=True)
class EqualEarth:
    """The whole sphere. `middle` is the longitude of the straight meridian; longitudes beyond the edge lie outside it."""

    middle: float

    A1, A2, A3, A4 = 1.340264, -0.081106, 0.000893, 0.003796

    def forward(self, longitude: Values, latitude: Values) -> Pair:
        """(x, y) of degrees."""
        t = np.arcsin(np.sqrt(0.75) * np.sin(np.radians(latitude)))
        y, slope = self._series(t)
        return np.radians(np.asarray(longitude) - self.middle) * np.cos(t) / (np.sqrt(0.75) * slope), y

    def inverse(self, x: Values, y: Values) -> Pair:
        """(longitude, latitude) in degrees; beyond the edge of the map, those of some place near it."""
        limit = self._series(np.pi / 3)[0]
        t = np.clip(y, -limit, limit) / limit * (np.pi / 3)
        for _ in range(8):
            value, slope = self._series(t)
            t = t - (value - y) / slope
        latitude = np.degrees(np.arcsin(np.clip(np.sin(t) / np.sqrt(0.75), -1.0, 1.0)))
        slope = self._series(t)[1]
        turn = np.degrees(x * np.sqrt(0.75) * slope / np.cos(t))
        return wrapped(turn + self.middle), latitude

    def _series(self, t: Same) -> tuple[Same, Same]:
        """y of the parametric latitude t, and dy/dt."""
        s = t * t
        y = t * (self.A1 + self.A2 * s + s**3 * (self.A3 + self.A4 * s))
        return y, self.A1 + 3 * self.A2 * s + s**3 * (7 * self.A3 + 9 * self.A4 * s)

    def outline(self) -> np.ndarray:
        """The edge of the map as a closed ring in radii, float64 (k, 2)."""
        latitude = np.linspace(-90.0, 90.0, 181)
        east = np.stack(self.forward(self.middle + 180.0, latitude), axis=1)
        west = np.stack(self.forward(self.middle - 180.0, latitude[::-1]), axis=1)
        return np.concatenate([east, west, east[:1]])


@dataclass(frozen=True)
class Azimuthal:
    """Lambert's azimuthal projection around `longitude`, `latitude`: all but the antipode, true near the middle."""

    longitude: float
    latitude: float

    def forward(self, longitude: Values, latitude: Values) -> Pair:
        """(x, y) of degrees."""
        turn, phi = np.radians(np.asarray(longitude) - self.longitude), np.radians(latitude)
        s0, c0 = np.sin(np.radians(self.latitude)), np.cos(np.radians(self.latitude))
        s, c = np.sin(phi), np.cos(phi)
        k = np.sqrt(2.0 / np.maximum(1.0 + s0 * s + c0 * c * np.cos(turn), 1e-6))
        return k * c * np.sin(turn), k * (c0 * s - s0 * c * np.cos(turn))

    def inverse(self, x: Values, y: Values) -> Pair:
        """(longitude, latitude) in degrees; beyond the edge of the map, those of some place near it."""
        s0, c0 = np.sin(np.radians(self.latitude)), np.cos(np.radians(self.latitude))
        half = np.minimum(0.5 * np.hypot(x, y), 1.0)
        cosine = 1.0 - 2.0 * half * half
        # sin(c) / rho, which is 1 at the middle.
        ratio = np.sqrt(1.0 - half * half)
        latitude = np.degrees(np.arcsin(np.clip(cosine * s0 + y * ratio * c0, -1.0, 1.0)))
        turn = np.degrees(np.arctan2(x * ratio, c0 * cosine - y * ratio * s0))
        return wrapped(turn + self.longitude), latitude


Projection = EqualEarth | Azimuthal


def wrapped(longitude: Same) -> Same:
    """Degrees of longitude brought into -180..180."""
    return (longitude + 180.0) % 360.0 - 180.0
