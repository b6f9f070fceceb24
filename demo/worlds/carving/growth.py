"""Carved growth: any growth, and then uplift and rain at work upon its land.

Rivers cut by stream power (dh/dt = U - K A^m |grad h|, m = 7/16), solved implicitly in one sweep a step (Braun and Willett
2013). Depressions are full of water that runs off over their lowest rim. What rivers cut they lay down again where they
grow flat (after Yuan et al. 2019), in lakes, and at their mouths; slopes creep, and slide where they are too steep. Land
rises as its own mountains stand, so that the carved world stays the grown one.

Work goes from coarse lattices to the full one: large valleys exist first. A coarse lattice changes the heights by what it
has carved, interpolated; so going to a finer lattice changes nothing by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..growth import RELIEF, Growth, Marks
from ..hashing import stream_key
from ..parameters import Value
from . import kernels
from .carver import Carver, Forces
from .node_graph import NodeGraph, node_graph
from .record import CarvingRecord, RecordedGrowth

# The coarsest lattice has at least this many cells along a face's edge.
COARSEST = 128
# Steps on the full lattice, the one with half its cells, and so on; coarser ones have as many as the last.
STEPS = (12, 16, 16)
# What share of the whole time passes on the full lattice and on the next one; coarser ones share what is left evenly.
TIMES = (0.25, 0.3)
# Erodibility times time: a river that drains one squared extent cuts this many extents inland, at age=1.
CUT = 2.5
# Land rises by this share of its large-scale height in the whole time, at age=1.
RAISED = 0.45
# The large scale: this share of a face's edge.
LARGE = 1.0 / 16.0
# The steepest slope that land bears, where the highest land is RELIEF extents high.
STEEPEST = 0.75
# The share of the difference between neighbours that creeps away in a step of the full lattice.
CREEP = 0.003
# What carving on a coarser lattice leaves at least of a height above the sea or of a depth below it.
KEPT = 0.03
# How far deltas stand above the sea, in parts of the highest land.
SHELF = 0.002
# How long the whole time is, at age=1.
YEARS = 1e6
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
        self._record: CarvingRecord | None = None

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

    def again(self, grow: Callable[[], Growth]) -> Growth:
        """The same world at step 0. It shows what this one carves from now on, and carves nothing itself."""
        self._record = CarvingRecord()
        fresh = grow()
        assert isinstance(fresh, CarvedGrowth)
        return RecordedGrowth(self._source.again(lambda: fresh._source), self, self._record, shown)

    @property
    def years(self) -> np.ndarray:
        level = [time / count for (_, count), time in zip(self._steps, times(len(self._steps)), strict=True)]
        passed = np.cumsum(np.repeat(level, [count for _, count in self._steps]))
        return np.concatenate([[0.0], passed * self._options.age * YEARS])

    def _carve(self, number: int) -> None:
        """Carving's step `number`, from 0."""
        counts = np.cumsum([count for _, count in self._steps])
        level = int(np.searchsorted(counts, number, side="right"))
        cells, count = self._steps[level]
        if self._work is None:
            self._work = _Lattice.first(self._source, cells)
        elif self._work.cells != cells:
            self._work = self._work.finer(self._source, cells)
        self._work.step(number, times(len(self._steps))[level] / count, self._source.n - 1, self._options)
        change = self._work.change()
        self.heights = shown(self._source, change)
        over = number == self.total - self._source.total - 1
        if self._record:
            self._record.keep(change)
            self._record.final = self.heights if over else None
        if over:
            self._work = None


def shown(source: Growth, change: np.ndarray) -> np.ndarray:
    """The heights of a grown world with a change, float32 (faces, n, n). `change`: (faces, m, m), n or fewer samples."""
    if change.shape[-1] == source.n:
        return (source.heights + change).astype(np.float32)
    while change.shape[-1] < source.n:
        change = doubled(change)
    return _ashore(source.heights.astype(np.float64), change, float(source.sea_level)).astype(np.float32)


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


