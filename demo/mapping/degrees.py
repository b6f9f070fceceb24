"""Geographic degrees: the one place where directions of the planet become longitude and latitude, and back.

East is on the right for an observer who looks at the globe from outside with north up, as on a map. The atlas counts its
own longitude the other way, from +x towards +z, which is to the left. So the geographic longitude of a place is
atan2(-z, x), and its sign is turned here and nowhere else.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numba.extending import register_jitable

from ..worlds.atlas import EVEN_CONE, Atlas

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


def laid(places: np.ndarray, atlas: Atlas) -> np.ndarray:
    """Degrees (..., 2) on a planet, of places whose latitude is counted in steps along a meridian of the mesh, 90 a cone.

    `atlas`: how the cones are laid on the sphere. With DOUBLE_CONE nothing changes.
    """
    return np.stack([places[..., 0], latitude_of(places[..., 1], atlas)], axis=-1) if atlas is EVEN_CONE else places


def latitude_of(steps: np.ndarray, atlas: Atlas) -> np.ndarray:
    """Degrees of latitude of parallels, 90 at the north pole's and 0 at the equator's; `steps_of` undoes it."""
    if atlas is not EVEN_CONE:
        return steps
    from_pole = 1.0 - np.abs(steps) / 90.0
    # Adding 0 makes no zero negative.
    return np.sign(steps) * (90.0 - np.degrees(2.0 * np.arcsin(from_pole * np.sqrt(0.5)))) + 0.0


def steps_of(latitude: np.ndarray, atlas: Atlas) -> np.ndarray:
    """The parallel of the mesh at degrees of latitude, as `latitude_of` takes it."""
    if atlas is not EVEN_CONE:
        return latitude
    from_pole = np.sqrt(2.0) * np.sin(0.5 * np.radians(90.0 - np.abs(latitude)))
    return np.sign(latitude) * 90.0 * (1.0 - from_pole)
