"""Carver: uplift, rivers and slopes at work on one lattice, one step of time after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..hashing import bits
from . import deposit_kernels, kernels, lake_kernels, raster_kernels, river_kernels
from .ice import Ice
from .node_graph import NodeGraph

# Share that slides in a step of what is steeper than slopes bear.
SLIDE = 0.08
# Share of a river's load that stays on a node which is its whole basin.
SETTLING = 0.4
# Share of a river's load that stays where it leaves a slope for a plain.
FAN = 0.5
# Share of the load that a node of the sea's bed keeps.
MOUTH = 0.03
# Rivers that drain so many squared radii or extents build deltas, with this share of their load, in a step as far from the
# mouth as the root of this share of what they drain.
LARGE_RIVER, DELTA, REACH = 0.015, 0.6, 0.0015
_STREAM_RECEIVERS = 30


@dataclass(frozen=True)
class Forces:
    """What works on a lattice, by node.

    `uplift`: float32 (nodes,), by how much land rises in a unit of time, in the unit of heights. `softness`: float32
    (nodes,), and `rate`: a river of the water 1 cuts softness * rate * time / distance of its fall. `rain`: float32
    (nodes,), water that falls on each node's ground, about 1: water is counted in squared radii or extents. `slope`: the
    steepest that land bears, in the unit of heights by radii or extents. `creep`: the share of the difference between
    neighbours that creeps away in a step. `settling`: the share of a river's load that stays on a node which is the river's
    whole basin. `ice`: glaciers of this lattice; None where there are none.
    """

    uplift: np.ndarray
    softness: np.ndarray
    rate: float
    rain: np.ndarray
    slope: float
    creep: float
    settling: float = SETTLING
    ice: Ice | None = None


@dataclass
class Budget:
    """Volumes since the beginning, in the unit of heights times squared radii or extents.

    `raised`: by uplift; `cut`: by rivers; `lost`: what they carried to the depths of the sea or over a plane's edge.
    """

    raised: float = 0.0
    cut: float = 0.0
    lost: float = 0.0


def rounded_up(sea: float) -> np.float32:
    """The sea's level as the lowest float32 that is not below it: what is above this one is above the sea."""
    near = np.float32(sea)
    return near if near >= sea else np.nextafter(near, np.float32(np.inf))


@dataclass(frozen=True)
class Drained:
    """Land whose water has been led over it, as `Carver` has it, by node. `nodes`: without distances."""

    nodes: NodeGraph
    height: np.ndarray
    sea: np.float32
    kind: np.ndarray
    receiver: np.ndarray
    level: np.ndarray
    flow: np.ndarray


class Bench:
    """Work space of a lattice's steps."""

    def __init__(self, count: int, taken: bool = True) -> None:
        """`taken`: its memory is taken here, so that no step waits for it; otherwise as it is used, and draining alone does
        without a fifth of it."""
        made = (lambda kind: np.full(count, 0, kind)) if taken else (lambda kind: np.zeros(count, kind))
        self.kind, self.slot, self.arrivals = (made(np.uint8) for _ in range(3))
        self.order, self.receiver = (made(np.int32) for _ in range(2))
        self.share, self.level = (made(np.float32) for _ in range(2))
        self.load, self.flow = (made(np.float64) for _ in range(2))
        # Lakes are filled before there is water in rivers, and shores are found before there is a load.
        self.basin, self.mark = (found.view(np.int32)[:count] for found in (self.flow, self.load))


