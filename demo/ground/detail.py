"""Detail: the ground between the samples of a world, made of octaves of noise that continue its spectrum.

The surface's shader adds it to the heights that it draws (`assets/shaders/detail.glsl`), and the camera asks for it here.
Both get the same hills from the same integer hash. This module is plain numpy, because the camera must not wait for a
compiler.

The first octave is two samples long and as strong as the finest undulation of the samples around; each further octave is
half as long. Octaves are ridged where the samples are rough and high (F. K. Musgrave's multifractals), and smooth elsewhere.
Steep places get less of the next octave, as slopes wash out (I. Quilez, "Value noise derivatives", 2008). The noise is
Perlin's simplex noise in three dimensions at the true position, so faces meet without seams.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..maths.easing import smoothstep
from ..worlds import hashing
from ..worlds.atlas import Atlas
from ..worlds.heightfield import sample
from ..worlds.shapes import check_square
from .relief import GUTTER, fill_gutter

STREAM = 130
# Least wavelength of an octave, in metres.
FINEST_M = 5.0
MOST_OCTAVES = 12
# Points worked on together.
CHUNK = 1 << 14

# The numbers of detail.glsl, under the same names; a test compares what is drawn with what is computed.
STRENGTH, STEEPEST = 1.7, 0.11
GAIN_PLAIN, GAIN_RIDGED = 0.46, 0.53
RIDGE_FROM, RIDGE_TO, RIDGE_LOW, RIDGE_HIGH = 0.015, 0.060, 0.02, 0.22
RIDGE_MEAN, RIDGE_SLOPE, RIDGE_ROUND = 0.42, 1.9, 0.04
WASHED = 7.0
SHORE_KEPT, SHORE_LAND, SHORE_SEA = 0.30, 0.05, 0.02
SHIFT = np.array([0.31, 0.37, 0.43])

_STEP = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D], np.uint32)
_OCTAVE_STEP = np.uint32(0x27D4EB2F)
_M1, _M2 = np.uint32(0x2C1B3C6D), np.uint32(0x297A2D39)
_NOISE_GAIN = 64.0


@dataclass(frozen=True)
class Detail:
    """The detail of one grown world.

    `padded_m`: float32 (faces, n + 2 GUTTER, n + 2 GUTTER), metres above the sea; `rough_m`: float16 (faces, n, n), the
    strength of the first octave in metres; `size_m`: radius or extent; `top_m`: the highest sample; `key`: 0..2^31 - 1.
    """

    atlas: Atlas
    padded_m: np.ndarray
    rough_m: np.ndarray
    size_m: float
    top_m: float
    key: int

    @property
    def heights_m(self) -> np.ndarray:
        """The samples without their gutter, float32 (faces, n, n): a view."""
        return self.padded_m[:, GUTTER:-GUTTER, GUTTER:-GUTTER]

    @property
    def wavelength_m(self) -> float:
        """Length of the first octave: two samples."""
        return 2.0 * self.atlas.edge * self.size_m / (self.rough_m.shape[-1] - 1)

    @property
    def octaves(self) -> int:
        """The number of all octaves."""
        return self.octaves_down_to(FINEST_M)

    def octaves_down_to(self, shortest_m: float) -> int:
        """The number of octaves that are at least `shortest_m` long."""
        return int(np.clip(np.floor(np.log2(self.wavelength_m / max(shortest_m, FINEST_M))) + 1, 0, MOST_OCTAVES))

    @property
    def margin_m(self) -> float:
        """By how much the detail and the smooth surface through the samples may leave the samples' range, metres."""
        return 1.6 * float(self.rough_m.max())

    def height(self, face: ArrayLike, u: ArrayLike, v: ArrayLike, octaves: int | None = None) -> np.ndarray:
        """Ground in metres above the sea at (u, v) on `face`: float64 in their shape; with all or the first `octaves`."""
        count = self.octaves if octaves is None else octaves
        places = np.broadcast_arrays(face, np.asarray(u, np.float64), np.asarray(v, np.float64))
        faces, us, vs = (np.reshape(x, -1) for x in places)
        chunks = [slice(start, start + CHUNK) for start in range(0, max(faces.size, 1), CHUNK)]
        parts = [self._height(faces[chunk], us[chunk], vs[chunk], count) for chunk in chunks]
        return np.concatenate(parts).reshape(places[0].shape)

    def _height(self, face: np.ndarray, u: np.ndarray, v: np.ndarray, octaves: int) -> np.ndarray:
        n = self.rough_m.shape[-1]
        base = cubic(self.padded_m, face, u * (n - 1), v * (n - 1))
        rough = sample(self.rough_m, face, u, v)
        at = self.atlas.place(face, u, v)
        up = at if self.atlas.spherical else np.broadcast_to([0.0, 1.0, 0.0], at.shape)
        return base + self._octaves(at * (self.size_m / self.wavelength_m), up, base, rough, octaves)

    def _octaves(self, at: np.ndarray, up: np.ndarray, base: np.ndarray, rough: np.ndarray, octaves: int) -> np.ndarray:
        if octaves == 0:
            return np.zeros(len(base))
        scale = 2.0 ** np.arange(octaves)
        keys = (np.uint32(self.key) + np.arange(octaves, dtype=np.uint32) * _OCTAVE_STEP).astype(np.uint32)
        value, slope = simplex(at[:, None, :] * scale[:, None] + SHIFT, keys)
        length = self.wavelength_m
        ridged = _smooth_between(RIDGE_FROM, RIDGE_TO, rough / length) * _smooth_between(
            RIDGE_LOW, RIDGE_HIGH, base / self.top_m
        )
        strength = rough * shore(base, self.top_m)
        gain = GAIN_PLAIN + (GAIN_RIDGED - GAIN_PLAIN) * ridged
        total, tilt = np.zeros(len(base)), np.zeros_like(at)
        for k in range(octaves):
            n, g = value[:, k], slope[:, k]
            bend = np.sqrt(n * n + RIDGE_ROUND * RIDGE_ROUND)
            shape = n * (1.0 - ridged) + (RIDGE_MEAN - RIDGE_SLOPE * bend) * ridged
            lean = (1.0 - ridged) - RIDGE_SLOPE * n / bend * ridged
            total += strength * shape / (1.0 + WASHED * (tilt * tilt).sum(axis=1))
            tilt += (g - up * (g * up).sum(axis=1, keepdims=True)) * (lean * strength * (scale[k] / length))[:, None]
            strength = strength * gain
        return total


