"""Widths of rivers by their discharge, after L. B. Leopold and T. Maddock, USGS Professional Paper 252, 1953."""

from __future__ import annotations

import numpy as np

# A river's width in metres is this times the square root of its discharge in m^3/s.
WIDTH = 7.0


def width_of(discharge_m3_s: np.ndarray | float) -> np.ndarray:
    """Widths in metres, float64 of any shape."""
    found: np.ndarray = WIDTH * np.sqrt(discharge_m3_s)
    return found


def discharge_of(width_m: np.ndarray) -> np.ndarray:
    """The discharges, m^3/s, of rivers so wide: the inverse of `width_of`."""
    found: np.ndarray = (width_m / WIDTH) ** 2
    return found
