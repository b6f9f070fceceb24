"""A height map that was made elsewhere, as a growth: seen first as a few large cells, then finer and finer.

The article on plasma begins with it: the simplest height map is one that is loaded. Reading files is not done here but by
`demo.export.heightmap_file`; this module takes the array.
"""

from __future__ import annotations

import numpy as np

from demo.worlds.atlas import PLANE
from demo.worlds.growth import Growth
from demo.worlds.heightfield import sample
from demo.worlds.parameters import ParameterError, Value


def grow(seed: int, parameters: dict[str, Value], image: np.ndarray | None) -> Growth:
    """The growth of `image`, float (rows, columns) in 0..1; raises ParameterError without one.

    Nothing is random in it: every seed gives the same heights.
    """
    if image is None:
        raise ParameterError("heightmap needs a picture: give its file as file=PATH, or to the show as --heightmap PATH")
    height, sea = float(parameters["height"]), float(parameters["sea"])
    return HeightMap(seed, squared(image, sea, int(parameters["cells"])) * np.float32(height), sea * height)


def squared(image: np.ndarray, rest: float, cells: int = 0) -> np.ndarray:
    """`image` (rows, columns) in the middle of a square, float32 (n, n), with `rest` around it.

    n is the longest side, or cells + 1 where `cells` is given, to which the square is resampled bilinearly.
    """
    rows, columns = image.shape
    side = max(rows, columns)
    square = np.full((side, side), rest, np.float32)
    top, left = (side - rows) // 2, (side - columns) // 2
    square[top : top + rows, left : left + columns] = image
    return square if cells in (0, side - 1) else _resampled(square, cells)


def _resampled(square: np.ndarray, cells: int) -> np.ndarray:
    """Bilinear at the samples of `cells` cells: float32 (cells + 1, cells + 1)."""
    line = np.arange(cells + 1) / cells
    return sample(square[None], 0, line[None, :], line[:, None]).astype(np.float32)


class HeightMap(Growth):
    """Steps are levels: at level k the map is seen through 2^k cells, at the last one as it is."""

    atlas = PLANE
    unit = "extent"

    def __init__(self, seed: int, heights: np.ndarray, sea_level: float) -> None:
        """`heights`: float32 (n, n), fractions of the extent."""
        super().__init__(seed, heights.shape[0])
        self._final, self._sea_level = heights, sea_level
        self.total = max(int(np.ceil(np.log2(max(self.n - 1, 1)))), 1)
        self._show(0)

    def _advance(self, to: int) -> None:
        self._show(to)

    def _show(self, level: int) -> None:
        if level == self.total:
            self.heights[0] = self._final
        else:
            self.heights[0] = _resampled(_resampled(self._final, min(2**level, self.n - 1)), self.n - 1)

    @property
    def sea_level(self) -> float:
        return self._sea_level
