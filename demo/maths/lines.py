"""Values by point of lines that lie one after the other: those of line k are first[k] .. first[k + 1] - 1. Plain numpy."""

from __future__ import annotations

import numpy as np


def evened(values: np.ndarray, first: np.ndarray, points: int | np.ndarray) -> np.ndarray:
    """The mean of values (p,) over so many points, one number or int (p,), to either side on the same line.

    `first`: int (lines + 1,).
    """
    total = np.concatenate([[0.0], np.cumsum(values)])
    count, at = np.diff(first), np.arange(len(values))
    low = np.maximum(at - points, np.repeat(first[:-1], count))
    up = np.minimum(at + points + 1, np.repeat(first[1:], count))
    return np.asarray((total[up] - total[low]) / (up - low))
