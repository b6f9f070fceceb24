"""Layers: what a world has besides heights, for every generator: climate, waters, and the ground that carving leaves.

All follow from the heights as they are, so any world at any step has them; sediment and hardness are known of carved worlds
alone. Water flows as it does in carving, and depressions are full to where they run off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .carving.carved_runoff import climate_runoff
from .carving.carver import Carver
from .carving.node_graph import node_graph
from .climate.laws import YEAR_S
from .growth import Growth


@dataclass(frozen=True)
class Layers:
    """Values at the samples of a world, float32 (faces, n, n) each; shared samples have the same bits.

    `temperature_c`: yearly mean, at sea that of its surface. `rain_mm`: a year. `area_km2`: the land whose water passes a
    sample, with its own; 0 at sea. `discharge_m3_s`: that water, what has evaporated left out; 0 at sea. `water_m`: depth of
    the sea or of a lake; 0 on dry land. `sediment_m`: thickness of what rivers have laid down. `hardness`: how many times as
    hard as the mean the rock is. The last two are None unless the growth kept its ground.
    """

    temperature_c: np.ndarray
    rain_mm: np.ndarray
    area_km2: np.ndarray
    discharge_m3_s: np.ndarray
    water_m: np.ndarray
    sediment_m: np.ndarray | None
    hardness: np.ndarray | None

    def arrays(self) -> dict[str, np.ndarray]:
        """Those that there are, by name."""
        return {name: array for name, array in vars(self).items() if array is not None}


def layers_of(growth: Growth, size_m: float, metres: float) -> Layers:
    """The layers of a growth's present heights.

    `size_m`: the radius or the extent in metres, for areas and discharges. `metres`: in a unit of heights, for depths. The
    climate counts a world's relief as `climate.temperature` does, whatever its size.
    """
    atlas, heights, sea = growth.atlas, growth.heights, float(growth.sea_level)
    temperature, rain, runoff = climate_runoff(growth, heights)
    nodes = node_graph(atlas, growth.n)
    carver = Carver(nodes, nodes.of_samples(heights, outside=sea), sea, sea, growth.seed)
    land = heights > carver.sea

    def drained(fallen: np.ndarray, unit: float) -> np.ndarray:
        carver.drain(0, nodes.of_samples(fallen))
        return np.where(land, nodes.to_samples(carver.flow) * unit, 0.0).astype(np.float32)

    discharge = drained(runoff, 1e-3 * size_m * size_m / YEAR_S)
    area = drained(np.ones_like(heights), 1e-6 * size_m * size_m)
    surface = np.where(land, np.maximum(nodes.to_samples(carver.level), heights), np.float32(sea))
    depth = surface - heights if growth.above is None else np.maximum(-growth.above, np.float32(0.0))
    sediment = growth.sediment
    return Layers(
        temperature_c=temperature,
        rain_mm=rain,
        area_km2=area,
        discharge_m3_s=discharge,
        water_m=depth * np.float32(metres),
        sediment_m=None if sediment is None else sediment * np.float32(metres),
        hardness=growth.hardness,
    )
