"""Plasma terrain: recursive midpoint displacement, level by level (after P. Mindek; Fournier, Fussell, Carpenter 1982).

`method=default` is diamond-square without the defects of the article's rule. A level doubles the lattice: the centre of
every square gets the mean of its four corners (diamond), and every side point gets the mean of its four neighbours (square).
Unlike in the article, both are displaced. Plain diamond-square leaves a pimple or a pit at every coarse vertex, because the
vertex keeps its displacement while everything around it is averaged. So after each half of a level the older vertices are
relaxed half-way to the mean of their four new neighbours and displaced anew. The relaxing is the rule of 4-8 subdivision
(Velho and Zorin 2001), which has a smooth limit; the displacing is Saupe's successive random additions (1988). Two
alternatives were rejected: additions alone leave visible spikes, and relaxing alone leaves old vertices too smooth among
rough ones.

Before the last step the lattice has 2^k cells, and heights between its vertices are bilinear. So a mix of the heights of two
steps shows every new vertex rise from the mean of its neighbours. More cells refine the same world. Where the cells are no
power of two, the finished lattice has up to twice as many, and cubics through its vertices (Catmull and Rom 1974) give the
samples.

`method=as-printed` is the article's rule in bytes. Random numbers are hashes of a vertex's place, so in a power of two of
cells the order of vertices does not matter: working level by level gives the bits of the recursion. For any other width it
is the recursion itself, each step a level deeper.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..atlas import PLANE
from ..growth import RELIEF, Growth, Marks
from ..hashing import bits, stream_key, uniform
from ..land_share import level_by_rank
from ..parameters import Value
from .kernels import SHARES, STRIP, level_as_printed, level_default, level_parallel, recursion_as_printed, sample

# Displacement in fractions of the extent. DETAIL is the fifth level's for any H, so `roughness` changes the texture of the
# land and not its layout. By the power law the first levels alone would decide between one great cone and no land at all.
# They are held back, and with edges=low the interior of the first lattices is raised instead.
LAYOUT = (0.02, 0.07, 0.08, 0.038)
DETAIL = 0.0145
DOME = (0.03, 0.04, 0.02)

EXTENT_AS_PRINTED = 4.0
# Smaller levels do not use the parallel kernel: they gain nothing by it, and a start must not wait for its compiling.
PARALLEL_FROM = 1024
# Marks show the vertices of the first SHOWN_LEVELS lattices. The size of a vertex is in the lattice's cells, and at most
# LARGEST_VERTEX extents.
SHOWN_LEVELS, VERTEX_CELLS, LARGEST_VERTEX = 6, 0.16, 0.012

# Streams of random numbers; 3 is that of `ground.cloud_field`.
_STREAM, _STREAM_AS_PRINTED, _STREAM_CORNERS = 1, 2, 4


def grow(seed: int, parameters: dict[str, Value]) -> Growth:
    """A plasma at step 0 of log2(cells), rounded up; `parameters` complete, as `plasma` in GENERATORS has them."""
    cells = int(parameters["cells"])
    if parameters["method"] == "as-printed":
        return PlasmaAsPrinted(seed, cells)
    return Plasma(seed, cells, float(parameters["roughness"]), str(parameters["edges"]), float(parameters["land"]))


class _Levels(Growth):
    """What both methods share: a compact lattice of 2^k cells, doubled level by level and spread over `heights`.

    A compact lattice is read and written in whole vectors, unlike every stride-th sample of `heights`.
    """

    atlas = PLANE

    def __init__(self, seed: int, cells: int) -> None:
        super().__init__(seed, cells + 1)
        self.total = (cells - 1).bit_length()
        self._lattice = self._corners()
        self._spread_at = -1

    @property
    def _even(self) -> bool:
        """Whether the cells are a power of two."""
        return self.n - 1 == 1 << self.total

    def _corners(self) -> np.ndarray:
        raise NotImplementedError

    def _finer(self, level: int) -> np.ndarray:
        raise NotImplementedError

    def _advance(self, to: int) -> None:
        for level in range(self.done, to):
            self._lattice = self._finer(level)

    @property
    def heights(self) -> np.ndarray:
        """As `Growth` has it. The lattice is spread on demand, so steps that are not shown cost nothing."""
        if self._spread_at != self.done:
            self._spread_at = self.done
            self._spread()
        return self._field

    @heights.setter
    def heights(self, field: np.ndarray) -> None:
        self._field = field

    def _spread(self) -> None:
        """Fill the field from the lattice."""
        if self._even:
            _spread(self._lattice, self._field[0])
        else:
            places = np.arange(self.n) * (self._lattice.shape[0] - 1) / (self.n - 1)
            first = np.minimum(places.astype(np.int64), self._lattice.shape[0] - 2)
            _sampled(self._lattice, first, places - first, self.done == self.total, self._field[0])


class Plasma(_Levels):
    """The crease-free method. Heights in fractions of the extent; see the module's docstring."""

    unit = "extent"
    printed_relief = 1.0

    def __init__(self, seed: int, cells: int, roughness: float, edges: str, land: float, stream: int = _STREAM) -> None:
        self._key = np.uint32(stream_key(seed, stream) & 0xFFFFFFFF)
        self._roughness = roughness
        self._edges = edges
        self._land = land
        self._sea: tuple[int, float] | None = None
        super().__init__(seed, cells)

    def amplitude(self, level: int) -> float:
        """Displacement of the centres at `level`, falling by 2^-H a level; that of side points is half a level further."""
        return LAYOUT[level] if level < len(LAYOUT) else DETAIL * 2.0 ** (-self._roughness * (level - len(LAYOUT)))

    def _corners(self) -> np.ndarray:
        if self._edges != "free":
            return np.zeros((2, 2), np.float32)
        signs = [2.0 * uniform(self.seed, _STREAM_CORNERS, corner) - 1.0 for corner in range(4)]
        return (self.amplitude(1) * np.array(signs)).astype(np.float32).reshape(2, 2)

    def _finer(self, level: int) -> np.ndarray:
        m = self._lattice.shape[0] - 1
        n = 2 * m + 1
        finer = self._field[0] if n == self.n else np.empty((n, n), np.float32)
        centre, tile = self.amplitude(level), self._edges == "tile"
        sizes = np.float32(centre), np.float32(centre * 2.0 ** (-0.5 * self._roughness))
        order = self._key, np.uint32(level), *sizes, tile
        lines = np.empty((1 if m < PARALLEL_FROM else SHARES, 4, STRIP + 4, m + 2), np.float32)
        if m < PARALLEL_FROM:
            level_default(self._lattice, finer, lines[0], _rows(m, tile), 0, m + 1, *order)
        else:
            level_parallel(self._lattice, finer, lines, _rows(m, tile), *order)
        if self._edges == "low":
            if level < len(DOME):
                finer += np.float32(DOME[level]) * _dome(n)
            finer[[0, -1], :] = finer[:, [0, -1]] = 0.0
        return finer

    @property
    def sea_level(self) -> float:
        """The level above which the wanted share of the square lies, but never below the highest sample of a low rim."""
        if self._sea is None or self._sea[0] != self.done:
            self._sea = self.done, _sea_level(self.heights[0], self._land, self._edges == "low")
        return self._sea[1]

    def marks(self, first: int, last: int, relief: float = RELIEF) -> Marks:
        """The vertices of the lattice at step `last`, as points on the land or the sea, without those of the rim.

        There are none once vertices are too many to be told apart.
        """
        if last > min(SHOWN_LEVELS, self.total):
            return Marks.none()
        across = np.linspace(-0.5, 0.5, (1 << last) + 1)[1:-1]
        nearest = np.rint((across + 0.5) * (self.n - 1)).astype(np.intp)
        height = np.maximum(self.heights[0][np.ix_(nearest, nearest)], self.sea_level) * relief
        x, z = np.meshgrid(across, across)
        size = np.full(x.shape, min(VERTEX_CELLS / (1 << last), LARGEST_VERTEX))
        points = np.stack([x, height, z, size], axis=-1).reshape(-1, 4).astype(np.float32)
        return replace(Marks.none(), points=points)


