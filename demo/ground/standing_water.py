"""Lakes: standing water on carved land, at the level of its outlet, with shores where the fine ground meets it.

The level is known at the samples of a lake and of its shores, so the shore is drawn where the ground with all of its detail
crosses it. Beyond the outlet, where the ground falls below the level, the water's surface is led under the ground.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..worlds.atlas import Atlas
from ..worlds.heightfield import sample
from ..worlds.runoff import Runoff
from .detail import Detail
from .relief import GUTTER

# Where there is no lake near, metres.
DRY_M = -1.0e5
# A lake is at least so deep, metres, on a planet and on a terrain: shallower ones are what a grid leaves of a valley.
PLANET_DEPTH_M, TERRAIN_DEPTH_M = 6.0, 0.6
# Metres of water that a lake in a dry climate loses to the air in a year beyond what rains on it.
LOST_M = 0.35
# So many samples around a lake its level is known, so that it is level up to any shore.
SHORE = 2
# What is left of the strength of the detail in a lake, and on its shore.
CALM, CALM_SHORE = 0.2, 0.45
# Below the ground beyond an outlet the surface lies by this share of how far it falls, and by this share of a cell.
UNDER, UNDER_CELL = 0.5, 0.008
# Samples worked on together.
CHUNK = 1 << 12
AROUND = np.array([(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)])


@dataclass(frozen=True)
class Lakes:
    """The lakes of a world. `padded_m`: float32 (faces, n + 2 GUTTER, n + 2 GUTTER), the level of the water in metres above
    the sea in lakes and on their shores, DRY_M or less elsewhere. `wet`: int (k,), flat indices into (faces, n, n) of the
    samples where it is known."""

    padded_m: np.ndarray
    wet: np.ndarray

    @property
    def level_m(self) -> np.ndarray:
        """Without the gutter, float32 (faces, n, n): a view."""
        return self.padded_m[:, GUTTER:-GUTTER, GUTTER:-GUTTER]

    def at(self, face: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The level of the water at (u, v) on `face`, float64 in their shape: it is a lake where the ground is lower."""
        return sample(self.level_m, face, u, v)


def lasting(runoff: Runoff, atlas: Atlas, size_m: float, metres: float) -> Runoff:
    """The same runoff with the levels of those lakes alone that last: deep ones with water enough, apart from each other.

    `size_m`: the radius or the extent; `metres`: in a unit of heights. A closed basin in a dry climate has no lake.
    """
    under = np.flatnonzero(runoff.land & (runoff.level > runoff.height))
    if not len(under):
        return replace(runoff, level=np.full_like(runoff.level, -np.inf))
    lake = _by_outlet(runoff, under)
    depth = (runoff.level[under] - runoff.height[under]) * np.float32(metres)
    deepest, fed = np.zeros(lake.max() + 1), np.zeros(lake.max() + 1)
    np.maximum.at(deepest, lake, depth)
    np.maximum.at(fed, lake, runoff.flow[under])
    area = np.bincount(lake) * (atlas.edge / (runoff.n - 1)) ** 2
    lasts = (deepest >= (PLANET_DEPTH_M if atlas.spherical else TERRAIN_DEPTH_M)) & (fed > LOST_M * area)
    lasts &= _apart(runoff, atlas, under, lake, np.where(lasts, np.bincount(lake), 0))
    level = np.full_like(runoff.level, -np.inf)
    kept = under[lasts[lake]]
    level[kept] = runoff.level[kept]
    return replace(runoff, level=level)


def _by_outlet(runoff: Runoff, under: np.ndarray) -> np.ndarray:
    """The number of the lake of each node in `under` (k,), int (k,): lakes are told apart by outlets and levels."""
    receiver = runoff.receiver[under].astype(np.intp)
    place = np.minimum(np.searchsorted(under, receiver), len(under) - 1)
    stays = (under[place] == receiver) & (runoff.level[receiver] == runoff.level[under])
    ahead = np.where(stays, place, np.arange(len(under)))
    while (ahead[ahead] != ahead).any():
        ahead = ahead[ahead]
    # The last nodes of a lake all flow to its outlet.
    keys = np.stack([receiver[ahead].astype(np.float64), runoff.level[under].astype(np.float64)], axis=1)
    number: np.ndarray = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
    return number


