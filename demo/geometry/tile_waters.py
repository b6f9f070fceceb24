"""Tile waters: which patches with tiles have no water, by bounds of their ground. Plain numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..ground.detail import SHORE_KEPT, SHORE_LAND, shore
from ..ground.relief import GUTTER

if TYPE_CHECKING:
    from ..ground.detail import Detail
    from ..ground.standing_water import Lakes

# There may be water; there is none; and there is none where the heights of the samples tell lakes, either.
SHORE, DRY, FAR_FROM_LAKES = 0, 1, 2
# Where they do, land that is lower than this share of the highest may be a lake's shore or look like a beach.
LOW = 0.0085
# By how many times its strength detail raises and lowers the ground at most, and by which share of their range the smooth
# surface leaves the samples around.
RAISED, BULGE = 2.0, 0.13
# Samples around a patch that its ground depends on, and the widest patch that is looked at, in samples.
AROUND, WIDEST = 2, 16


def tile_waters(detail: Detail, lakes: Lakes | None, patches: np.ndarray, lowest: np.ndarray, inland_m: float) -> np.ndarray:
    """SHORE, DRY or FAR_FROM_LAKES for each patch: uint8 (k,). Wide patches are SHORE, which serves for all.

    `patches`: float32 (k, 4), face, u and v of the middle, edge. `lowest`: float64 (k,), metres below which their ground is
    known not to be. Ground that is all higher than `inland_m` is DRY.
    """
    n = detail.rough_m.shape[-1]
    found = np.full(len(patches), SHORE, np.uint8)
    wide = patches[:, 3] * (n - 1)
    small = np.flatnonzero(wide <= WIDEST)
    if not len(small):
        return found
    where = _around(patches[small], n)
    ground = detail.padded_m[where]
    low, high = ground.min(axis=1), ground.max(axis=1)
    bulge = BULGE * (high - low)
    smooth = low - bulge
    face, row, column = where
    inner = face, np.clip(row - GUTTER, 0, n - 1), np.clip(column - GUTTER, 0, n - 1)
    rough = detail.rough_m[inner].astype(np.float64)
    strength = RAISED * rough.max(axis=1)
    if detail.blocks:
        at = patches[small].astype(np.float64)
        smooth -= detail.blocks.sunk_m(at[:, 0], at[:, 1], at[:, 2])
    # On higher ground detail is stronger, but where it is not this steep the ground rises faster.
    even = 1.5 * (1.0 - SHORE_KEPT) * strength < SHORE_LAND * detail.top_m
    lowest = np.maximum(smooth - strength * np.where(even, shore(smooth, detail.top_m), 1.0), lowest[small])
    dry = lowest > inland_m
    if lakes is not None:
        dry &= lakes.padded_m[where].max(axis=1) < lowest - inland_m
    found[small[dry]] = DRY
    # In and beside such lakes there is no detail.
    apart = dry & (np.minimum(low, lowest) > LOW * detail.top_m) & (rough.min(axis=1) > 0.0)
    found[small[apart]] = FAR_FROM_LAKES
    return found


def _around(patches: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Face, row and column in padded samples of all that the ground of patches depends on: int (k, m) each."""
    face, u, v, edge = patches.astype(np.float64).T
    first, last = (np.stack([v, u]) - 0.5 * edge) * (n - 1), (np.stack([v, u]) + 0.5 * edge) * (n - 1)
    begin = np.floor(first).astype(np.intp) + GUTTER - AROUND + 1
    end = np.ceil(last).astype(np.intp) + GUTTER + AROUND - 1
    steps = np.arange(int((end - begin).max()) + 1)
    row, column = np.clip(np.minimum(begin[..., None] + steps, end[..., None]), 0, n + 2 * GUTTER - 1)
    shape = len(patches), len(steps), len(steps)
    rows, columns = np.broadcast_to(row[:, :, None], shape), np.broadcast_to(column[:, None, :], shape)
    faces = np.broadcast_to(face.astype(np.intp)[:, None, None], shape)
    flat = len(patches), len(steps) ** 2
    return faces.reshape(flat), rows.reshape(flat), columns.reshape(flat)