class PlasmaAsPrinted(_Levels):
    """The article's rule: bytes 0..255, side points without noise, extent 4. It has no sea, so the sea level is 0."""

    unit = "byte"
    size = EXTENT_AS_PRINTED
    sea_level = 0.0

    def __init__(self, seed: int, cells: int) -> None:
        self._key = np.uint32(stream_key(seed, _STREAM_AS_PRINTED) & 0xFFFFFFFF)
        # A byte h stands h / width / 1.5 units high.
        self.printed_relief = 1.0 / (1.5 * cells) / EXTENT_AS_PRINTED
        super().__init__(seed, cells)

    def _corners(self) -> np.ndarray:
        draws = [bits(self.seed, _STREAM_CORNERS, corner) >> 58 for corner in range(4)]
        return np.array(draws, np.float32).reshape(2, 2)

    def _finer(self, level: int) -> np.ndarray:
        n = 2 * self._lattice.shape[0] - 1
        finer = self._field[0] if n == self.n else np.empty((n, n), np.float32)
        level_as_printed(self._lattice, finer, self._key, (self.n - 1) >> level)
        return finer

    def _advance(self, to: int) -> None:
        if self._even:
            super()._advance(to)

    def _spread(self) -> None:
        if self._even:
            super()._spread()
            return
        field = self._field[0]
        field[:: self.n - 1, :: self.n - 1] = self._corners()
        recursion_as_printed(field, self._key, self.done)
        if self.done < self.total:
            vertices = _vertices(self.n - 1, self.done)
            first = np.searchsorted(vertices, np.arange(self.n - 1), "right") - 1
            first = np.append(first, len(vertices) - 2)
            part = (np.arange(self.n) - vertices[first]) / (vertices[first + 1] - vertices[first])
            _sampled(field[np.ix_(vertices, vertices)], first, part, False, field)