def detail_of(atlas: Atlas, heights_m: np.ndarray, size_m: float, seed: int) -> Detail:
    """The detail of a world with `heights_m`, float32 (faces, n, n), metres above the sea; `size_m`: radius or extent.

    Raises ValueError for another shape.
    """
    check_square("heights_m", heights_m, atlas.faces)
    padded = _padded(atlas, heights_m)
    longest = 2.0 * atlas.edge * size_m / (heights_m.shape[-1] - 1)
    # Worlds of one or two cells could exceed the range of half floats.
    most = min(STEEPEST * longest, float(np.finfo(np.float16).max))
    rough = np.minimum(STRENGTH * _undulation(atlas, padded), most).astype(np.float16)
    key = hashing.bits(seed, STREAM, 0) >> 33
    return Detail(atlas, padded, rough, float(size_m), max(float(heights_m.max()), 1.0), key)


def _padded(atlas: Atlas, field: np.ndarray) -> np.ndarray:
    faces, n = field.shape[:2]
    padded = np.zeros((faces, n + 2 * GUTTER, n + 2 * GUTTER), np.float32)
    padded[:, GUTTER:-GUTTER, GUTTER:-GUTTER] = field
    fill_gutter(atlas, padded)
    return padded


def _undulation(atlas: Atlas, padded: np.ndarray) -> np.ndarray:
    """How far samples differ from the mean of their four neighbours: (faces, n, n), root mean square over nearby samples."""
    inner = padded[:, GUTTER:-GUTTER, GUTTER:-GUTTER]
    beside = padded[:, 1:-3, 2:-2] + padded[:, 3:-1, 2:-2] + padded[:, 2:-2, 1:-3] + padded[:, 2:-2, 3:-1]
    square = (inner - 0.25 * beside) ** 2
    n = square.shape[-1]
    for _ in range(3):
        wide = _padded(atlas, square)
        wide = _mean_of_five([wide[:, k : k + n] for k in range(5)])
        square = _mean_of_five([wide[:, :, k : k + n] for k in range(5)])
    # Gutters are interpolated, so the results for one shared point differ a little.
    copies, owners = atlas.seams(n)
    flat = square.reshape(-1)
    flat[copies] = flat[owners]
    return np.sqrt(square)


