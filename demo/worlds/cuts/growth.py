"""Planets by random plane cuts: each lifts one side of the sphere and sinks the other. Atlas CUBE, LATLONG, DOUBLE_CONE.

Source: M. Turek, "Generování planet", probably after an English original by H. Elias. Heights are in units of the radius R,
about the datum R; a cut moves the surface by `step`, 1e-3 as printed. Normals are uniform on the sphere.

How much of the near side is found again on the far side depends on where the planes lie, at the distance d from the centre.
Heights at antipodes, about the planet's own mean, have the covariance -(1 - |d|)^2 for each cut, of a variance of 1 - d^2:

- `offset=off`, d = 0: all planes go through the centre, h(-x) = -h(x), and the correlation is -1.
- `offset=on`: a plane goes through a point of the ball at random, at right angles to the way there from the centre, which is
  the article's cure. Then |d|^3 is uniform in 0..1, the means are -1/10 and 2/5, and the correlation is -1/4. No choice of
  distances reaches 0, because no plane has a positive covariance.
- `offset=full`: every seventh cut lifts a slab |n.p| < d instead, both sides alike. A slab is even: its covariance at
  antipodes is its variance, 4 d (1 - d), which is 3/5 in the mean over the same distances. Six planes of -1/10 and one slab
  of 3/5 leave nothing.

`method=as-printed` keeps two defects of the article. Its normals are drawn from a cube, so they prefer the cube's diagonals.
Its cure mixes units: it compares lengths in units of R = 20 with unit vectors, so most planes miss the sphere and move it as
a whole, and most such planets are all sea or all land. As printed, `offset` is therefore off unless it is asked for.

Only the crossings of planes and rows are written (`cuts.rows`), and they are kept, so further cuts cost only their own
crossings and one prefix sum a picture. A slab is two planes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...maths.easing import smoothstep
from ...maths.vectors import lengths
from ..atlas import CUBE, DOUBLE_CONE, LATLONG
from ..circle import circle
from ..growth import RELIEF, Growth, Marks
from ..hashing import uniforms
from ..land_share import SteppedSea
from ..parameters import Value, is_printed
from . import kernels
from .rows import CubeRows, ParallelRows

ATLASES = {atlas.name: atlas for atlas in (CUBE, LATLONG, DOUBLE_CONE)}

# Streams of random numbers.
HEIGHT, LONGITUDE, OFFSET, SIGN, LENGTH = 2000, 2001, 2002, 2003, 2004
# With offset=full every SLAB_EVERY-th cut is a slab, the first time after SLABS_AFTER others.
SLAB_EVERY, SLABS_AFTER = 7, 5
# Weights are integers, so that sums do not depend on their order. With weights=falling, cut k weighs
# 1 / sqrt(1 + (k - 1) / 100) steps, to 16 binary places: the first hundred cuts, which shape the continents, about as
# printed, later ones less and less, so that the mountains grow finer rather than higher.
FALLING_UNIT, FALLING_FROM = 1 << 16, 100
# Cuts drawn at a time, which bounds the memory they take.
CHUNK = 1 << 15
MOST_RINGS = 64
# The highest height that there has been is found for every cut, on a cube of so few cells.
RECORD_CELLS = 16
# Counts of cuts between which the shown sea rises from the datum to its own level.
SEA_FROM, SEA_FULL = 3, 100


def grow(seed: int, parameters: dict[str, Value]) -> CutsGrowth:
    """One planet at step 0; `parameters` complete, as the row of `cuts` in GENERATORS has them."""
    return CutsGrowth(seed, parameters)


def planes(seed: int, first: int, last: int, parameters: dict[str, Value]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The cuts first < k <= last: normals float64 (k, 3), offsets float64 (k,) in R, signs int8 (k,).

    A cut adds sign * step where n.p > d for the unit vector p, and subtracts it elsewhere. Normals are unit vectors, or the
    zero vector, which the article's rule can draw; that one has d = -1, so its cut moves the whole sphere. The cuts that
    `slabs` names add sign * step where |n.p| < d instead.
    """
    offset = parameters["offset"] != "off"
    if is_printed(parameters):
        return _draw_printed(seed, first, last - first, offset, int(parameters["radius"]))
    return _draw(seed, first, last - first, offset)


