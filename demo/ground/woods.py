"""Woods: where the ground is moist, and how far woods hide it there, about as in materials.glsl."""

from __future__ import annotations

import numpy as np

from .ground import Ground
from .relief import GUTTER


def moisture(ground: Ground, cover: np.ndarray, points: np.ndarray) -> np.ndarray:
    """How moist the ground under points (..., 3) is, 0..1: float64 (...). `cover`: as `cover_parts` returns it."""
    return ground.between(cover[:, GUTTER:-GUTTER, GUTTER:-GUTTER, 0], points) / 255.0


def wooded(moist: np.ndarray, warm: np.ndarray) -> np.ndarray:
    """The share of level ground that woods hide, 0..0.9.

    `moist`: as `moisture` has it; `warm`: degrees Celsius.
    """
    timber = np.clip((warm + 1.0) / 5.0, 0.0, 1.0)
    share: np.ndarray = timber * np.clip(1.2 * np.clip((moist - 0.47) / 0.22, 0.0, 1.0) - 0.3, 0.0, 0.9)
    return share
