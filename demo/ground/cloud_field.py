"""Clouds: a plasma that tiles, drawn out by whirls of air, as the cover that the sky and planets are drawn with."""

from __future__ import annotations

import numpy as np

from ..maths.repeating import between_cells
from ..worlds import hashing
from ..worlds.plasma.growth import Plasma

ROUGHNESS = 0.7
# Streams of random numbers: other than those of terrains of the same seed.
_STREAM, _WHIRL_STREAM = 3, 103
# Waves longer than a tile's SYSTEMS-th part lose height, down to a share of it: weather is spread over the whole tile.
SYSTEMS, LONG_SHARE = 6.0, 0.3
# Whirls of a tile; the least and the largest radius, in tiles; how far the middle turns, in radians; and the share that
# turns the same way round.
WHIRLS, SMALL, LARGE, TURN, CYCLONES = 40, 0.030, 0.150, 2.2, 0.75
# The whirls turn in 2 ** HALVINGS equal steps, on a grid of at most this many cells along an edge.
HALVINGS, FLOW_CELLS = 4, 128
# Rows that are sampled together.
PART = 64
# Of the cover, whose mean is 0.5: the standard deviation.
SPREAD = 0.19


def cloud_field(seed: int, cells: int) -> np.ndarray:
    """Cover, float32 (cells, cells) in 0..1, that tiles; raises ValueError unless `cells` is a power of two from 2."""
    if cells < 2 or cells & (cells - 1):
        raise ValueError(f"clouds of {cells} cells are not possible: it takes a power of two from 2")
    growth = Plasma(seed, cells, ROUGHNESS, "tile", 0.5, _STREAM)
    growth.advance(growth.total)
    field = _whirled(_spread_out(growth.heights[0, :-1, :-1]), seed)
    field = (field - field.mean()) * np.float32(SPREAD / max(float(field.std()), 1e-6)) + np.float32(0.5)
    return np.clip(field, 0.0, 1.0)


def _spread_out(field: np.ndarray) -> np.ndarray:
    """A field that tiles, (n, n), with less of its longest waves."""
    n = len(field)
    waves = np.hypot(np.fft.fftfreq(n, 1.0 / n)[:, None], np.fft.rfftfreq(n, 1.0 / n))
    share = LONG_SHARE + (1.0 - LONG_SHARE) * np.clip((waves - 1.0) / (SYSTEMS - 1.0), 0.0, 1.0)
    return np.fft.irfft2(np.fft.rfft2(field) * share, s=field.shape).astype(np.float32)


def _whirled(field: np.ndarray, seed: int) -> np.ndarray:
    """A field that tiles, (n, n), carried along by whirls."""
    n, cells = len(field), min(len(field), FLOW_CELLS)
    y, x = np.meshgrid(*2 * [np.arange(cells, dtype=np.float32)], indexing="ij")
    along, across = _wind(seed, cells)
    # A way of two steps is a step, and a step from where that ends.
    for _ in range(HALVINGS):
        there = y + across, x + along
        along, across = along + between_cells(along, *there), across + between_cells(across, *there)
    y, x = np.meshgrid(*2 * [np.arange(n, dtype=np.float32)], indexing="ij")
    y += _refined(across, n)
    x += _refined(along, n)
    # In parts: each takes twelve arrays of its size.
    return np.concatenate([between_cells(field, *there) for there in zip(_in_parts(y), _in_parts(x), strict=True)])


def _in_parts(rows: np.ndarray) -> list[np.ndarray]:
    return [rows[first : first + PART] for first in range(0, len(rows), PART)]


def _refined(way: np.ndarray, n: int) -> np.ndarray:
    """A way in cells, (cells, cells), as one in cells of a grid of (n, n), n a power of two and at least as many."""
    while len(way) < n:
        for axis in (0, 1):
            between = way + np.roll(way, -1, axis)
            way = np.stack([way + way, between], axis + 1).reshape([size << (k == axis) for k, size in enumerate(way.shape)])
            way *= np.float32(1.0 if axis else 0.5)
    return way


def _wind(seed: int, cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the air of a cell was a step before: cells along x and along y, float32 (cells, cells) each."""
    place = np.arange(cells, dtype=np.float32) / cells
    along, across = np.zeros((2, cells, cells), np.float32)
    step = np.float32(TURN * cells / 2**HALVINGS)
    for cx, cy, size, way in hashing.uniforms(seed, _WHIRL_STREAM, 4 * WHIRLS).reshape(WHIRLS, 4).astype(np.float32):
        radius = SMALL + (LARGE - SMALL) * size * size
        dx, dy = ((place - middle + 0.5) % 1.0 - 0.5 for middle in (cx, cy))
        turn = np.exp(-((dy / radius) ** 2))[:, None] * np.exp(-((dx / radius) ** 2)) * (step if way < CYCLONES else -step)
        along -= turn * dy[:, None]
        across += turn * dx
    return along, across