def _spread(lattice: np.ndarray, field: np.ndarray) -> None:
    """Fill `field` (n, n) from a coarser lattice: its vertices exactly, and bilinearly between them."""
    if np.may_share_memory(field, lattice):
        return  # the last level was computed in place
    lines = np.empty((lattice.shape[0], field.shape[1]), np.float32)
    _between(lattice.T, lines.T)
    _between(lines, field)


def _sampled(lattice: np.ndarray, first: np.ndarray, part: np.ndarray, smooth: bool, field: np.ndarray) -> None:
    """Fill `field` (n, n) from a lattice: sample k lies `part` (n,) in 0..1 of the way from vertex `first` (n,) to the next.

    Bilinearly, or with cubics where `smooth`. Samples on vertices get their heights exactly.
    """
    t = part
    weights = np.stack([0.0 * t, 1.0 - t, t, 0.0 * t], 1)
    if smooth:
        ends = -0.5 * t * (1.0 - t) ** 2, -0.5 * t * t * (1.0 - t)
        weights = np.stack([ends[0], 1.0 - t * t * (2.5 - 1.5 * t), t * (0.5 + t * (2.0 - 1.5 * t)), ends[1]], 1)
    sample(lattice, first, weights.astype(np.float32), np.empty(lattice.shape[0], np.float32), field)


def _vertices(cells: int, depth: int) -> np.ndarray:
    """Where the article's recursion has cut an edge of so many cells after `depth` calls: int64, from 0 to `cells`."""
    places = [0, cells]
    for _ in range(depth):
        # Python's round and Delphi's take halves to the even number.
        middles = [round((low + high) / 2) for low, high in pairwise(places) if high - low > 1]
        places = sorted({*places, *middles})
    return np.array(places)


def _between(lines: np.ndarray, out: np.ndarray) -> None:
    """Fill `out` (m * stride + 1, w) from the rows of `lines` (m + 1, w): these exactly, and linearly between them."""
    stride = (out.shape[0] - 1) // (lines.shape[0] - 1)
    rise = lines[1:] - lines[:-1]
    for offset in range(stride):
        rows = out[offset:-1:stride]
        np.multiply(rise, np.float32(offset / stride), out=rows)
        rows += lines[:-1]
    out[-1] = lines[-1]


def _dome(n: int) -> np.ndarray:
    """1 over the middle, falling to 0 at the middles of the sides and below 0 towards the corners: float32 (n, n)."""
    across = np.linspace(-1.0, 1.0, n)
    return np.clip(1.5 * (1.0 - across[:, None] ** 2 - across[None, :] ** 2), -0.75, 1.0).astype(np.float32)


def _rows(m: int, tile: bool) -> np.ndarray:
    """Which rows stand for the rows -2 .. m+1, int64 (3, m + 4): those of centres, of corners (0..m) and of side points."""
    row = np.arange(-2, m + 2)
    if tile:
        return np.stack([row % m, row % m, row])
    return np.stack([np.clip(row, 0, m - 1), np.clip(row, 0, m), np.clip(row, 0, m - 1)])


def _sea_level(field: np.ndarray, land: float, low_rim: bool) -> float:
    sea = level_by_rank(field, land)
    if low_rim:
        sea = max(sea, float(max(field[0].max(), field[-1].max(), field[:, 0].max(), field[:, -1].max())))
    return sea
