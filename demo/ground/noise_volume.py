"""The volume of smooth noise that varies colours everywhere. Plain numpy."""

from __future__ import annotations

import numpy as np

from ..worlds import hashing

SEED = 20_071_201
# One period of it, in radii or extents.
PERIOD = 3.5


def noise_volume(side: int = 32) -> np.ndarray:
    """Four independent fields of smooth noise, uint8 (side, side, side, 4), which repeat along all three axes."""
    count = side**3 * 4
    values = hashing.uniforms(SEED, 9, count).reshape(side, side, side, 4)
    for axis in range(3):
        values = 0.5 * values + 0.25 * (np.roll(values, 1, axis) + np.roll(values, -1, axis))
    low, high = values.min(), values.max()
    return np.round((values - low) / (high - low) * 255).astype(np.uint8)
