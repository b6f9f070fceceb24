"""Carved growth: any growth, and then uplift and rain at work upon its land.

Rivers cut by stream power (dh/dt = U - K A^m |grad h|, m = 7/16), solved implicitly in one sweep a step (Braun and Willett
2013). Depressions are full of water that runs off over their lowest rim. What rivers cut they lay down again where they
grow flat (after Yuan et al. 2019), in lakes, and at their mouths; slopes creep, and slide where they are too steep. Land
rises as its own mountains stand, so that the carved world stays the grown one.

Work goes from coarse lattices to the full one: large valleys exist first. A coarse lattice changes the heights by what it
has carved, interpolated; so going to a finer lattice changes nothing by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..atlas import Atlas
from ..growth import RELIEF, Growth, Marks
from ..hashing import stream_key
from ..parameters import Value
from . import sample_kernels
from .carver import Carver, Forces
from .node_graph import NodeGraph, node_graph

# The coarsest lattice has at least this many cells along a face's edge.
COARSEST = 128
# Steps on the full lattice, the one with half its cells, and so on; coarser ones have as many as the last.
STEPS = (12, 16, 16)
# What share of the whole time passes on the full lattice and on the next one; coarser ones share what is left evenly.
TIMES = (0.25, 0.3)
# Erodibility times time: a river that drains one squared extent cuts this many extents inland, at age=1.
CUT = 2.5
# Land rises by this share of its large-scale height in the whole time, at age=1.
RAISED = 1.0
# The large scale: this share of a face's edge.
LARGE = 1.0 / 16.0
# Cells along a face's edge of the lattice of large-scale heights.
LARGE_CELLS = 64
# The steepest slope that land bears, where the highest land is RELIEF extents high.
STEEPEST = 0.75
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
    `hardness`: 0..1, how much harder some rock is than other."""

    carve: float
    age: float
    hardness: float


def carved(source: Growth, parameters: Mapping[str, Value]) -> Growth:
    """`source`, at step 0, with carving after its last step; `parameters` as CARVING in GENERATORS has them."""
    carve, age, hardness = (float(parameters[name]) for name in ("carve", "age", "hardness"))
    return CarvedGrowth(source, CarvingOptions(carve, age, hardness))


class CarvedGrowth(Growth):
    """A growth that goes on with carving after the last step of its source."""

    def __init__(self, source: Growth, options: CarvingOptions) -> None:
        """`source`: at step 0."""
        self._source, self._options = source, options
        self.atlas, self.unit, self.size, self.seed, self.n = source.atlas, source.unit, source.size, source.seed, source.n
        self.printed_relief = source.printed_relief
        self.done = 0
        self.heights = source.heights
        self._lattices = lattices(source.n - 1)
        counts = [STEPS[min(k, len(STEPS) - 1)] for k in range(len(self._lattices))]
        self._steps = list(zip(reversed(self._lattices), reversed(counts), strict=True))
        self.total = source.total + sum(counts)
        self._work: _Lattice | None = None

    @property
    def stages(self) -> dict[str, int]:
        return {**self._source.stages, "grown": self._source.total, "end": self.total}

    @property
    def sea_level(self) -> float:
        return self._source.sea_level

    @property
    def highest(self) -> float | None:
        grown = self._source.highest
        return None if grown is None else max(grown, float(self.heights.max()))

    @property
    def sinking(self) -> float:
        return self._source.sinking

    def marks(self, first: int, last: int, relief: float = RELIEF) -> Marks:
        grown = self._source.total
        return self._source.marks(min(first, grown), min(last, grown), relief)

    def _advance(self, to: int) -> None:
        source = self._source
        if self.done < source.total:
            source.advance(min(to, source.total))
            self.heights = source.heights
        first = max(self.done, source.total) - source.total
        for number in range(first, to - source.total):
            self._carve(number)
        if self._work is not None:
            self.heights = self._work.shown()
            if to == self.total:
                self._work = None

    def _carve(self, number: int) -> None:
        """Carving's step `number`, from 0."""
        counts = np.cumsum([count for _, count in self._steps])
        level = int(np.searchsorted(counts, number, side="right"))
        cells, count = self._steps[level]
        if self._work is None:
            self._work = _Lattice.first(self._source, pyramid(self._source.heights, len(self._steps)), self._options)
        elif self._work.cells != cells:
            self._work = self._work.finer()
        self._work.step(number, times(len(self._steps))[level] / count)


