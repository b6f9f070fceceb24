"""Kernels of `land_share`: areas added up by height. Serial, so that sums stand in one order."""

from __future__ import annotations

import numba
import numpy as np

from .kernels import OPTIONS


@numba.njit(**OPTIONS)
def add_by_ring(values, starts, weights, low, bin_width, bins):
    """Add each point's weight, by ring, to float64 bins of its value above `low`; what lies higher goes to the last bin."""
    for ring in range(weights.size):
        weight = weights[ring]
        for p in range(starts[ring], starts[ring + 1]):
            x = (np.float64(values[p]) - low) / bin_width
            if x >= 0.0:
                bins[min(np.int64(x), bins.size - 1)] += weight


@numba.njit(**OPTIONS)
def cube_histogram(bits, shift, prefix):
    """Area of the samples by 16 bits of their ordered height: uint64 (65536,), in units of a 2^30th.

    `bits` uint32 (6, n, n): float32 heights of a cube, viewed. The order of the keys is that of the heights. shift=16: by
    the upper half; shift=0: by the lower half, of the samples whose upper half is `prefix`. Areas are integers, so that
    the sum does not depend on its order.
    """
    counts = np.zeros(65536, np.uint64)
    n = bits.shape[2]
    cell = np.float64(1 << 30)
    for f in range(6):
        for j in range(n):
            t = (2.0 * j - (n - 1)) / (n - 1)
            across = cell * (0.5 if j == 0 or j == n - 1 else 1.0)
            for i in range(n):
                b = bits[f, j, i]
                key = np.uint32(~b) if b >> np.uint32(31) else np.uint32(b | np.uint32(0x80000000))
                if shift == 0 and np.int64(key >> np.uint32(16)) != prefix:
                    continue
                s = (2.0 * i - (n - 1)) / (n - 1)
                square = 1.0 + (s * s + t * t)
                area = across * (0.5 if i == 0 or i == n - 1 else 1.0) / (square * np.sqrt(square))
                counts[(key >> np.uint32(shift)) & np.uint32(0xFFFF)] += np.uint64(area)
    return counts