class Carver:
    """Heights of one lattice, float32 (nodes,) above any datum, and the steps that carve them. Of the last step, `flow`,
    float64 (nodes,), is the water of each node's river in squared radii or extents, `receiver`, int32 (nodes,), the node
    that it flows to, and `level`, float32 (nodes,), the level of its lake, minus infinity on dry ground. `sediment`, float32
    (nodes,): how thick what was laid down lies, in the unit of heights; None where it is not kept."""

    def __init__(
        self, nodes: NodeGraph, height: np.ndarray, sea: float, shelf: float, seed: int, bench: Bench | None = None
    ) -> None:
        """`height` becomes the carver's own. `shelf`: the height up to which rivers fill the sea, a little above `sea`.
        `bench`: of this count of nodes, and of no other carver."""
        self.nodes, self.height, self.sea, self.shelf, self._seed = nodes, height, rounded_up(sea), float(shelf), seed
        self._take(Bench(nodes.count, taken=False) if bench is None else bench)
        self.budget = Budget()
        self.sediment: np.ndarray | None = None

    def step(self, number: int, time: float, forces: Forces) -> None:
        """Let `time` pass in one step; `number` chooses its random numbers."""
        self.budget.raised += self._rise(forces.uplift, time)
        self._route(number)
        land, order = self._gather(forces.rain)
        before = None if self.sediment is None else self.height.copy()
        self._cut(time, forces, order[:land])
        self._bench.load[order[land:]] = 0.0
        if forces.ice is not None:
            self._freeze(forces.ice, forces, order[:land])
        self._settle(forces, order)
        if before is not None:
            # In one array: each of the four that this would take otherwise is as large as the heights.
            np.subtract(self.height, before, out=before)
            before += self.sediment
            self.sediment = np.maximum(before, np.float32(0.0), out=before)
        self._creep(forces)

    def _take(self, bench: Bench) -> None:
        self._bench = bench
        self.flow, self.receiver, self.level = bench.flow, bench.receiver, bench.level

    def rest(self) -> None:
        """Let go of the work space, and of what the last step has found: it may take a while until `drain`."""
        self._take(Bench(0))

    def drain(self, number: int, rain: np.ndarray) -> None:
        """Lead `rain`, float32 (nodes,), over the land as it is, without cutting it: `flow`, `receiver` and `level` tell."""
        if not self._bench.kind.size:
            self._take(Bench(self.nodes.count, taken=False))
        self._rise(np.zeros(self.nodes.count, np.float32), 0.0)
        self._route(number)
        self._gather(rain)

    def drained(self) -> Drained:
        """What the last step or `drain` has found: what else the carver needs to work may go."""
        nodes = self.nodes.without_distances()
        return Drained(nodes, self.height, self.sea, self.kind, self.receiver, self.level, self.flow)

    def _rise(self, uplift: np.ndarray, time: float) -> float:
        """Let land rise, and find what is land; the volume that rose."""
        bench, nodes = self._bench, self.nodes
        raised, water = kernels.rise(self.height, self.sea, uplift, np.float32(time), nodes.area, nodes.place, bench.kind)
        if water == 0:
            # Water leaves a planet all of land at its lowest node.
            bench.kind[self.height.argmin()] = kernels.INSIDE
        return float(raised)

    def _route(self, number: int) -> None:
        """Where each node's water goes, and the lakes on its way."""
        bench, nodes = self._bench, self.nodes
        key = np.uint64(bits(self._seed, _STREAM_RECEIVERS, number))
        pits = bench.order
        if nodes.row:
            count = raster_kernels.receive_raster(
                self.height,
                self.sea,
                bench.kind,
                nodes.nearness,
                nodes.table,
                nodes.row,
                key,
                self.receiver,
                bench.slot,
                pits,
            )
        else:
            count = kernels.receive(
                self.height, self.sea, bench.kind, nodes.nearness, nodes.begins, nodes.table, nodes.ways, key, self.receiver,
                bench.slot, pits,
            )  # fmt: skip
        self.level.fill(-np.inf)
        if count:
            lake_kernels.fill_lakes(
                self.height, self.sea, bench.kind, nodes.table, nodes.ways, pits[:count].copy(),
                self.receiver, bench.slot, self.level, bench.basin, bench.mark, bench.order,
            )  # fmt: skip

    def _gather(self, rain: np.ndarray) -> tuple[int, np.ndarray]:
        """(count, order): the nodes that rivers reach, downstream, of which so many are land."""
        bench, nodes = self._bench, self.nodes
        shore = bench.mark
        land, beside = river_kernels.gather(
            bench.kind, self.receiver, rain, nodes.area, self.flow, bench.arrivals, bench.order, shore
        )
        count = river_kernels.sink(
            self.height, self.sea, nodes.place, nodes.nearness, nodes.begins, nodes.table, nodes.ways,
            shore[:beside], self.receiver, bench.slot, self.flow, bench.arrivals, bench.order, land,
        )  # fmt: skip
        return land, bench.order[:count]

    def _cut(self, time: float, forces: Forces, order: np.ndarray) -> None:
        bench, nodes = self._bench, self.nodes
        rate = np.float32(forces.rate * time)
        # Rivers do not cut land down to the sea itself: coasts stay.
        floor = np.nextafter(self.sea, np.float32(np.inf))
        river_kernels.sharpness(self.flow, forces.softness, rate, nodes.nearness, nodes.begins, bench.slot, bench.share)
        self.budget.cut += river_kernels.incise(
            order, self.receiver, self.level, floor, bench.share, self.height, bench.load, nodes.area
        )

    def _freeze(self, ice: Ice, forces: Forces, order: np.ndarray) -> None:
        bench = self._bench
        self.budget.cut += ice.carve(
            order, self.receiver, bench.slot, bench.kind, self.sea, forces.slope, forces.rain, self.height, bench.load
        )

    def _settle(self, forces: Forces, order: np.ndarray) -> None:
        bench, nodes = self._bench, self.nodes
        self.budget.lost += deposit_kernels.settle(
            order, self.receiver, bench.kind, self.level, float(self.sea), self.shelf, self.flow, forces.rain,
            forces.settling, FAN, MOUTH, LARGE_RIVER, DELTA, REACH, bench.arrivals, nodes.place, nodes.nearness,
            nodes.begins, nodes.table, nodes.ways, self.height, bench.load, nodes.area, bench.share,
        )  # fmt: skip

    def _creep(self, forces: Forces) -> None:
        bench, nodes = self._bench, self.nodes
        creep, slope, slide = (np.float32(value) for value in (forces.creep, forces.slope, SLIDE))
        old, new = self.height, bench.share
        if nodes.row:
            area = np.float32(nodes.area[nodes.row * 2 + 2])
            raster_kernels.creep_raster(
                old, bench.kind, nodes.nearness, nodes.table, nodes.row, area, creep, slope, slide, new
            )
        else:
            kernels.creep(
                old, bench.kind, nodes.area, nodes.nearness, nodes.begins, nodes.table, nodes.ways, creep, slope, slide,
                new,
            )  # fmt: skip
        # The new heights and the old ones change places.
        self.height, bench.share = new, old

    @property
    def kind(self) -> np.ndarray:
        """What each node was in the last step, uint8 (nodes,): `kernels.LAND`, or what it always is."""
        return self._bench.kind
