"""Noise on the simplex lattice in three dimensions: the corners around a point with their hashes, and K. Perlin's noise."""

from __future__ import annotations

import numpy as np

_STEP = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D], np.uint32)
_M1, _M2 = np.uint32(0x2C1B3C6D), np.uint32(0x297A2D39)
_NOISE_GAIN = 64.0
# A corner reaches so far, as the square of lattice units.
REACH = 0.5


def corners(at: np.ndarray, key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(hashes uint32 (4, ...), offsets float64 (3, 4, ...)): of the four corners around points, and the offsets from them.

    `at`: lattice coordinates, float64 (3, ...). `key`: uint32, of a shape that broadcasts to theirs.
    """
    axes = (3,) + (1,) * at.ndim
    cell = np.floor(at + at.sum(axis=0) / 3.0)
    inside = at - (cell - cell.sum(axis=0) / 6.0)
    x, y, z = inside
    xy, yz, xz = x >= y, y >= z, x >= z
    # The axis of the largest offset is stepped along first, that of the least one last.
    stepped = np.zeros((3, 4, *at.shape[1:]), bool)
    stepped[0, 1], stepped[1, 1] = xy & xz, yz > xy
    stepped[2, 1] = ~(stepped[0, 1] | stepped[1, 1])
    stepped[0, 2], stepped[1, 2] = xy | xz, yz >= xy
    stepped[2, 2] = ~(stepped[0, 2] & stepped[1, 2])
    stepped[:, 3] = True
    lattice = cell.astype(np.int64).astype(np.uint32)[:, None] + stepped
    h = (lattice * _STEP.reshape(axes)).sum(axis=0, dtype=np.uint32) + key
    h = (h ^ (h >> np.uint32(15))) * _M1
    h = (h ^ (h >> np.uint32(12))) * _M2
    unskew = (np.arange(4) / 6.0).reshape(4, *axes[2:])
    return h ^ (h >> np.uint32(15)), inside[:, None] - (stepped - unskew)


def simplex(at: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(value (...), gradient (..., 3)) of simplex noise, -1..1, at lattice coordinates `at` (..., 3).

    `keys`: uint32, one for each index of the values' last axis.
    """
    hashes, offsets = corners(np.moveaxis(at, -1, 0), keys)
    g = _gradient(hashes)
    t = np.maximum(REACH - (offsets * offsets).sum(axis=0), 0.0)
    along = (g * offsets).sum(axis=0)
    t2 = t * t
    value = (t2 * t2 * along).sum(axis=0)
    gradient = ((t2 * t2) * g - (8.0 * t2 * t * along) * offsets).sum(axis=1)
    return _NOISE_GAIN * value, _NOISE_GAIN * np.moveaxis(gradient, 0, -1)


def _gradient(h: np.ndarray) -> np.ndarray:
    """Gradients (3, ...) of hashes: components of either sign, with magnitudes uniform in [1/2, 1)."""
    words = np.stack([h, h << np.uint32(8), h << np.uint32(16)])
    return ((words & np.uint32(0x807FFFFF)) | np.uint32(0x3F000000)).view(np.float32).astype(np.float64)
