"""The runoff of land: what of the climate's rain rivers get, the same for drawn rivers and for the layers of files."""

from __future__ import annotations

import numpy as np

from ..climate.laws import EVAPORATION_C, EVAPORATION_MM, runoff_of
from ..climate.temperature import metres_of, temperature_c
from ..growth import Growth
from ..runoff import Runoff
from .carver import Carver
from .kernels import LAND
from .rainfall import rainfall


def climate_runoff(growth: Growth, heights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(temperature, rain, runoff) of a growth's `heights`, (faces, n, n): yearly mean in degrees Celsius as float64, and mm
    a year, the rain as float32. Runoff is what of the rain does not evaporate."""
    above = heights - np.float32(float(growth.sea_level))
    metres = metres_of(growth.atlas, growth.unit, float(above.max()))
    places = growth.atlas.positions(heights.shape[-1])
    temperature = temperature_c(growth.atlas, places, above.astype(np.float64) * metres, growth.seed)
    rain = rainfall(growth, heights).millimetres(heights)
    return temperature, rain, runoff_of(rain, np.interp(temperature, EVAPORATION_C, EVAPORATION_MM))


def runoff_from(carver: Carver, source: Growth) -> Runoff:
    """The runoff of a carver's present land; what the carver knows of water is of that land from now on.

    `source`: a growth of this carver's samples, of which only the atlas, the sea, the unit and the seed count.
    """
    nodes = carver.nodes
    fallen = climate_runoff(source, nodes.to_samples(carver.height))[2]
    carver.drain(0, nodes.of_samples(fallen.astype(np.float32)))
    samples = fallen.shape
    sample = nodes.of_samples(np.arange(np.prod(samples), dtype=np.int32).reshape(samples), outside=-1)
    return Runoff(
        n=samples[-1],
        sample=sample,
        height=carver.height.copy(),
        level=carver.level.copy(),
        receiver=carver.receiver.copy(),
        land=(carver.kind == LAND) & (sample >= 0),
        flow=1e-3 * carver.flow,
        sea=float(carver.sea),
    )
