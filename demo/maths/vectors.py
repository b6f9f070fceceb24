"""Vectors of three components: lengths, directions, rotations. numpy only."""

from __future__ import annotations

import numpy as np


def length(vector: np.ndarray) -> float:
    """The length of one vector (3,)."""
    return float(np.sqrt(vector @ vector))


def lengths(vectors: np.ndarray) -> np.ndarray:
    """Lengths (...) of many vectors (..., 3); numpy's sum over so short an axis takes four times as long."""
    x, y, z = (vectors[..., axis] for axis in range(3))
    return np.sqrt(x * x + y * y + z * z)


def unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) of any length but 0 brought to length 1."""
    return vectors / lengths(vectors)[..., None]


def crosses(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of vectors (..., 3), broadcast together; numpy's own takes three times as long."""
    ax, ay, az = (a[..., axis] for axis in range(3))
    bx, by, bz = (b[..., axis] for axis in range(3))
    first = ay * bz - az * by
    # For one pair `np.stack` takes longer than all the rest.
    out = np.empty((*first.shape, 3), first.dtype)
    out[..., 0], out[..., 1], out[..., 2] = first, az * bx - ax * bz, ax * by - ay * bx
    return out


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross product of two single vectors (3,); numpy's own takes fifteen times as long for one pair."""
    ax, ay, az = a.tolist()
    bx, by, bz = b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def tangents(normals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors (..., 3) at right angles to unit `normals` (..., 3) and to each other: side, and normal x side."""
    hint = np.where(np.abs(normals[..., 1:2]) < 0.9, (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    side = unit(crosses(hint, normals))
    return side, crosses(normals, side)


def slerp(a: np.ndarray, b: np.ndarray, w: float) -> np.ndarray:
    """The unit vector (3,) that is w (0..1) of the way from unit a to unit b along their great circle.

    Between opposite vectors the way leads through a fixed side.
    """
    cosine = min(max(float(a @ b), -1.0), 1.0)
    if cosine > 1.0 - 1e-9:
        return unit(a + (b - a) * w)
    side = b - cosine * a
    if side @ side < 1e-12:
        side = cross(a, np.array([0.0, 1.0, 0.0]) if abs(a[1]) < 0.9 else np.array([1.0, 0.0, 0.0]))
    angle = np.arccos(cosine) * w
    return np.cos(angle) * a + np.sin(angle) * unit(side)


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation matrix (3, 3) about a unit axis (3,) by an angle in radians, right-handed (Rodrigues)."""
    x, y, z = axis.tolist()
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * (k @ k)
