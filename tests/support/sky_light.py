"""The light of the air along rays, by integration in many equal steps: what tables are held against. Plain numpy."""

from __future__ import annotations

import numpy as np

from demo.geometry.sunlight import BEND, sunlight_table
from demo.ground.air import Air


def molecule_lobe(mu: np.ndarray) -> np.ndarray:
    """The share that molecules scatter by the cosine of the angle, per steradian."""
    return 3.0 / (16.0 * np.pi) * (1.0 + mu * mu)


def dust_lobes(air: Air, mu: np.ndarray) -> np.ndarray:
    """The shares (k, 3) that dust scatters by the cosines (k,) of the angle, per steradian (Cornette and Shanks, 1992)."""
    mu, g = mu[:, None], np.array(air.mie_forward)
    lobe = (1.0 - g * g) * (1.0 + mu * mu) / ((2.0 + g * g) * (1.0 + g * g - 2.0 * g * mu) ** 1.5)
    return 3.0 / (8.0 * np.pi) * lobe


def table_light(air: Air, altitude: np.ndarray, cosine: np.ndarray, table: np.ndarray) -> np.ndarray:
    """A table of an air, (..., 3) at altitudes and cosines (...), interpolated."""
    x = (0.5 + 0.5 * np.arctan(cosine * BEND) / np.arctan(BEND)) * (table.shape[1] - 1)
    y = np.sqrt(np.clip(altitude / air.height_m, 0.0, 1.0)) * (table.shape[0] - 1)
    i = np.clip(x.astype(int), 0, table.shape[1] - 2)
    j = np.clip(y.astype(int), 0, table.shape[0] - 2)
    fx, fy = (x - i)[..., None], (y - j)[..., None]
    lower = table[j, i] * (1.0 - fx) + table[j, i + 1] * fx
    upper = table[j + 1, i] * (1.0 - fx) + table[j + 1, i + 1] * fx
    return (lower * (1.0 - fy) + upper * fy)[..., :3]


def air_light(air: Air, altitude: float, rays: np.ndarray, sun: np.ndarray, scattered: np.ndarray, steps: int) -> np.ndarray:
    """The light (k, 3) along unit rays (k, 3) that miss the ground, under a sun of irradiance 1. The zenith is y.

    `scattered`: the table of light scattered more than once; zeros for light scattered once.
    """
    radius, top = air.ground_radius_m + altitude, air.ground_radius_m + air.height_m
    along, mu = radius * rays[:, 1], rays @ sun
    root = np.sqrt(np.maximum(along * along - radius * radius + top * top, 0.0))
    near, far = np.maximum(-along - root, 0.0), np.maximum(-along + root, 0.0)
    width = (far - near) / steps
    molecules = np.array(air.rayleigh) * molecule_lobe(mu)[:, None]
    dust = np.array(air.mie) * dust_lobes(air, mu)
    light, depth = np.zeros((len(rays), 3)), np.zeros((len(rays), 3))
    for step in range(steps):
        way = near + (step + 0.5) * width
        r = np.sqrt(radius**2 + way**2 + 2.0 * along * way)
        cosine, high = (radius * sun[1] + way * mu) / r, np.maximum(r - air.ground_radius_m, 0.0)
        m, d, o = (density * width for density in air.densities(high))
        here = (
            np.array(air.rayleigh) * m[:, None]
            + np.array(air.mie_extinction) * d[:, None]
            + np.array(air.absorption) * o[:, None]
        )
        once = molecules * m[:, None] + dust * d[:, None]
        further = np.array(air.rayleigh) * m[:, None] + np.array(air.mie) * d[:, None]
        sent = (
            table_light(air, high, cosine, sunlight_table(air)) * once + table_light(air, high, cosine, scattered) * further
        )
        light += sent * np.exp(-depth - 0.5 * here)
        depth += here
    return light
