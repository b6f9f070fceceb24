"""Temperature on any atlas: of planets by latitude and height, of terrains by the seed and height."""

from __future__ import annotations

import numpy as np

from ..atlas import Atlas
from ..hashing import uniform
from .laws import LAPSE_C_PER_M, at_sea_c

# What the highest land counts where heights are in no metres: of a planet and of a terrain. The show draws planets' relief
# higher than that, so that it can be seen from orbit.
PLANET_M, TERRAIN_M = 5500.0, 3600.0
# The least and the most at the level of a terrain's sea, by its seed.
TERRAIN_C = (4.0, 13.0)
# Tables' values are rounded to 2^-20: a processor may fuse their sums and products, and heights must not hear of it.
ROUND = 2.0**20
_STREAM_TERRAIN = 36


def metres_of(atlas: Atlas, unit: str, highest: float) -> float:
    """How many metres the climate counts for a unit of heights, of which the highest land is `highest` above the sea."""
    if unit == "m":
        return 1.0
    return (PLANET_M if atlas.spherical else TERRAIN_M) / max(highest, 1e-9)


def sea_level_c(atlas: Atlas, xyz: np.ndarray, seed: int) -> np.ndarray:
    """Yearly mean at the level of the sea at positions float64 (..., 3), in degrees Celsius: float64 (...)."""
    if atlas.spherical:
        return np.rint(at_sea_c(xyz[..., 1] ** 2) * ROUND) / ROUND
    low, high = TERRAIN_C
    return np.full(xyz.shape[:-1], low + (high - low) * uniform(seed, _STREAM_TERRAIN, 0))


def temperature_c(atlas: Atlas, xyz: np.ndarray, above_m: np.ndarray, seed: int) -> np.ndarray:
    """Yearly mean at positions float64 (..., 3) and metres above the sea (...): float64 (...). The sea has its surface's."""
    return sea_level_c(atlas, xyz, seed) - LAPSE_C_PER_M * np.maximum(above_m, 0.0)
