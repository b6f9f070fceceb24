"""Drainage of a planar height field by the kernels of the planet's: filled depressions, receivers, accumulation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .waters.hydrology_kernels import CLOSED, UNSEEN, accumulate, flood, receive

BINS = 1 << 18
DIAGONAL = np.float32(np.sqrt(0.5))


@dataclass(frozen=True)
class Drainage:
    """Of a raster (rows, columns): `filled` float32, `receiver` int32, `accumulation` float64.

    `receiver` is the flat index of the cell that a cell flows to, its own where it flows off the map.
    """

    filled: np.ndarray
    receiver: np.ndarray
    accumulation: np.ndarray


def drain(heights: np.ndarray, steepest: bool = True) -> Drainage:
    """Drainage of float32 heights (rows, columns), at least one by one, by eight neighbours; the map's rim is open.

    Depressions are filled up to their lowest rim; a cell flows to the neighbour of the steepest fall, or to the lowest one
    without `steepest`; each cell adds 1 to the accumulation. Raises ValueError where a height is not finite.
    """
    heights = np.asarray(heights, np.float32)
    if heights.ndim != 2 or heights.size == 0 or not np.isfinite(heights).all():
        raise ValueError("drainage takes a table of finite heights")
    rows, columns = heights.shape
    row = columns + 2
    level = np.full((rows + 2, row), np.inf, np.float32)
    level[1:-1, 1:-1] = heights
    seen = np.full(level.shape, CLOSED, np.uint8)
    seen[2:-2, 2:-2] = UNSEEN
    rim = np.zeros(level.shape, bool)
    rim[1:-1, 1:-1] = True
    rim[2:-2, 2:-2] = False
    table = np.array([-row - 1, -row, -row + 1, -1, 1, row - 1, row, row + 1], np.int32)
    slant = DIAGONAL if steepest else np.float32(1.0)
    nearness = np.array([slant, 1, slant, 1, 1, slant, 1, slant], np.float32)
    flat, graph = level.ravel(), (table, 0, 1)
    bins = max(2, min(BINS, heights.size))
    flood(flat, seen.ravel(), np.arange(7, -1, -1).astype(np.uint8), np.flatnonzero(rim).astype(np.int32), *graph, bins)
    receiver, arrivals = np.empty(flat.size, np.int32), np.zeros(flat.size, np.uint8)
    receive(flat, seen.ravel(), nearness, *graph, receiver, arrivals)
    accumulation = np.ones(flat.size)
    accumulate(receiver, arrivals, accumulation)
    inside = np.s_[1:-1, 1:-1]
    own = receiver.reshape(level.shape)[inside]
    # Out of the frame: a place (j, i) is j * row + i with it and (j - 1) * columns + i - 1 without.
    unframed = own - np.int32(2) * (own // np.int32(row)) - np.int32(columns + 1)
    return Drainage(level[inside], unframed, accumulation.reshape(level.shape)[inside])
