"""Runoff: where the water of carved land flows, kept for whoever draws its rivers and lakes."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
        return self.flow[nodes] * self.m3_s(size_m)

    @staticmethod
    def m3_s(size_m: float) -> float:
        """What a unit of `flow` is in m^3/s on a world of a radius or an extent."""
        return size_m * size_m / YEAR_S

    def of_rivers(self, least: float) -> Runoff:
        """The same with no other nodes than those on land with at least so much `flow`, and those that they flow to.

        A fine terrain has 25 MB of nodes, nearly all without a river.
        """
        kept = np.zeros(len(self.land), bool)
        found = np.flatnonzero(self.land & (self.flow >= least))
        while len(found):
            kept[found] = True
            found = self.receiver[found[self.land[found]]]
            found = np.unique(found[~kept[found]])
        nodes = np.flatnonzero(kept)
        number = np.minimum(np.searchsorted(nodes, self.receiver[nodes]), max(len(nodes) - 1, 0))
        # From the sea, where rivers end, nothing flows on.
        leads = nodes[number] == self.receiver[nodes]
        receiver = np.where(leads, number, np.arange(len(nodes))).astype(np.int32)
        rest = {name: getattr(self, name)[nodes] for name in ("sample", "height", "level", "land", "flow")}
        return replace(self, receiver=receiver, **rest)
