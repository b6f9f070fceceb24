"""Circles: where planes cut the unit sphere. Plain numpy."""

from __future__ import annotations

import numpy as np

from ..maths.vectors import tangents

CIRCLE_POINTS = 96


def plane_circles(normals: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """The circles in which planes meet the unit sphere: float64 (k, CIRCLE_POINTS + 1, 3), closed by their first point.

    Plane k is normal . p = offset, with unit `normals` (k, 3) and `offsets` (k,).
    """
    side, ahead = tangents(normals)
    angle = np.linspace(0, 2 * np.pi, CIRCLE_POINTS + 1)[:, None]
    around = np.sqrt(np.maximum(1.0 - offsets * offsets, 0.0))[:, None, None]
    # Begun at the side that keeps the pictures of earlier versions.
    circle = -(np.cos(angle) * side[:, None, :] + np.sin(angle) * ahead[:, None, :])
    return (offsets[:, None] * normals)[:, None, :] + around * circle
