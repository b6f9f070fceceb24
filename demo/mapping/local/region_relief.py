"""The final relief of a region: that of its blocks, and elsewhere that of the global mesh."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..degrees import steps_of
from .blocks import BlockParts
from .fine_mesh import FineMesh
from .fine_relief_kernels import sample, triangles_at
from .strip_rows import Rows, whole_rows

NONE = -1


class RegionRelief:
    """Heights as `FineRelief` has them, within triangles that blocks were asked for; a `ReliefSampler` of the map.

    Elsewhere heights are linear between the points of the global mesh, without valleys.
    """

    def __init__(self, mesh: FineMesh, asked: Sequence[np.ndarray], blocks: Sequence[BlockParts]) -> None:
        """`asked`: the numbers of the triangles of each block."""
        self._mesh = mesh
        self._ground = [(block.rows, block.heights_m) for block in blocks]
        self._block = np.full(len(mesh.triangles.place), NONE, np.int32)
        keys = place_keys(mesh)
        for number, triangles in enumerate(asked):
            self._block[keys[triangles]] = number

    def sample(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """As in `ReliefSampler`."""
        return self.sampled(longitude, latitude)[0]

    def water(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """As in `ReliefSampler`."""
        return self.sampled(longitude, latitude)[1]

    def sampled(self, longitude: np.ndarray, latitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As in `ReliefSampler`."""
        longitude, latitude = np.broadcast_arrays(np.asarray(longitude, np.float64), np.asarray(latitude, np.float64))
        shape, mesh = longitude.shape, self._mesh
        longitude, latitude = longitude.ravel(), latitude.ravel()
        fine = mesh.fine_cells
        row = np.clip((90.0 - steps_of(latitude, mesh.planet.atlas)) * (fine / 90.0), 0.0, 2.0 * fine)
        block = self._block[triangles_at(longitude, row, mesh.steps, fine)]
        ground, water = np.empty(len(row), np.float32), np.empty(len(row), np.float32)
        for number in np.unique(block).tolist():
            here = np.flatnonzero(block == number)
            if number == NONE:
                made = self._between(whole_rows(mesh.cells, 0), mesh.planet.heights_m, 1, longitude[here], row[here])
            else:
                rows, heights = self._ground[int(number)]
                made = self._between(rows, heights, mesh.steps, longitude[here], row[here])
            ground[here], water[here] = made
        return ground.reshape(shape), water.reshape(shape)

    def _between(
        self, rows: Rows, heights: np.ndarray, n: int, longitude: np.ndarray, row: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """(ground, water) between heights with `n` steps along a global edge; `row`: on the local mesh, 0..2 fine."""
        mesh = self._mesh
        row = row * (n / mesh.steps)
        coarse = whole_rows(mesh.cells, 0).start
        where = rows.shift, rows.cut, rows.gap
        made: tuple[np.ndarray, np.ndarray] = sample(
            longitude, row, n, mesh.cells * n, *where, heights, coarse, mesh.cells, mesh.body, mesh.level_m
        )
        return made


def place_keys(mesh: FineMesh) -> np.ndarray:
    """One number for each triangle by its place, 0..t - 1: int64 (t,); that of `fine_relief_kernels.triangles_at`."""
    face, row, column, south = mesh.triangles.place.astype(np.int64).T
    keys: np.ndarray = ((face * mesh.cells + row) * mesh.cells + column) * 2 + south
    return keys