def lattices(cells: int) -> list[int]:
    """Cells along a face's edge of the full lattice and of the coarser ones, each with half as many."""
    found = [cells]
    while found[-1] % 2 == 0 and found[-1] // 2 >= COARSEST:
        found.append(found[-1] // 2)
    return found


def times(count: int) -> list[float]:
    """The share of the whole time that passes on each of `count` lattices, the coarsest first."""
    fine = list(TIMES[: max(count - 1, 0)])
    coarse = count - len(fine)
    return [(1.0 - sum(fine)) / coarse] * coarse + fine[::-1]


def pyramid(heights: np.ndarray, levels: int) -> list[np.ndarray]:
    """`heights`, float32 (faces, n, n), after `levels` - 1 coarser ones, the coarsest first: each blurred and thinned."""
    found = [np.ascontiguousarray(heights)]
    for _ in range(levels - 1):
        faces, n = found[0].shape[:2]
        coarse = np.empty((faces, n // 2 + 1, n // 2 + 1), np.float32)
        sample_kernels.thin(found[0], coarse)
        found.insert(0, coarse)
    return found


class _Lattice:
    """One lattice at work: its grown heights and those of the finer ones, what works on it, and the carver of its nodes."""

    def __init__(
        self, source: Growth, grown: list[np.ndarray], nodes: NodeGraph, fields: tuple[np.ndarray, ...], rate: float
    ) -> None:
        """`grown`: as `pyramid` has it, from this lattice on. `fields`, float32 (faces, n, n): the heights to begin with,
        how fast land rises, and how soft its rock is."""
        self._source, self._grown, self.nodes, self._rate = source, grown, nodes, rate
        sea = float(source.sea_level)
        self._relief = max(float(grown[-1].max()) - sea, 1e-9)
        height = nodes.of_samples(fields[0], outside=sea)
        self.carver = Carver(nodes, height, sea, sea + SHELF * self._relief, source.seed)
        self._forces = Forces(
            uplift=nodes.of_samples(fields[1]),
            softness=nodes.of_samples(fields[2]),
            rate=rate,
            rain=nodes.area,
            slope=STEEPEST * self._relief / RELIEF,
            creep=CREEP * (self.cells / (source.n - 1)) ** 2,
        )

    @staticmethod
    def first(source: Growth, grown: list[np.ndarray], options: CarvingOptions) -> _Lattice:
        """The coarsest lattice, before the first step."""
        nodes = node_graph(source.atlas, grown[0].shape[-1])
        sea = np.float32(source.sea_level)
        rising = np.maximum(_large(source.atlas, grown[0]) - sea, np.float32(0.0)) * np.float32(RAISED * options.age)
        softness = nodes.to_samples(_softness(nodes, source, options.hardness))
        rate = CUT * options.carve * options.age
        return _Lattice(source, grown, nodes, (grown[0], rising, softness), rate)

    @property
    def cells(self) -> int:
        return self._grown[0].shape[-1] - 1

    def finer(self) -> _Lattice:
        """The next lattice, with what this one has carved."""
        nodes = node_graph(self._source.atlas, self._grown[1].shape[-1])
        fields = [doubled(self.nodes.to_samples(field)) for field in (self._forces.uplift, self._forces.softness)]
        return _Lattice(self._source, self._grown[1:], nodes, (self._spread(1), *fields), self._rate)

    def _spread(self, level: int) -> np.ndarray:
        """The heights of the lattice so many times finer: its grown ones, with what this one has carved."""
        grown = self._grown[level]
        heights = self.nodes.to_samples(self.carver.height)
        if level == 0:
            return heights
        heights -= self._grown[0]
        change = np.empty_like(grown)
        sample_kernels.spread(heights, change)
        sample_kernels.ashore(grown, np.float32(self._source.sea_level), np.float32(KEPT), change)
        return change

    def step(self, number: int, time: float) -> None:
        """One step of carving that takes the share `time` of the whole."""
        self.carver.step(number, time, self._forces)

    def shown(self) -> np.ndarray:
        """The heights of the full lattice, float32 (faces, n, n)."""
        return self._spread(len(self._grown) - 1)


def doubled(samples: np.ndarray) -> np.ndarray:
    """(faces, n, n) on twice as many cells: float32 (faces, 2n - 1, 2n - 1), the new samples halfway between the old."""
    faces, n = samples.shape[:2]
    out = np.empty((faces, 2 * n - 1, 2 * n - 1), np.float32)
    sample_kernels.spread(samples.astype(np.float32, copy=False), out)
    return out


def _softness(nodes: NodeGraph, source: Growth, hardness: float) -> np.ndarray:
    """How soft each node's rock is, float32 (nodes,): 1 on average, between 1 - hardness and 1 + hardness."""
    noise = np.empty(nodes.count)
    key = stream_key(source.seed, _STREAM_ROCK) & 0xFFFFFFFF
    sample_kernels.patches(nodes.places(source.atlas), key, PATCHES, PATCH_OCTAVES, noise)
    return (1.0 + hardness * np.clip(1.5 * noise, -1.0, 1.0)).astype(np.float32)


def _large(atlas: Atlas, samples: np.ndarray) -> np.ndarray:
    """Samples blurred to a scale of LARGE of a face's edge: on a lattice of its own, because that is a large scale."""
    cells = min(LARGE_CELLS, samples.shape[-1] - 1)
    nodes = node_graph(atlas, cells + 1)
    coarse = np.empty((len(samples), cells + 1, cells + 1), np.float32)
    sample_kernels.resample(samples, coarse)
    radius = LARGE * cells
    # A pass of `blur` spreads by a variance of about 3/8 of a squared cell.
    passes = max(1, round(radius * radius / 3.0 / 0.375))
    graph, values = nodes.graph, nodes.of_samples(coarse)
    out = np.empty_like(values)
    for _ in range(passes):
        sample_kernels.blur(values, nodes.place, graph.table, graph.stride, graph.relative, out)
        values, out = out, values
    large = np.empty_like(samples)
    sample_kernels.resample(nodes.to_samples(values), large)
    return large
