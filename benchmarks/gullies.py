"""Gullies: do those of the detail run down the slope of the ground that they lie in? In every scene's carved worlds.

At a gully's own scale: on its crest and in its bed the slope of a point alone says nothing of its way. The direction in
which an octave changes most in a window lies across its gullies (M. Kass and A. Witkin, 1987). Downhill is where the
surface through the samples falls in the same window. The weakest gullies, and places that hardly slope, do not count.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from benchmarks.harness import Report
from demo.catalogue.generators import generator
from demo.ground.detail import Detail
from demo.scenes.scenes import ROTATION, SCENES
from demo.story.preparation import grown_world

SEEDS, PLACES, OCTAVES = 5, 900, (2, 3, 4)
# Half the edge of a window and the distance of differences, in lengths of an octave; windows a side.
HALF, NEAR, SIDE = 0.6, 0.03, 7
# Least height, in the highest, and slope of a place; the share of the weakest gullies.
HIGH, STEEP, WEAK = 0.03, 0.12, 0.3
BAR = 0.9


def run(report: Report) -> None:
    """Every scene whose worlds are carved."""
    for name in (name for name in ROTATION if SCENES[name].is_carved):
        shares = np.array([shares_of(detail_of_scene(name, seed), seed) for seed in range(1, report.rounds(SEEDS) + 1)])
        found = ", ".join(f"{share:.2f}" for share in shares.mean(axis=0))
        mean = float(shares.mean())
        report.figure(f"{name}: within 30 degrees of downhill", f"{found}: **{mean:.2f}**", f"above {BAR:g}", mean > BAR)
    report.note(f"Octaves {OCTAVES[0]} to {OCTAVES[-1]} and their mean; {SEEDS} seeds, {PLACES} places each.")


def detail_of_scene(name: str, seed: int) -> Detail:
    """The detail of a scene's world that is carved to its end, with the metres of the show."""
    scene = SCENES[name]
    growth = generator(name).grow(seed, dict(scene.parameters))
    growth.keeps_ground = True
    growth.advance(growth.stages["grown"])
    metres = grown_world(growth, scene, seed).metres
    growth.advance(growth.total)
    return grown_world(growth, scene, seed, metres).detail


def shares_of(detail: Detail, seed: int) -> list[float]:
    """Of each of OCTAVES the share of its gullies that run within 30 degrees of downhill."""
    windows = Windows(detail, seed)
    return [windows.share(octave) for octave in OCTAVES]


class Windows:
    """Places on steep land of a world, and the ground around each in metres to the east and south of it, or nearly."""

    def __init__(self, detail: Detail, seed: int) -> None:
        self._detail = detail
        chance = np.random.default_rng(seed)
        self._face = chance.integers(0, detail.atlas.faces, 40 * PLACES)
        self._u, self._v = chance.uniform(0.05, 0.95, (2, 40 * PLACES))
        self._to_uv = self._inverse()
        steep = np.hypot(*self._gradient(0.0, 0.0, 0, 0.25 * detail.wavelength_m))
        kept = (detail.height(self._face, self._u, self._v, 0) > HIGH * detail.top_m) & (steep > STEEP)
        first = np.flatnonzero(kept)[:PLACES]
        self._face, self._u, self._v, self._to_uv = (x[first] for x in (self._face, self._u, self._v, self._to_uv))

    def share(self, octave: int) -> float:
        """The share of the gullies of an octave, counted from 0."""
        length = self._detail.wavelength_m * 0.5 ** (octave - 1)
        tensor, slope = np.zeros((3, len(self._u))), np.zeros((2, len(self._u)))
        for x, y in product(np.linspace(-HALF, HALF, SIDE) * length, repeat=2):
            below, above = (self._gradient(x, y, octaves, NEAR * length) for octaves in (octave, octave + 1))
            east, south = above - below
            tensor += np.stack([east * east, east * south, south * south])
            slope += self._gradient(x, y, 0, NEAR * length)
        across = 0.5 * np.arctan2(2.0 * tensor[1], tensor[0] - tensor[2])
        off = np.abs(np.cos(across) * slope[0] + np.sin(across) * slope[1]) / np.hypot(*slope)
        strength = tensor[0] + tensor[2]
        return float((off < 0.5)[strength > np.quantile(strength, WEAK)].mean())

    def _inverse(self) -> np.ndarray:
        """What leads from metres along two directions at right angles to u and v: float64 (k, 2, 2)."""
        step, detail = 1e-4, self._detail
        at = detail.atlas.place(self._face, self._u, self._v)
        along, down = (
            (detail.atlas.place(self._face, self._u + a, self._v + b) - at) * (detail.size_m / step)
            for a, b in ((step, 0.0), (0.0, step))
        )
        east = along / np.linalg.norm(along, axis=1)[:, None]
        south = down - east * (down * east).sum(axis=1)[:, None]
        south /= np.linalg.norm(south, axis=1)[:, None]
        rows = [np.stack([(a * side).sum(axis=1) for a in (along, down)], axis=-1) for side in (east, south)]
        return np.linalg.inv(np.stack(rows, axis=1))

    def _gradient(self, x: float, y: float, octaves: int, near: float) -> np.ndarray:
        """The slope of the ground with so many octaves x and y metres from each place: (2, k)."""
        sides = ((near, 0.0), (-near, 0.0), (0.0, near), (0.0, -near))
        east, west, south, north = (self._height(x + a, y + b, octaves) for a, b in sides)
        return np.stack([east - west, south - north]) / (2.0 * near)

    def _height(self, x: float, y: float, octaves: int) -> np.ndarray:
        du, dv = (self._to_uv @ np.array([x, y])).T
        return self._detail.height(self._face, self._u + du, self._v + dv, octaves)
