"""A height map made elsewhere, as a growth: first a few large cells are seen, then finer and finer ones.

The article on plasma begins with it: the simplest height map is one that is loaded. `catalogue.heightmap_in` reads the
file; this module takes the array.
"""

from __future__ import annotations

import math

import numpy as np

from .atlas import PLANE
from .growth import Growth
from .hashing import uniforms
from .parameters import ParameterError, Value
from .shapes import check_shape, check_square

# How far below the sea a sunken rim ends, where 1 is the range from the darkest to the lightest; and the number of cells
# along the longest side between which its width varies.
RIM_DEPTH, RIM_CELLS = 0.12, 40
_STREAM_RIM = 15
# The square around a long strip is mostly empty. By default it has at most this many times the picture's samples (a world
# map, twice as wide as high, stays as it is); a square of MODEST_CELLS costs little and is not reduced.
SQUARE_COST, MODEST_CELLS = 2.25, 256
# Rows that are resampled at once.
_BAND = 256


def grow(seed: int, parameters: dict[str, Value], image: np.ndarray | None) -> Growth:
    """The growth of `image`, float (rows, columns) in 0..1; raises ParameterError without one, ValueError for another shape.

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
    check_shape("the picture", image, None, None)
    rows, columns = image.shape
    hills = uniforms(0, _STREAM_RIM, (RIM_CELLS + 1) ** 2).astype(np.float32).reshape(RIM_CELLS + 1, -1)
    cell, share = _places(max(rows, columns) - 1, RIM_CELLS + 1)
    width = _interpolated(hills, (cell[:rows], share[:rows]), (cell[:columns], share[:columns]))
    # The narrowest rim that is asked for is 0 in float32.
    inward = (0.5 + width) / np.float32(max(wide, 1e-30))
    down, along = (np.minimum(np.arange(side), np.arange(side)[::-1]).astype(np.float32) for side in image.shape)
    inward *= np.minimum(down[:, None], along[None, :])
    np.minimum(inward, 1.0, out=inward)
    # Not `maths.easing.smoothstep`: its products stand in another order, which would change the heights' last bits.
    inward *= inward * (3.0 - 2.0 * inward)
    return np.minimum(image, rest + (image - rest) * inward).astype(np.float32)


def squared(image: np.ndarray, rest: float, cells: int = 0) -> np.ndarray:
    """`image` (rows, columns) in the middle of a square, float32 (n, n), with `rest` around it.

    n is cells + 1; the square is resampled bilinearly to it. Without `cells` it takes `default_cells`. Raises ValueError
    for a picture of another form.
    """
    check_shape("the picture", image, None, None)
    rows, columns = image.shape
    side = max(rows, columns)
    cells = cells or default_cells(rows, columns)
    top, left = (side - rows) // 2, (side - columns) // 2
    if cells == side - 1:
        square = np.full((side, side), rest, np.float32)
        square[top : top + rows, left : left + columns] = image
        return square
    # One sample of `rest` on each side stands for all of it, so that the square itself is never made.
    framed = np.pad(image.astype(np.float32), 1, constant_values=np.float32(rest))
    places = _places(cells, side)
    return _interpolated(framed, places, places, 1 - top, 1 - left)


def default_cells(rows: int, columns: int) -> int:
    """The cells along the square of a picture: as many as its longest side has, but fewer for a long strip.

    The square has at most SQUARE_COST times the picture's samples, or MODEST_CELLS cells where that is more. The number is
    even for a strip, so that samples lie on its middle line, however narrow it is.
    """
    side = max(rows, columns)
    most = int(SQUARE_COST * rows * columns)
    if side <= MODEST_CELLS + 1 or side * side <= most:
        return side - 1
    return max((math.isqrt(most) - 1) // 2 * 2, MODEST_CELLS)


def _resampled(square: np.ndarray, cells: int) -> np.ndarray:
    """Bilinear at the samples of `cells` cells: float32 (cells + 1, cells + 1)."""
    places = _places(cells, square.shape[0])
    return _interpolated(square, places, places)


def _places(cells: int, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the samples of `cells` cells lie among `side` samples.

    The sample before each place, intp (cells + 1,) in 0..side - 2, and the share of the way to the next, float64 in 0..1.
    """
    places = np.arange(cells + 1) / cells * (side - 1)
    before = np.minimum(places.astype(np.intp), side - 2)
    return before, places - before


def _interpolated(
    image: np.ndarray,
    down: tuple[np.ndarray, np.ndarray],
    along: tuple[np.ndarray, np.ndarray],
    row: int = 0,
    column: int = 0,
) -> np.ndarray:
    """`image` (rows, columns) bilinearly at the places `down` and `along`, as `_places` gives them: float32 (down, along).

    The places count from the sample (-row, -column). Beyond the image its outermost samples continue.
    """
    rows, columns = image.shape
    (j, fy), (i, fx) = down, along
    above, below = (np.clip(j + row + step, 0, rows - 1)[:, None] for step in (0, 1))
    left, right = (np.clip(i + column + step, 0, columns - 1)[None, :] for step in (0, 1))
    out = np.empty((len(j), len(i)), np.float32)
    for first in range(0, len(j), _BAND):
        band = slice(first, first + _BAND)
        top = image[above[band], left] * (1.0 - fx) + image[above[band], right] * fx
        bottom = image[below[band], left] * (1.0 - fx) + image[below[band], right] * fx
        out[band] = top * (1.0 - fy[band, None]) + bottom * fy[band, None]
    return out


class HeightMap(Growth):
    """A unit of work is a level: level k shows the map with 2^k cells, the last one as it is."""

    atlas = PLANE
    unit = "extent"

    def __init__(self, seed: int, heights: np.ndarray, sea_level: float) -> None:
        """`heights`: float32 (n, n), fractions of the extent; raises ValueError for another shape."""
        super().__init__(seed, check_square("heights", heights))
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