def _apart(runoff: Runoff, atlas: Atlas, under: np.ndarray, lake: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Which lakes are larger than any other whose shore they would share, bool (lakes,). `size`: (lakes,), 0 for none."""
    alone, faces = np.zeros(len(size), bool), _Faces(atlas, runoff.n)
    order = np.argsort(lake, kind="stable")
    begins = np.searchsorted(lake[order], np.arange(len(size) + 1))
    samples = runoff.sample[under[order]].astype(np.intp)
    for number in np.argsort(-size, kind="stable")[: np.count_nonzero(size)]:
        alone[number] = faces.takes(samples[begins[number] : begins[number + 1]])
    return alone


class _Faces:
    """Samples of all faces, and which of them are a lake's."""

    def __init__(self, atlas: Atlas, n: int) -> None:
        self._n, self._taken = n, np.zeros(atlas.faces * n * n, bool)
        self._copies, self._owners = atlas.seams(n)
        self._shared = np.zeros(len(self._taken), bool)
        self._shared[self._copies] = self._shared[self._owners] = True

    def takes(self, samples: np.ndarray) -> bool:
        """Whether none of the samples of a lake and of those around them is another's; they are its own then."""
        for _ in range(SHORE):
            samples = self.widened(samples)
        free = not self._taken[samples].any()
        if free:
            self._taken[samples] = True
        return free

    def widened(self, samples: np.ndarray) -> np.ndarray:
        """Samples with their neighbours, as flat indices, and what is the same point on other faces."""
        samples = self.twins(samples)
        beside = [self._beside(samples[first : first + CHUNK]) for first in range(0, len(samples), CHUNK)]
        return self.twins(np.unique(np.concatenate([samples, *beside])))

    def _beside(self, samples: np.ndarray) -> np.ndarray:
        """The neighbours of samples on their faces, each once."""
        n = self._n
        face, rest = np.divmod(samples, n * n)
        j, i = np.divmod(rest, n)
        jj, ii = j[:, None] + AROUND[:, 0], i[:, None] + AROUND[:, 1]
        inside = (jj >= 0) & (jj < n) & (ii >= 0) & (ii < n)
        return np.unique((face[:, None] * n * n + jj * n + ii)[inside])

    def twins(self, samples: np.ndarray) -> np.ndarray:
        """Samples with all that are the same points."""
        if not self._shared[samples].any():
            return samples
        own = np.isin(self._owners, samples) | np.isin(self._copies, samples)
        own = np.isin(self._owners, self._owners[own])
        return np.unique(np.concatenate([samples, self._owners[own], self._copies[own]]))


def lakes_of(runoff: Runoff, atlas: Atlas, heights_m: np.ndarray, size_m: float, metres: float) -> Lakes | None:
    """The lakes of a runoff of which all last; None for none.

    `heights_m`: float32 (faces, n, n), metres above the sea; `size_m`, `metres`: as for `lasting`.
    """
    under = np.flatnonzero(runoff.level > -np.inf)
    if not len(under):
        return None
    faces, under_m = _Faces(atlas, runoff.n), np.float32(UNDER_CELL * atlas.edge * size_m / (runoff.n - 1))
    flat_m, level_m = heights_m.reshape(-1), np.full(heights_m.shape, DRY_M, np.float32)
    flat = level_m.reshape(-1)
    metre = ((runoff.level[under] - np.float32(runoff.sea)) * np.float32(metres)).astype(np.float32)
    for water in np.unique(metre):
        samples = faces.twins(runoff.sample[under[metre == water]].astype(np.intp))
        flat[samples] = water
        for _ in range(SHORE):
            near = faces.widened(samples)
            near = near[flat[near] == np.float32(DRY_M)]
            low = flat_m[near] <= water
            falls = water - flat_m[near[low]]
            flat[near[low]] = flat_m[near[low]] - np.float32(UNDER) * falls - under_m
            flat[near[~low]] = water
            samples = near[~low]
            if not len(samples):
                break
    padded = np.pad(level_m, ((0, 0), (GUTTER, GUTTER), (GUTTER, GUTTER)), mode="edge")
    return Lakes(padded, np.flatnonzero(flat > np.float32(DRY_M)))


def calmed_by(lakes: Lakes, detail: Detail) -> Detail:
    """The same detail, but weak in lakes and on their shores: still water evens its bed."""
    shore = np.ones(detail.rough_m.shape, np.float32)
    wet = np.unravel_index(lakes.wet, shore.shape)
    shore[wet] = np.where(detail.heights_m[wet] < lakes.level_m[wet], CALM, CALM_SHORE)
    return replace(detail, rough_m=(detail.rough_m * shore).astype(detail.rough_m.dtype))
