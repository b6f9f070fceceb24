"""Values by point of lines that lie one after the other: those of line k are first[k] .. first[k + 1] - 1. Plain numpy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

# Points of lines that are worked on together. What is worked out on the way takes several times the memory of a result.
CHUNK = 1 << 13


def chunks(count: int) -> Iterator[slice]:
    """`count` points in parts, one after the other."""
    return (slice(start, start + CHUNK) for start in range(0, count, CHUNK))


def evened(values: np.ndarray, first: np.ndarray, points: int | np.ndarray) -> np.ndarray:
    """The mean of values (p,) over so many points, one number or int (p,), to either side on the same line.

    `first`: int (lines + 1,).
    """
    total = np.concatenate([[0.0], np.cumsum(values)])
    line = np.repeat(np.arange(len(first) - 1, dtype=np.int32), np.diff(first))
    out = np.empty(len(values))
    for few in chunks(len(values)):
        of, at = line[few], np.arange(few.start, min(few.stop, len(values)))
        reach = points if np.ndim(points) == 0 else np.asarray(points)[few]
        low, up = np.maximum(at - reach, first[of]), np.minimum(at + reach + 1, first[of + 1])
        out[few] = (total[up] - total[low]) / (up - low)
    return out
