"""Lattice: a carved world on one lattice of its atlas, from the coarsest to the full one.

A coarse lattice changes the heights of the finer ones by what it has carved, interpolated; so going to a finer lattice
changes nothing by itself. What a finer lattice takes besides heights is made ready while the coarser one still works, a part
after each step, so that no step takes long.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..atlas import Atlas
from ..growth import RELIEF, Growth
from ..hashing import stream_key
from . import ice, sample_kernels
from .carver import Bench, Carver, Forces, rounded_up
from .node_graph import NodeGraph, graph_parts, node_graph
from .parts import Parts
from .rainfall import blurred, rainfall

# Erodibility times time: a river that drains one squared extent cuts this many extents inland, at age=1.
CUT = 2.5
# Land rises by this share of its large-scale height in the whole time, at age=1.
RAISED = 0.45
# This share of what rises is spread evenly over the land: rising by its height alone it would not rise at coasts, and rivers
# would flatten them.
EVEN = 0.45
# The large scale: this share of a face's edge.
LARGE = 1.0 / 16.0
# Cells along a face's edge of the lattice of large-scale heights.
LARGE_CELLS = 64
# The steepest slope that land bears, where the highest land is RELIEF extents high; and the share of the slopes of grown
# land, on the coarsest lattice, that stand even if they are steeper.
STEEPEST, STANDING = 0.75, 0.995
# The share of the difference between neighbours that creeps away in a step of the full lattice.
CREEP = 0.003
# What carving on a coarser lattice leaves at least of a height above the sea or of a depth below it.
KEPT = 0.03
# How far deltas stand above the sea, in parts of the highest land.
SHELF = 0.002
# Patches of hard and soft rock: how many of the largest there are along an extent or a radius.
PATCHES, PATCH_OCTAVES = 7.0, 4
_STREAM_ROCK = 34


@dataclass(frozen=True)
class CarvingOptions:
    """`carve`: above 0 and up to 1, how deeply rivers cut. `age`: how long, 1: until there are valleys everywhere.
    `rain`: 0..1, how unevenly it falls. `hardness`: 0..1, how much harder some rock is than other. `ice`: 0..1, how much
    glaciers carve where it is cold."""

    carve: float
    age: float
    rain: float
    hardness: float
    ice: float = 0.0


def pyramid(heights: np.ndarray, levels: int) -> list[np.ndarray]:
    """`heights`, float32 (faces, n, n), after `levels` - 1 coarser ones, the coarsest first: each blurred and thinned."""
    found = [np.ascontiguousarray(heights)]
    for _ in range(levels - 1):
        faces, n = found[0].shape[:2]
        coarse = np.empty((faces, n // 2 + 1, n // 2 + 1), np.float32)
        sample_kernels.thin(found[0], coarse)
        found.insert(0, coarse)
    return found


@dataclass(frozen=True)
class Ground:
    """What a lattice takes besides heights. By node, float32 (nodes,): `uplift`, by how much land rises in the whole time,
    `softness` of its rock, `rain` in parts of its mean. `slope`: the steepest that land bears, in the unit of heights by
    radii or extents."""

    nodes: NodeGraph
    uplift: np.ndarray
    softness: np.ndarray
    rain: np.ndarray
    slope: float

    def finer(self, atlas: Atlas, n: int) -> Generator[None, None, Ground]:
        """The ground of a lattice of n x n samples with twice as many cells, in parts."""
        nodes = yield from graph_parts(atlas, n)
        yield
        uplift = self.doubled_onto(self.uplift, nodes)
        yield
        softness = self.doubled_onto(self.softness, nodes)
        yield
        rain = self.doubled_onto(self.rain, nodes)
        yield
        return Ground(nodes, uplift, softness, rain, self.slope)

    def doubled_onto(self, field: np.ndarray, nodes: NodeGraph) -> np.ndarray:
        """A field of these nodes on those of the lattice with twice as many cells."""
        return nodes.of_samples(doubled(self.nodes.to_samples(field)))


@dataclass(frozen=True)
class Legacy:
    """What a lattice leaves to the next finer one, of its own samples, (faces, m, m). `change`: float32, what it has carved;
    `drowned`: as `Lattice.drowned`. `covered`: float32, 1 where there was ice, None without ice. `sediment`: float32, as
    the carver has it, None where it is not kept."""

    change: np.ndarray
    drowned: np.ndarray | None
    covered: np.ndarray | None
    sediment: np.ndarray | None


class Lattice:
    """One lattice at work: its grown heights and those of the finer ones, its ground, and the carver of its nodes."""

    def __init__(
        self,
        source: Growth,
        options: CarvingOptions,
        grown: list[np.ndarray],
        ground: Ground,
        legacy: Legacy | None = None,
    ) -> None:
        """`grown`: as `pyramid` has it, from this lattice on. `legacy`: of the next coarser one; None for the coarsest."""
        self._source, self._options, self._grown, self._ground = source, options, grown, ground
        sea = float(source.sea_level)
        relief = max(float(grown[-1].max()) - sea, 1e-9)
        nodes = ground.nodes
        covered = _finer(legacy.covered, nodes) if legacy else None
        self._ice: ice.Ice | None = None
        if options.ice > 0.0 and (self.cells <= ice.CELLS or covered is None):
            self._ice = ice.ice_on(nodes, source, relief, options.ice)
        softness = ground.softness if covered is None else ice.spared(ground.softness, covered)
        # For a finer lattice alone.
        self._covered = covered if len(grown) > 1 else None
        del covered
        height = nodes.of_samples(_inherited(grown[0], sea, legacy), outside=sea)
        sediment = _finer(legacy.sediment, nodes) if legacy else None
        # Deltas do not rise. A finer lattice, if there is one, takes what rises from this one's.
        rising = ground.uplift if len(grown) == 1 else ground.uplift.copy()
        rising[nodes.of_samples(grown[0], outside=sea) <= rounded_up(sea)] = 0.0
        self._forces = Forces(
            uplift=rising,
            softness=softness,
            rate=CUT * options.carve * options.age,
            rain=ground.rain,
            slope=ground.slope,
            creep=CREEP * (self.cells / (source.n - 1)) ** 2,
            ice=self._ice,
        )
        # The work space is as much as all else: the coarser lattice has let go of its own by now.
        self.carver = Carver(nodes, height, sea, sea + SHELF * relief, source.seed, Bench(nodes.count))
        self.carver.sediment = sediment
        self._next: Parts[Ground] | None = None
        if len(grown) > 1:
            self._next = Parts(ground.finer(source.atlas, grown[1].shape[-1]))

    @staticmethod
    def first(source: Growth, grown: list[np.ndarray], options: CarvingOptions) -> Lattice:
        """The coarsest lattice, before the first step."""
        atlas, sea, heights = source.atlas, np.float32(source.sea_level), grown[0]
        nodes = node_graph(atlas, heights.shape[-1])
        rising = _rising(nodes, _large(atlas, heights), sea) * np.float32(RAISED * options.age)
        rain = np.ones_like(heights)
        if options.rain > 0.0:
            rain += np.float32(options.rain) * (rainfall(source, heights).parts(heights) - rain)
        softness = _softness(nodes, source, options.hardness)
        slope = max(STEEPEST / RELIEF * float(grown[-1].max() - sea), _standing(heights, float(sea)))
        ground = Ground(nodes, rising, softness, nodes.of_samples(rain), slope)
        return Lattice(source, options, grown, ground)

    @property
    def cells(self) -> int:
        return self._grown[0].shape[-1] - 1

    def finer(self) -> Callable[[], Lattice]:
        """What makes the next lattice with all that this one has carved. This one may have gone by then: together they take
        a quarter more. Raises ValueError for the full one.
        """
        if self._next is None:
            raise ValueError("the full lattice is the finest")
        covered = self._covered if self._ice is None else self._ice.covered_with(self._covered)
        covered, sediment = (
            None if field is None else self._ground.nodes.to_samples(field) for field in (covered, self.carver.sediment)
        )
        legacy = Legacy(self.change(), self.drowned(), covered, sediment)
        return partial(Lattice, self._source, self._options, self._grown[1:], self._next.result(), legacy)

    def change(self) -> np.ndarray:
        """What has been carved: float32 (faces, m, m), m samples along the edge of this lattice."""
        return self._ground.nodes.to_samples(self.carver.height) - self._grown[0]

    def drowned(self) -> np.ndarray | None:
        """Where grown land is under the sea, as ice alone cuts it: bool, in the shape of `change`; None for nowhere."""
        if self._options.ice == 0.0:
            return None
        carved, sea = self._ground.nodes.to_samples(self.carver.height), self.carver.sea
        found: np.ndarray = (self._grown[0] > sea) & (carved <= sea)
        return found if found.any() else None

    def step(self, number: int, time: float) -> None:
        """One step of carving that takes the share `time` of the whole."""
        self.carver.step(number, time, self._forces)
        if self._next is not None:
            self._next.go_on()

    def rest(self) -> None:
        """Let go of what works on the land: no step follows."""
        del self._forces
        nothing = np.zeros(0, np.float32)
        self._ground = replace(self._ground, uplift=nothing, rain=nothing)

    def shown(self) -> np.ndarray:
        """The heights of the full lattice, float32 (faces, n, n): its grown ones, with what this one has carved."""
        if self._next is None:
            return self._ground.nodes.to_samples(self.carver.height)
        out = np.empty_like(self._grown[-1])
        with_change(self._grown[-1], self.change(), float(self._source.sea_level), out, self.drowned())
        return out

    def keep_sediment(self) -> None:
        """Keep what is laid down from now on."""
        self.carver.sediment = np.zeros(self.carver.nodes.count, np.float32)

    def sediment(self) -> np.ndarray:
        """What the carver keeps of it, on the full lattice: float32 (faces, n, n)."""
        assert self.carver.sediment is not None
        return self._full(self.carver.sediment)

    def hardness(self) -> np.ndarray:
        """How many times as hard as the mean the rock is, on the full lattice: float32 (faces, n, n)."""
        softness = self._full(self._ground.softness)
        return np.divide(np.float32(1.0), softness, out=softness)

    def _full(self, field: np.ndarray) -> np.ndarray:
        samples = self._ground.nodes.to_samples(field)
        if self._next is None:
            return samples
        out = np.empty_like(self._grown[-1])
        sample_kernels.spread(samples, out)
        return out


def with_change(
    grown: np.ndarray, change: np.ndarray, sea: float, out: np.ndarray, drowned: np.ndarray | None = None
) -> None:
    """Fill `out` with grown heights and what was carved on a lattice of m samples along an edge.

    `grown`, `out`: float32 (faces, n, n); `change`: float32 (faces, m, m), m <= n. `drowned`: bool, in the shape of
    `change`, where grown land may be under the sea; None: nowhere.
    """
    if change.shape == grown.shape:
        np.add(grown, change, out=out)
        return
    sample_kernels.spread(change, out)
    fjords = np.zeros((1, 1, 1), np.float32)
    if drowned is not None:
        fjords = np.empty_like(out)
        sample_kernels.spread(drowned.astype(np.float32), fjords)
    sample_kernels.ashore(grown, rounded_up(sea), np.float32(KEPT), fjords, out)


def _inherited(grown: np.ndarray, sea: float, legacy: Legacy | None) -> np.ndarray:
    """The heights that a lattice begins with, float32 (faces, m, m)."""
    if legacy is None:
        return grown
    out = np.empty_like(grown)
    with_change(grown, legacy.change, sea, out, legacy.drowned)
    return out


def doubled(samples: np.ndarray) -> np.ndarray:
    """(faces, n, n) on twice as many cells: float32 (faces, 2n - 1, 2n - 1), the new samples halfway between the old."""
    faces, n = samples.shape[:2]
    out = np.empty((faces, 2 * n - 1, 2 * n - 1), np.float32)
    sample_kernels.spread(samples.astype(np.float32, copy=False), out)
    return out


def _finer(samples: np.ndarray | None, nodes: NodeGraph) -> np.ndarray | None:
    """Samples of a lattice on the nodes of the one with twice as many cells."""
    return None if samples is None else nodes.of_samples(doubled(samples))


def _standing(heights: np.ndarray, sea: float) -> float:
    """The slope that the share STANDING of all slopes of grown land are below, along rows, in the unit of `Forces.slope`."""
    slopes = np.abs(np.diff(heights, axis=2))[heights[:, :, 1:] > sea] * (heights.shape[-1] - 1)
    return float(np.sort(slopes)[int(STANDING * slopes.size)]) if slopes.size else 0.0


def _softness(nodes: NodeGraph, source: Growth, hardness: float) -> np.ndarray:
    """How soft each node's rock is, float32 (nodes,): 1 on average, between 1 - hardness and 1 + hardness."""
    noise = np.empty(nodes.count)
    key = stream_key(source.seed, _STREAM_ROCK) & 0xFFFFFFFF
    sample_kernels.patches(nodes.places(source.atlas), key, PATCHES, PATCH_OCTAVES, noise)
    return (1.0 + hardness * np.clip(1.5 * noise, -1.0, 1.0)).astype(np.float32)


