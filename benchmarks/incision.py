"""One step of rivers, route, accumulate and incise, against fastscapelib, on a surface without depressions.

Both take the steepest of eight neighbours, area^(7/16) and slope^1, implicitly (Braun and Willett 2013), in float64: ours by
the kernels of drainage and carving, compiled for it. fastscapelib (C++) is in benchmarks/requirements.txt; one that is not
installed is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numba
import numpy as np

from benchmarks.drainage import TERRAIN, drain, field
from benchmarks.harness import Clocked, Report, interleave
from demo.worlds.atlas import PLANE
from demo.worlds.carving import river_kernels
from demo.worlds.carving.kernels import INSIDE, LAND, OUTSIDE
from demo.worlds.carving.node_graph import node_graph
from demo.worlds.drainage_kernels import CLOSED, downstream, receive

SIDE = 1025
# Erodibility times time: a river that drains the whole square cuts two tenths of its edge inland.
RATE = 0.2
# Channels drain so many cells; heights on them may be so far from theirs; at most this part of their time.
CHANNEL, NEAR, FASTER = 100, 0.01, 3.0


def compare(report: Report) -> None:
    """Adds the rows of the comparison to the report."""
    heights = sloping()
    try:
        theirs = _fastscapelib(heights)
    except ImportError:
        report.note("fastscapelib is not installed here.")
        return
    ours = _ours(heights)
    times = interleave({"ours": Clocked(lambda: ours()[0]), "fastscapelib": Clocked(lambda: theirs()[0])}, report.rounds(9))
    report.compare(f"rivers of {SIDE}^2, a step, float64", times, "ours", "fastscapelib", at_least=FASTER)
    (_, new, area), (_, other, _) = ours(), theirs()
    channel = area >= CHANNEL / (SIDE - 1) ** 2
    off = float(np.abs(new / other - 1.0)[channel].max())
    report.figure(
        "heights of channels against fastscapelib's", f"at most {off:.2g} apart", f"within {NEAR:.0%}", off <= NEAR
    )


def sloping() -> np.ndarray:
    """A fractal terrain in which every node has a lower neighbour, float64 (SIDE, SIDE), from 0.01 to about 0.1 extents."""
    heights = field(TERRAIN)[:SIDE, :SIDE].astype(np.float64) / 2e4 + 0.01
    drained = drain(heights)
    flat, receiver = heights.ravel(), drained.receiver.ravel()
    _raise(downstream(receiver), receiver, 1e-6 * np.random.default_rng(1).uniform(0.5, 1.0, flat.size), flat)
    return heights


@numba.njit
def _raise(order, receiver, least, height):
    for k in range(order.size - 1, -1, -1):
        p = order[k]
        if receiver[p] != p:
            height[p] = max(height[p], height[receiver[p]] + least[p])


def _ours(heights: np.ndarray) -> Callable[[], tuple[float, np.ndarray, np.ndarray]]:
    """A function that takes one step: its seconds, the new heights and areas upstream, float64 (SIDE, SIDE)."""
    nodes = node_graph(PLANE, SIDE)
    graph, count, inside = nodes.graph(), nodes.count, nodes.place == INSIDE
    kind = np.where(inside, LAND, nodes.place).astype(np.uint8)
    seen = np.where(inside, 0, CLOSED).astype(np.uint8)
    first = nodes.of_samples(heights[None])
    first[nodes.place == OUTSIDE] = np.inf
    nearness, rain = nodes.nearness.astype(np.float64), np.ones(count, np.float32)
    area, soft = nodes.area.astype(np.float64), np.ones(count)
    slots = np.zeros(2 * graph.table.max() + 1, np.uint8)
    slots[graph.table] = np.arange(graph.table.size)
    places = np.arange(count, dtype=np.int32)
    receiver, order, shore = (np.empty(count, np.int32) for _ in range(3))
    arrivals, flow, share, load = np.empty(count, np.uint8), np.empty(count), np.empty(count), np.empty(count)
    level = np.full(count, -np.inf)

    def call() -> tuple[float, np.ndarray, np.ndarray]:
        height = first.copy()
        start = time.process_time()
        arrivals[:] = 0
        receive(height, seen, nearness, graph.table, graph.stride, graph.relative, receiver, arrivals)
        slot = slots[receiver - places]
        land, _ = river_kernels.gather(kind, receiver, rain, area, flow, arrivals, order, shore)
        river_kernels.sharpness(flow, soft, RATE, nearness, nodes.begins, slot, share)
        river_kernels.incise(order[:land], receiver, level, 0.0, share, height, load, area)
        took = time.process_time() - start
        return took, nodes.to_samples(height)[0], nodes.to_samples(flow)[0]

    return call


def _fastscapelib(heights: np.ndarray) -> Callable[[], tuple[float, np.ndarray, np.ndarray]]:
    """The same by fastscapelib."""
    import fastscapelib

    grid = fastscapelib.RasterGrid([SIDE, SIDE], [1.0 / (SIDE - 1)] * 2, fastscapelib.NodeStatus.FIXED_VALUE)
    router = fastscapelib.SingleFlowRouter()
    graph = fastscapelib.FlowGraph(grid, [router])
    eroder = fastscapelib.SPLEroder(graph, RATE, 7.0 / 16.0, 1.0)
    # The graph does not keep alive what it is made of.
    alive = grid, router

    def call() -> tuple[float, np.ndarray, np.ndarray]:
        assert alive
        start = time.process_time()
        graph.update_routes(heights)
        area = graph.accumulate(1.0)
        eroded = eroder.erode(heights, area, 1.0)
        return time.process_time() - start, heights - eroded, area

    return call
