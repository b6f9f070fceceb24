"""Kernels of noise on the simplex lattice in three dimensions: the corners around a point, and K. Perlin's noise."""

from __future__ import annotations

import numba
import numpy as np

from ..worlds.kernels import INLINED, OPTIONS

# A corner reaches so far, as the square of lattice units.
REACH = 0.5
# Brings the noise to -1..1.
NOISE_GAIN = 64.0
# Hashes are of 32 bits, and worked out in 64: numba would widen narrower integers at every step.
LOW = np.uint64(0xFFFFFFFF)
_X, _Y, _Z = np.uint64(0x9E3779B1), np.uint64(0x85EBCA77), np.uint64(0xC2B2AE3D)
_M1, _M2 = np.uint64(0x2C1B3C6D), np.uint64(0x297A2D39)
_NONE = np.uint64(0)


@numba.njit(**INLINED)
def _mixed(h):
    h = ((h ^ (h >> np.uint64(15))) * _M1) & LOW
    h = ((h ^ (h >> np.uint64(12))) * _M2) & LOW
    return h ^ (h >> np.uint64(15))


@numba.njit(**INLINED)
def corners(x, y, z, key, hashes, offsets):
    """Fills `hashes`, uint64 (4,), of the four corners around a point, and `offsets`, float64 (4, 3), from them.

    x, y, z: lattice coordinates. `key`: uint64 below 2^32.
    """
    skew = (x + y + z) / 3.0
    i, j, k = np.floor(x + skew), np.floor(y + skew), np.floor(z + skew)
    back = (i + j + k) / 6.0
    dx, dy, dz = x - (i - back), y - (j - back), z - (k - back)
    xy, yz, xz = dx >= dy, dy >= dz, dx >= dz
    # The axis of the largest offset is stepped along first, that of the least one last.
    first_x, first_y = xy and xz, yz and not xy
    first_z = not (first_x or first_y)
    two_x, two_y = xy or xz, yz or not xy
    two_z = not (two_x and two_y)
    h = (np.uint64(np.int64(i)) * _X + np.uint64(np.int64(j)) * _Y + np.uint64(np.int64(k)) * _Z + key) & LOW
    first = (_X if first_x else _NONE) + (_Y if first_y else _NONE) + (_Z if first_z else _NONE)
    two = (_X if two_x else _NONE) + (_Y if two_y else _NONE) + (_Z if two_z else _NONE)
    hashes[0], hashes[1] = _mixed(h), _mixed((h + first) & LOW)
    hashes[2], hashes[3] = _mixed((h + two) & LOW), _mixed((h + _X + _Y + _Z) & LOW)
    offsets[0, 0], offsets[0, 1], offsets[0, 2] = dx, dy, dz
    offsets[1, 0], offsets[1, 1], offsets[1, 2] = dx - first_x + 1 / 6, dy - first_y + 1 / 6, dz - first_z + 1 / 6
    offsets[2, 0], offsets[2, 1], offsets[2, 2] = dx - two_x + 1 / 3, dy - two_y + 1 / 3, dz - two_z + 1 / 3
    offsets[3, 0], offsets[3, 1], offsets[3, 2] = dx - 0.5, dy - 0.5, dz - 0.5


@numba.njit(**INLINED)
def _signed(word):
    """A number of either sign, of magnitude uniform in [1/2, 1): from the sign and the mantissa of a float32."""
    size = 0.5 + np.float64(word & np.uint64(0x7FFFFF)) / 16777216.0
    return -size if word & np.uint64(0x80000000) else size


@numba.njit(**INLINED)
def noise(hashes, offsets, found):
    """Fills `found`, float64 (4,), with simplex noise, -1..1, and its gradient, from what `corners` gives."""
    found[:] = 0.0
    for c in range(4):
        h, dx, dy, dz = hashes[c], offsets[c, 0], offsets[c, 1], offsets[c, 2]
        gx, gy, gz = _signed(h), _signed((h << np.uint64(8)) & LOW), _signed((h << np.uint64(16)) & LOW)
        t = max(REACH - (dx * dx + dy * dy + dz * dz), 0.0)
        along = gx * dx + gy * dy + gz * dz
        t2 = t * t
        bend = 8.0 * t2 * t * along
        found[0] += t2 * t2 * along
        found[1] += t2 * t2 * gx - bend * dx
        found[2] += t2 * t2 * gy - bend * dy
        found[3] += t2 * t2 * gz - bend * dz
    for axis in range(4):
        found[axis] *= NOISE_GAIN


@numba.njit(**OPTIONS)
def simplex(at, key, found):
    """Fills `found`, float64 (k, 4), with the noise and its gradient at lattice coordinates `at`, float64 (k, 3)."""
    hashes, offsets = np.empty(4, np.uint64), np.empty((4, 3))
    for p in range(len(at)):
        corners(at[p, 0], at[p, 1], at[p, 2], key, hashes, offsets)
        noise(hashes, offsets, found[p])
