"""Which points of each ring of the local mesh a strip holds, and where in the strip they are."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.global_relief import RingWindow

# No ring is longer than this.
NEVER = np.int64(1) << 62


class Rows(NamedTuple):
    """The rows of a strip, in the order of the mesh numbers of their points: all int64 (2 fine + 2,), by ring.

    `start`: the mesh number of the ring's first point. `shift`, `cut`, `gap`: as `fine_mesh_kernels.index_at` has them.
    """

    start: np.ndarray
    shift: np.ndarray
    cut: np.ndarray
    gap: np.ndarray


@lru_cache(maxsize=8)
def whole_rows(fine: int, first: int) -> Rows:
    """Whole rings from ring `first` on, of a mesh of `fine` cells. Nobody may change these arrays."""
    start = meshes.ring_starts(fine)
    return Rows(start, start - start[first], np.full(len(start), NEVER), np.zeros(len(start), np.int64))


def rows_of(window: RingWindow) -> Rows:
    """The rows of a window."""
    start = meshes.ring_starts(window.cells)
    rings = slice(window.first, window.first + len(window.low))
    count, width = np.diff(start)[rings], np.diff(window.start)
    shift, cut, gap = np.zeros(len(start), np.int64), np.full(len(start), NEVER), np.zeros(len(start), np.int64)
    # Points before the ring's end; the rest of the row goes on at the ring's beginning.
    end = np.minimum(count - window.low, width)
    turned = end < width
    shift[rings] = window.start[:-1] - np.where(turned, 0, window.low)
    cut[rings] = np.where(turned, window.low, NEVER)
    gap[rings] = np.where(turned, count - width, 0)
    return Rows(start, shift, cut, gap)


def in_order(window: RingWindow, values: np.ndarray) -> np.ndarray:
    """Values of a window's points, (m,), in the order of `rows_of`: rows that go over a ring's end are turned."""
    count, width = meshes.ring_counts(window.cells)[window.first :][: len(window.low)], np.diff(window.start)
    end = count - window.low
    out = values
    for row in np.flatnonzero(end < width).tolist():
        if out is values:
            out = values.copy()
        span = slice(int(window.start[row]), int(window.start[row + 1]))
        out[span] = np.roll(values[span], int(width[row] - end[row]))
    return out


def whole_ring_of_points(fine: int, first: int, last: int) -> np.ndarray:
    """The ring of each point of the whole rings first .. last, int32 (m,)."""
    rings = np.arange(first, last + 1, dtype=np.int32)
    return np.repeat(rings, meshes.ring_counts(fine)[rings])


def ring_of_points(window: RingWindow) -> np.ndarray:
    """The ring of each point of a window, int32 (m,)."""
    rings = np.arange(window.first, window.first + len(window.low), dtype=np.int32)
    return np.repeat(rings, np.diff(window.start))
