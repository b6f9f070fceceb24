"""Daylight: where the sun stands in a story, and how far the eye has opened for its light.

Both are pure functions of the story's time, so any moment can be drawn alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from ..flight.paths import Flight
from ..maths.easing import ease, even
from ..maths.vectors import cross, length, rotation, slerp
from ..worlds import hashing
from . import hourly_light
from .hours import Hour

STREAM = 103
# Radiance outside the air, of the sun and of the moon, which a night is exposed for: bluish, as the eye takes it.
SUN_COLOUR = np.array([1.0, 0.97, 0.92]) * 5.0
MOON_COLOUR = np.array([0.62, 0.80, 1.10]) * 1.35
# From above, where there is more of black space to see, the eye is open wider.
PLANET_MOON = 1.8
# Worlds keep their horizons for this many places of the sun: a terrain's evenly over the sun's way, a planet's for the sun
# of the birth, of the low flight, and of the end.
BEARINGS = 3
# How far the sun moves round a terrain's sky during a flight, radians.
DRIFT = np.radians(34.0)
# The share of the flight at either end over which the sun starts and stops.
GENTLE = 0.12
# How the sun rises or sinks: (the share of seeds up to which this holds, its elevation at first, its elevation at last),
# from the least to the most degrees. None: the scene's elevation at first, and a share of that at last.
EVENINGS = (
    (0.30, None, (0.45, 0.7)),
    (0.54, (12.0, 16.0), (3.0, 5.0)),
    (0.82, (11.0, 14.0), (-3.4, -1.6)),
    (1.00, (5.0, 7.0), (17.0, 24.0)),
)
# The factor by which the eye opens, by degrees of the sun's elevation. Light falls faster than that, so night stays dark.
ELEVATIONS, OPENING = (-10.0, -5.0, 0.0, 4.0, 14.0), (6.0, 4.6, 2.7, 1.7, 1.0)
# The eye's time constant, and the time between two values of `exposures`.
ADAPTING_S, STEP_S = 3.0, 0.5
# The share of planets on which the sun sinks at the end of the flight; its elevation then where the flight ends far above
# the ground, and near it, where the land should still be seen; the share of the flight from which it sinks.
NIGHTFALL, AFTER_SUNSET, EVENING, SINKS_FROM = 0.55, np.radians(-7.0), np.radians(2.0), 0.62
# A flight within NEAR_M of the ground sees relief. There the sun stands at most at HIGHEST_SUN, to which it has sunk by the
# share SUNK_BY of the way down.
NEAR_M, HIGHEST_SUN, SUNK_BY = 15_000.0, np.radians(17.0), 0.75


@dataclass(frozen=True)
class Daylight:
    """The light of a story.

    `sun_at(t)`: unit float64 (3,) towards the sun at t seconds; `share_at(t)`: how far it is on its way, 0..1.
    `bearings`: unit float64 (BEARINGS, 2), x and z towards the sun at shares from 0 to 1; empty over planets.
    `suns`: unit float64 (BEARINGS, 3) towards the sun at shares from 0 to 1; empty over terrains.
    `exposures`: (k,), the factor by which the eye has opened, every STEP_S seconds.
    `night_at(t)`: how far the sun in all of this is the moon, 0..1, and `moon`: (3,), what that radiates then.
    """

    sun_at: Callable[[float], np.ndarray]
    share_at: Callable[[float], float] = lambda t: 0.0
    bearings: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    suns: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    exposures: np.ndarray = field(default_factory=lambda: np.ones(1))
    night_at: Callable[[float], float] = lambda t: 0.0
    moon: np.ndarray = field(default_factory=lambda: MOON_COLOUR)

    def colour(self, t: float) -> np.ndarray:
        """The radiance (3,) of the sun or moon outside the air at time t."""
        return SUN_COLOUR + (self.moon - SUN_COLOUR) * self.night_at(t)

    def exposure(self, t: float) -> float:
        """The factor by which the eye has opened at time t, from 1."""
        x = min(max(t / STEP_S, 0.0), len(self.exposures) - 1.0)
        k = min(int(x), len(self.exposures) - 2) if len(self.exposures) > 1 else 0
        after = self.exposures[min(k + 1, len(self.exposures) - 1)]
        return float(self.exposures[k] + (after - self.exposures[k]) * (x - k))

    def weights(self, t: float) -> tuple[float, ...]:
        """The weights (BEARINGS,) of the bearings' horizons at time t; their sum is 1."""
        x = self.share_at(t) * (BEARINGS - 1)
        return tuple(max(0.0, 1.0 - abs(x - k)) for k in range(BEARINGS))


