"""Simplex planet: octaves of 3-D simplex noise on a cube projected to a sphere, after "Creating a planet, part 2".

The noise is taken at the unit direction times `scale`, so the faces meet without seams. The article takes it at the
displaced vertex, at radius 1000, where neighbouring samples lie many lattice cells apart; that gives white noise. It also
announces a second noise map for detail, and higher mountains, but does not build them; `detail` and `ridges` are these two.

The default noise hashes its lattice. `method=as-printed` shuffles the library's permutation table by the seed and repeats it
to 512 entries. The swap as printed leaves most of the upper half different from the lower one, which makes a cliff near the
origin.

The article chose its bounds for 33 to 40 % of land. Its library divides the sum of octaves by the sum of their amplitudes,
which leaves 30.8 % of land above 0 (mean over seeds 0 to 99). `gain` is a factor on the sum, 1 as printed; with 1.3 it is
34.9 %. Larger gains flatten peaks and deeps against the bounds.
"""

from __future__ import annotations

import numpy as np

from ..atlas import CUBE, CUBE_CENTRE, CUBE_DOWN, CUBE_RIGHT
from ..growth import Growth
from ..hashing import bits, stream_key, uniforms
from ..land_share import cube_level
from ..parameters import Value, is_printed
from .kernels import add_printed_octaves, grow_rows

RADIUS = 1000.0

OFFSET_RANGE = 64.0

DETAIL_FREQUENCY, DETAIL_OCTAVES, DETAIL_PERSISTENCE = 11.0, 5, 0.6
RIDGE_FREQUENCY, RIDGE_OCTAVES, RIDGE_PERSISTENCE, RIDGE_GAIN = 2.3, 7, 0.62, 1.25
BELT_FREQUENCY, BELT_SLOPE = 1.3, 1.5
# Mountains reach full strength this far up between the sea and the upper bound.
RIDGE_RISE = 0.2
# No mountains rise below the sea level, which is solved on a fixed lattice: so the height in a direction does not depend on
# `cells`.
BASE_CELLS = 64

_OCTAVE_STREAM, _DETAIL_STREAM, _RIDGE_STREAM, _TABLE_STREAM = 0, 1, 2, 3
_OFF = np.float32(0.0)
_FACES = np.stack([CUBE_CENTRE, CUBE_RIGHT, CUBE_DOWN], axis=1).astype(np.float32)


def grow(seed: int, parameters: dict[str, Value]) -> SimplexGrowth:
    """A simplex planet at step 0; `parameters` complete."""
    return SimplexGrowth(seed, parameters)


