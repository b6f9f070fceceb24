"""Rainfall on any atlas: much where the wind comes from the sea and climbs, little behind mountains and far inland.

On planets the numbers are those of the climate's laws, by latitude and temperature, and lengths are the Earth's in angles.
A terrain has one wind, and air that holds water without end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..atlas import Atlas
from ..circle import circle
from ..climate import laws
from ..climate.temperature import ROUND, metres_of, sea_level_c, temperature_c
from ..growth import Growth
from ..hashing import uniform
from . import rainfall_kernels as kernels
from . import sample_kernels
from .node_graph import NodeGraph, node_graph

# Cells along a face's edge of the lattice on which the wind blows.
CELLS = 64
# On a terrain: what of the air's water falls on a way as long as its edge, and on a climb to the highest land.
EVERYWHERE, CLIMBING = 1.0, 1.2
# On a terrain: what of its lack the air takes up on that way over the sea.
UPTAKE = 12.0
# Rain does not fall in cells: passes of smoothing of the ground under the air and of the rain.
GROUND_PASSES, RAIN_PASSES = 2, 3
# Rivers of carving: the least and the most that falls anywhere, in parts of the mean on land.
LEAST, MOST = 0.1, 4.0
# The mean rain on a terrain's land where it is so warm at the sea; warmer air holds more.
TERRAIN_MM, TERRAIN_C = 1200.0, 10.0
_STREAM_WIND = 35


@dataclass(frozen=True)
class Rainfall:
    """Rain by node of a coarse lattice, float32 (nodes,), in any one unit, and its mean on land. `mean_mm`: that in mm."""

    nodes: NodeGraph
    rain: np.ndarray
    mean: float
    mean_mm: float

    def parts(self, samples: np.ndarray) -> np.ndarray:
        """In parts of the mean on land, LEAST to MOST, as float32 in the shape of `samples`, (faces, n, n)."""
        return self._laid_on(np.clip(self.rain / np.float32(self.mean), LEAST, MOST), samples)

    def millimetres(self, samples: np.ndarray) -> np.ndarray:
        """In mm a year, as float32 in the shape of `samples`, (faces, n, n)."""
        return self._laid_on(self.rain * np.float32(self.mean_mm / self.mean), samples)

    def _laid_on(self, values: np.ndarray, samples: np.ndarray) -> np.ndarray:
        out = np.empty(samples.shape, np.float32)
        sample_kernels.resample(self.nodes.to_samples(values), out)
        return out


def rainfall(source: Growth, samples: np.ndarray) -> Rainfall:
    """Rain on `samples`, float32 (faces, n, n), the heights of a growth or of a coarser lattice of it."""
    atlas, sea = source.atlas, float(source.sea_level)
    cells = min(CELLS, samples.shape[-1] - 1)
    nodes = node_graph(atlas, cells + 1)
    coarse = np.empty((len(samples), cells + 1, cells + 1), np.float32)
    sample_kernels.resample(samples, coarse)
    height = blurred(nodes, nodes.of_samples(coarse, outside=sea), GROUND_PASSES)
    xyz = nodes.places(atlas)
    metres = metres_of(atlas, source.unit, float(samples.max()) - sea)
    air = _planet_air(atlas, height, sea, xyz, metres, cells) if atlas.spherical else _terrain_air(height, sea, cells)
    wind = winds(atlas, xyz, source.seed)
    rain = blurred(nodes, _blown(nodes, height, np.float32(sea), xyz, wind, air, 2 * cells), RAIN_PASSES)
    land = (height > sea) & (nodes.area > 0.0)
    mean = float(np.average(rain[land], weights=nodes.area[land].astype(np.float64))) if land.any() else 1.0
    mean = max(mean, 1e-9)
    if atlas.spherical:
        return Rainfall(nodes, rain, mean, mean * laws.WIND_M_S * laws.YEAR_S * cells / (atlas.edge * laws.EARTH_RADIUS_M))
    warmth = np.interp([float(sea_level_c(atlas, xyz[:1], source.seed)[0]), TERRAIN_C], laws.AIR_C, laws.COLUMN_MM)
    return Rainfall(nodes, rain, mean, TERRAIN_MM * float(warmth[0] / warmth[1]))


@dataclass(frozen=True)
class Air:
    """What the air does on its way of one node's distance, by node, float32 (nodes,), but for `climbing` and `uptake`.

    `lost`: the part of its water that falls anywhere. `climbing`: the part that falls on a climb by a unit of height.
    `humid`: what it holds over a wide sea; `uptake`: the part of its lack of that which the sea fills. `capacity`: the most
    that it holds.
    """

    lost: np.ndarray
    climbing: float
    humid: np.ndarray
    uptake: float
    capacity: np.ndarray


def _terrain_air(height: np.ndarray, sea: float, cells: int) -> Air:
    relief = max(float(height.max() - np.float32(sea)), 1e-9)
    lost, ones, most = (np.full(height.size, value, np.float32) for value in (EVERYWHERE / cells, 1.0, np.inf))
    return Air(lost, CLIMBING / relief, ones, min(UPTAKE / cells, 1.0), most)


def _planet_air(atlas: Atlas, height: np.ndarray, sea: float, xyz: np.ndarray, metres: float, cells: int) -> Air:
    step_m = atlas.edge * laws.EARTH_RADIUS_M / cells
    column = np.interp(temperature_c(atlas, xyz, (height - sea) * metres, 0), laws.AIR_C, laws.COLUMN_MM)
    belts = np.interp(np.abs(xyz[:, 1]), _sines(laws.BELT_LATITUDE), laws.BELT_RAIN)
    lost, humid, capacity = (
        (np.rint(values * ROUND) / ROUND).astype(np.float32)
        for values in (belts * (step_m / laws.RAIN_LENGTH_M), laws.SEA_HUMIDITY * column, column)
    )
    return Air(lost, metres / laws.CLIMB_M, humid, step_m / (step_m + laws.SEA_LENGTH_M), capacity)


def _sines(latitudes: tuple[float, ...]) -> np.ndarray:
    """Sines of latitudes in degrees, with the same bits on every processor."""
    return circle(np.asarray(latitudes) / 360.0)[1]


def winds(atlas: Atlas, xyz: np.ndarray, seed: int) -> np.ndarray:
    """Where the prevailing wind blows to at positions float64 (k, 3), as such: the climate's belts, or one on a plane."""
    if not atlas.spherical:
        x, z = _direction(seed)
        return np.tile([x, 0.0, z], (len(xyz), 1))
    latitude = _sines(laws.WIND_LATITUDE)
    height = np.abs(xyz[:, 1])
    east = np.stack([xyz[:, 2], np.zeros(len(xyz)), -xyz[:, 0]], axis=-1)
    east /= np.maximum(np.sqrt((east * east).sum(axis=-1, keepdims=True)), 1e-9)
    poleward = np.sign(xyz[:, 1:2]) * (np.array([0.0, 1.0, 0.0]) - xyz[:, 1:2] * xyz)
    wind = np.interp(height, latitude, laws.WIND_EAST)[:, None] * east
    wind += np.interp(height, latitude, laws.WIND_POLEWARD)[:, None] * poleward
    return np.rint(wind * ROUND) / ROUND