def over_terrain(
    seed: int, first: float, azimuth: float, birth_s: float, length_s: float, hour: Hour | None = None
) -> Daylight:
    """The sun of a terrain: it rests during the birth, and drifts during the `length_s` seconds after it.

    It stands at `azimuth` and at the elevation `first`, both radians, unless the seed wants an evening or a morning, or
    there is an `hour` to follow.
    """
    low, high = _elevations(seed, first) if hour is None else hourly_light.elevations(seed, hour)
    side = 1.0 if hashing.uniform(seed, STREAM, 3) < 0.5 else -1.0

    def share_at(t: float) -> float:
        return even((t - birth_s) / length_s, GENTLE)

    def place(share: float) -> np.ndarray:
        return from_angles(azimuth + side * DRIFT * share, low + (high - low) * share)

    bearings = np.array([place(k / (BEARINGS - 1))[[0, 2]] for k in range(BEARINGS)])
    bearings /= np.sqrt((bearings * bearings).sum(axis=1, keepdims=True))
    times = np.arange(0.0, birth_s + length_s + STEP_S, STEP_S)
    heights = np.array([place(share_at(t))[1] for t in times])
    night = float(hourly_light.moonlit(hour))
    return Daylight(
        lambda t: place(share_at(t)), share_at, bearings, exposures=adapted(_wanted(heights)), night_at=lambda t: night
    )


def over_planet(
    seed: int,
    sun: np.ndarray,
    radius_m: float,
    flight: Flight,
    birth_s: float,
    seconds: float,
    nightfall: float = NIGHTFALL,
    hour: Hour | None = None,
) -> Daylight:
    """The sun of a planet: it rests at `sun`, unit (3,), with two exceptions.

    Where it would stand high over a low flight it sinks on the way down. For the share `nightfall` of the seeds it sinks
    below the horizon of the flight's last part. `flight` is the whole one over `seconds`, the birth the first `birth_s` of
    them. How the sky turns during the birth is not in here. With an `hour` it moves on the way down to that hour's
    elevation over the eye, and stays there: in space it shines at night as well.
    """
    times = np.arange(0.0, seconds + STEP_S, STEP_S)
    eyes = np.stack([flight.pose(t).position for t in times])
    away = np.sqrt((eyes * eyes).sum(axis=1))
    lowest = min(int(np.argmin(away)), len(times) - 2)
    up, ahead = eyes[lowest] / away[lowest], eyes[lowest + 1] - eyes[lowest]
    way_down = max(SUNK_BY * (float(times[lowest]) - birth_s), 1.0)
    if hour is not None:
        way_down = hourly_light.way_down_s(times - birth_s, away / radius_m, way_down)

    def sunk(t: float) -> float:
        return ease((t - birth_s) / way_down)

    if hour is None:
        near_ground = away[lowest] < radius_m + NEAR_M
        day = _sinking(sun, up, ahead) if near_ground else lambda share: sun
        last = flight.pose(seconds).position
        axis, angle = _setting(seed, day(1.0), last, nightfall, length(last) < radius_m + NEAR_M)
        begins = birth_s + SINKS_FROM * (seconds - birth_s)
        set_ = _setting_share(begins, max(seconds - begins, 1.0), angle)
        suns = np.stack([sun, day(1.0), rotation(axis, angle) @ day(1.0)])
        light = Daylight(
            lambda t: rotation(axis, angle * set_(t)) @ day(sunk(t)) if set_(t) > 0.0 else day(sunk(t)),
            lambda t: 0.5 * (sunk(t) + set_(t)),
            suns=suns,
        )
    else:
        light = _at_hour(
            seed, hour, sun, hourly_light.aside(hour, sun, up, ahead), flight, radius_m, sunk, (birth_s + way_down, seconds)
        )
    heights = np.array([eye @ light.sun_at(t) for eye, t in zip(eyes, times, strict=True)]) / away
    near = np.exp(-np.maximum(away - radius_m, 0.0) / (0.35 * radius_m))
    return replace(light, exposures=adapted(_wanted(heights) ** near))


