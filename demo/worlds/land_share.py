"""Where the sea stands: the level above which a wanted share of the land lies, for heights of every kind.

There are four solvers, because no two of these give the same bits, and a world code promises the bits:

- `level_by_rank` (terrains): every sample counts alike, and the level is one of the samples.
- `SteppedSea` (cuts, any spherical atlas): heights lie on steps, so the level is found between them.
- `cube_level` (simplex): samples weigh their area, and the level is exactly one of the samples.
- `ring_level` (double cone): points weigh their area by ring, and the level falls between two of them.
"""

from __future__ import annotations

import numpy as np

from .atlas import CUBE, LATLONG, Atlas
from .circle import circle
from .land_share_kernels import add_by_ring, cube_histogram
from .shapes import check_dtype, check_shape, check_square

# At most this many bins of a histogram over a planet's heights.
MOST_BINS = 1 << 16
ROWS_AT_A_TIME = 128
# A level while a world grows comes from about this many samples along a face's edge.
ROUGH_EDGE = 64


def level_by_rank(heights: np.ndarray, land: float) -> float:
    """The sample of `heights`, of any shape, above which the share `land` of all samples lies."""
    rank = min(round((1.0 - land) * heights.size), heights.size - 1)
    return float(np.partition(heights, rank, axis=None)[rank])


def cube_level(heights: np.ndarray, land: float) -> float:
    """The sample above which the share `land` of the sphere's area lies, to within that one sample.

    `heights`: float32 (6, n, n) on the cube, C-contiguous. A radix search in two passes: sorting would need several times
    the memory of the heights. Raises ValueError for another shape or dtype.
    """
    check_square("heights", heights, CUBE.faces)
    check_dtype("heights", heights, np.float32)
    keys = heights.view(np.uint32)
    upper = cube_histogram(keys, 16, 0)
    sea = int(int(upper.sum()) * (1.0 - land))
    high, below = _bin_of(upper, sea)
    low, _ = _bin_of(cube_histogram(keys, 0, high), sea - below)
    key = high << 16 | low
    pattern = key & 0x7FFFFFFF if key >> 31 else ~key & 0xFFFFFFFF
    return float(np.array(pattern, np.uint32).view(np.float32))


def _bin_of(areas: np.ndarray, wanted: int) -> tuple[int, int]:
    """The first bin up to which at least `wanted` lies (1 at least), and the area of the bins before it."""
    sums = np.cumsum(areas)
    k = _first_reaching(sums, np.uint64(max(wanted, 1)))
    return k, int(sums[k - 1]) if k else 0


def _first_reaching(sums: np.ndarray, wanted: np.generic | float) -> int:
    """Index of the first of the rising `sums` that is at least `wanted`; the last one where none is."""
    return min(int(np.searchsorted(sums, wanted)), len(sums) - 1)


def ring_level(values: np.ndarray, starts: np.ndarray, weights: np.ndarray, land: float) -> float:
    """The level above which the share of the sphere's area is nearest to `land`.

    `values`: float32 (points,), ring by ring; ring r holds the points starts[r] .. starts[r + 1] - 1, each of which stands
    for weights[r], float64, of the sphere's area.

    Two passes of bins within bins, down to what float32 can tell apart. Sums stand in the order of the points, so a
    repetition gives the same bits. Raises ValueError where the three do not fit together.
    """
    check_shape("weights", weights, len(starts) - 1)
    check_shape("values", values, int(starts[-1]))
    low, high = float(values.min()), float(values.max())
    for _ in range(2):
        width = max((high - low) / MOST_BINS, 1e-30)
        bins = np.zeros(MOST_BINS + 1)
        add_by_ring(values, starts, weights, low, width, bins)
        above = np.cumsum(bins[::-1])[::-1]
        here = min(int((above[1:] > land).sum()), MOST_BINS - 1)
        low += width * here
        high = low + width
    with_it, without = above[here], above[here + 1]
    return low - width if with_it - land < land - without else high + width


class SteppedSea:
    """Levels by area for heights float32 (faces, n, n) on one spherical atlas, all of them multiples of one spacing."""

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
        k = _first_reaching(below, wanted)
        part = (wanted - (below[k] - self._areas[k])) / self._areas[k]
        return float(self._low + (k - 0.5 + part) * self._width)


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
    return -np.diff(circle(0.5 * edges)[0])
