"""The skyline ahead of a camera: how high the land rises there."""

from __future__ import annotations

import numpy as np

from ..ground.ground import Ground
from ..maths.vectors import crosses

# Where land is looked for: metres away, radians to either side of the view.
AWAY_M, ASIDE = np.geomspace(900.0, 24_000.0, 8), np.radians([-22.0, 0.0, 22.0])
# Where a mountain is looked for, and by how much it stands out of the land beside it, radians.
MOUNTAIN_M, ROUND, STANDS_OUT = np.geomspace(3_500.0, 34_000.0, 9), np.radians(np.arange(-44.0, 45.0, 4.0)), 0.02


def skyline(ground: Ground, eye: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Radians (k,) above the horizontal at which the land ends ahead of eyes (k, 3), on average over the picture.

    `level`: unit vectors (k, 3), the horizontal directions of the views. Land without its detail, and the sea, count.
    """
    highest = _rise(ground, eye, level, ASIDE, AWAY_M)
    out: np.ndarray = 0.5 * highest.mean(axis=0) + 0.5 * highest.max(axis=0)
    return out


def mountain(ground: Ground, eye: np.ndarray, level: np.ndarray) -> float | None:
    """Radians to the right of `level` (3,) at which the highest mountain stands for an eye (3,); None without one."""
    rise = _rise(ground, eye[None], level[None], ROUND, MOUNTAIN_M)[:, 0]
    # A mountain ahead is better than one as high beside the way.
    best = int(np.argmax(rise - 0.03 * np.abs(ROUND)))
    return float(ROUND[best]) if rise[best] - np.median(rise) > STANDS_OUT else None


def _rise(ground: Ground, eye: np.ndarray, level: np.ndarray, asides: np.ndarray, away: np.ndarray) -> np.ndarray:
    """Radians (a, k) above the horizontal of the highest land at distances `away` from eyes (k, 3), at each of `asides`."""
    side, altitude = crosses(level, ground.up(eye)), ground.altitude(eye)[:, None]
    fall = away**2 / (2.0 * ground.size_m) if ground.atlas.spherical else np.zeros(len(away))
    c, s = np.cos(asides)[:, None, None], np.sin(asides)[:, None, None]
    at = eye[:, None] + (level * c + side * s)[:, :, None] * away[:, None]
    rise: np.ndarray = np.arctan(((np.maximum(ground.sampled(at), 0.0) - altitude - fall) / away).max(axis=2))
    return rise
