"""The runoff of a carver's land."""

from __future__ import annotations

import numpy as np

from ..climate.laws import runoff_of
from ..runoff import Runoff
from .carver import Carver
from .kernels import LAND

# The mean rain on land and what could evaporate there, mm a year.
RAIN_MM, EVAPORATION_MM = 1200.0, 450.0


def runoff_from(carver: Carver, samples: tuple[int, ...], rain: np.ndarray) -> Runoff:
    """The runoff of a carver's present land; what the carver knows of water is of that land from now on.

    `samples`: the shape (faces, n, n). `rain`: float32 (nodes,), in parts of its mean.
    """
    fallen = runoff_of(rain * np.float32(RAIN_MM), np.full(rain.shape, EVAPORATION_MM, np.float32))
    carver.drain(0, (1e-3 * fallen).astype(np.float32))
    sample = carver.nodes.of_samples(np.arange(np.prod(samples), dtype=np.int32).reshape(samples), outside=-1)
    return Runoff(
        n=samples[-1],
        sample=sample,
        height=carver.height.copy(),
        level=carver.level.copy(),
        receiver=carver.receiver.copy(),
        land=(carver.kind == LAND) & (sample >= 0),
        flow=carver.flow.copy(),
        sea=float(carver.sea),
    )