def _rising(nodes: NodeGraph, large: np.ndarray, sea: np.float32) -> np.ndarray:
    """By how much land rises in parts of RAISED, float32 (nodes,): on average as high as it stands. `large`: of samples."""
    height = nodes.of_samples(np.maximum(large - sea, np.float32(0.0)))
    land = height > 0.0
    mean = np.average(height[land], weights=nodes.area[land].astype(np.float64)) if land.any() else 0.0
    return height + np.float32(EVEN) * (np.float32(mean) - height)


def _large(atlas: Atlas, samples: np.ndarray) -> np.ndarray:
    """Samples blurred to a scale of LARGE of a face's edge: on a lattice of its own, because that is a large scale."""
    cells = min(LARGE_CELLS, samples.shape[-1] - 1)
    nodes = node_graph(atlas, cells + 1)
    coarse = np.empty((len(samples), cells + 1, cells + 1), np.float32)
    sample_kernels.resample(samples, coarse)
    radius = LARGE * cells
    # A pass of `blur` spreads by a variance of about 3/8 of a squared cell.
    passes = max(1, round(radius * radius / 3.0 / 0.375))
    large = np.empty_like(samples)
    sample_kernels.resample(nodes.to_samples(blurred(nodes, nodes.of_samples(coarse), passes)), large)
    return large
