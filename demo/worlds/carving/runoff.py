"""Runoff: where the water of carved land flows, kept for whoever draws its rivers and lakes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..climate.laws import YEAR_S, runoff_of
from .carver import Carver
from .kernels import LAND

# The mean rain on land and what could evaporate there, mm a year.
RAIN_MM, EVAPORATION_MM = 1200.0, 450.0


@dataclass(frozen=True)
class Runoff:
    """Water on carved land, by node of its lattice; all fields but `n` and `sea` are (nodes,).

    `sample`: int32, the flat index of one of the node's samples in (faces, n, n), -1 for none. `height`, `level`: float32,
    of the ground and of its lake, minus infinity on dry ground, in the unit of heights. `receiver`: int32, the node that
    water flows to. `land`: bool. `flow`: float64, the water of the node's river in squared radii or extents times metres
    a year. `n`: samples along a face's edge. `sea`: its level in the unit of heights.
    """

    n: int
    sample: np.ndarray
    height: np.ndarray
    level: np.ndarray
    receiver: np.ndarray
    land: np.ndarray
    flow: np.ndarray
    sea: float

    def discharge_m3_s(self, size_m: float) -> np.ndarray:
        """The discharge of each node's river, float64 (nodes,); `size_m`: the radius or the extent."""
        return self.flow * (size_m * size_m / YEAR_S)


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