def _setting_share(begins: float, lasts: float, angle: float) -> Callable[[float], float]:
    """How far the sun has set, 0..1, by time; never where the `angle` is none."""
    return lambda t: ease((t - begins) / lasts) if angle > 0.0 else 0.0


def _at_hour(
    seed: int,
    hour: Hour,
    sun: np.ndarray,
    level: np.ndarray,
    flight: Flight,
    radius_m: float,
    sunk: Callable[[float], float],
    ends: tuple[float, float],
) -> Daylight:
    """A planet's light that comes from `sun` to an hour's elevation over the eye, by the share `sunk(t)` of its way.

    `level`: its azimuth there, as a direction. `ends`: when it has come there, and the end of the flight, seconds.
    """
    stands = float(np.mean(hourly_light.elevations(seed, hour)))

    def sun_at(t: float) -> np.ndarray:
        eye = flight.pose(t).position
        return slerp(sun, hourly_light.at_elevation(level, eye, stands - hourly_light.dip_of(eye, radius_m, hour)), sunk(t))

    there, end = ends

    def share_at(t: float) -> float:
        return 0.5 * (sunk(t) + ease((t - there) / max(end - there, 1.0)))

    suns = np.stack([sun, sun_at(there), sun_at(end)])
    night_at = sunk if hourly_light.moonlit(hour) else lambda t: 0.0
    return Daylight(sun_at, share_at, suns=suns, night_at=night_at, moon=PLANET_MOON * MOON_COLOUR)


def _setting(seed: int, low: np.ndarray, last: np.ndarray, nightfall: float, near: bool) -> tuple[np.ndarray, float]:
    """Axis and angle, radians, by which a sun at `low` sinks below the horizon of `last`, or, where that is `near` the
    ground, almost; 0 where it does not sink."""
    up = last / length(last)
    height = float(np.arcsin(np.clip(up @ low, -1.0, 1.0)))
    sinks = hashing.uniform(seed, STREAM, 0) < nightfall
    axis = cross(up, low)
    return axis / max(length(axis), 1e-9), max(height - (EVENING if near else AFTER_SUNSET), 0.0) if sinks else 0.0


def _sinking(sun: np.ndarray, up: np.ndarray, ahead: np.ndarray) -> Callable[[float], np.ndarray]:
    """The sun by the share, 0..1, of its way down to HIGHEST_SUN over the place `up`.

    It turns about the way `ahead`, and so comes to stand beside it.
    """
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
    """The unit vector (3,) of an azimuth, from x towards z, and an elevation, in radians."""
    c = np.cos(elevation)
    return np.array([np.cos(azimuth) * c, np.sin(elevation), np.sin(azimuth) * c])


def _elevations(seed: int, first: float) -> tuple[float, float]:
    """The sun's elevations at first and at last, radians."""
    pick, x, y = (hashing.uniform(seed, STREAM, k) for k in range(3))
    early, late = next((early, late) for upto, early, late in EVENINGS if pick < upto)
    if early is None:
        return first, first * (late[0] + (late[1] - late[0]) * y)
    return np.radians(early[0] + (early[1] - early[0]) * x), np.radians(late[0] + (late[1] - late[0]) * y)


def _wanted(sines: np.ndarray) -> np.ndarray:
    """The exposure (k,) of an eye fully adapted to the light, by the sines (k,) of the sun's elevation."""
    return np.exp(np.interp(np.degrees(np.arcsin(np.clip(sines, -1.0, 1.0))), ELEVATIONS, np.log(OPENING)))


def adapted(wanted: np.ndarray) -> np.ndarray:
    """The exposure (k,) of an eye that follows `wanted` (k,), every STEP_S, with the time constant ADAPTING_S."""
    keep = float(np.exp(-STEP_S / ADAPTING_S))
    out = wanted.copy()
    for k in range(1, len(out)):
        out[k] = wanted[k] + (out[k - 1] - wanted[k]) * keep
    return out
