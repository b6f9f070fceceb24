"""Circles: where planes cut the unit sphere. Plain numpy."""

from __future__ import annotations

import numpy as np

CIRCLE_POINTS = 96


def plane_circles(normals: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """The circles in which planes meet the unit sphere: float64 (k, CIRCLE_POINTS + 1, 3), closed by their first point.

    Plane k is normal . p = offset, with unit `normals` (k, 3) and `offsets` (k,).
    """
    helper = np.where(np.abs(normals[:, 1:2]) < 0.9, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    e1 = np.cross(normals, helper)
    e1 /= np.sqrt((e1 * e1).sum(axis=1, keepdims=True))
    e2 = np.cross(normals, e1)
    angle = np.linspace(0, 2 * np.pi, CIRCLE_POINTS + 1)[:, None]
    around = np.sqrt(np.maximum(1.0 - offsets * offsets, 0.0))[:, None, None]
    circle = np.cos(angle) * e1[:, None, :] + np.sin(angle) * e2[:, None, :]
    return (offsets[:, None] * normals)[:, None, :] + around * circle
