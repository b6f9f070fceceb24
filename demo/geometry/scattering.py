"""Scattering: the table of the light that has been scattered more than once, by altitude and angle of the sun."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..ground.air import Air
from .sunlight import BEND, HEIGHT, WIDTH, sunlight_table

# Directions over the sphere, and steps along each ray; altitudes and angles of the sun that are worked out. Between them
# the table is interpolated: it has no edges.
ZENITHS, AZIMUTHS, STEPS = 8, 4, 16
ALTITUDES, ANGLES = 12, 64
# The share of light that the ground returns, evenly to all sides: of seas with some land.
GROUND_ALBEDO = 0.2


@lru_cache(maxsize=8)
def scattering_table(air: Air) -> np.ndarray:
    """Light scattered more than once, float32 (HEIGHT, WIDTH, 4), RGB and an unused channel, for a sun of irradiance 1.

    It is the radiance that a place in the air sees in the mean over all directions, less what comes from the sun itself.
    Times the scattering per metre it is what a metre of air sends on to every side. Rows and columns are those of
    `sunlight_table`. The second order is integrated; all others follow as a geometric series (S. Hillaire, "A Scalable and
    Production Ready Sky and Atmosphere Rendering Technique", 2020).

    Cached like `sunlight_table`. Nobody may write to the array.
    """
    altitude = np.linspace(0.0, 1.0, ALTITUDES) ** 2 * air.height_m
    cosine = np.tan((np.linspace(0.0, 1.0, ANGLES) * 2.0 - 1.0) * np.arctan(BEND)) / BEND
    second = np.zeros((ALTITUDES, ANGLES, 3))
    again = np.zeros((ALTITUDES, 3))
    sines, weights = np.polynomial.legendre.leggauss(ZENITHS)
    for sine, weight in zip(sines, weights, strict=True):
        light, share = _along(air, altitude, sine, cosine)
        second += 0.5 * weight * light
        again += 0.5 * weight * share
    whole = second / (1.0 - again)[:, None]
    table = np.zeros((HEIGHT, WIDTH, 4), np.float32)
    table[..., :3] = _resampled(whole)
    return table


def air_table(air: Air) -> np.ndarray:
    """Both tables as the shaders take them, float32 (2 HEIGHT, WIDTH, 4): sunlight's below, scattering's above."""
    return np.concatenate([sunlight_table(air), scattering_table(air)])


def _along(air: Air, altitude: np.ndarray, sine: float, cosine: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Over rays of one elevation: the light of the second order, (a, c, 3), and the share of light that comes back, (a, 3).

    `altitude`: (a,) metres, where the rays begin; `sine`: of their elevation; `cosine`: (c,) of the sun's zenith angle.
    """
    way, (molecules, dust, ozone), ground = _samples(air, altitude, sine)
    tau = air.extinction(molecules, dust, ozone)
    scattered = molecules[..., None] * np.array(air.rayleigh) + dust[..., None] * np.array(air.mie)
    before = np.cumsum(tau, axis=1) - tau
    passed = np.exp(-before) * -np.expm1(-tau) / np.maximum(tau, 1e-12) * scattered
    left = np.exp(-tau.sum(axis=1)) * ground[:, None]
    angle = (np.arange(AZIMUTHS) + 0.5) * np.pi / AZIMUTHS
    sun_side = np.sqrt(1.0 - cosine**2)[:, None] * np.cos(angle) * np.sqrt(1.0 - sine**2) + cosine[:, None] * sine
    light = np.zeros((len(altitude), len(cosine), 3))
    radius = air.ground_radius_m + altitude
    # The last place is the ray's end, where the ground may be.
    for k, x in enumerate((way / radius[:, None]).T):
        r = np.sqrt(1.0 + x * x + 2.0 * x * sine)
        height = np.maximum(radius * r - air.ground_radius_m, 0.0)
        zenith = (cosine[:, None] + x[:, None, None] * sun_side) / r[:, None, None]
        sun = _sunlight(air, height[:, None, None], zenith)
        if k < STEPS:
            light += sun.mean(axis=2) * passed[:, k, None] / (4.0 * np.pi)
        else:
            light += (sun * np.maximum(zenith, 0.0)[..., None]).mean(axis=2) * left[:, None] * (GROUND_ALBEDO / np.pi)
    return light, passed.sum(axis=1)


def _samples(air: Air, altitude: np.ndarray, sine: float) -> tuple[np.ndarray, tuple[np.ndarray, ...], np.ndarray]:
    """Places along rays: metres from their beginning, (a, STEPS + 1) with the end; metres of molecules, dust and ozone as in
    `optical_depth`, (a, STEPS) each; and whether the rays end at the ground, (a,)."""
    radius, top = air.ground_radius_m + altitude, air.ground_radius_m + air.height_m
    along = radius * sine
    to_ground = along**2 - altitude * (radius + air.ground_radius_m)
    ground = (to_ground > 0.0) & (sine < 0.0)
    to_top = -along + np.sqrt(np.maximum(along**2 + (top - radius) * (top + radius), 0.0))
    length = np.where(ground, -along - np.sqrt(np.maximum(to_ground, 0.0)), to_top)
    edges = np.linspace(0.0, 1.0, STEPS + 1) ** (2.0 if sine > 0.0 else 1.0)
    middle, width = 0.5 * (edges[1:] + edges[:-1]), np.diff(edges)
    way = np.append(middle, 1.0) * length[:, None]
    r = np.sqrt(radius[:, None] ** 2 + way**2 + 2.0 * along[:, None] * way)
    height = np.maximum(r - air.ground_radius_m, 0.0)[:, :-1]
    wide = width * length[:, None]
    return way, tuple(density * wide for density in air.densities(height)), ground


def _sunlight(air: Air, altitude: np.ndarray, cosine: np.ndarray) -> np.ndarray:
    """The table of sunlight at altitudes and cosines, blended between its places: (..., 3)."""
    table = sunlight_table(air)[..., :3]
    x = (0.5 + 0.5 * np.arctan(cosine * BEND) / np.arctan(BEND)) * (WIDTH - 1)
    y = np.sqrt(np.clip(altitude / air.height_m, 0.0, 1.0)) * (HEIGHT - 1)
    i, j = np.clip(x.astype(int), 0, WIDTH - 2), np.clip(y.astype(int), 0, HEIGHT - 2)
    across, up = (x - i)[..., None], (y - j)[..., None]
    low = table[j, i] + (table[j, i + 1] - table[j, i]) * across
    high = table[j + 1, i] + (table[j + 1, i + 1] - table[j + 1, i]) * across
    return low + (high - low) * up


def _resampled(values: np.ndarray) -> np.ndarray:
    """(ALTITUDES, ANGLES, 3) at as many rows and columns as the table of sunlight has."""
    for axis, count in ((0, HEIGHT), (1, WIDTH)):
        at = np.linspace(0.0, values.shape[axis] - 1.0, count)
        first = np.minimum(at.astype(int), values.shape[axis] - 2)
        share = (at - first).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        values = np.take(values, first, axis) * (1.0 - share) + np.take(values, first + 1, axis) * share
    return values
