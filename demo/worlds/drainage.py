"""Drainage of heights on any graph of points: fill depressions, route water to receivers, accumulate it downstream.

A graph is the planet's mesh, a planar raster, or the samples of an atlas: whatever has a table of neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import drainage_kernels as kernels
from .shapes import check_dtype, check_indices, check_shape

MOST_BINS = 1 << 18


@dataclass(frozen=True)
class Graph:
    """Neighbours of points: neighbour k of point p is `p * relative + table[p * stride + k]`.

    `table`: int32, point numbers of a mesh (points * stride,) with relative 0, or the index differences of a raster (k,)
    with stride 0 and relative 1. `back`: uint8, of the shape of `table`: the slot of p among the neighbours of its
    neighbour k; only `route` needs it.
    """

    table: np.ndarray
    stride: int
    relative: int
    back: np.ndarray

    @staticmethod
    def of_mesh(neighbour: np.ndarray) -> Graph:
        """The graph of a mesh, int32 (points, degree), for `fill` alone: without the way back.

        Raises ValueError for neighbours that are not points.
        """
        check_shape("neighbour", neighbour, None, None)
        check_indices("neighbour", neighbour, len(neighbour))
        return Graph(neighbour.ravel(), neighbour.shape[1], 0, np.zeros(neighbour.size, np.uint8))

    @staticmethod
    def of_raster(row: int) -> Graph:
        """The eight neighbours in a raster of rows of `row` points; its rim must be closed."""
        table = np.array([-row - 1, -row, -row + 1, -1, 1, row - 1, row, row + 1], np.int32)
        return Graph(table, 0, 1, np.arange(7, -1, -1).astype(np.uint8))


def fill(graph: Graph, level: np.ndarray, seen: np.ndarray, seeds: np.ndarray, bins: int = MOST_BINS) -> None:
    """Fill all depressions of `level`, float32 (points,), up to their lowest rim, in place.

    `seen`: uint8 (points,), UNSEEN where water may stand and CLOSED elsewhere; afterwards it says where the flood came
    from. `seeds`: int32, the closed points that water runs off to. Other closed points have an infinite level. `bins`: into
    how many lists the heap's entries are sorted beforehand, at least 2; the result does not depend on it. Raises ValueError
    for arrays that do not fit the graph.
    """
    _check(graph, level, seen)
    check_dtype("level", level, np.float32)
    check_indices("seeds", seeds, level.size)
    if bins < 2:
        raise ValueError(f"{bins} lists are not possible: it takes 2 at least")
    kernels.flood(level, seen, graph.back, seeds, graph.table, graph.stride, graph.relative, bins)


def route(graph: Graph, level: np.ndarray, seen: np.ndarray, nearness: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(receiver, arrivals) of each point of a filled surface, int32 and uint8 (points,), after `fill`.

    The receiver is the neighbour of the steepest fall, and on a flat the one that the flood came from. `nearness`: float32,
    of the shape of `table`, 1 / distance. `arrivals` counts the points that flow directly to each one. Raises ValueError
    for arrays that do not fit the graph.
    """
    _check(graph, level, seen)
    check_shape("nearness", nearness, *graph.table.shape)
    receiver, arrivals = np.empty(level.size, np.int32), np.zeros(level.size, np.uint8)
    kernels.receive(level, seen, nearness, graph.table, graph.stride, graph.relative, receiver, arrivals)
    return receiver, arrivals


def accumulate(receiver: np.ndarray, arrivals: np.ndarray, flow: np.ndarray) -> None:
    """Add the flow of each point, float64 (points,), to all points downstream, in place; `arrivals` is used up.

    Raises ValueError for arrays of another length, and for receivers that are not points.
    """
    check_shape("receiver", receiver, None)
    check_indices("receiver", receiver, receiver.size)
    check_shape("arrivals", arrivals, receiver.size)
    check_shape("flow", flow, receiver.size)
    kernels.accumulate(receiver, arrivals, flow)


def largest_feeders(receiver: np.ndarray, flow: np.ndarray, flowing: np.ndarray) -> np.ndarray:
    """Of the points that flow to each point the one that brings most, the first of equal ones, int64 (points,); -1 for none.

    `flow`: by point; `receiver`: by point, as far as they have one. `flowing`: the numbers of those that count and have one.
    """
    largest = np.full(len(flow), -1, np.int64)
    # Of several values for one place the last one stays.
    rising = flowing[np.lexsort((-flowing, flow[flowing]))]
    largest[receiver[rising]] = rising
    return largest


def _check(graph: Graph, level: np.ndarray, seen: np.ndarray) -> None:
    """Raises ValueError unless `level` and `seen` have one entry for each point of `graph`; a raster may have any number."""
    check_shape("level", level, graph.table.size // graph.stride if graph.stride else None)
    check_shape("seen", seen, level.size)
    check_shape("back", graph.back, *graph.table.shape)
