"""Sunlight: the table of the light that the air leaves of the sun's, by altitude and angle."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..ground.air import Air

# The table's columns and rows, and the steps of the integral along a ray.
WIDTH, HEIGHT, STEPS = 128, 32, 96
# How much columns crowd around the horizon, where the light changes fastest.
BEND = 8.0
# Radians. The sun is a disc: its edge blurs the shadow of the horizon.
SUN_RADIUS = 0.0047


@lru_cache(maxsize=8)
def sunlight_table(air: Air) -> np.ndarray:
    """Transmittance towards the sun as RGB and an unused channel, float32 (HEIGHT, WIDTH, 4), each 0..1.

    Rows are even in sqrt(altitude / height of the air), columns in 0.5 + 0.5 atan(BEND c) / atan(BEND), where c is the
    cosine of the sun's zenith angle. The optical depth is integrated numerically.

    Cached, for it takes some 50 ms and all worlds of a scene have one air. Nobody may write to the array.
    """
    cosine = np.tan((np.linspace(0, 1, WIDTH) * 2 - 1) * np.arctan(BEND)) / BEND
    altitude = (np.linspace(0, 1, HEIGHT) ** 2 * air.height_m)[:, None]
    # A row at a time: all steps of all of them would take 30 MB.
    rows = [optical_depth(air, row, cosine[None, :]) for row in altitude[:, None]]
    depth = [np.concatenate(part) for part in zip(*rows, strict=True)]
    radius = air.ground_radius_m + altitude
    horizon = -np.sqrt(np.maximum(1.0 - (air.ground_radius_m / radius) ** 2, 0.0))
    seen = np.clip((cosine - horizon) / (2 * max(SUN_RADIUS, 0.02)) + 0.5, 0.0, 1.0)
    table = np.zeros((HEIGHT, WIDTH, 4), np.float32)
    table[..., :3] = np.exp(-np.minimum(air.extinction(*depth), 60.0))
    table[..., :3] *= seen[..., None]
    return table


def optical_depth(
    air: Air, altitude: np.ndarray, cosine: np.ndarray, steps: int = STEPS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(molecules, dust, ozone): metres of density 1, see `Air.densities`, from points to the top of the air; float64 (...).

    `altitude`: (...) metres; `cosine`: (...) of the zenith angle of the ray; `steps`: of the numeric integral. A ray that
    meets the ground is followed as if it were air: the caller hides what lies behind.
    """
    altitude, cosine = np.broadcast_arrays(np.asarray(altitude, np.float64), np.asarray(cosine, np.float64))
    radius = air.ground_radius_m + altitude
    top = air.ground_radius_m + air.height_m
    way = -radius * cosine + np.sqrt(np.maximum(top**2 - radius**2 * (1 - cosine**2), 0.0))
    edges = np.linspace(0, 1, steps + 1) ** 2
    x = 0.5 * (edges[1:] + edges[:-1]) * way[..., None]
    width = np.diff(edges) * way[..., None]
    here = np.sqrt(radius[..., None] ** 2 + x * x + 2 * radius[..., None] * cosine[..., None] * x) - air.ground_radius_m
    here = np.maximum(here, 0.0)
    molecules, dust, ozone = ((density * width).sum(axis=-1) for density in air.densities(here))
    return molecules, dust, ozone