def slabs(first: int, last: int, parameters: dict[str, Value]) -> np.ndarray:
    """Which of the cuts first < k <= last are slabs: bool (k,)."""
    if parameters["offset"] != "full":
        return np.zeros(last - first, bool)
    return np.arange(first, last) % SLAB_EVERY == SLABS_AFTER


def weights(first: int, last: int, parameters: dict[str, Value]) -> tuple[np.ndarray, int]:
    """(weights of the cuts first < k <= last, int32 (k,); the weight of one whole step)."""
    if parameters["weights"] == "fixed":
        return np.ones(last - first, np.int32), 1
    k = np.arange(first, last)
    return np.rint(FALLING_UNIT / np.sqrt(1.0 + k / FALLING_FROM)).astype(np.int32), FALLING_UNIT


def shown_share(cuts: int) -> float:
    """The part of the sea's level that is shown after `cuts` cuts: smoothly from 0 to 1, evenly on a scale of ratios."""
    middle = (SEA_FROM * SEA_FULL) ** 0.5
    # (x - 1) / (x + 1) is tanh(log(x) / 2): a logarithmic scale without the logarithm.
    end = (SEA_FULL - middle) / (SEA_FULL + middle)
    return smoothstep(min(max(0.5 + 0.5 * (cuts - middle) / (cuts + middle) / end, 0.0), 1.0))


class CutsGrowth(Growth):
    """A planet being cut. A unit of work is a cut; heights and sea level are in R."""

    unit = "R"
    printed_relief = 1.0

    def __init__(self, seed: int, parameters: dict[str, Value]) -> None:
        self.atlas = ATLASES[str(parameters["atlas"])]
        self.total = int(parameters["cuts"])
        super().__init__(seed, int(parameters["cells"]) + 1)
        self._parameters = parameters
        self._mesh = CubeRows(self.n) if self.atlas is CUBE else ParallelRows(self.atlas, self.n)
        self._coast = SteppedSea(self.atlas, self.n)
        self._sea: tuple[int, float] = (0, 0.0)
        self._record = Record(seed, parameters)

    def _advance(self, to: int) -> None:
        for first in range(self.done, to, CHUNK):
            last = min(first + CHUNK, to)
            normals, offsets, signs = planes(self.seed, first, last, self._parameters)
            weight, self._per_step = weights(first, last, self._parameters)
            self._mesh.add(normals, offsets, weight * signs, slabs(first, last, self._parameters))
        self._mesh.write(self.heights, float(self._parameters["step"]) / self._per_step)

    @property
    def sea_level(self) -> float:
        """The level with the wanted share of land above it; 0, the datum, with land=printed.

        Before the last cut it is found from some of the samples. From the 3rd to the 100th cut it moves from 0, where half
        is land in the mean, to that level.
        """
        land = self._parameters["land"]
        if land == "printed" or self.done == 0:
            return 0.0
        if self._sea[0] != self.done:
            self._sea = self.done, self._find_sea(float(land))
        return self._sea[1]

    def _find_sea(self, land: float) -> float:
        # Heights lie on a lattice of two units, because every cut moves them by one unit up or down.
        spacing = 2.0 * float(self._parameters["step"]) / self._per_step
        if self.done == self.total:
            return self._coast.level(self.heights, land, spacing)
        share = shown_share(self.done)
        return share * self._coast.rough_level(self.heights, land, spacing) if share > 0.0 else 0.0

    @property
    def highest(self) -> float:
        """The highest height up to now, at least the datum's 0, which the article keeps and colours land by.

        That of the present heights is exact; those of the cuts before are found at some places of the sphere.
        """
        return max(self._record.up_to(self.done), float(self.heights.max()))

    def marks(self, first: int, last: int, relief: float = RELIEF) -> Marks:
        """The planes of the cuts first < k <= last, of the first MOST_RINGS cuts at most: normal, offset in R."""
        last = min(last, first + MOST_RINGS)
        normals, offsets, _ = planes(self.seed, first, last, self._parameters)
        steps, slab = np.arange(first, last) + 1, slabs(first, last, self._parameters)
        rings = np.column_stack([normals, offsets])
        both = np.concatenate([rings, rings[slab] * (1.0, 1.0, 1.0, -1.0)]).astype(np.float32)
        return replace(Marks.none(), rings=both, steps=np.concatenate([steps, steps[slab]]))


