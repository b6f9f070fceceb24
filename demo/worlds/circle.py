"""Sines and cosines with the same bits on every machine: numpy's differ by processor, the C library's by version.

Many at once are worked out by compiled loops, which take a fifth of the time for the same bits. Few are not: they
would load numba, and be no sooner for it.
"""

from __future__ import annotations

import numpy as np

# The tangent of a sixteenth of a turn, and how many terms the series of its angle takes.
SIXTEENTH, TERMS = 2.0**0.5 - 1.0, 20
# From so many on they are many.
MANY = 8192


def circle(turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(cosine, sine), float64, of angles in turns, to 1e-15. Sums and products alone: their bits are those of IEEE 754."""
    if turns.size >= MANY:
        from .circle_kernels import circles

        flat = np.ascontiguousarray(turns, np.float64).reshape(-1)
        found = np.empty((2, len(flat)))
        circles(flat, found[0], found[1])
        return found[0].reshape(turns.shape), found[1].reshape(turns.shape)
    quarters = np.floor(4.0 * turns + 0.5)
    x = (4.0 * turns - quarters) * (0.5 * np.pi)
    square = x * x
    cosine, sine = np.zeros_like(x), np.zeros_like(x)
    for k in range(16, 0, -2):
        cosine = 1.0 - square * cosine / ((k - 1) * k)
        sine = 1.0 - square * sine / (k * (k + 1))
    sine = x * sine
    quarter = quarters.astype(np.int64) & 3
    odd = (quarter & 1) == 1
    first, second = np.where(odd, sine, cosine), np.where(odd, cosine, sine)
    return np.where((quarter == 1) | (quarter == 2), -first, first), np.where(quarter >= 2, -second, second)


def turns_of(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The angle of the direction (x, y) in turns, float64, -0.5..0.5, to 1e-15 of a turn; 0 for no direction at all."""
    if y.size >= MANY and y.shape == x.shape:
        from .circle_kernels import turns_of_all

        turns = np.empty(y.shape)
        flat = (np.ascontiguousarray(axis, np.float64).reshape(-1) for axis in (y, x))
        turns_of_all(*flat, turns.reshape(-1))
        return turns
    high, wide = np.abs(y), np.abs(x)
    steep = high > wide
    far = np.where(steep, high, wide)
    slope = np.where(steep, wide, high) / np.where(far > 0.0, far, 1.0)
    # The tangent of an eighth of a turn less: the series needs few terms within a sixteenth of a turn.
    eighth = slope > SIXTEENTH
    rest = np.where(eighth, (slope - 1.0) / (slope + 1.0), slope)
    square = rest * rest
    total = np.zeros_like(square)
    for k in range(2 * TERMS - 1, 0, -2):
        total = 1.0 / k - square * total
    turns = rest * total / (2.0 * np.pi) + np.where(eighth, 0.125, 0.0)
    turns = np.where(steep, 0.25 - turns, turns)
    turns = np.where(x < 0.0, 0.5 - turns, turns)
    return np.where(y < 0.0, -turns, turns)