def _mean_of_five(shifted: list[np.ndarray]) -> np.ndarray:
    a, b, c, d, e = shifted
    return (a + b + c + d + e) / 5.0


def shore(base: np.ndarray, top_m: float) -> np.ndarray:
    """The part of its strength that detail keeps where the samples' surface is at `base` metres.

    It is small at the shore and 0 where the sea is deep.
    """
    land = SHORE_KEPT + (1.0 - SHORE_KEPT) * _smooth_between(0.0, SHORE_LAND * top_m, base)
    return land * _smooth_between(-SHORE_SEA * top_m, 0.0, base)


def cubic(padded: np.ndarray, face: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The smooth surface through the samples (E. Catmull and R. Rom, 1974) at columns x and rows y, (k,): float64 (k,)."""
    i, j = np.floor(x).astype(np.intp), np.floor(y).astype(np.intp)
    last = padded.shape[-1] - 2 * GUTTER - 1
    i, j = np.clip(i, -1, last), np.clip(j, -1, last)
    wx, wy = _cubic_weights(x - i), _cubic_weights(y - j)
    total = np.zeros(x.shape)
    for b in range(4):
        row = sum(wx[a] * padded[face, j + (GUTTER - 1 + b), i + (GUTTER - 1 + a)] for a in range(4))
        total += wy[b] * row
    return total


def _cubic_weights(f: np.ndarray) -> tuple[np.ndarray, ...]:
    return (
        f * (-0.5 + f * (1.0 - 0.5 * f)),
        1.0 + f * f * (-2.5 + 1.5 * f),
        f * (0.5 + f * (2.0 - 1.5 * f)),
        f * f * (-0.5 + 0.5 * f),
    )


def _smooth_between(low: float, high: float, x: np.ndarray) -> np.ndarray:
    return smoothstep(np.clip((x - low) / (high - low), 0.0, 1.0))


def simplex(at: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(value (...), gradient (..., 3)) of simplex noise, -1..1, at lattice coordinates `at` (..., 3).

    `keys`: uint32, one for each index of the values' last axis.
    """
    cell = np.floor(at + at.sum(axis=-1, keepdims=True) / 3.0)
    first = at - (cell - cell.sum(axis=-1, keepdims=True) / 6.0)
    x, y, z = first[..., 0], first[..., 1], first[..., 2]
    xy, yz, xz = x >= y, y >= z, x >= z
    most = np.stack([xy & xz, ~xy & yz, ~(xy & xz) & ~(~xy & yz)], axis=-1)
    least = np.stack([~xy & ~xz, xy & ~yz, ~(~xy & ~xz) & ~(xy & ~yz)], axis=-1)
    base = (cell.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    value, gradient = np.zeros(x.shape), np.zeros(at.shape)
    for number, corner in enumerate((np.zeros_like(most), most, ~least, np.ones_like(most))):
        h = ((base + corner.astype(np.uint32)) * _STEP).sum(axis=-1, dtype=np.uint32) + keys
        d = first - corner + number / 6.0
        g = _gradient(h)
        t = np.maximum(0.5 - (d * d).sum(axis=-1), 0.0)
        along = (g * d).sum(axis=-1)
        t2 = t * t
        value += t2 * t2 * along
        gradient += (t2 * t2)[..., None] * g - (8.0 * t2 * t * along)[..., None] * d
    return _NOISE_GAIN * value, _NOISE_GAIN * gradient


def _gradient(h: np.ndarray) -> np.ndarray:
    """Gradients (..., 3) of hash sums: components of either sign, with magnitudes uniform in [1/2, 1)."""
    h = (h ^ (h >> np.uint32(15))) * _M1
    h = (h ^ (h >> np.uint32(12))) * _M2
    h ^= h >> np.uint32(15)
    words = np.stack([h, h << np.uint32(8), h << np.uint32(16)], axis=-1)
    return ((words & np.uint32(0x807FFFFF)) | np.uint32(0x3F000000)).view(np.float32).astype(np.float64)
