"""The pixels of a raster along rivers, at heights with which rivers fall in the raster too.

A valley is about as wide as a pixel. So a pixel's centre may lie beside it, on ground that a river never touches, and the
heights between pixels would rise along the river. Such pixels get the height of the valley that runs through them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .records import ReliefSampler, River, RiverPixels
from .river_pixels_kernels import descend, lowest_beside

# Samples a pixel along rivers.
SAMPLES = 8
# Rivers may rise by this much in the raster, and a bed lies this deep where a river's pixel is under water.
RISE_M, SHOAL_M = np.float32(3.0), np.float32(1.0)


@dataclass(frozen=True)
class _Samples:
    """Places along all rivers, downstream, s in all.

    `place`: float64 (s, 2), degrees. `level_m`: float64 (s,), the ground's. Those of river k are
    first[k] .. first[k + 1] - 1; rivers with less water come first.
    """

    place: np.ndarray
    level_m: np.ndarray
    first: np.ndarray


def river_pixels(rivers: Sequence[River], relief: ReliefSampler, width: int) -> RiverPixels:
    """The pixels around all rivers in a raster of the whole planet, `width` by half as many."""
    height = width // 2
    samples = _samples(rivers, relief, 360.0 / width)
    if len(samples.place) == 0:
        return RiverPixels()
    pixel, weight = _around(samples.place, width, height)
    number, place = np.unique(pixel, return_inverse=True)
    place = place.reshape(pixel.shape)
    row, column = np.divmod(number, width)
    longitude, latitude = -180.0 + (column + 0.5) * (360.0 / width), 90.0 - (row + 0.5) * (180.0 / height)
    ground, water = relief.sampled(longitude, latitude)
    least = lowest_beside(place, weight, samples.level_m, len(number))
    least = np.where(np.isnan(water), least, np.minimum(least, water - SHOAL_M))
    value = np.maximum(ground, least).astype(np.float64)
    descend(samples.first, place, weight, value, float(RISE_M))
    return RiverPixels(number, value.astype(np.float32))


def _samples(rivers: Sequence[River], relief: ReliefSampler, step: float) -> _Samples:
    """SAMPLES places a pixel, which is `step` degrees wide. Between vertices the ground is taken as even."""
    rivers = sorted(rivers, key=lambda river: (river.discharge_m3_s, river.id))
    lines = [line for river in rivers for line in river.lines]
    if not lines:
        return _Samples(np.zeros((0, 2)), np.zeros(0), np.zeros(1, np.int64))
    vertices = np.concatenate(lines)
    level = relief.sampled(vertices[:, 0], vertices[:, 1])[0].astype(np.float64)
    ends = np.cumsum([len(line) for line in lines])
    within = np.ones(len(vertices), bool)
    within[ends - 1] = False
    begin = np.flatnonzero(within)
    step_of = vertices[begin + 1] - vertices[begin]
    count = np.maximum(np.ceil(np.abs(step_of).max(axis=1) * (SAMPLES / step)), 1.0).astype(np.int64)
    segment = np.repeat(np.arange(len(begin)), count)
    part = (np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count) + 0.5) / count[segment]
    at = begin[segment]
    place = vertices[at] + part[:, None] * step_of[segment]
    of_segment = np.concatenate([[0], np.cumsum(count)])
    river_ends = np.cumsum([sum(map(len, river.lines)) for river in rivers])
    first = of_segment[np.searchsorted(begin, np.concatenate([[0], river_ends]))]
    return _Samples(place, level[at] + part * (level[at + 1] - level[at]), first)


def _around(place: np.ndarray, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """The four pixels around each place, int64 (s, 4), and their weights in its bilinear height, float64 (s, 4)."""
    x, y = (place[:, 0] + 180.0) * (width / 360.0) - 0.5, (90.0 - place[:, 1]) * (height / 180.0) - 0.5
    left, top = np.floor(x).astype(np.int64), np.clip(np.floor(y).astype(np.int64), 0, height - 2)
    u, v = x - left, np.clip(y - top, 0.0, 1.0)
    west, east = left % width, (left + 1) % width
    pixel = np.stack([top * width + west, top * width + east, (top + 1) * width + west, (top + 1) * width + east], axis=1)
    return pixel, np.stack([(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v], axis=1)
