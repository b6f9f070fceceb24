"""The final relief of a planetary map, worked out strip by strip where it is asked for."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ..degrees import steps_of
from .courses import Network, chains_of, owners_of
from .fine_mesh import FineMesh, belts_per_strip, strip_of
from .fine_relief_kernels import sample
from .strip_rows import Rows

STRIPS_KEPT = 2


class FineRelief:
    """The heights of the local mesh with valleys cut, linear on its triangles; a `ReliefSampler` of the map.

    It keeps the last STRIPS_KEPT strips, so a raster that is read from pole to pole makes every strip once. Not for use by
    two threads at once.
    """

    def __init__(self, mesh: FineMesh, network: Network) -> None:
        self._mesh, self._network = mesh, network
        self._belts = belts_per_strip(mesh)
        self._strips: OrderedDict[int, tuple[Rows, np.ndarray]] = OrderedDict()

    def sample(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """As in `ReliefSampler`."""
        return self.sampled(longitude, latitude)[0]

    def water(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """As in `ReliefSampler`."""
        return self.sampled(longitude, latitude)[1]

    def sampled(self, longitude: np.ndarray, latitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As in `ReliefSampler`."""
        longitude, latitude = np.broadcast_arrays(np.asarray(longitude, np.float64), np.asarray(latitude, np.float64))
        shape, fine, mesh = longitude.shape, self._mesh.fine_cells, self._mesh
        longitude, latitude = longitude.ravel(), latitude.ravel()
        row = np.clip((90.0 - steps_of(latitude, mesh.planet.atlas)) * (fine / 90.0), 0.0, 2.0 * fine)
        belt = np.minimum(row / mesh.steps, 2 * mesh.cells - 1).astype(np.int64)
        ground, water = np.empty(len(row), np.float32), np.empty(len(row), np.float32)
        coarse = meshes.ring_starts(mesh.cells)
        strip = belt // self._belts
        for number in np.unique(strip):
            here = np.flatnonzero(strip == number)
            rows, heights = self._strip(int(number))
            ground[here], water[here] = sample(
                longitude[here],
                row[here],
                mesh.steps,
                fine,
                rows.shift,
                rows.cut,
                rows.gap,
                heights,
                coarse,
                mesh.cells,
                mesh.body,
                mesh.level_m,
            )
        return ground.reshape(shape), water.reshape(shape)

    def _strip(self, number: int) -> tuple[Rows, np.ndarray]:
        """(rows, heights) of a strip and a belt to either side; its own belts are final."""
        if number in self._strips:
            self._strips.move_to_end(number)
            return self._strips[number]
        belts = 2 * self._mesh.cells
        first, last = number * self._belts, min((number + 1) * self._belts, belts)
        strip = strip_of(self._mesh, max(first - 1, 0), min(last + 1, belts))
        chains_of(self._mesh, self._network, strip, owners_of(self._mesh, self._network, strip), first, last + 1)
        self._strips[number] = strip.rows, strip.heights_m
        if len(self._strips) > STRIPS_KEPT:
            self._strips.popitem(last=False)
        return self._strips[number]
