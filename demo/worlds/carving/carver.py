"""Carver: uplift, rivers and slopes at work on one lattice, one step of time after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..drainage import fill
from ..drainage_kernels import CLOSED, UNSEEN, downstream
from ..hashing import bits
from . import kernels
from .node_graph import NodeGraph

# Share that slides in a step of what is steeper than slopes bear.
SLIDE = 0.08
# Share of a river's load that stays on a node which is its whole basin.
SETTLING = 0.1
# Share of the load that a node of the sea's bed keeps.
MOUTH = 0.03
# Rivers that drain so many squared radii or extents build deltas.
LARGE_RIVER = 0.03
_STREAM_RECEIVERS = 30


@dataclass(frozen=True)
class Forces:
    """What works on a lattice in one step, by node, float64 (nodes,).

    `uplift`: by how much land rises, in the unit of heights. `rate`: erodibility times time; a river of the water 1 cuts
    rate / distance of its fall. `rain`: water that falls on each node, in squared radii or extents. `slope`: the steepest
    that land bears, in the unit of heights by radii or extents. `creep`: the share of the difference between neighbours that
    creeps away. `settling`: the share of a river's load that stays on a node which is the river's whole basin.
    """

    uplift: np.ndarray
    rate: np.ndarray
    rain: np.ndarray
    slope: float
    creep: float
    settling: float = SETTLING


@dataclass
class Budget:
    """Volumes since the beginning, in the unit of heights times squared radii or extents.

    `raised`: by uplift; `cut`: by rivers; `lost`: what they carried to the depths of the sea.
    """

    raised: float = 0.0
    cut: float = 0.0
    lost: float = 0.0


class Carver:
    """Heights of one lattice, float64 (nodes,) above any datum, and the steps that carve them. Of the last step,
    `flow` is the water of each node's river, in the unit of `Forces.rain`, and `receiver` the node that it flows to."""

    def __init__(self, nodes: NodeGraph, height: np.ndarray, sea: float, shelf: float, seed: int) -> None:
        """`height` is worked on in place. `shelf`: the height up to which rivers fill the sea, a little above `sea`."""
        self.nodes, self.height, self.sea, self.shelf, self._seed = nodes, height, sea, shelf, seed
        self.flow = np.zeros(nodes.count)
        self.receiver = np.arange(nodes.count, dtype=np.int32)
        self.budget = Budget()

    def step(self, number: int, forces: Forces) -> None:
        """Let one step of time pass; `number` chooses its random numbers."""
        nodes, graph, height = self.nodes, self.nodes.graph, self.height
        land = (height > self.sea) & ~nodes.outside
        # Water leaves land at the edge of a plane, and a planet all of land at its lowest node.
        land[nodes.rim] = False
        if land.all():
            land[height.argmin()] = False
        height[land] += forces.uplift[land]
        self.budget.raised += float((forces.uplift[land] * nodes.area[land]).sum())
        level, receiver, slot = self._routed(land, number)
        self.receiver = receiver
        order = downstream(receiver)
        self.flow[:] = forces.rain
        kernels.gather(order, receiver, self.flow)
        load, ceiling = np.zeros(nodes.count), np.empty(nodes.count)
        kernels.incise(
            order,
            receiver,
            slot,
            level,
            self.sea,
            self.flow,
            forces.rate,
            nodes.nearness,
            graph.stride,
            height,
            load,
            nodes.area,
        )
        self.budget.cut += float(load.sum())
        settling = forces.settling * forces.rain
        self.budget.lost += kernels.settle(
            order,
            receiver,
            level,
            self.sea,
            self.shelf,
            self.flow,
            settling,
            MOUTH,
            LARGE_RIVER,
            height,
            load,
            nodes.area,
            ceiling,
        )
        moved = np.empty(nodes.count)
        kernels.creep(
            height, self.sea, nodes.outside, nodes.area, nodes.nearness,
            graph.table, graph.stride, graph.relative, forces.creep, forces.slope, SLIDE, moved,
        )  # fmt: skip
        height[:] = moved

    def _routed(self, land: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(level, receiver, slot): the level of a lake, minus infinity on dry ground, and where each node's water goes."""
        nodes, graph = self.nodes, self.nodes.graph
        seen = np.where(land, UNSEEN, CLOSED).astype(np.uint8)
        level = np.where(land, self.height, np.inf).astype(np.float32)
        seeds = kernels.shore(land, nodes.outside, graph.table, graph.stride, graph.relative)
        level[seeds] = np.maximum(self.height[seeds], self.sea)
        fill(graph, level, seen, seeds)
        receiver, slot = np.empty(nodes.count, np.int32), np.empty(nodes.count, np.uint8)
        key = np.uint64(bits(self._seed, _STREAM_RECEIVERS, number))
        kernels.receive(level, seen, nodes.nearness, graph.table, graph.stride, graph.relative, key, receiver, slot)
        outside = nodes.outside
        kernels.sink(
            self.height, self.sea, outside, nodes.nearness, graph.table, graph.stride, graph.relative, receiver, slot
        )
        # In the type of the flood, or a difference of rounding would be a lake.
        wet = level > self.height.astype(np.float32)
        return np.where(wet, level, -np.inf).astype(np.float64), receiver, slot
