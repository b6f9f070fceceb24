"""Daylight: where the sun stands at every moment of a story, and how the eye is used to its light.

Both are pure functions of the story's time: nothing is carried from frame to frame, so any moment can be drawn alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..flight.paths import Flight
from ..maths.easing import ease, even
from ..maths.vectors import cross, length, rotation
from ..worlds import hashing

STREAM = 103
# The horizons of a terrain are kept for this many bearings of the sun, evenly over its way.
BEARINGS = 3
# How far the sun goes round a terrain's sky during a flight, and how it rises or sinks: (up to which share of the seeds,
# the least and the most degrees it stands high at first, at last). None: the scene's own height at first, and a share of it.
DRIFT = np.radians(34.0)
# The share of the flight at either end over which the sun starts and stops.
GENTLE = 0.12
EVENINGS = (
    (0.30, None, (0.45, 0.7)),
    (0.54, (12.0, 16.0), (3.0, 5.0)),
    (0.82, (11.0, 14.0), (-3.4, -1.6)),
    (1.00, (5.0, 7.0), (17.0, 24.0)),
)
# By how many times the eye opens, by degrees of the sun's elevation: light falls faster than that, so night stays night.
ELEVATIONS, OPENING = (-10.0, -5.0, 0.0, 4.0, 14.0), (6.0, 4.6, 2.7, 1.7, 1.0)
ADAPTING_S, STEP_S = 3.0, 0.5
NIGHTFALL = 0.55
AFTER_SUNSET = np.radians(-7.0)
# A flight that comes as near to a planet as this sees relief; how high the sun stands there at most, and by which part of
# the way down it has sunk so far.
NEAR_M, HIGHEST_SUN, SUNK_BY = 15_000.0, np.radians(21.0), 0.75


@dataclass(frozen=True)
class Daylight:
    """`sun_at(t)`: unit float64 (3,) towards the sun; `share_at(t)`: how far the sun is on its way over a terrain, 0..1.

    `bearings`: unit float64 (BEARINGS, 2), x and z towards the sun at the shares 0 to 1; none over planets.
    """

    sun_at: Callable[[float], np.ndarray]
    share_at: Callable[[float], float] = lambda t: 0.0
    bearings: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    exposures: np.ndarray = field(default_factory=lambda: np.ones(1))

    def exposure(self, t: float) -> float:
        """The factor by which the eye has opened at time t, from 1."""
        x = min(max(t / STEP_S, 0.0), len(self.exposures) - 1.0)
        k = min(int(x), len(self.exposures) - 2) if len(self.exposures) > 1 else 0
        after = self.exposures[min(k + 1, len(self.exposures) - 1)]
        return float(self.exposures[k] + (after - self.exposures[k]) * (x - k))

    def weights(self, t: float) -> tuple[float, ...]:
        """How the horizons of the bearings mix at time t."""
        x = self.share_at(t) * (BEARINGS - 1)
        return tuple(max(0.0, 1.0 - abs(x - k)) for k in range(BEARINGS))


def over_terrain(seed: int, first: float, azimuth: float, birth_s: float, length_s: float) -> Daylight:
    """A sun that stands at `azimuth` and, unless the seed wants an evening or a morning, `first` radians high while the
    terrain is born, and drifts during the `length_s` seconds after it."""
    low, high = _elevations(seed, first)
    side = 1.0 if hashing.uniform(seed, STREAM, 3) < 0.5 else -1.0

    def share_at(t: float) -> float:
        return even((t - birth_s) / length_s, GENTLE)

    def place(share: float) -> np.ndarray:
        return from_angles(azimuth + side * DRIFT * share, low + (high - low) * share)

    bearings = np.array([place(k / (BEARINGS - 1))[[0, 2]] for k in range(BEARINGS)])
    bearings /= np.sqrt((bearings * bearings).sum(axis=1, keepdims=True))
    times = np.arange(0.0, birth_s + length_s + STEP_S, STEP_S)
    heights = np.array([place(share_at(t))[1] for t in times])
    return Daylight(lambda t: place(share_at(t)), share_at, bearings, _adapted(_wanted(heights)))


def over_planet(
    seed: int,
    sun: np.ndarray,
    radius_m: float,
    flight: Flight,
    birth_s: float,
    seconds: float,
    nightfall: float = NIGHTFALL,
) -> Daylight:
    """The sun of a planet: at rest, unless it would stand high where the flight is low (then it sinks on the way down) and,
    in the share `nightfall` of all seeds, sinking below the horizon of the flight's last part.

    `flight` over all of `seconds`, its birth the first `birth_s`. The sky that the birth turns is the stage's affair.
    """
    times = np.arange(0.0, seconds + STEP_S, STEP_S)
    eyes = np.stack([flight.pose(t).position for t in times])
    away = np.sqrt((eyes * eyes).sum(axis=1))
    lowest = min(int(np.argmin(away)), len(times) - 2)
    ahead = eyes[lowest + 1] - eyes[lowest]
    near_ground = away[lowest] < radius_m + NEAR_M
    day = _sinking(sun, eyes[lowest] / away[lowest], ahead) if near_ground else lambda share: sun
    low = day(1.0)
    last = flight.pose(seconds).position
    up = last / length(last)
    height = float(np.arcsin(np.clip(up @ low, -1.0, 1.0)))
    sinks = hashing.uniform(seed, STREAM, 0) < nightfall
    angle = max(height - AFTER_SUNSET, 0.0) if sinks else 0.0
    axis = cross(up, low)
    axis = axis / max(length(axis), 1e-9)
    start = birth_s + 0.42 * (seconds - birth_s)
    way_down = max(SUNK_BY * (float(times[lowest]) - birth_s), 1.0)

    def sun_at(t: float) -> np.ndarray:
        here = day(ease((t - birth_s) / way_down))
        share = ease((t - start) / max(seconds - start, 1.0))
        return rotation(axis, angle * share) @ here if share > 0.0 and angle > 0.0 else here

    heights = np.array([eye @ sun_at(t) for eye, t in zip(eyes, times, strict=True)]) / away
    near = np.exp(-np.maximum(away - radius_m, 0.0) / (0.35 * radius_m))
    return Daylight(sun_at, exposures=_adapted(_wanted(heights) ** near))


def _sinking(sun: np.ndarray, up: np.ndarray, ahead: np.ndarray) -> Callable[[float], np.ndarray]:
    """The sun by the share, 0..1, of its way to HIGHEST_SUN or less over the place `up`: about the way `ahead`, so that it
    stands beside it, and neither rises nor sets along it."""
    right = cross(ahead, up)
    right = right / max(length(right), 1e-9)
    way = cross(up, right)
    over, beside = float(sun @ up), float(sun @ right)
    radius = np.hypot(over, beside)
    if over <= np.sin(HIGHEST_SUN):
        return lambda share: sun
    first = np.arctan2(abs(beside), over)
    last = np.arccos(np.sin(HIGHEST_SUN) / radius)
    side = right if beside >= 0.0 else -right

    def place(share: float) -> np.ndarray:
        angle = first + (last - first) * share
        return (sun @ way) * way + radius * (np.cos(angle) * up + np.sin(angle) * side)

    return lambda share: sun if share <= 0.0 else place(share)


def from_angles(azimuth: float, elevation: float) -> np.ndarray:
    """The unit vector of an azimuth, from x towards z, and an elevation, in radians."""
    c = np.cos(elevation)
    return np.array([np.cos(azimuth) * c, np.sin(elevation), np.sin(azimuth) * c])


def _elevations(seed: int, first: float) -> tuple[float, float]:
    """Radians that the sun stands high at first and at last."""
    pick, x, y = (hashing.uniform(seed, STREAM, k) for k in range(3))
    early, late = next((early, late) for upto, early, late in EVENINGS if pick < upto)
    if early is None:
        return first, first * (late[0] + (late[1] - late[0]) * y)
    return np.radians(early[0] + (early[1] - early[0]) * x), np.radians(late[0] + (late[1] - late[0]) * y)


def _wanted(sines: np.ndarray) -> np.ndarray:
    """The factor for eyes fully used to the light, by the sines (k,) of the sun's elevation."""
    return np.exp(np.interp(np.degrees(np.arcsin(np.clip(sines, -1.0, 1.0))), ELEVATIONS, np.log(OPENING)))


def _adapted(wanted: np.ndarray) -> np.ndarray:
    """`wanted` (k,), every STEP_S, as an eye follows it that takes ADAPTING_S."""
    keep = float(np.exp(-STEP_S / ADAPTING_S))
    out = wanted.copy()
    for k in range(1, len(out)):
        out[k] = wanted[k] + (out[k - 1] - wanted[k]) * keep
    return out
