"""Where the sea stands: the level above which a wanted share of a sphere's area lies, for heights on any spherical atlas."""

from __future__ import annotations

import numpy as np

from .atlas import CUBE, LATLONG, Atlas

MOST_BINS = 1 << 16
ROWS_AT_A_TIME = 128
# A level while a world grows comes from about this many samples along a face's edge.
ROUGH_EDGE = 64
# Counts of cuts between which the shown sea rises from the datum to its own level.
SEA_FROM, SEA_FULL = 3, 100


def area_weights(atlas: Atlas, n: int, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Areas that lattice samples [rows x columns] of any one face stand for: float64 (len(rows), len(columns)).

    Up to a constant factor. A sample that several faces share has its area shared out between them.
    """
    j, i = rows[:, None], columns[None, :]
    if atlas is CUBE:
        s, t = 2.0 * i / (n - 1) - 1.0, 2.0 * j / (n - 1) - 1.0
        square = 1.0 + s * s + t * t
        return _ends(i, n - 1) * _ends(j, n - 1) / (square * np.sqrt(square))
    if atlas is LATLONG:
        return _belts(n - 1)[j] * _ends(i, n - 1)
    ring = i + j
    length = np.where(ring < n, ring, 2 * (n - 1) - ring)
    along = np.where(ring < n, j, n - 1 - i)
    return _belts(2 * (n - 1))[ring] * np.where(length == 0, 1.0, _ends(along, length) / np.maximum(length, 1))


def _ends(index: np.ndarray, last: np.ndarray | int) -> np.ndarray:
    """1, and a half at the first and the last index."""
    return np.where((index == 0) | (index == last), 0.5, 1.0)


def _belts(cells: int) -> np.ndarray:
    """Areas of the belts half a step to either side of each of cells + 1 parallels, poles included."""
    edges = np.clip(np.arange(cells + 2) - 0.5, 0.0, cells) / cells
    return -np.diff(np.cos(np.pi * edges))


def shown_share(cuts: int) -> float:
    """How much of the sea's level is shown after so many cuts: smoothly from 0 to 1, even on a scale of ratios."""
    middle = (SEA_FROM * SEA_FULL) ** 0.5
    # (x - 1) / (x + 1) is tanh(log(x) / 2): a logarithmic scale without the logarithm.
    end = (SEA_FULL - middle) / (SEA_FULL + middle)
    t = min(max(0.5 + 0.5 * (cuts - middle) / (cuts + middle) / end, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


class Coast:
    """Levels by area for heights float32 (faces, n, n) on one atlas."""

    def __init__(self, atlas: Atlas, n: int) -> None:
        self._atlas, self._n = atlas, n
        stride = max(1, n // ROUGH_EDGE)
        self._some = np.arange(0, n, stride)
        self._some_weights: np.ndarray | None = None

    def level(self, heights: np.ndarray, land: float, spacing: float) -> float:
        """The level above which the share `land` of the area lies; heights lie on a lattice of `spacing`.

        All samples of one height count as spread evenly over the spacing around it, as they are on the mesh between.
        """
        bins = _Bins(float(heights.min()), float(heights.max()), spacing)
        columns = np.arange(self._n)
        for first in range(0, self._n, ROWS_AT_A_TIME):
            rows = columns[first : first + ROWS_AT_A_TIME]
            areas = area_weights(self._atlas, self._n, rows, columns)
            for face in range(self._atlas.faces):
                bins.add(heights[face, first : first + ROWS_AT_A_TIME], areas)
        return bins.level(land)

    def rough_level(self, heights: np.ndarray, land: float, spacing: float) -> float:
        """`level` from a part of the samples, always the same ones: well under a millisecond."""
        if self._some_weights is None:
            weights = area_weights(self._atlas, self._n, self._some, self._some)
            self._some_weights = np.broadcast_to(weights, (self._atlas.faces, *weights.shape)).copy()
        stride = int(self._some[1] - self._some[0])
        some = heights[:, ::stride, ::stride]
        bins = _Bins(float(some.min()), float(some.max()), spacing)
        bins.add(some, self._some_weights)
        return bins.level(land)


class _Bins:
    """Areas by height: bins around low, low + width, low + 2 width, ..."""

    def __init__(self, low: float, high: float, spacing: float) -> None:
        self._low = low
        self._width = spacing * max(1.0, np.ceil((high - low) / spacing / MOST_BINS))
        self._areas = np.zeros(int((high - low) / self._width + 0.5) + 1)

    def add(self, heights: np.ndarray, areas: np.ndarray) -> None:
        index = ((heights.astype(np.float64) - self._low) / self._width + 0.5).astype(np.intp)
        self._areas += np.bincount(index.ravel(), areas.ravel(), len(self._areas))

    def level(self, land: float) -> float:
        """The height above which the share `land` of the areas lies, bins taken as evenly filled."""
        below = np.cumsum(self._areas)
        wanted = (1.0 - land) * below[-1]
        k = min(int(np.searchsorted(below, wanted)), len(below) - 1)
        part = (wanted - (below[k] - self._areas[k])) / self._areas[k]
        return float(self._low + (k - 0.5 + part) * self._width)