def _direction(seed: int) -> tuple[float, float]:
    """A direction by the seed, by points of a square of which the first within the circle counts."""
    for k in range(64):
        x, z = (2.0 * uniform(seed, _STREAM_WIND, 2 * k + axis) - 1.0 for axis in (0, 1))
        if 0.01 < x * x + z * z <= 1.0:
            return x, z
    return 1.0, 0.0


def _blown(
    nodes: NodeGraph, height: np.ndarray, sea: np.float32, xyz: np.ndarray, wind: np.ndarray, air: Air, steps: int
) -> np.ndarray:
    """The rain of air that has blown until it comes from far enough, float32 (nodes,)."""
    share = np.empty((nodes.count, kernels.DEGREE), np.float32)
    kernels.upwind(nodes.place, xyz, wind, nodes.table, nodes.ways, share)
    climbing, uptake, recycled = (np.float32(value) for value in (air.climbing, air.uptake, laws.RECYCLED))
    water, rain = air.humid.copy(), np.zeros(nodes.count, np.float32)
    out = np.empty_like(water)
    for _ in range(steps):
        kernels.blow(
            height, sea, share, nodes.table, nodes.ways,
            air.lost, climbing, air.humid, uptake, recycled, air.capacity, water, rain, out,
        )  # fmt: skip
        water, out = out, water
    return rain


def blurred(nodes: NodeGraph, values: np.ndarray, passes: int) -> np.ndarray:
    """Values of nodes, float32, after so many passes, each of which spreads by a variance of about 3/8 of a squared cell."""
    out = np.empty_like(values)
    for _ in range(passes):
        sample_kernels.blur(values, nodes.place, nodes.table, nodes.ways, out)
        values, out = out, values
    return values
