"""The final relief of a region: that of its blocks, and elsewhere that of the global mesh."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .blocks import BlockParts
from .fine_mesh import FineMesh
from .fine_relief_kernels import triangles_at
from .mesh_relief import MeshRelief, Piece
from .strip_rows import whole_rows

NONE = -1


class RegionRelief(MeshRelief):
    """Heights as `FineRelief` has them, within triangles that blocks were asked for.

    Elsewhere heights are linear between the points of the global mesh, without valleys.
    """

    def __init__(self, mesh: FineMesh, asked: Sequence[np.ndarray], blocks: Sequence[BlockParts]) -> None:
        """`asked`: the numbers of the triangles of each block."""
        super().__init__(mesh)
        self._ground = [Piece(block.rows, block.heights_m, mesh.steps) for block in blocks]
        self._block = np.full(len(mesh.triangles.place), NONE, np.int32)
        keys = place_keys(mesh)
        for number, triangles in enumerate(asked):
            self._block[keys[triangles]] = number

    def _piece_at(self, longitude: np.ndarray, row: np.ndarray) -> np.ndarray:
        return self._block[triangles_at(longitude, row, self._mesh.steps, self._mesh.fine_cells)]

    def _piece(self, number: int) -> Piece:
        if number != NONE:
            return self._ground[number]
        return Piece(whole_rows(self._mesh.cells, 0), self._mesh.planet.heights_m, 1)


def place_keys(mesh: FineMesh) -> np.ndarray:
    """One number for each triangle by its place, 0..t - 1: int64 (t,); that of `fine_relief_kernels.triangles_at`."""
    face, row, column, south = mesh.triangles.place.astype(np.int64).T
    keys: np.ndarray = ((face * mesh.cells + row) * mesh.cells + column) * 2 + south
    return keys
