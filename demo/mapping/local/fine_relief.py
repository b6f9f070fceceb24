"""The final relief of a planetary map, worked out strip by strip where it is asked for."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np

from .courses import Network, chains_of, owners_of
from .fine_mesh import FineMesh, belts_per_strip, strip_of
from .mesh_relief import MeshRelief, Piece

STRIPS_KEPT = 2


class FineRelief(MeshRelief):
    """The heights of the local mesh with valleys cut.

    It keeps the last STRIPS_KEPT strips, so a raster that is read from pole to pole makes every strip once. Not for use by
    two threads at once.
    """

    def __init__(self, mesh: FineMesh, network: Network) -> None:
        super().__init__(mesh)
        self._network, self._belts = network, belts_per_strip(mesh)
        self._strips: OrderedDict[int, Piece] = OrderedDict()

    def _piece_at(self, longitude: np.ndarray, row: np.ndarray) -> np.ndarray:
        belt = np.minimum(row / self._mesh.steps, 2 * self._mesh.cells - 1).astype(np.int64)
        return belt // self._belts

    def _piece(self, number: int) -> Piece:
        """A strip and a belt to either side; its own belts are final."""
        if number in self._strips:
            self._strips.move_to_end(number)
            return self._strips[number]
        belts = 2 * self._mesh.cells
        first, last = number * self._belts, min((number + 1) * self._belts, belts)
        strip = strip_of(self._mesh, max(first - 1, 0), min(last + 1, belts))
        chains_of(self._mesh, self._network, strip, owners_of(self._mesh, self._network, strip), first, last + 1)
        self._strips[number] = Piece(strip.rows, strip.heights_m, self._mesh.steps)
        if len(self._strips) > STRIPS_KEPT:
            self._strips.popitem(last=False)
        return self._strips[number]
