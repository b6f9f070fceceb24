"""The overview of a terrain: coarse maps of its land, by which a route through it is judged, and its peaks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground

# Cells along an edge of the coarse maps.
COARSE = 128
# How far around a cell the highest land and the averages are taken, metres.
NEAR_M, WIDE_M = 1_800.0, 3_000.0
# At most this many peaks, at least this far apart in metres.
PEAKS, PEAK_APART_M = 7, 3_500.0


@dataclass(frozen=True)
class Overview:
    """Coarse maps of a terrain, float64 (m, m) over its square of `extent_m` metres, and its peaks.

    `relief_m`: the highest land, at least 1. `mean_m`, `land`: averages within WIDE_M of the height and of the share of
    land, 0..1. `highest_m`: the highest land within NEAR_M; `tops_m`: the highest in the cell itself. The sea counts as 0 in
    all heights. `peaks`: float64 (p, 3) positions in metres, at least one, the highest first.
    """

    extent_m: float
    relief_m: float
    mean_m: np.ndarray
    highest_m: np.ndarray
    tops_m: np.ndarray
    land: np.ndarray
    peaks: np.ndarray

    def at(self, field: np.ndarray, x: np.ndarray, z: np.ndarray, outside: float = 0.0) -> np.ndarray:
        """The nearest value of a coarse map at x and z (...) in metres; `outside` off the square."""
        m = field.shape[0]
        u, v = x * (m / self.extent_m) + 0.5 * m, z * (m / self.extent_m) + 0.5 * m
        inside = (np.minimum(u, v) >= 0.0) & (np.maximum(u, v) < m)
        # Cells of points outside are wrong, but never used.
        cell = v.astype(np.intp) * m + u.astype(np.intp)
        return np.where(inside, field.ravel().take(cell, mode="clip"), outside)


def overview_of(ground: Ground) -> Overview:
    """The overview of a terrain without its detail."""
    heights = np.maximum(ground.heights_m[0], 0.0).astype(np.float64)
    n = heights.shape[0]
    m = min(COARSE, n)
    edges = np.linspace(0, n, m + 1).astype(np.intp)[:-1]
    highest = np.maximum.reduceat(np.maximum.reduceat(heights, edges, axis=0), edges, axis=1)
    middle = np.linspace(0, n - 1, m).astype(np.intp)
    coarse = heights[np.ix_(middle, middle)]
    cell = ground.size_m / m
    wide, near = int(np.ceil(WIDE_M / cell)), int(np.ceil(NEAR_M / cell))
    return Overview(
        ground.size_m,
        max(ground.highest_m, 1.0),
        _boxed(coarse, wide),
        _highest_around(highest, near),
        highest,
        _boxed((coarse > 0.0).astype(np.float64), wide),
        _peaks(highest, ground.size_m, int(np.ceil(PEAK_APART_M / cell))),
    )


def _boxed(field: np.ndarray, reach: int) -> np.ndarray:
    """The mean over a square of 2 reach + 1 cells; cells at the rim are repeated beyond it."""
    for axis in (0, 1):
        width = [(0, 0), (0, 0)]
        width[axis] = (reach + 1, reach)
        total = np.cumsum(np.pad(field, width, mode="edge"), axis=axis)
        upper, lower = np.split(total, [2 * reach + 1], axis=axis)[1], np.split(total, [-2 * reach - 1], axis=axis)[0]
        field = (upper - lower) / (2 * reach + 1)
    return field


def _highest_around(field: np.ndarray, reach: int) -> np.ndarray:
    """The maximum over a square of 2 reach + 1 cells."""
    for axis in (0, 1):
        width = [(0, 0), (0, 0)]
        width[axis] = (reach, reach)
        padded = np.pad(field, width, mode="edge")
        field = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=axis).max(axis=-1)
    return field


def _peaks(highest: np.ndarray, extent_m: float, apart: int) -> np.ndarray:
    """The highest points at least `apart` cells from each other, the highest first; the origin where there is no land."""
    top = np.flatnonzero((highest >= _highest_around(highest, apart)) & (highest > 0.0))
    top = top[np.argsort(-highest.ravel()[top], kind="stable")][:PEAKS]
    if top.size == 0:
        return np.zeros((1, 3))
    j, i = np.divmod(top, highest.shape[1])
    scale = extent_m / highest.shape[0]
    return np.stack([(i + 0.5) * scale - extent_m / 2, highest.ravel()[top], (j + 0.5) * scale - extent_m / 2], axis=1)
