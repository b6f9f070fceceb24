"""Moon and rings: some worlds have them. The seed chooses, and the flight decides where the moon stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..flight.paths import Flight
from ..ground.ground import UP, Ground
from ..maths.easing import smoothstep
from ..maths.vectors import cross, length
from ..worlds import hashing

STREAM, BAND_STREAM = 140, 141
# The share of worlds with a moon, and of planets with rings.
MOONS, RINGS = 0.5, 0.36
# From the least to the most, in radians: a moon's radius, its angle beside the way, its height above the horizon; how much
# rings lean.
PLANET_MOON, TERRAIN_MOON = np.radians((1.5, 2.8)), np.radians((0.9, 1.6))
ASIDE, ABOVE, LEAN = np.radians((6.0, 15.0)), np.radians((6.0, 12.0)), np.radians((8.0, 24.0))
# The moon is placed for this share of the flight.
SEEN_AT = 0.62
BANDS = 256
# The share of the sun's light that rings without gaps would take; as in rings.glsl.
SHADE = 0.85


@dataclass(frozen=True)
class Moon:
    """A moon at infinity.

    `direction`: unit (3,) towards it; `radius`: radians; `face`: (3,), where its surface lies in the volume of noise.
    """

    direction: np.ndarray
    radius: float
    face: np.ndarray


@dataclass(frozen=True)
class Rings:
    """The rings of a planet.

    `axis`: unit (3,); `inner`, `outer`: in radii of the planet; `bands`: uint8 (BANDS, 4), linear colour and opacity from
    the inner to the outer edge.
    """

    axis: np.ndarray
    inner: float
    outer: float
    bands: np.ndarray

    def passed(self, place: np.ndarray, sun: np.ndarray) -> np.ndarray:
        """The share (...) of sunlight that passes to places (..., 3) in radii; `sun`: unit (..., 3). As in rings.glsl."""
        rise, over = sun @ self.axis, place @ self.axis
        way = -over / np.where(np.abs(rise) < 1e-4, 1e-4, rise)
        met = place + sun * way[..., None]
        x = (np.sqrt((met * met).sum(axis=-1)) - self.inner) / (self.outer - self.inner) * len(self.bands) - 0.5
        opaque = np.interp(x, np.arange(len(self.bands)), self.bands[:, 3] / 255.0, left=0.0, right=0.0)
        return 1.0 - np.where(way > 0.0, SHADE * opaque, 0.0)


@dataclass(frozen=True)
class MoonAndRings:
    """The moon and the rings of a world; None where it has none."""

    moon: Moon | None = None
    rings: Rings | None = None


def moon_and_rings_of(ground: Ground, seed: int, flight: Flight, birth_s: float, seconds: float) -> MoonAndRings:
    """Those of a world of `seed`, for a `flight` with its birth over `seconds`, the birth the first `birth_s` of them."""
    moon = rings = None
    if hashing.uniform(seed, STREAM, 0) < MOONS:
        moon = _moon(ground, seed, flight, birth_s + SEEN_AT * (seconds - birth_s))
    if ground.atlas.spherical and hashing.uniform(seed, STREAM, 1) < RINGS:
        rings = _rings(seed)
    return MoonAndRings(moon, rings)


def _moon(ground: Ground, seed: int, flight: Flight, t: float) -> Moon:
    """A moon a little above the horizon and beside the way at t seconds."""
    pose = flight.pose(t)
    low, high = PLANET_MOON if ground.atlas.spherical else TERRAIN_MOON
    up, dip = UP, 0.0
    if ground.atlas.spherical:
        away = length(pose.position)
        up, dip = pose.position / away, float(np.arccos(min(ground.size_m / away, 1.0)))
    level = pose.forward - (pose.forward @ up) * up
    long = length(level)
    # In a view straight down the picture's up is the way ahead.
    level = level / long if long > 0.05 else pose.up
    u = hashing.uniforms(seed, STREAM, 8, start=2)
    side = 1.0 if u[0] < 0.5 else -1.0
    aside = side * (ASIDE[0] + (ASIDE[1] - ASIDE[0]) * u[1])
    rise = ABOVE[0] + (ABOVE[1] - ABOVE[0]) * u[2] - dip
    ahead = level * np.cos(aside) + cross(up, level) * np.sin(aside)
    direction = ahead * np.cos(rise) + up * np.sin(rise)
    return Moon(direction / length(direction), low + (high - low) * u[3], u[4:7])


def _rings(seed: int) -> Rings:
    u = hashing.uniforms(seed, STREAM, 5, start=16)
    lean = LEAN[0] + (LEAN[1] - LEAN[0]) * u[0]
    turn = 2.0 * np.pi * u[1]
    axis = np.array([np.sin(lean) * np.cos(turn), np.cos(lean), np.sin(lean) * np.sin(turn)])
    inner = 1.28 + 0.2 * u[2]
    return Rings(axis, inner, inner + 0.62 + 0.4 * u[3], ring_bands(seed))


def ring_bands(seed: int) -> np.ndarray:
    """Colour and opacity from the inner to the outer edge, uint8 (BANDS, 4): noise at several scales, with two gaps."""
    x = (np.arange(BANDS) + 0.5) / BANDS
    u = hashing.uniforms(seed, BAND_STREAM, 16)
    dense = 0.25 + 0.75 * _waves(seed, x, 1, 5) * (0.65 + 0.5 * _waves(seed, x, 2, 60))
    dense *= 0.35 + 0.65 * np.clip((x - 0.12 - 0.2 * u[0]) / 0.06, 0.0, 1.0)
    for k in range(2):
        middle, width = 0.35 + 0.5 * u[1 + k], 0.008 + 0.03 * u[3 + k]
        dense *= 1.0 - 0.92 * np.exp(-(((x - middle) / width) ** 4))
    dense *= np.clip(x / 0.05, 0.0, 1.0) * np.clip((1.0 - x) / 0.03, 0.0, 1.0)
    warm = _waves(seed, x, 3, 9)[:, None]
    tint = np.array([0.80, 0.70, 0.56]) * warm + np.array([0.74, 0.74, 0.76]) * (1.0 - warm)
    tint *= 0.75 + 0.25 * _waves(seed, x, 4, 90)[:, None]
    return np.round(np.column_stack([tint, np.clip(dense, 0.0, 0.95)]) * 255.0).astype(np.uint8)


def _waves(seed: int, x: np.ndarray, stream: int, count: int) -> np.ndarray:
    """Smooth noise at `x` in 0..1, with `count` values over that span, each 0..1."""
    values = hashing.uniforms(seed, BAND_STREAM + stream, count + 2)
    at = x * count
    i = at.astype(np.intp)
    f = smoothstep(at - i)
    return values[i] * (1.0 - f) + values[i + 1] * f
