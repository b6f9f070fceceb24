"""The compiled side of `circle`: the same operations in the same order, and so the same bits."""

from __future__ import annotations

import math

import numba

from .circle import SIXTEENTH, TERMS
from .kernels import OPTIONS


@numba.njit(**OPTIONS)
def circle_of(turns):
    """`circle` of one angle."""
    quarters = math.floor(4.0 * turns + 0.5)
    x = (4.0 * turns - quarters) * (0.5 * math.pi)
    square = x * x
    cosine, sine = 0.0, 0.0
    for k in range(16, 0, -2):
        cosine = 1.0 - square * cosine / ((k - 1) * k)
        sine = 1.0 - square * sine / (k * (k + 1))
    sine = x * sine
    quarter = int(quarters) & 3
    if quarter == 0:
        return cosine, sine
    if quarter == 1:
        return -sine, cosine
    if quarter == 2:
        return -cosine, -sine
    return sine, -cosine


@numba.njit(**OPTIONS)
def circles(turns, cosine, sine):
    """Fills `cosine` and `sine`, float64 (n,), from `turns`, float64 (n,)."""
    for i in range(len(turns)):
        cosine[i], sine[i] = circle_of(turns[i])


@numba.njit(**OPTIONS)
def turns_of_one(y, x):
    """`turns_of` of one direction."""
    high, wide = abs(y), abs(x)
    steep = high > wide
    far = high if steep else wide
    slope = (wide if steep else high) / (far if far > 0.0 else 1.0)
    eighth = slope > SIXTEENTH
    rest = (slope - 1.0) / (slope + 1.0) if eighth else slope
    square = rest * rest
    total = 0.0
    for k in range(2 * TERMS - 1, 0, -2):
        total = 1.0 / k - square * total
    found = rest * total / (2.0 * math.pi) + (0.125 if eighth else 0.0)
    if steep:
        found = 0.25 - found
    if x < 0.0:
        found = 0.5 - found
    return -found if y < 0.0 else found


@numba.njit(**OPTIONS)
def turns_of_all(ys, xs, turns):
    """Fills `turns`, float64 (n,), with `turns_of` from float64 (n,) both."""
    for i in range(len(turns)):
        turns[i] = turns_of_one(ys[i], xs[i])
