"""The light of the viewer's hour: where the sun or the moon stands over a world that follows it."""

from __future__ import annotations

import numpy as np

from ..maths.vectors import cross, length
from ..worlds import hashing
from .hours import Hour

STREAM = 152
# By the viewer's hour: where the sun stands lower, the moon gives the light, at an elevation between these.
MOONLIT_BELOW_DEG, MOON_DEG = -4.5, (16.0, 30.0)
# How far the sun rises or sinks meanwhile, to either side of the hour's elevation.
HOURLY_DEG = 1.2
# How far from the way ahead of a low flight it then stands, by its elevation: a sun that rises or sets is in the picture.
ASIDE_DEG = (3.0, 28.0), (12.0, 68.0)
# The share of the horizon's dip by which it stands lower, and the most of that dip that counts.
DIP_SHARE, MOST_DIP = 0.6, np.radians(9.0)
# The hour's light is there when the eye is so many radii from a planet's middle, but comes no quicker than in this time.
LOW, QUICKEST_S = 1.08, 6.0


def elevations(seed: int, hour: Hour) -> tuple[float, float]:
    """The elevations at first and at last, radians, of the sun or moon that gives an hour's light."""
    if moonlit(hour):
        low, high = MOON_DEG
        stands = low + (high - low) * hashing.uniform(seed, STREAM, 4)
        return np.radians(stands), np.radians(stands)
    first, last = hour.sun_deg - HOURLY_DEG, hour.sun_deg + HOURLY_DEG
    return (np.radians(first), np.radians(last)) if hour.rising else (np.radians(last), np.radians(first))


def moonlit(hour: Hour | None) -> bool:
    """Whether the moon gives the light of an hour."""
    return hour is not None and hour.sun_deg < MOONLIT_BELOW_DEG


def aside(hour: Hour, sun: np.ndarray, up: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """The level direction over the place `up` in which an hour's light stands: aside of the way `ahead`, as the `sun` is."""
    right = cross(ahead, up)
    right = right / max(length(right), 1e-9)
    side = right if float(sun @ right) >= 0.0 else -right
    (low, least), (high, most) = ASIDE_DEG
    beside = most if moonlit(hour) else float(np.interp(hour.sun_deg, (low, high), (least, most)))
    return np.cos(np.radians(beside)) * cross(up, right) + np.sin(np.radians(beside)) * side


def dip_of(eye: np.ndarray, radius_m: float, hour: Hour) -> float:
    """Radians by which an hour's sun stands lower for an eye above the ground, whose horizon lies lower on a small planet.

    It is a share of what the horizon does: the land below must not lie in the dark while the sun rises for the eye.
    """
    if moonlit(hour):
        return 0.0
    dip = float(np.arccos(min(radius_m / max(length(eye), radius_m), 1.0)))
    return DIP_SHARE * min(dip, MOST_DIP)


def at_elevation(level: np.ndarray, eye: np.ndarray, elevation: float) -> np.ndarray:
    """The direction of the azimuth of `level` that stands at an elevation, radians, over the eye."""
    up = eye / length(eye)
    flat = level - (level @ up) * up
    return np.cos(elevation) * flat / max(length(flat), 1e-9) + np.sin(elevation) * up


def way_down_s(times: np.ndarray, away: np.ndarray, otherwise: float) -> float:
    """In what time an hour's light comes to its place, seconds after the birth.

    `times`: (k,) seconds after the birth; `away`: (k,) the eye's distance then, in radii; `otherwise`: of flights that do
    not come low.
    """
    low = np.flatnonzero((times > 0.0) & (away < LOW))
    return max(float(times[low[0]]), QUICKEST_S) if len(low) else otherwise
