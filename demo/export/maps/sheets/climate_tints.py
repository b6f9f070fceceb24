"""What the climate does to the colours of a sheet: where land is dry, and where it is cold."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ....mapping.degrees import longitude_of, turn_of
from ....mapping.objects.records import PlanetMap
from ....maths.easing import smoothstep
from ....worlds.climate.mesh_climate import climate_of, latitudes
from ....worlds.doublecone import global_mesh as meshes

CELLS, COLUMNS = 128, 512
# Rain as a share of what the warmth calls for: desert at DRY, green land at MOIST. Degrees Celsius of ice, of thawed soil.
DRY, MOIST, ICE_C, THAWED_C = 0.35, 1.15, -13.0, 3.0


@dataclass(frozen=True)
class ClimateTints:
    """Shares of dry and of cold land, 0..1, over the sphere.

    `dry`, `cold`: float32 (2 cells + 1, COLUMNS + 1), a row for each parallel of a double-cone mesh from the north pole on,
    and columns around it from longitude 0 to the west.
    """

    dry: np.ndarray
    cold: np.ndarray

    def at(self, longitude: np.ndarray, latitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(dry, cold) at degrees by linear interpolation: float32, the shape of the inputs."""
        y = (90.0 - latitude) / 180.0 * (len(self.dry) - 1)
        x = turn_of(longitude) * COLUMNS
        j, i = np.minimum(y.astype(np.intp), len(self.dry) - 2), np.minimum(x.astype(np.intp), COLUMNS - 1)
        v, u = y - j, x - i
        near = [(j, i, (1 - v) * (1 - u)), (j, i + 1, (1 - v) * u), (j + 1, i, v * (1 - u)), (j + 1, i + 1, v * u)]
        dry, cold = (sum(table[a, b] * weight for a, b, weight in near) for table in (self.dry, self.cold))
        return dry.astype(np.float32), cold.astype(np.float32)


def climate_tints_of(planet: PlanetMap) -> ClimateTints:
    """From the map's heights at the points of a double-cone mesh of at most CELLS a quarter."""
    cells = min(2**planet.gn, CELLS)
    counts, starts = meshes.ring_counts(cells), meshes.ring_starts(cells)
    ring = np.repeat(np.arange(2 * cells + 1), counts)
    longitude = longitude_of((np.arange(ring.size) - starts[ring]) / counts[ring])
    heights = planet.relief.sample(longitude, latitudes(cells)[ring])
    climate = climate_of(heights)
    warmth = np.maximum(climate.temperature_c, 0.0)
    moist = climate.rain_mm / (250.0 + 30.0 * warmth)
    dry, cold = 1.0 - _step(moist, DRY, MOIST), 1.0 - _step(climate.temperature_c, ICE_C, THAWED_C)
    return ClimateTints(_table(dry, starts), _table(cold, starts))


def _step(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """0 below `low`, 1 above `high`, smooth in between."""
    return smoothstep(np.clip((values - low) / (high - low), 0.0, 1.0))


def _table(mesh: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Values at the points of a mesh, ring after ring, as a table of COLUMNS + 1 values a ring."""
    turn = np.arange(COLUMNS + 1) / COLUMNS
    rings = [mesh[a:b] for a, b in pairwise(starts)]
    rows = [np.interp(turn, np.arange(len(r) + 1) / len(r), np.append(r, r[0])) for r in rings]
    return np.array(rows, np.float32)
