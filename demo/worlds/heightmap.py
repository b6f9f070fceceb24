"""A height map that was made elsewhere, as a growth: seen first as a few large cells, then finer and finer.

The article on plasma begins with it: the simplest height map is one that is loaded. Reading files is not done here but by
`demo.catalogue.heightmap_in`; this module takes the array.
"""

from __future__ import annotations

import numpy as np

from .atlas import PLANE
from .growth import Growth
from .hashing import uniforms
from .heightfield import sample
from .parameters import ParameterError, Value

# How deep below the sea's level a sunken rim ends, from the darkest (0) to the lightest (1), and along how many cells of the
# longest side its width changes.
RIM_DEPTH, RIM_CELLS = 0.12, 40
_STREAM_RIM = 15


def grow(seed: int, parameters: dict[str, Value], image: np.ndarray | None) -> Growth:
    """The growth of `image`, float (rows, columns) in 0..1; raises ParameterError without one.

    Nothing is random in it: every seed gives the same heights.
    """
    if image is None:
        raise ParameterError("heightmap needs a picture: give its file as file=PATH, or to the show as --heightmap PATH")
    height, sea, rim = (float(parameters[name]) for name in ("height", "sea", "rim"))
    rest = sea
    if rim > 0.0:
        rest = sea - RIM_DEPTH
        image = sunk_rim(image, rest, rim * max(image.shape))
    return HeightMap(seed, squared(image, rest, int(parameters["cells"])) * np.float32(height), sea * height)


def sunk_rim(image: np.ndarray, rest: float, wide: float) -> np.ndarray:
    """`image` (rows, columns) whose land passes into `rest` towards its edges, over about `wide` samples; lower places stay.

    How fast it does differs from place to place, the same for all images, so that coasts are no straight lines.
    """
    rows, columns = image.shape
    hills = uniforms(0, _STREAM_RIM, (RIM_CELLS + 1) ** 2).astype(np.float32).reshape(RIM_CELLS + 1, -1)
    inward = (0.5 + _resampled(hills, max(rows, columns) - 1)[:rows, :columns]) / np.float32(wide)
    down, along = (np.minimum(np.arange(side), np.arange(side)[::-1]).astype(np.float32) for side in image.shape)
    inward *= np.minimum(down[:, None], along[None, :])
    np.minimum(inward, 1.0, out=inward)
    # Smoothstep, but not `maths.easing`'s: that one rounds otherwise, and heights keep their bits.
    inward *= inward * (3.0 - 2.0 * inward)
    return np.minimum(image, rest + (image - rest) * inward).astype(np.float32)


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
