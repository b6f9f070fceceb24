"""Stars: the field of stars behind every world. Plain numpy."""

from __future__ import annotations

import numpy as np

from ..worlds import hashing

STAR = np.dtype([("direction", np.float32, 3), ("colour", np.float32, 3)])
STARS = 2600
SEED = 20_071_201


def star_field() -> np.ndarray:
    """STARS stars, the same for every world, as STAR records: unit directions and linear colours that hold the brightness.

    Many are faint and few bright; they are white with a tint of blue or orange.
    """
    z = hashing.uniforms(SEED, 0, STARS) * 2 - 1
    angle = hashing.uniforms(SEED, 1, STARS) * 2 * np.pi
    ring = np.sqrt(1 - z * z)
    stars = np.zeros(STARS, STAR)
    stars["direction"] = np.stack([ring * np.cos(angle), z, ring * np.sin(angle)], axis=1)
    # Counts rise about fourfold a magnitude: brightness is a power of a uniform number.
    brightness = 0.055 * np.minimum(hashing.uniforms(SEED, 2, STARS) + 1e-4, 1.0) ** -0.62
    warm = hashing.uniforms(SEED, 3, STARS)[:, None]
    tint = np.array([0.75, 0.85, 1.0]) * (1 - warm) + np.array([1.0, 0.86, 0.7]) * warm
    stars["colour"] = tint * np.minimum(brightness, 2.2)[:, None]
    return stars
