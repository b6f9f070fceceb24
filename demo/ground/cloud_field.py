"""Clouds: a plasma that tiles, as the cover that the sky and planets are drawn with."""

from __future__ import annotations

import numpy as np

from ..worlds.plasma.growth import Plasma

ROUGHNESS = 0.7
# Stream of random numbers: other than that of terrains of the same seed.
_STREAM = 3


def cloud_field(seed: int, cells: int) -> np.ndarray:
    """Cover, float32 (cells, cells) in 0..1, that tiles; raises ValueError unless `cells` is a power of two from 2."""
    if cells < 2 or cells & (cells - 1):
        raise ValueError(f"clouds of {cells} cells are not possible: it takes a power of two from 2")
    growth = Plasma(seed, cells, ROUGHNESS, "tile", 0.5, _STREAM)
    growth.advance(growth.total)
    field = growth.heights[0, :-1, :-1]
    low, high = field.min(), field.max()
    return (field - low) / (high - low)
