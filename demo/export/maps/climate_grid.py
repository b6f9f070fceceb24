"""Temperature and rain anywhere on a planet, from the climate of its mesh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...mapping.degrees import longitude_of, turn_of
from ...mapping.objects.records import PlanetMap
from ...worlds.climate.laws import LAPSE_C_PER_M
from ...worlds.climate.mesh_climate import Climate, climate_of, latitudes
from ...worlds.doublecone import global_mesh as meshes

CELLS, COLUMNS = 128, 512


@dataclass(frozen=True)
class ClimateGrid:
    """Yearly means and sums, tables for `interpolated`.

    `level_c`: temperature at the level of the sea, degrees Celsius. `rain_mm`: rain.
    """

    level_c: np.ndarray
    rain_mm: np.ndarray

    def at(self, longitude: np.ndarray, latitude: np.ndarray, heights_m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(temperature, rain) at degrees and heights, by linear interpolation: float32, the shape of the inputs."""
        level, rain = interpolated((self.level_c, self.rain_mm), longitude, latitude)
        cooler = LAPSE_C_PER_M * np.maximum(heights_m, 0.0)
        return level - cooler.astype(np.float32), rain


def climate_grid_of(planet: PlanetMap) -> ClimateGrid:
    """From the climate of `mesh_climate`."""
    heights, climate, starts = mesh_climate(planet)
    level = climate.temperature_c + LAPSE_C_PER_M * np.maximum(heights, 0.0)
    return ClimateGrid(sphere_table(level, starts), sphere_table(climate.rain_mm, starts))


def mesh_climate(planet: PlanetMap) -> tuple[np.ndarray, Climate, np.ndarray]:
    """(heights, climate, first point of each ring) of a double-cone mesh with the map's heights.

    It has at most CELLS a quarter.
    """
    cells = min(2**planet.gn, CELLS)
    counts, starts = meshes.ring_counts(cells), meshes.ring_starts(cells)
    ring = np.repeat(np.arange(2 * cells + 1), counts)
    longitude = longitude_of((np.arange(ring.size) - starts[ring]) / counts[ring])
    heights = planet.relief.sample(longitude, latitudes(cells)[ring])
    return heights, climate_of(heights), starts


def sphere_table(mesh: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Values at the points of a mesh, ring after ring, as a table for `interpolated`, float32 (rings, COLUMNS + 1)."""
    turn = np.arange(COLUMNS + 1) / COLUMNS
    rings = [mesh[a:b] for a, b in pairwise(starts)]
    rows = [np.interp(turn, np.arange(len(r) + 1) / len(r), np.append(r, r[0])) for r in rings]
    return np.array(rows, np.float32)


def interpolated(tables: Sequence[np.ndarray], longitude: np.ndarray, latitude: np.ndarray) -> list[np.ndarray]:
    """What tables over the sphere have at degrees, linear between their values: float32, the shape of the degrees.

    A table has a row for each parallel of a double-cone mesh from the north pole on, and COLUMNS + 1 columns around it from
    longitude 0 to the west.
    """
    last = len(tables[0]) - 1
    y, x = (90.0 - latitude) / 180.0 * last, turn_of(longitude) * COLUMNS
    j, i = np.minimum(y.astype(np.intp), last - 1), np.minimum(x.astype(np.intp), COLUMNS - 1)
    v, u = y - j, x - i
    near = [(j, i, (1 - v) * (1 - u)), (j, i + 1, (1 - v) * u), (j + 1, i, v * (1 - u)), (j + 1, i + 1, v * u)]
    return [np.asarray(sum(table[a, b] * weight for a, b, weight in near), np.float32) for table in tables]
