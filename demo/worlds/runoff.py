"""Runoff: where the water of carved land flows, kept for whoever draws its rivers and lakes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .climate.laws import YEAR_S


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

    def discharge_m3_s(self, size_m: float, nodes: np.ndarray | slice = slice(None)) -> np.ndarray:
        """The discharge of the rivers of some nodes, or of all, float64 (nodes,); `size_m`: the radius or the extent."""
        return self.flow[nodes] * (size_m * size_m / YEAR_S)