class Record:
    """The highest height after any of the cuts up to now, at some places of the sphere."""

    def __init__(self, seed: int, parameters: dict[str, Value]) -> None:
        self._seed, self._parameters = seed, parameters
        self._counts = np.zeros(6 * (RECORD_CELLS + 1) ** 2, np.int64)
        self._done = self._highest = 0

    def up_to(self, cut: int) -> float:
        """The highest height after any of the cuts 1 to `cut`, at least 0, in R; `cut` may not fall from call to call."""
        places = np.ascontiguousarray(CUBE.positions(RECORD_CELLS + 1).reshape(-1, 3).T)
        for first in range(self._done, cut, CHUNK):
            last = min(first + CHUNK, cut)
            normals, offsets, signs = planes(self._seed, first, last, self._parameters)
            weight, _ = weights(first, last, self._parameters)
            cuts = normals, offsets, weight * signs, slabs(first, last, self._parameters)
            self._highest = kernels.raise_record(places, *cuts, self._counts, self._highest)
        self._done = max(self._done, cut)
        _, per_step = weights(0, 0, self._parameters)
        return float(self._parameters["step"]) / per_step * self._highest


def _draw(seed: int, first: int, count: int, offset: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Normals uniform on the sphere: a uniform height (Archimedes) and a uniform longitude. Offsets those of a point of the
    ball, 0..1, or 0 without `offset`."""
    height = 2.0 * uniforms(seed, HEIGHT, count, first) - 1.0
    flat = np.sqrt((1.0 - height) * (1.0 + height))
    cosine, sine = circle(uniforms(seed, LONGITUDE, count, first))
    # The greatest of three uniform numbers is below x in x^3 of all cases, as is the distance of a point of the ball.
    offsets = uniforms(seed, OFFSET, 3 * count, 3 * first).reshape(count, 3).max(axis=1) if offset else np.zeros(count)
    return np.column_stack([flat * cosine, height, flat * sine]), offsets, _signs(seed, first, count)


def _draw_printed(seed: int, first: int, count: int, offset: bool, radius: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The article's rule: n from a cube. With `offset` its components are multiplied by integers below `radius`, and the
    plane goes through n."""
    points = uniforms(seed, HEIGHT, 3 * count, 3 * first).reshape(count, 3) - 0.5
    if not offset:
        return points / lengths(points)[:, None], np.zeros(count), np.ones(count, np.int8)
    points *= np.floor(radius * uniforms(seed, LENGTH, 3 * count, 3 * first)).reshape(count, 3)
    length = lengths(points)
    zero = length == 0.0
    # With a radius of 20, n = 0 happens once in 8,000 cuts. The article's m * ns >= 0 then lifts every vertex, for any m.
    signs = np.where(zero, 1, _signs(seed, first, count)).astype(np.int8)
    return points / np.where(zero, 1.0, length)[:, None], np.where(zero, -1.0, length), signs


def _signs(seed: int, first: int, count: int) -> np.ndarray:
    return np.where(uniforms(seed, SIGN, count, first) < 0.5, -1, 1).astype(np.int8)
