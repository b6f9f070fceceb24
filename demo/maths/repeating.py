"""Fields that repeat. Pure arithmetic on arrays of any shape."""

from __future__ import annotations

import numpy as np


def between_cells(field: np.ndarray, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A field that tiles, (n, n) with n a power of two, between its cells at rows y and columns x."""
    low_y, low_x = np.floor(y), np.floor(x)
    share_y, share_x = y - low_y, x - low_x
    mask = len(field) - 1
    i, j = low_y.astype(np.int32) & mask, low_x.astype(np.int32) & mask
    below, right = (i + 1) & mask, (j + 1) & mask
    upper = field[i, j] + (field[i, right] - field[i, j]) * share_x
    lower = field[below, j] + (field[below, right] - field[below, j]) * share_x
    return upper + (lower - upper) * share_y
