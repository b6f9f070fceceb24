"""The pixels of a raster along rivers, at heights with which rivers fall in the raster too.

A valley is about as wide as a pixel. So a pixel's centre may lie beside it, on ground that a river never touches, and the
heights between pixels would rise along the river. Such pixels get the height of the valley that runs through them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..local.relief_sampler import ReliefSampler
from .records import River, RiverPixels
from .river_pixels_kernels import descend, lowest_beside

# Samples a pixel along rivers.
SAMPLES = 8
# Places that are worked on at once.
CHUNK = 1 << 18
# Rivers may rise by this much in the raster, and a bed lies this deep where a river's pixel is under water.
RISE_M, SHOAL_M = np.float32(3.0), np.float32(1.0)


@dataclass(frozen=True)
class _Samples:
    """Places along all rivers, downstream, s in all.

    `vertex`: float64 (v, 2), degrees, the vertices of their lines. Place k lies at `part`, float64 (s,), of the way from
    vertex `at`, int64 (s,), to the next. Those of river k are first[k] .. first[k + 1] - 1; rivers with less water come
    first.
    """

    vertex: np.ndarray
    at: np.ndarray
    part: np.ndarray
    first: np.ndarray

    def between(self, values: np.ndarray, chunk: slice = slice(None)) -> np.ndarray:
        """Values of vertices, float64, at the places of a chunk: linear between them."""
        at, part = self.at[chunk], self.part[chunk]
        part = part if values.ndim == 1 else part[:, None]
        there: np.ndarray = values[at] + part * (values[at + 1] - values[at])
        return there


def river_pixels(rivers: Sequence[River], relief: ReliefSampler, width: int) -> RiverPixels:
    """The pixels around all rivers in a raster of the whole planet, `width` by half as many."""
    height = width // 2
    samples = _samples(rivers, 360.0 / width)
    if len(samples.at) == 0:
        return RiverPixels()
    number, place, weight = _around(samples, width, height)
    row, column = np.divmod(number, width)
    longitude, latitude = -180.0 + (column + 0.5) * (360.0 / width), 90.0 - (row + 0.5) * (180.0 / height)
    # Both at once: the relief is worked out from pole to pole each time.
    longitude, latitude = np.append(longitude, samples.vertex[:, 0]), np.append(latitude, samples.vertex[:, 1])
    ground, water = relief.sampled(longitude, latitude)
    level = samples.between(ground[len(number) :].astype(np.float64))
    ground, water = ground[: len(number)], water[: len(number)]
    least = lowest_beside(place, weight, level, len(number))
    least = np.where(np.isnan(water), least, np.minimum(least, water - SHOAL_M))
    value = np.maximum(ground, least).astype(np.float64)
    descend(samples.first, place, weight, value, float(RISE_M))
    return RiverPixels(number, value.astype(np.float32))


def _samples(rivers: Sequence[River], step: float) -> _Samples:
    """SAMPLES places a pixel, which is `step` degrees wide. Between vertices the ground is taken as even."""
    rivers = sorted(rivers, key=lambda river: (river.discharge_m3_s, river.id))
    lines = [line for river in rivers for line in river.lines]
    if not lines:
        return _Samples(np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros(0), np.zeros(1, np.int64))
    vertices = np.concatenate(lines)
    ends = np.cumsum([len(line) for line in lines])
    within = np.ones(len(vertices), bool)
    within[ends - 1] = False
    begin = np.flatnonzero(within)
    step_of = vertices[begin + 1] - vertices[begin]
    count = np.maximum(np.ceil(np.abs(step_of).max(axis=1) * (SAMPLES / step)), 1.0).astype(np.int64)
    segment = np.repeat(np.arange(len(begin)), count)
    part = (np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count) + 0.5) / count[segment]
    of_segment = np.concatenate([[0], np.cumsum(count)])
    river_ends = np.cumsum([sum(map(len, river.lines)) for river in rivers])
    first = of_segment[np.searchsorted(begin, np.concatenate([[0], river_ends]))]
    return _Samples(vertices, begin[segment], part, first)


def _around(samples: _Samples, width: int, height: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(pixels int64 (p,), ascending; which of them lie around each place, int32 (s, 4); their weights in its bilinear
    height, float64 (s, 4)).

    It takes CHUNK places at a time: all pixels of a fine map at once would be its largest arrays by far.
    """
    count = len(samples.at)
    chunks = [slice(k, min(k + CHUNK, count)) for k in range(0, count, CHUNK)]
    number = np.unique(np.concatenate([np.unique(_pixels(samples, chunk, width, height)[0]) for chunk in chunks]))
    place, weight = np.empty((count, 4), np.int32), np.empty((count, 4))
    for chunk in chunks:
        pixel, weight[chunk] = _pixels(samples, chunk, width, height)
        place[chunk] = np.searchsorted(number, pixel)
    return number, place, weight


def _pixels(samples: _Samples, chunk: slice, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """(the four pixels around each place, int64 (k, 4), and their weights, float64 (k, 4)) of a chunk of places."""
    place = samples.between(samples.vertex, chunk)
    x, y = (place[:, 0] + 180.0) * (width / 360.0) - 0.5, (90.0 - place[:, 1]) * (height / 180.0) - 0.5
    left, top = np.floor(x).astype(np.int64), np.clip(np.floor(y).astype(np.int64), 0, height - 2)
    u, v = x - left, np.clip(y - top, 0.0, 1.0)
    west, east = left % width, (left + 1) % width
    pixel = np.stack([top * width + west, top * width + east, (top + 1) * width + west, (top + 1) * width + east], axis=1)
    return pixel, np.stack([(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v], axis=1)
