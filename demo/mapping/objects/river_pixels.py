"""The pixels of a raster along rivers, at heights with which rivers fall in the raster too.

A valley is about as wide as a pixel. So a pixel's centre may lie beside it, on ground that a river never touches, and the
heights between pixels would rise along the river. Such pixels get the height of the valley that runs through them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from ..local.relief_sampler import ReliefSampler
from .records import River, RiverPixels
from .river_pixels_kernels import ROUNDS, descend, lowest_beside, pixels_around

# Samples a pixel along rivers.
SAMPLES = 8
# Places that are worked on at once, or those of one river.
CHUNK = 1 << 18
NEVER = -1
# Rivers may rise by this much in the raster, and a bed lies this deep where a river's pixel is under water.
RISE_M, SHOAL_M = np.float32(3.0), np.float32(1.0)


@dataclass(frozen=True)
class _Tracks:
    """The lines of all rivers, downstream; rivers with less water come first.

    `vertex`: float64 (v, 2), degrees. Segment k runs from vertex `begin`, int64 (g,), to the next, and has `count`, int64
    (g,), places. Those of river k are first[k] .. first[k + 1] - 1.
    """

    vertex: np.ndarray
    begin: np.ndarray
    count: np.ndarray
    first: np.ndarray

    def chunks(self) -> list[_Samples]:
        """The rivers in runs of about CHUNK places."""
        places = np.concatenate([[0], np.cumsum(self.count)])[self.first]
        cuts = np.unique(np.searchsorted(places, np.arange(0, places[-1], CHUNK), side="right") - 1).tolist()
        return [_Samples(self, a, b) for a, b in itertools.pairwise([*cuts, len(self.first) - 1])]


class _Samples(NamedTuple):
    """Places along the rivers a .. b - 1, worked out when they are asked for: all at once would be the largest arrays by
    far."""

    tracks: _Tracks
    a: int
    b: int

    def along(self) -> tuple[np.ndarray, np.ndarray]:
        """(vertex int64 (s,), the part of the way to the next one, float64 (s,)) of each place."""
        span = slice(int(self.tracks.first[self.a]), int(self.tracks.first[self.b]))
        count = self.tracks.count[span]
        segment = np.repeat(np.arange(len(count)), count)
        part = (np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count) + 0.5) / count[segment]
        return self.tracks.begin[span][segment], part

    def first(self) -> np.ndarray:
        """Where each river begins among the places, and their count: int64 (b - a + 1,)."""
        places = np.concatenate([[0], np.cumsum(self.tracks.count)])[self.tracks.first[self.a : self.b + 1]]
        return places - places[0]

    def between(self, values: np.ndarray) -> np.ndarray:
        """Values of vertices, float64 (v,), at the places: linear between them."""
        at, part = self.along()
        there: np.ndarray = values[at] + part * (values[at + 1] - values[at])
        return there


def river_pixels(rivers: Sequence[River], relief: ReliefSampler, width: int, threads: int = 1) -> RiverPixels:
    """The pixels around all rivers in a raster of the whole planet, `width` by half as many; the same on any `threads`."""
    height, tracks = width // 2, _tracks(rivers, 360.0 / width)
    if len(tracks.begin) == 0:
        return RiverPixels()
    chunks = tracks.chunks()

    def numbers(chunk: _Samples) -> np.ndarray:
        return np.unique(_pixels(chunk, width, height)[0])

    def places(chunk: _Samples) -> np.ndarray:
        return np.searchsorted(number, _pixels(chunk, width, height)[0]).astype(np.int32)

    with ThreadPoolExecutor(threads) as pool:
        number = np.unique(np.concatenate(list(pool.map(numbers, chunks))))
        place = list(pool.map(places, chunks))
    row, column = np.divmod(number, width)
    longitude, latitude = -180.0 + (column + 0.5) * (360.0 / width), 90.0 - (row + 0.5) * (180.0 / height)
    # Both at once: the relief is worked out from pole to pole each time.
    longitude, latitude = np.append(longitude, tracks.vertex[:, 0]), np.append(latitude, tracks.vertex[:, 1])
    ground, water = relief.sampled(longitude, latitude)
    along, ground, water = ground[len(number) :].astype(np.float64), ground[: len(number)], water[: len(number)]
    least = np.full(len(number), np.inf)
    for chunk, pixels in zip(chunks, place, strict=True):
        lowest_beside(pixels, _weights(chunk, width, height), chunk.between(along), least)
    least[least == np.inf] = -np.inf
    least = np.where(np.isnan(water), least, np.minimum(least, water - SHOAL_M))
    value = np.maximum(ground, least).astype(np.float64)
    _let_fall([(chunk.first(), partial(_weights, chunk, width, height)) for chunk in chunks], place, value, threads)
    return RiverPixels(number, value.astype(np.float32))


def _let_fall(
    chunks: Sequence[tuple[np.ndarray, Callable[[], np.ndarray]]],
    place: Sequence[np.ndarray],
    value: np.ndarray,
    threads: int = 1,
) -> None:
    """Lower `value`, float64 by pixel, in place, until rivers fall along it, or for ROUNDS rounds.

    `chunks`: where the rivers of each begin, and their weights. `place`: the pixels of each. `threads`: with more than one,
    the weights of the next chunk are worked out while rivers of this one are walked.
    """
    walk, lowered = 0, np.zeros(len(value), np.int32)
    before = [NEVER] * len(chunks)

    def has_changed(k: int) -> bool:
        # Rivers whose pixels are as their last walk found and left them have nothing to lower.
        return k < len(chunks) and (before[k] == NEVER or bool((lowered[place[k]] >= before[k]).any()))

    with ThreadPoolExecutor(1) as pool:
        for _ in range(ROUNDS):
            begun, ahead = walk, None
            for k, (first, weights) in enumerate(chunks):
                if ahead is None and not has_changed(k):
                    continue
                found = ahead.result() if ahead else weights()
                ahead = pool.submit(chunks[k + 1][1]) if threads > 1 and has_changed(k + 1) else None
                walk += 1
                before[k] = walk
                descend(first, place[k], found, value, float(RISE_M), np.int32(walk), lowered)
            if begun == walk:
                return


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


def _pixels(samples: _Samples, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """(the four pixels around each place, int64 (k, 4), and their weights in its bilinear height, float64 (k, 4))."""
    tracks = samples.tracks
    span = slice(int(tracks.first[samples.a]), int(tracks.first[samples.b]))
    count = tracks.count[span]
    pixel, weight = np.empty((int(count.sum()), 4), np.int64), np.empty((int(count.sum()), 4))
    pixels_around(tracks.vertex, tracks.begin[span], count, width, height, pixel, weight)
    return pixel, weight


def _weights(samples: _Samples, width: int, height: int) -> np.ndarray:
    """The weights of `_pixels` alone."""
    return _pixels(samples, width, height)[1]
