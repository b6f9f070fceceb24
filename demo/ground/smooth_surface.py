"""The smooth surface through the samples of a world, and the slope of it that gullies follow."""

from __future__ import annotations

from functools import reduce

import numpy as np

from ..maths.vectors import lengths
from ..worlds.atlas import Atlas
from .relief import GUTTER

# The numbers of tile.frag, under the same names.
# The surface falls below the samples around by at most this share of how much these differ.
SLACK = 0.03
# How much of the way in which gullies run is that of the surface itself, and how much steeper than the samples it may be.
OWN, STEEPER = 0.6, 1.2
# Cells over which differences are taken.
STEP = 0.25
# Where tangents span less than this share of their squares, they are those of a pole.
FLAT = 1e-3


def cubic(padded: np.ndarray, face: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The smooth surface through the samples at columns x and rows y, (k,), and how far it is held up: float64 (k,).

    It is the one of E. Catmull and R. Rom (1974), but hardly below the least of the samples around (`floor_of`): between
    mountains that would fall hundreds of metres below the floor of a valley.
    """
    # Imports numba, which the first picture does without. The worker has loaded it when there is ground to ask for.
    from .smooth_kernels import smooth

    surface, lift = np.empty((2, len(x)))
    where = (np.ascontiguousarray(part, kind) for part, kind in ((face, np.int64), (x, np.float64), (y, np.float64)))
    smooth(padded, *where, GUTTER, np.float32(SLACK), surface, lift)
    return surface, lift


def rises_of(padded: np.ndarray, face: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How much that surface rises in a column and in a row where nothing holds it up, in its unit: float64 (2, k)."""
    from .smooth_kernels import rises

    out = np.empty((2, len(x)))
    where = (np.ascontiguousarray(part, kind) for part, kind in ((face, np.int64), (x, np.float64), (y, np.float64)))
    rises(padded, *where, GUTTER, out)
    return out


def floor_of(nine: list[np.ndarray]) -> np.ndarray:
    """How low the surface may be at a sample, of `nine` arrays of one shape: it and those around it.

    A little below the least of them, or the shores of lakes would follow the cells of the samples.
    """
    least, most = reduce(np.minimum, nine), reduce(np.maximum, nine)
    floor: np.ndarray = least - SLACK * (most - least)
    return floor


def held_up(x: np.ndarray, y: np.ndarray, last: int) -> np.ndarray:
    """How much the surface is held up at columns x and rows y of 0..`last`, 0..1: not at the edges of faces.

    Faces share their samples there, but not all that are around them.
    """
    inside: np.ndarray = np.clip(np.minimum(np.minimum(x, last - x), np.minimum(y, last - y)), 0.0, 1.0)
    return inside


def led(
    lean: np.ndarray, atlas: Atlas, padded: np.ndarray, size_m: float, face: np.ndarray, u: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """The gradients `lean` (k, 3) of samples, turned to where the surface itself rises at (u, v): float64 (k, 3).

    `padded`: as in `Detail`, metres; `size_m`: radius or extent. Where faces meet, which do not share the surface's
    gradient, and where the grid of samples bends, on the diagonals of a double cone, they stay as they are.
    """
    cells = padded.shape[-1] - 2 * GUTTER - 1
    x, y = u * cells, v * cells
    inner = OWN * held_up(x, y, cells)
    if atlas.cone:
        inner *= np.clip(np.abs(x + y - cells) - 1.0, 0.0, 1.0)
    at = atlas.place(face, u, v)
    along, down = (
        (atlas.place(face, u + a, v + b) - at) * (cells / STEP) for a, b in ((STEP / cells, 0.0), (0.0, STEP / cells))
    )
    rise, fall = rises_of(padded, face, x, y) * (cells / size_m)
    e, f, g = (np.einsum("ij,ij->i", a, b) for a, b in ((along, along), (along, down), (down, down)))
    area = e * g - f * f
    # At a pole a whole row is one point.
    inner[area <= FLAT * (e + g) ** 2] = 0.0
    by = np.stack([g * rise - f * fall, e * fall - f * rise]) / np.maximum(area, 1e-9)
    own = along * by[0, :, None] + down * by[1, :, None]
    found = lean + (own - lean) * inner[:, None]
    return found * np.minimum(STEEPER * lengths(lean) / np.maximum(lengths(found), 1e-9), 1.0)[:, None]
