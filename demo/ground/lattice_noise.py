"""Noise on the simplex lattice in three dimensions: the corners around a point with their hashes, and K. Perlin's noise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

_STEP = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D], np.uint32)
_ALL = _STEP.sum(dtype=np.uint32)
_M1, _M2 = np.uint32(0x2C1B3C6D), np.uint32(0x297A2D39)
_NOISE_GAIN = 64.0
# A corner reaches so far, as the square of lattice units.
REACH = 0.5


def corners(x: np.ndarray, y: np.ndarray, z: np.ndarray, key: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
    """(hash uint32, dx, dy, dz) of the four corners around points: a corner's hash and the offset from it, in their shape.

    `x`, `y`, `z`: lattice coordinates, float64. `key`: uint32, of a shape that broadcasts to theirs.
    """
    skew = (x + y + z) / 3.0
    i, j, k = np.floor(x + skew), np.floor(y + skew), np.floor(z + skew)
    base = sum(cell.astype(np.int64).astype(np.uint32) * step for cell, step in zip((i, j, k), _STEP, strict=True)) + key
    unskew = (i + j + k) / 6.0
    x, y, z = x - i + unskew, y - j + unskew, z - k + unskew
    yield _mixed(base), x, y, z
    xy, yz, xz = x >= y, y >= z, x >= z
    # The axis of the largest offset is stepped along first, that of the least one last.
    first = xy & xz, ~xy & yz
    last = ~xy & ~xz, xy & ~yz
    step = np.where(first[0], _STEP[0], np.where(first[1], _STEP[1], _STEP[2]))
    third = 1.0 / 6.0
    yield _mixed(base + step), x - first[0] + third, y - first[1] + third, z - ~(first[0] | first[1]) + third
    step = _ALL - np.where(last[0], _STEP[0], np.where(last[1], _STEP[1], _STEP[2]))
    third = 1.0 / 3.0
    yield _mixed(base + step), x - ~last[0] + third, y - ~last[1] + third, z - (last[0] | last[1]) + third
    yield _mixed(base + _ALL), x - 0.5, y - 0.5, z - 0.5


def _mixed(h: np.ndarray) -> np.ndarray:
    h = (h ^ (h >> np.uint32(15))) * _M1
    h = (h ^ (h >> np.uint32(12))) * _M2
    return h ^ (h >> np.uint32(15))


def simplex(at: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(value (...), gradient (..., 3)) of simplex noise, -1..1, at lattice coordinates `at` (..., 3).

    `keys`: uint32, one for each index of the values' last axis.
    """
    value, gradient = np.zeros(at.shape[:-1]), np.zeros(at.shape)
    for h, *offset in corners(at[..., 0], at[..., 1], at[..., 2], keys):
        d, g = np.stack(offset, axis=-1), _gradient(h)
        t = np.maximum(REACH - (d * d).sum(axis=-1), 0.0)
        along = (g * d).sum(axis=-1)
        t2 = t * t
        value += t2 * t2 * along
        gradient += (t2 * t2)[..., None] * g - (8.0 * t2 * t * along)[..., None] * d
    return _NOISE_GAIN * value, _NOISE_GAIN * gradient


def _gradient(h: np.ndarray) -> np.ndarray:
    """Gradients (..., 3) of hashes: components of either sign, with magnitudes uniform in [1/2, 1)."""
    words = np.stack([h, h << np.uint32(8), h << np.uint32(16)], axis=-1)
    return ((words & np.uint32(0x807FFFFF)) | np.uint32(0x3F000000)).view(np.float32).astype(np.float64)
