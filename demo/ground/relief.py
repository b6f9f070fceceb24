"""Relief: heights prepared for lighting: metres above the sea with a gutter, normals, and the share of sun and sky.

The worker makes one (`relief_maker`) for every picture of a growth that is shown, and the renderer uploads it. A texture has
no neighbours, so each face carries a rim of GUTTER samples that continue it over its edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..worlds.atlas import Atlas
from ..worlds.shapes import check_square

GUTTER = 2
# The sine of the highest horizon that `light` can hold.
HORIZON = 0.75
# The side of a light that is the same everywhere. A software renderer's driver compiles a program anew for textures whose
# sides are powers of two, as those of real light hardly ever are.
OPEN = 3


@dataclass(frozen=True)
class PrintedRelief:
    """A relief in the look of its article.

    `raised`: how many times as high it stands; None: as high as ever. `range_m`: the heights in metres above the sea,
    before they are raised, of the land's lowest colour and of its highest.
    """

    raised: float | None = None
    range_m: tuple[float, float] = (0.0, 1.0)


@dataclass
class Relief:
    """Arrays for the samples of all faces and their gutters; s = n + 2 GUTTER. Worker and renderer pass them back and forth.

    `heights_m`: float32 (faces, s, s), metres above the sea. `shade`: int16 (faces, s, s, 4), the unit normal and height /
    `height_scale`, all times 32767. `light`: uint8 (faces, s / 2, s / 2, 4), for every second sample of a terrain, because
    its soft shadows need no more; (faces, s, s, 4) on planets, whose samples are far apart, and (faces, OPEN, OPEN, 4) while
    they grow, when nothing throws a shadow. It holds the sine of the horizon's elevation at three bearings of the sun, times
    255 / HORIZON, and the share of the sky that is open, times 255.
    `printed`: how it is drawn in the look of its article. `coarse_m`: the coarser levels, as `CoarseLevels.packed` returns
    them; None where they are every second sample.
    """

    heights_m: np.ndarray
    shade: np.ndarray
    light: np.ndarray
    height_scale: float = 1.0
    printed: PrintedRelief = PrintedRelief()
    coarse_m: np.ndarray | None = None

    @staticmethod
    def empty(atlas: Atlas, n: int) -> Relief:
        """A relief that is flat at sea level, for n samples along a face's edge."""
        side = n + 2 * GUTTER
        shape = (atlas.faces, side, side)
        light = open_light(atlas.faces, OPEN if atlas.spherical else side // 2)
        return Relief(np.zeros(shape, np.float32), np.zeros((*shape, 4), np.int16), light)


def open_light(faces: int, side: int) -> np.ndarray:
    """The light of flat ground, uint8 (faces, side, side, 4): as in `Relief`."""
    return np.full((faces, side, side, 4), (0, 0, 0, 255), np.uint8)


def fill_gutter(atlas: Atlas, padded: np.ndarray) -> None:
    """Fill the rim of `padded`, contiguous float32 (faces, n + 2 GUTTER, n + 2 GUTTER), with the samples over the edges.

    Raises ValueError for another form of array.
    """
    if check_square("padded", padded, atlas.faces) < 2 + 2 * GUTTER or not padded.flags.c_contiguous:
        raise ValueError(f"padded {padded.shape} is not contiguous, or has no samples between its gutters")
    rim, sources, weights = _gutter(atlas, padded.shape[-1] - 2 * GUTTER)
    flat = padded.reshape(-1)
    flat[rim] = (flat[sources] * weights).sum(axis=1)


@lru_cache(maxsize=2)
def _gutter(atlas: Atlas, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Flat indices (k,) of the gutter, and the samples (k, 4) and float32 weights (k, 4) that it is interpolated from."""
    side = n + 2 * GUTTER
    outside = np.ones((atlas.faces, side, side), bool)
    outside[:, GUTTER : n + GUTTER, GUTTER : n + GUTTER] = False
    rim = np.flatnonzero(outside)
    face, rest = np.divmod(rim, side * side)
    j, i = np.divmod(rest, side)
    there, u, v = atlas.beyond(face, i - GUTTER, j - GUTTER, n)
    x, y = np.clip(u, 0, 1) * (n - 1), np.clip(v, 0, 1) * (n - 1)
    i0, j0 = np.minimum(x.astype(np.intp), n - 2), np.minimum(y.astype(np.intp), n - 2)
    fx, fy = x - i0, y - j0
    base = (there * side + j0 + GUTTER) * side + i0 + GUTTER
    sources = np.stack([base, base + 1, base + side, base + side + 1], axis=1)
    weights = np.stack([(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy], axis=1)
    return rim, sources, weights.astype(np.float32)
