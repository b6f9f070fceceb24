"""Tile waters: which patches with tiles are all land and which are all sea, by bounds of their ground. Plain numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..ground.detail import SHORE_KEPT, SHORE_LAND, shore
from ..ground.relief import GUTTER

if TYPE_CHECKING:
    from ..ground.detail import Detail
    from ..ground.standing_water import Lakes

# There may be both; there is no water; none where the heights of the samples tell lakes, either; there is no land.
SHORE, DRY, FAR_FROM_LAKES, SEA = 0, 1, 2, 3
# Where they do, land that is lower than this share of the highest may be a lake's shore or look like a beach.
LOW = 0.0085
# By how many times its strength detail raises and lowers the ground at most, and by which share of their range the smooth
# surface leaves the samples around.
RAISED, BULGE = 2.0, 0.13
# Samples around a patch that its ground depends on, and the widest patch whose bounds are worked out, in samples.
AROUND, WIDEST = 2, 16


def tile_waters(
    detail: Detail, lakes: Lakes | None, patches: np.ndarray, lowest: np.ndarray, highest: np.ndarray, inland_m: float
) -> np.ndarray:
    """SHORE, DRY, FAR_FROM_LAKES or SEA for each patch: uint8 (k,). SHORE serves for all.

    `patches`: float32 (k, 4), face, u and v of the middle, edge. `lowest`, `highest`: float64 (k,), metres between which
    their ground is. Ground that is all higher than `inland_m` is DRY; what lies deeper everywhere is SEA.
    """
    found = np.full(len(patches), SHORE, np.uint8)
    found[highest < -inland_m] = SEA
    high = np.flatnonzero(lowest > inland_m)
    if not len(high):
        return found
    where, inner = _around(patches[high], detail)
    dry = np.ones(len(high), bool)
    if lakes is not None:
        dry = lakes.padded_m.reshape(-1)[where].max(axis=1) < lowest[high] - inland_m
    found[high[dry]] = DRY
    # In and beside such lakes there is no detail.
    ground = np.minimum(detail.padded_m.reshape(-1)[where].min(axis=1), lowest[high])
    # Half floats are slow to compare.
    rough = detail.rough_m.reshape(-1)[inner].astype(np.float32)
    apart = dry & (ground > LOW * detail.top_m) & (rough.min(axis=1) > 0.0)
    found[high[apart]] = FAR_FROM_LAKES
    return found


def lowest_ground(detail: Detail, patches: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Metres below which the ground of each patch nowhere is, without looking at it: float64 (k,).

    `patches`: as `tile_waters` has them. `known`: float64 (k,), bounds that are known already; wide patches keep those.
    """
    n = detail.rough_m.shape[-1]
    found = known.copy()
    small = np.flatnonzero(patches[:, 3] * (n - 1) <= WIDEST)
    if not len(small):
        return found
    where, inner = _around(patches[small], detail)
    ground = detail.padded_m.reshape(-1)[where]
    low, high = ground.min(axis=1), ground.max(axis=1)
    smooth = low - BULGE * (high - low)
    strength = RAISED * detail.rough_m.reshape(-1)[inner].astype(np.float32).max(axis=1).astype(np.float64)
    if detail.blocks:
        at = patches[small].astype(np.float64)
        smooth -= detail.blocks.sunk_m(at[:, 0], at[:, 1], at[:, 2])
    # On higher ground detail is stronger, but where it is not this steep the ground rises faster.
    even = 1.5 * (1.0 - SHORE_KEPT) * strength < SHORE_LAND * detail.top_m
    found[small] = np.maximum(smooth - strength * np.where(even, shore(smooth, detail.top_m), 1.0), known[small])
    return found


def _around(patches: np.ndarray, detail: Detail) -> tuple[np.ndarray, np.ndarray]:
    """The places of what the ground of patches depends on, int (k, m): among all padded samples, and among all samples."""
    n = detail.rough_m.shape[-1]
    face, u, v, edge = patches.astype(np.float64).T
    first, last = (np.stack([v, u]) - 0.5 * edge) * (n - 1), (np.stack([v, u]) + 0.5 * edge) * (n - 1)
    begin = np.floor(first).astype(np.intp) + GUTTER - AROUND + 1
    end = np.ceil(last).astype(np.intp) + GUTTER + AROUND - 1
    steps = np.arange(int((end - begin).max()) + 1)
    row, column = np.clip(np.minimum(begin[..., None] + steps, end[..., None]), 0, n + 2 * GUTTER - 1)
    found = []
    for out, side in ((0, n + 2 * GUTTER), (GUTTER, n)):
        first_of = (face.astype(np.intp)[:, None] * side + np.clip(row - out, 0, side - 1)) * side
        place = first_of[:, :, None] + np.clip(column - out, 0, side - 1)[:, None, :]
        found.append(place.reshape(len(patches), -1))
    return found[0], found[1]
