"""The pixels of a raster along rivers, at heights with which rivers fall in the raster too.

A valley is about as wide as a pixel. So a pixel's centre may lie beside it, on ground that a river never touches, and the
heights between pixels would rise along the river. Such pixels get the height of the valley that runs through them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..local.relief_sampler import ReliefSampler
from .records import River, RiverPixels
from .river_pixels_kernels import ROUNDS, descend, lowest_beside, squares_along

# Samples a pixel along rivers.
SAMPLES = 8
# Rivers may rise by this much in the raster, and a bed lies this deep where a river's pixel is under water.
RISE_M, SHOAL_M = np.float32(3.0), np.float32(1.0)


class _Tracks(NamedTuple):
    """The lines of all rivers, as arguments of the kernels; `places` are counts. Rivers with less water come first."""

    vertex: np.ndarray
    begin: np.ndarray
    places: np.ndarray
    first: np.ndarray


def river_pixels(rivers: Sequence[River], relief: ReliefSampler, width: int) -> RiverPixels:
    """The pixels around all rivers in a raster of the whole planet, `width` by half as many."""
    tracks = _tracks(rivers, 360.0 / width)
    if len(tracks.begin) == 0:
        return RiverPixels()
    # Places are worked out again in each walk: all at once would be the largest arrays by far.
    lines = (*tracks, width, width // 2)
    # Pages of what is too much are never touched.
    square, runs = np.empty(int(tracks.places.sum()), np.int64), np.empty(len(tracks.first), np.int64)
    squares_along(*lines, square, runs)
    number, pixel = _pixels(square[: runs[-1]], width)
    row, column = np.divmod(number, width)
    longitude, latitude = -180.0 + (column + 0.5) * (360.0 / width), 90.0 - (row + 0.5) * (180.0 / (width // 2))
    # Both at once: the relief is worked out from pole to pole each time.
    longitude, latitude = np.append(longitude, tracks.vertex[:, 0]), np.append(latitude, tracks.vertex[:, 1])
    ground, water = relief.sampled(longitude, latitude)
    along, ground, water = ground[len(number) :].astype(np.float64), ground[: len(number)], water[: len(number)]
    least = np.full(len(number), np.inf)
    lowest_beside(*lines, runs, pixel, along, least)
    least[least == np.inf] = -np.inf
    least = np.where(np.isnan(water), least, np.minimum(least, water - SHOAL_M))
    value = np.maximum(ground, least).astype(np.float64)
    walk, walked, lowered = 0, np.zeros(len(tracks.first) - 1, np.int32), np.zeros(len(number), np.int32)
    for _ in range(ROUNDS):
        begun, walk = walk, descend(*lines, runs, pixel, value, float(RISE_M), np.int32(walk), walked, lowered)
        if walk == begun:
            break
    return RiverPixels(number, value.astype(np.float32))


def _pixels(square: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """(the numbers of all pixels of these squares, ascending; the places of each square's pixels there, int32 (k, 4))."""
    squares, which = np.unique(square, return_inverse=True)
    row, west = np.divmod(squares, width)
    east = row * width + (west + 1) % width
    four = np.stack([squares, east, squares + width, east + width], axis=1)
    number, place = np.unique(four, return_inverse=True)
    return number, place.reshape(four.shape).astype(np.int32)[which]


def _tracks(rivers: Sequence[River], step: float) -> _Tracks:
    """SAMPLES places a pixel, which is `step` degrees wide. Between vertices the ground is taken as even."""
    rivers = sorted(rivers, key=lambda river: (river.discharge_m3_s, river.id))
    lines = [line for river in rivers for line in river.lines]
    if not lines:
        return _Tracks(np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(1, np.int64))
    vertices = np.concatenate(lines)
    ends = np.cumsum([len(line) for line in lines])
    within = np.ones(len(vertices), bool)
    within[ends - 1] = False
    begin = np.flatnonzero(within)
    step_of = vertices[begin + 1] - vertices[begin]
    count = np.maximum(np.ceil(np.abs(step_of).max(axis=1) * (SAMPLES / step)), 1.0).astype(np.int64)
    river_ends = np.cumsum([sum(map(len, river.lines)) for river in rivers])
    return _Tracks(vertices, begin, count, np.searchsorted(begin, np.concatenate([[0], river_ends])))
