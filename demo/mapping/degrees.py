"""Geographic degrees: the one place where directions of the planet become longitude and latitude, and back.

East is on the right for an observer who looks at the globe from outside with north up, as on a map. The atlas counts its
own longitude the other way, from +x towards +z, which is to the left. So the geographic longitude of a place is
atan2(-z, x), and its sign is turned here and nowhere else.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numba.extending import register_jitable

Number = TypeVar("Number", float, np.ndarray)


@register_jitable
def longitude_of(turn: Number) -> Number:
    """Degrees of longitude, -360..0, of a place at `turn`, 0..1, along a ring of the mesh. Kernels may call it too."""
    return -360.0 * turn


@register_jitable
def turn_of(longitude: Number) -> Number:
    """The turn, 0..1, at degrees of longitude; whole turns make no difference. Kernels may call it too."""
    turn = longitude / -360.0
    return turn - np.floor(turn)


def directions(places: np.ndarray) -> np.ndarray:
    """Unit vectors, float64 (..., 3), y up as in `worlds.atlas`, of (longitude, latitude) in degrees (..., 2)."""
    longitude, latitude = np.radians(places[..., 0]), np.radians(places[..., 1])
    ring = np.cos(latitude)
    return np.stack([np.cos(longitude) * ring, np.sin(latitude), -np.sin(longitude) * ring], axis=-1)


def degrees_of(direction: np.ndarray) -> np.ndarray:
    """(longitude, latitude) in degrees, float64 (..., 2), -180..180 and -90..90, of vectors (..., 3) of any length."""
    x, y, z = np.moveaxis(np.asarray(direction, np.float64), -1, 0)
    return np.degrees(np.stack([np.arctan2(-z, x), np.arctan2(y, np.hypot(x, z))], axis=-1))
