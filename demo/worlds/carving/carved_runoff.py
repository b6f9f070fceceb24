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

# Rows of a face that are worked out together: in double precision a whole world takes as much as carving it.
ROWS = 64


def climate_runoff(growth: Growth, heights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(temperature, rain, runoff) of a growth's `heights`, float32 (faces, n, n): yearly mean in degrees Celsius, and mm a
    year, all float32 in that shape. Runoff is what of the rain does not evaporate."""
    atlas, n, sea = growth.atlas, heights.shape[-1], np.float32(float(growth.sea_level))
    metres = metres_of(atlas, growth.unit, float(heights.max() - sea))
    rain = rainfall(growth, heights).millimetres(heights)
    temperature, runoff = np.empty_like(rain), np.empty_like(rain)
    for face in range(atlas.faces):
        # On a terrain it is the same everywhere at the level of the sea.
        places = atlas.positions_on(face, n) if atlas.spherical else np.broadcast_to(0.0, (n, n, 3))
        for first in range(0, n, ROWS):
            rows = slice(first, first + ROWS)
            part = face, rows
            above_m = (heights[part] - sea).astype(np.float64) * metres
            celsius = temperature_c(atlas, places[rows], above_m, growth.seed)
            temperature[part] = celsius
            runoff[part] = runoff_of(rain[part], np.interp(celsius, EVAPORATION_C, EVAPORATION_MM))
    return temperature, rain, runoff


def runoff_from(carver: Carver, source: Growth) -> Runoff:
    """The runoff of a carver's present land. It takes over the carver's arrays, which can carve no more after that.

    `source`: a growth of this carver's samples, of which only the atlas, the sea, the unit and the seed count.
    """
    nodes = carver.nodes
    # The climate takes as much as the work space does.
    carver.sediment = None
    carver.rest()
    fallen = climate_runoff(source, nodes.to_samples(carver.height))[2]
    carver.drain(0, nodes.of_samples(fallen))
    samples = fallen.shape
    del fallen
    carver.flow *= 1e-3
    sample = nodes.of_samples(np.arange(np.prod(samples), dtype=np.int32).reshape(samples), outside=-1)
    return Runoff(
        n=samples[-1],
        sample=sample,
        height=carver.height,
        level=carver.level,
        receiver=carver.receiver,
        land=(carver.kind == LAND) & (sample >= 0),
        flow=carver.flow,
        sea=float(carver.sea),
    )
