"""A height map made elsewhere, as a growth: first a few large cells are seen, then finer and finer ones.

The article on plasma begins with it: the simplest height map is one that is loaded. `catalogue.heightmap_in` reads the
file; this module takes the array.
"""

from __future__ import annotations

import numpy as np

from .atlas import PLANE
from .growth import Growth
from .hashing import uniforms
from .heightfield import sample
from .parameters import ParameterError, Value

# How far below the sea a sunken rim ends, where 1 is the range from the darkest to the lightest; and the number of cells
# along the longest side between which its width varies.
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
    """`image` (rows, columns) with its land sinking to `rest` towards the edges, over about `wide` samples.

    Places below `rest` stay as they are. The width varies from place to place, in the same way for all images, so that
    coasts are no straight lines.
    """
    rows, columns = image.shape
    hills = uniforms(0, _STREAM_RIM, (RIM_CELLS + 1) ** 2).astype(np.float32).reshape(RIM_CELLS + 1, -1)
    inward = (0.5 + _resampled(hills, max(rows, columns) - 1)[:rows, :columns]) / np.float32(wide)
    down, along = (np.minimum(np.arange(side), np.arange(side)[::-1]).astype(np.float32) for side in image.shape)
    inward *= np.minimum(down[:, None], along[None, :])
    np.minimum(inward, 1.0, out=inward)
    # Not `maths.easing.smoothstep`: its products stand in another order, which would change the heights' last bits.
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
    """A unit of work is a level: level k shows the map with 2^k cells, the last one as it is."""

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
