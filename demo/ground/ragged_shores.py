"""Shores of a map's planet as they are drawn near the eye, where noise makes them ragged: the twin of shore.glsl."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..worlds.heightfield import sample
from .detail import CHUNK
from .ground import Ground
from .noise_volume import PERIOD, noise_volume

# As in shore.glsl: the range of the noise in samples, and in parts of the highest land; the frequencies of its octaves, over
# PERIOD, and their weights.
SHORE_SAMPLES, SHORE_HEIGHT = 1.8, 0.004
OCTAVES = ((47.0, 0.56), (130.0, 0.26), (420.0, 0.13), (1400.0, 0.05))


def above_water(ground: Ground, place: np.ndarray, high: np.ndarray) -> np.ndarray:
    """How far the ground of a map is above the water at places (p, 3), as `Atlas.place` has them: metres, float64 (p,).

    Negative under water. `high`: (p,), of what is drawn there, metres above the sea. Raises ValueError for other worlds.
    """
    if ground.above_m is None:
        raise ValueError("only a map's ground tells how far it is above the water")
    found = np.empty(len(place))
    for start in range(0, len(place), CHUNK):
        chunk = slice(start, start + CHUNK)
        found[chunk] = _above(ground, ground.above_m, place[chunk], high[chunk])
    return found


def _above(ground: Ground, above_m: np.ndarray, place: np.ndarray, high: np.ndarray) -> np.ndarray:
    at = place * ((1.0 + high / ground.size_m) / PERIOD)[:, None]
    noise = np.full((len(place), 4), -0.5)
    for frequency, weight in OCTAVES:
        noise += weight * _noise(frequency * at)
    face, u, v, _ = ground.atlas.invert(place)
    beside = SHORE_SAMPLES / (above_m.shape[-1] - 1) * noise[:, :2]
    found: np.ndarray = sample(above_m, face, u + beside[:, 0], v + beside[:, 1])
    return found + SHORE_HEIGHT * ground.highest_m * noise[:, 2]


@cache
def _volume() -> np.ndarray:
    return (noise_volume() / 255.0).astype(np.float16).astype(np.float32)


def _noise(at: np.ndarray) -> np.ndarray:
    """The volume of noise at (p, 3), in its periods, as a texture gives it: (p, 4), 0..1."""
    volume = _volume()
    side = len(volume)
    first = np.floor(at * side - 0.5)
    share = at * side - 0.5 - first
    low = first.astype(np.intp) % side
    both, weights = (low, (low + 1) % side), (1.0 - share, share)
    out = np.zeros((len(at), 4))
    for x in range(2):
        for y in range(2):
            for z in range(2):
                weight = weights[x][:, 0] * weights[y][:, 1] * weights[z][:, 2]
                out += weight[:, None] * volume[both[z][:, 2], both[y][:, 1], both[x][:, 0]]
    return out
