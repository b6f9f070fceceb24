"""Rainfall: where the wind comes from the sea and climbs much rain falls, and little behind mountains and far inland."""

from __future__ import annotations

import numpy as np

from ...maths.circle import circle
from ..atlas import Atlas
from ..climate.laws import WIND_EAST, WIND_LATITUDE, WIND_POLEWARD
from ..hashing import uniform
from . import rainfall_kernels as kernels
from . import sample_kernels
from .node_graph import NodeGraph, node_graph

# Cells along a face's edge of the lattice on which the wind blows.
CELLS = 64
# What of the air's water falls on a way as long as a face's edge, and on a climb to the highest land.
EVERYWHERE, CLIMBING = 1.0, 1.2
# What of its lack the air takes up on that way over the sea, and what of the rain plants and soil give back.
UPTAKE, RECYCLED = 12.0, 0.35
# Rain does not fall in cells: passes of smoothing of the ground under the air and of the rain.
GROUND_PASSES, RAIN_PASSES = 2, 3
# The least and the most that falls anywhere, in parts of the mean on land.
LEAST, MOST = 0.1, 4.0
# Winds are rounded to 2^-20: sines differ in their last bits between processors, and rivers must not.
_ROUND = 2.0**20
_STREAM_WIND = 35


def rainfall(atlas: Atlas, samples: np.ndarray, sea: float, seed: int) -> np.ndarray:
    """Rain on float32 heights (faces, n, n), in parts of its mean on land, as float32 (faces, n, n): LEAST to MOST."""
    cells = min(CELLS, samples.shape[-1] - 1)
    nodes = node_graph(atlas, cells + 1)
    coarse = np.empty((len(samples), cells + 1, cells + 1), np.float32)
    sample_kernels.resample(samples, coarse)
    height = blurred(nodes, nodes.of_samples(coarse, outside=sea), GROUND_PASSES)
    xyz = nodes.places(atlas)
    rain = blurred(nodes, _blown(nodes, height, np.float32(sea), xyz, winds(atlas, xyz, seed), cells), RAIN_PASSES)
    land = (height > sea) & (nodes.area > 0.0)
    mean = float(np.average(rain[land], weights=nodes.area[land].astype(np.float64))) if land.any() else 1.0
    out = np.empty_like(samples)
    sample_kernels.resample(nodes.to_samples(np.clip(rain / np.float32(max(mean, 1e-9)), LEAST, MOST)), out)
    return out


def winds(atlas: Atlas, xyz: np.ndarray, seed: int) -> np.ndarray:
    """Where the prevailing wind blows to at positions float64 (k, 3), as such: the climate's belts, or one on a plane."""
    if not atlas.spherical:
        x, z = _direction(seed)
        return np.tile([x, 0.0, z], (len(xyz), 1))
    latitude = circle(np.asarray(WIND_LATITUDE) / 360.0)[1]
    height = np.abs(xyz[:, 1])
    east = np.stack([xyz[:, 2], np.zeros(len(xyz)), -xyz[:, 0]], axis=-1)
    east /= np.maximum(np.sqrt((east * east).sum(axis=-1, keepdims=True)), 1e-9)
    poleward = np.sign(xyz[:, 1:2]) * (np.array([0.0, 1.0, 0.0]) - xyz[:, 1:2] * xyz)
    wind = np.interp(height, latitude, WIND_EAST)[:, None] * east
    wind += np.interp(height, latitude, WIND_POLEWARD)[:, None] * poleward
    return np.rint(wind * _ROUND) / _ROUND


def _direction(seed: int) -> tuple[float, float]:
    """A direction by the seed, by points of a square of which the first within the circle counts."""
    for k in range(64):
        x, z = (2.0 * uniform(seed, _STREAM_WIND, 2 * k + axis) - 1.0 for axis in (0, 1))
        if 0.01 < x * x + z * z <= 1.0:
            return x, z
    return 1.0, 0.0


def _blown(
    nodes: NodeGraph, height: np.ndarray, sea: np.float32, xyz: np.ndarray, wind: np.ndarray, cells: int
) -> np.ndarray:
    """The rain of air that has blown until it comes from far enough, float32 (nodes,)."""
    graph, share = nodes.graph, np.empty((nodes.count, kernels.DEGREE), np.float32)
    relief = max(float(height.max() - sea), 1e-9)
    kernels.upwind(nodes.place, xyz, wind, graph.table, graph.stride, graph.relative, share)
    weights = (EVERYWHERE / cells, CLIMBING / relief, min(UPTAKE / cells, 1.0), RECYCLED)
    everywhere, climbing, uptake, recycled = (np.float32(value) for value in weights)
    air, rain = np.ones(nodes.count, np.float32), np.zeros(nodes.count, np.float32)
    out = np.empty_like(air)
    for _ in range(2 * cells):
        kernels.blow(
            height, sea, share, graph.table, graph.stride, graph.relative,
            everywhere, climbing, uptake, recycled, air, rain, out,
        )  # fmt: skip
        air, out = out, air
    return rain


def blurred(nodes: NodeGraph, values: np.ndarray, passes: int) -> np.ndarray:
    """Values of nodes, float32, after so many passes, each of which spreads by a variance of about 3/8 of a squared cell."""
    graph, out = nodes.graph, np.empty_like(values)
    for _ in range(passes):
        sample_kernels.blur(values, nodes.place, graph.table, graph.stride, graph.relative, out)
        values, out = out, values
    return values
