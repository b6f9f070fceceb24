"""What the climate does to the colours of a sheet: where land is dry, and where it is cold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....mapping.objects.records import PlanetMap
from ....maths.easing import smoothstep
from ..climate_grid import interpolated, mesh_climate, sphere_table

# Rain as a share of what the warmth calls for: desert at DRY, green land at MOIST. Degrees Celsius of ice, of thawed soil.
DRY, MOIST, ICE_C, THAWED_C = 0.35, 1.15, -13.0, 3.0


@dataclass(frozen=True)
class ClimateTints:
    """Shares of dry and of cold land, 0..1, as tables for `interpolated`."""

    dry: np.ndarray
    cold: np.ndarray

    def at(self, longitude: np.ndarray, latitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(dry, cold) at degrees by linear interpolation: float32, the shape of the inputs."""
        dry, cold = interpolated((self.dry, self.cold), longitude, latitude)
        return dry, cold


def climate_tints_of(planet: PlanetMap) -> ClimateTints:
    """From the climate of the map's heights."""
    _, climate, starts = mesh_climate(planet)
    warmth = np.maximum(climate.temperature_c, 0.0)
    moist = climate.rain_mm / (250.0 + 30.0 * warmth)
    dry, cold = 1.0 - _step(moist, DRY, MOIST), 1.0 - _step(climate.temperature_c, ICE_C, THAWED_C)
    return ClimateTints(sphere_table(dry, starts), sphere_table(cold, starts))


def _step(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """0 below `low`, 1 above `high`, smooth in between."""
    return smoothstep(np.clip((values - low) / (high - low), 0.0, 1.0))