class _Lattice:
    """One lattice at work: its heights at the beginning, how it rises, and the carver that changes it."""

    def __init__(self, source: Growth, grown: np.ndarray, change: np.ndarray, large: np.ndarray | None) -> None:
        """Arrays are float64 (faces, n, n) of this lattice. `grown`: its grown heights; `change`: what coarser lattices have
        carved; `large`: the large-scale heights, None on the coarsest."""
        self.cells, self._grown = grown.shape[-1] - 1, grown
        self.nodes = node_graph(source.atlas, grown.shape[-1])
        sea = float(source.sea_level)
        self._relief = max(float(source.heights.max()) - sea, 1e-9)
        self._large = _large(self.nodes, grown) if large is None else large
        height = self.nodes.of_samples(_ashore(grown, change, sea), outside=sea)
        self.carver = Carver(self.nodes, height, sea, sea + SHELF * self._relief, source.seed)
        self._softness = _softness(self.nodes, source)
        self._uplift = np.maximum(self.nodes.of_samples(self._large, outside=sea) - sea, 0.0)

    @staticmethod
    def first(source: Growth, cells: int) -> _Lattice:
        grown = _thinned(source, cells)
        return _Lattice(source, grown, np.zeros_like(grown), None)

    def finer(self, source: Growth, cells: int) -> _Lattice:
        """The next lattice, with what this one has carved."""
        return _Lattice(source, _thinned(source, cells), doubled(self.change()), doubled(self._large))

    def change(self) -> np.ndarray:
        """What has been carved: float64 (faces, m, m)."""
        return self.nodes.to_samples(self.carver.height) - self._grown

    def step(self, number: int, time: float, cells: int, options: CarvingOptions) -> None:
        """One step of carving that takes the share `time` of the whole."""
        time *= options.age
        rain = self.nodes.area
        rate = CUT * options.carve * time * (1.0 + options.hardness * self._softness)
        slope = STEEPEST * self._relief / RELIEF
        self.carver.step(number, Forces(RAISED * time * self._uplift, rate, rain, slope, CREEP * (self.cells / cells) ** 2))


def _ashore(grown: np.ndarray, change: np.ndarray, sea: float) -> np.ndarray:
    """Grown heights with what a coarser lattice has carved: its coast is not theirs, but land stays land and sea sea."""
    above = grown - sea
    least = KEPT * above
    return sea + np.where(above > 0.0, np.maximum(above + change, least), np.minimum(above + change, least))


def doubled(samples: np.ndarray) -> np.ndarray:
    """(faces, n, n) on twice as many cells: float64 (faces, 2n - 1, 2n - 1), the new samples halfway between the old."""
    faces, n = samples.shape[:2]
    out = np.empty((faces, 2 * n - 1, 2 * n - 1))
    out[:, ::2, ::2] = samples
    out[:, ::2, 1::2] = 0.5 * (samples[:, :, :-1] + samples[:, :, 1:])
    out[:, 1::2, ::2] = 0.5 * (samples[:, :-1] + samples[:, 1:])
    out[:, 1::2, 1::2] = 0.25 * ((samples[:, :-1, :-1] + samples[:, 1:, 1:]) + (samples[:, :-1, 1:] + samples[:, 1:, :-1]))
    return out


def _thinned(source: Growth, cells: int) -> np.ndarray:
    """The grown heights on a lattice of `cells`: float64. A coarse one takes its samples from blurred heights."""
    heights = source.heights.astype(np.float64)
    while heights.shape[-1] - 1 > cells:
        nodes = node_graph(source.atlas, heights.shape[-1])
        values = nodes.of_samples(heights)
        heights = nodes.to_samples(_blurred(nodes, values, 1))[:, ::2, ::2]
    return heights


def _softness(nodes: NodeGraph, source: Growth) -> np.ndarray:
    """How soft each node's rock is, float64 (nodes,), -1 to 1 and 0 on average."""
    noise = np.empty(nodes.count)
    kernels.patches(
        nodes.places(source.atlas), stream_key(source.seed, _STREAM_ROCK) & 0xFFFFFFFF, PATCHES, PATCH_OCTAVES, noise
    )
    return np.clip(1.5 * noise, -1.0, 1.0)


def _large(nodes: NodeGraph, samples: np.ndarray) -> np.ndarray:
    """Samples blurred to a scale of LARGE of a face's edge."""
    radius = LARGE * (samples.shape[-1] - 1)
    # A pass of `blur` spreads by a variance of about 3/8 of a squared cell.
    passes = max(1, round(radius * radius / 3.0 / 0.375))
    return nodes.to_samples(_blurred(nodes, nodes.of_samples(samples), passes))


def _blurred(nodes: NodeGraph, values: np.ndarray, passes: int) -> np.ndarray:
    graph = nodes.graph
    for _ in range(passes):
        out = np.empty_like(values)
        kernels.blur(values, nodes.outside, graph.table, graph.stride, graph.relative, out)
        values = out
    return values
