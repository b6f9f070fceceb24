"""Heights of pieces of the local mesh between their points: what the reliefs of a planet and of a region share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ..degrees import steps_of
from .fine_mesh import FineMesh
from .fine_relief_kernels import sample
from .strip_rows import Rows


class Piece(NamedTuple):
    """Heights, float32, of points in the order of `rows`, with `steps` along an edge of the global mesh."""

    rows: Rows
    heights_m: np.ndarray
    steps: int


class MeshRelief(ABC):
    """A `ReliefSampler` over pieces of the local mesh, linear on their triangles."""

    def __init__(self, mesh: FineMesh) -> None:
        self._mesh = mesh

    @abstractmethod
    def _piece_at(self, longitude: np.ndarray, row: np.ndarray) -> np.ndarray:
        """The number of the piece at degrees of longitude and rings `row` of the local mesh, 0..2 fine: int (k,)."""

    @abstractmethod
    def _piece(self, number: int) -> Piece:
        """One of the pieces; they are asked for in ascending order."""

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
        ground, water = np.empty(len(row), np.float32), np.empty(len(row), np.float32)
        number = self._piece_at(longitude, row)
        if len(number) and number.min() == number.max():
            # As rows of a raster often lie: nothing need be sorted.
            ground, water = self._between(self._piece(int(number[0])), longitude, row)
            return ground.reshape(shape), water.reshape(shape)
        order = np.argsort(number, kind="stable")
        begins = np.flatnonzero(np.diff(number[order])) + 1
        for here in np.split(order, begins) if len(order) else ():
            one = int(number[here[0]])
            ground[here], water[here] = self._between(self._piece(one), longitude[here], row[here])
        return ground.reshape(shape), water.reshape(shape)

    def _between(self, piece: Piece, longitude: np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(ground, water) of places in one piece."""
        mesh, n = self._mesh, piece.steps
        where = piece.rows.shift, piece.rows.cut, piece.rows.gap, piece.heights_m
        # Steps are powers of two: no bit is lost.
        row = row * (n / mesh.steps)
        coarse = meshes.ring_starts(mesh.cells)
        made: tuple[np.ndarray, np.ndarray] = sample(
            longitude, row, n, mesh.cells * n, *where, coarse, mesh.cells, mesh.body, mesh.level_m
        )
        return made
