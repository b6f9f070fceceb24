"""HeightField: a world at rest, immutable, as the commands and exporters take it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .atlas import Atlas
from .parameters import Value


@dataclass(frozen=True)
class HeightField:
    """Heights on the faces of an atlas.

    `heights`: float32 (faces, n, n), read-only, elevations above the datum in `unit`, the sea bed included. `sea_level` has
    the same unit. `size`: radius, or extent on the plane, in the generator's own units. `code`: the world code.
    """

    atlas: Atlas
    heights: np.ndarray
    sea_level: float
    size: float
    unit: str
    seed: int
    parameters: dict[str, Value]
    code: str

    @property
    def n(self) -> int:
        """Samples along a face's edge: cells + 1."""
        return self.heights.shape[-1]


def sample(heights: np.ndarray, face: np.ndarray | int, u: ArrayLike, v: ArrayLike) -> np.ndarray:
    """Bilinear interpolation of `heights` (faces, n, n) at (u, v), clamped to the face: float64, in the shape of u and v."""
    n = heights.shape[-1]
    x = np.minimum(np.maximum(np.asarray(u, np.float64), 0.0), 1.0) * (n - 1)
    y = np.minimum(np.maximum(np.asarray(v, np.float64), 0.0), 1.0) * (n - 1)
    i = np.minimum(x.astype(np.intp), n - 2)
    j = np.minimum(y.astype(np.intp), n - 2)
    fx, fy = x - i, y - j
    top = heights[face, j, i] * (1.0 - fx) + heights[face, j, i + 1] * fx
    bottom = heights[face, j + 1, i] * (1.0 - fx) + heights[face, j + 1, i + 1] * fx
    return top * (1.0 - fy) + bottom * fy