class SimplexGrowth(Growth):
    """A unit of work is an octave; the detail map and the ridged mountains, where they are on, are one more unit each.

    Heights are in thousandths of the radius and stay within low..high at every step.
    """

    atlas = CUBE
    unit = "thousandths of the radius"
    size = RADIUS
    printed_relief = 1.0 / RADIUS

    def __init__(self, seed: int, parameters: dict[str, Value]) -> None:
        super().__init__(seed, int(parameters["cells"]) + 1)
        self._low, self._high = np.float32(parameters["low"]), np.float32(parameters["high"])
        self._printed = is_printed(parameters)
        self._land = None if parameters["land"] == "printed" else float(parameters["land"])
        self._scale = float(parameters["scale"])
        self._detail, self._ridges = float(parameters["detail"]), float(parameters["ridges"])
        self._octaves, self._keys = main_octaves(seed, parameters)
        self._table = permutation_table(seed) if self._printed else None
        self._sea: tuple[int, float] | None = None
        self.total = len(self._keys) + (self._detail > 0) + (self._ridges > 0)
        self.heights.fill(self._middle)

    @property
    def _middle(self) -> np.float32:
        return np.float32(0.5) * (self._low + self._high)

    @property
    def _half_range(self) -> float:
        return half_range(self._low, self._high)

    def _advance(self, to: int) -> None:
        self._grow(self.heights, self.done, to)
        copies, owners = CUBE.seams(self.n)
        flat = self.heights.reshape(-1)
        flat[copies] = flat[owners]

    def _grow(self, heights: np.ndarray, done: int, to: int) -> None:
        """Steps done < k <= to, on any cube lattice."""
        plain = len(self._keys)
        if done < plain:
            self._add(heights, self._octaves[done:to], self._keys[done:to])
        if self._detail > 0 and done <= plain < to:
            self._add(heights, *self._detail_octaves())
        if self._ridges > 0 and to == self.total:
            self._raise_ridges(heights)

    def _add(self, heights: np.ndarray, octaves: np.ndarray, keys: np.ndarray) -> None:
        if self._printed:
            add_printed_octaves(heights, _FACES, octaves, self._table, self._low, self._high)
        else:
            grow_rows(heights, _FACES, octaves, keys, self._low, self._high, _OFF, _OFF, _OFF)

    def _detail_octaves(self) -> tuple[np.ndarray, np.ndarray]:
        amplitudes = powers(DETAIL_PERSISTENCE, DETAIL_OCTAVES)
        amplitudes *= self._detail * self._half_range / sum(amplitudes.tolist())
        frequencies = self._scale * DETAIL_FREQUENCY * powers(2.0, DETAIL_OCTAVES)
        return waves(self.seed, _DETAIL_STREAM, frequencies, amplitudes)

    def _raise_ridges(self, heights: np.ndarray) -> None:
        amplitudes = powers(RIDGE_PERSISTENCE, RIDGE_OCTAVES)
        amplitudes *= RIDGE_GAIN / sum(amplitudes.tolist())
        frequencies = RIDGE_FREQUENCY * powers(2.0, RIDGE_OCTAVES)
        octaves, keys = waves(
            self.seed,
            _RIDGE_STREAM,
            self._scale * np.append(frequencies, BELT_FREQUENCY),
            np.append(amplitudes, BELT_SLOPE),
        )
        base = np.float32(self._base_level())
        rise = max(np.float32(RIDGE_RISE) * (self._high - base), np.float32(1e-6))
        strength = np.float32(self._ridges)
        grow_rows(heights, _FACES, octaves, keys, self._low, self._high, strength, base, rise)

    def _base_level(self) -> float:
        """The sea level before mountains rise."""
        if self._land is None:
            return 0.0
        coarse = np.full((6, BASE_CELLS + 1, BASE_CELLS + 1), self._middle, np.float32)
        self._grow(coarse, 0, self.total - 1)
        return cube_level(coarse, self._land)

    @property
    def sea_level(self) -> float:
        """The level with the wanted share of the area above it; 0 where the printed bounds settle the land."""
        if self._land is None:
            return 0.0
        if self._sea is None or self._sea[0] != self.done:
            self._sea = (self.done, cube_level(self.heights, self._land))
        return self._sea[1]


def main_octaves(seed: int, parameters: dict[str, Value]) -> tuple[np.ndarray, np.ndarray]:
    """The octaves of the planet itself, before detail and ridges, as `waves` gives them; `parameters` complete."""
    count = int(parameters["octaves"])
    frequencies = float(parameters["scale"]) * powers(float(parameters["lacunarity"]), count)
    amplitudes = powers(float(parameters["persistence"]), count)
    half = half_range(np.float32(parameters["low"]), np.float32(parameters["high"]))
    amplitudes *= float(parameters["gain"]) * half / sum(amplitudes.tolist())
    return waves(seed, _OCTAVE_STREAM, frequencies, amplitudes)


def half_range(low: np.float32, high: np.float32) -> float:
    """Half the distance of the two bounds of heights."""
    return 0.5 * (float(high) - float(low))


def powers(base: float, count: int) -> np.ndarray:
    """base^0 .. base^(count-1), float64. By multiplication, because pow differs between machines."""
    return np.cumprod(np.concatenate([[1.0], np.full(count - 1, base)]))


def waves(seed: int, stream: int, frequencies: np.ndarray, amplitudes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Octaves as the kernels take them: float32 (k, 5), frequency, offset x, y, z, amplitude; and keys, uint32 (k,).

    Each octave has an offset of its own. Otherwise the zeros of all of them, at lattice corners, would coincide.
    """
    count = len(frequencies)
    offsets = OFFSET_RANGE * uniforms(seed, 2 * stream, 3 * count).reshape(count, 3)
    key = stream_key(seed, 2 * stream + 1)
    keys = np.array([bits(key, 0, k) & 0xFFFFFFFF for k in range(count)], np.uint32)
    return np.column_stack([frequencies, offsets, amplitudes]).astype(np.float32), keys


def permutation_table(seed: int) -> np.ndarray:
    """The article's table, uint8 (512,): 0..255, each swapped with a random entry in turn, and the same once more."""
    table = list(range(256))
    for i in range(256):
        j = bits(seed, _TABLE_STREAM * 2, i) & 255
        table[i], table[j] = table[j], table[i]
    return np.array(table + table, np.uint8)
