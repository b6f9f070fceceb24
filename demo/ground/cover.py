"""Cover: what climate and waters make of a world's ground, as a texture for its colours.

It says how moist the ground is, where rivers have laid down their load and of what it is, how hard the rock is, and whether
a place is a ridge or a valley. Temperature follows from latitude and height (`warmth`), so the texture need not hold it.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from ..worlds.atlas import Atlas
from ..worlds.carving import sample_kernels
from ..worlds.carving.carver import Carver, Drained
from ..worlds.carving.node_graph import NodeGraph, graph_parts
from ..worlds.carving.rainfall import Rainfall, blurred, rainfall
from ..worlds.climate.laws import moistness
from ..worlds.climate.temperature import metres_of, temperature_c
from ..worlds.growth import Growth
from .deposits import deltas, grains, salts, silt_parts, slopes
from .relief import GUTTER, fill_gutter

# Along a face's edge: finer worlds have every second sample, or every fourth.
MOST_CELLS = 512
# A river that drains so many squared radii or extents makes its banks moist, and one that drains so many makes them as moist
# as can be: on terrains, on planets.
STREAM, RIVER = (1.0e-4, 4.0e-4), (1.2e-2, 4.0e-2)
# How much of what the ground lacks of moisture the largest river gives it.
WATERED = 0.6
# Land is a ridge or a valley by the mean of its surroundings: passes of smoothing. So many times the mean difference makes
# it one altogether.
AROUND, ALTOGETHER = 14, 2.2
# Sediment this thick, in parts of the highest land, hides what is below it.
THICK = 0.004
# Waves grow over open and deep water. How much of it lies around is told on so many cells of a face, after so many passes
# of smoothing; it counts in full where the sea is so deep, in parts of the highest land. Waves are none and whole at these
# shares.
WAVE_CELLS, FETCH, OFFSHORE = 128, 24, 0.006
CALM, OPEN = 0.10, 0.38
# Hardness is stored by its logarithm, between these.
HARDNESS = (-1.0, 2.0)


def cover_parts(growth: Growth) -> Generator[None, None, np.ndarray]:
    """The cover of a growth's present land, in parts: uint8 (faces, s, s, 4), with gutters as in `Relief`.

    Its channels, times 255: moisture, m / (1 + m) for m as `moistness` has it, with what rivers add; valley floors of
    sediment, and at sea how high waves are, 1 before open water; the logarithm of hardness between HARDNESS, and of what
    deposits are where there are any, from `SALT` to `GRAVEL`; 0 for a ridge to 1 for the bottom of a valley, and at sea how
    much silt drifts there, from 1/2 to 1. Shared samples are the same.
    """
    atlas, sea = growth.atlas, float(growth.sea_level)
    heights = _thinned(growth.heights)
    relief = max(float(heights.max()) - sea, 1e-9)
    rain = rainfall(growth, heights)
    moist = _moisture(growth, heights, rain, relief)
    yield
    nodes = yield from graph_parts(atlas, heights.shape[-1])
    yield
    carver = Carver(nodes, nodes.of_samples(heights, outside=sea), sea, sea, growth.seed)
    carver.drain(0, nodes.of_samples(rain.parts(heights)))
    del rain
    # The distances, and what draining takes beside what it finds, are half of all that is there by now.
    drained = carver.drained()
    del carver, nodes
    river = _rivers(drained, atlas.spherical)
    yield
    laid, hard = river, np.full(drained.nodes.count, -HARDNESS[0] / (HARDNESS[1] - HARDNESS[0]), np.float32)
    if growth.sediment is not None and growth.hardness is not None:
        laid = np.maximum(river, drained.nodes.of_samples(_thinned(growth.sediment)) * np.float32(1.0 / (THICK * relief)))
        salt = salts(drained, drained.nodes.of_samples(moist), relief)
        laid = np.minimum(np.maximum(laid, salt), np.float32(1.0))
        yield
        grain = grains(slopes(drained, relief, atlas.edge / (heights.shape[-1] - 1)), salt, atlas.spherical)
        hard = (
            np.log2(drained.nodes.of_samples(_thinned(growth.hardness), outside=1.0)) - np.float32(HARDNESS[0])
        ) * np.float32(1.0 / (HARDNESS[1] - HARDNESS[0]))
        hard += laid * (grain - hard)
        del salt, grain
        river = np.maximum(river, deltas(drained, laid, relief))
    yield
    silt = yield from silt_parts(drained, RIVER[atlas.spherical])
    nodes, height = drained.nodes, drained.height
    land = height > drained.sea
    del drained
    valley = np.where(land, _valleys(nodes, height, sea), np.float32(0.5) + np.float32(0.5) * silt)
    laid, hard, valley, watered = (nodes.to_samples(values) for values in (laid, hard, valley, river))
    # It takes as much as all else together.
    del nodes, height, land, silt, river
    waves = yield from _waves(atlas, heights, sea, relief)
    floor = np.where(heights > np.float32(sea), laid, waves)
    texels = [moist + np.float32(WATERED) * watered * (np.float32(1.0) - moist), floor, hard, valley]
    yield
    return _stored(atlas, texels)


def _thinned(samples: np.ndarray, most: int = MOST_CELLS) -> np.ndarray:
    """Every second of the samples, float32 (faces, n, n), and so on, until there are `most` cells or less."""
    while samples.shape[-1] > most + 1 and samples.shape[-1] % 2:
        faces, n = samples.shape[:2]
        coarse = np.empty((faces, n // 2 + 1, n // 2 + 1), np.float32)
        sample_kernels.thin(samples, coarse)
        samples = coarse
    return samples


def _moisture(growth: Growth, heights: np.ndarray, rain: Rainfall, relief: float) -> np.ndarray:
    """m / (1 + m) by the climate alone, float32 (faces, n, n)."""
    atlas, n = growth.atlas, heights.shape[-1]
    above = (heights - np.float32(growth.sea_level)) * np.float32(metres_of(atlas, growth.unit, relief))
    fallen = rain.millimetres(heights)
    if growth.rain_mm is not None:
        fallen = np.empty_like(heights)
        sample_kernels.resample(growth.rain_mm, fallen)
    found = np.empty_like(heights)
    # A face at a time: in double precision all of them take a good deal of memory.
    for face in range(atlas.faces):
        moist = moistness(temperature_c(atlas, atlas.positions_on(face, n), above[face], growth.seed), fallen[face])
        found[face] = moist / (1.0 + moist)
    return found


def _rivers(drained: Drained, spherical: bool) -> np.ndarray:
    """How large the river is at each node, by the logarithm of its water: float32 (nodes,), 0..1, 0 at sea."""
    least, most = STREAM[spherical], RIVER[spherical]
    size = np.log2(np.maximum(drained.flow, least) / least) / np.log2(most / least)
    size = np.where(drained.height > drained.sea, np.minimum(size, 1.0), 0.0).astype(np.float32)
    # Its banks are wider than a sample.
    wide = blurred(drained.nodes, size, 1) * np.float32(1.3)
    found: np.ndarray = np.minimum(np.maximum(size, wide), np.float32(1.0))
    return found


def _waves(atlas: Atlas, heights: np.ndarray, sea: float, relief: float) -> Generator[None, None, np.ndarray]:
    """How high waves are at each sample, float32 (faces, n, n), 0..1: none in small waters and among islands, in parts."""
    coarse = _thinned(heights, WAVE_CELLS)
    nodes = yield from graph_parts(atlas, coarse.shape[-1])
    yield
    deep = (np.float32(sea) - nodes.of_samples(coarse, outside=sea)) * np.float32(1.0 / (OFFSHORE * relief))
    open_ = blurred(nodes, np.clip(deep, 0.0, 1.0).astype(np.float32), FETCH)
    found = np.empty_like(heights)
    sample_kernels.resample(nodes.to_samples((open_ - np.float32(CALM)) * np.float32(1.0 / (OPEN - CALM))), found)
    return np.clip(found, 0.0, 1.0)


def _valleys(nodes: NodeGraph, height: np.ndarray, sea: float) -> np.ndarray:
    """0 for a ridge, 1 for the bottom of a valley, 1/2 for even ground: float32 (nodes,)."""
    height = np.maximum(height, np.float32(sea))
    below = blurred(nodes, height.copy(), AROUND) - height
    land = height > sea
    mean = float(np.abs(below[land]).mean()) if land.any() else 0.0
    found: np.ndarray = np.float32(0.5) + below * np.float32(0.5 / max(ALTOGETHER * mean, 1e-12))
    return found


def _stored(atlas: Atlas, channels: list[np.ndarray]) -> np.ndarray:
    """Channels, float32 (faces, n, n), as bytes with a gutter: uint8 (faces, s, s, 4)."""
    faces, n = channels[0].shape[:2]
    side = n + 2 * GUTTER
    out = np.empty((faces, side, side, len(channels)), np.uint8)
    padded = np.empty((faces, side, side), np.float32)
    for k, values in enumerate(channels):
        np.clip(values, 0.0, 1.0, out=padded[:, GUTTER:-GUTTER, GUTTER:-GUTTER])
        fill_gutter(atlas, padded)
        out[..., k] = np.round(padded * np.float32(255.0))
    return out
