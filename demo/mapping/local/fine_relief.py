"""The final relief of a planetary map, worked out strip by strip where it is asked for."""

from __future__ import annotations

from collections import OrderedDict

import numba
import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.kernels import sample_number
from ...worlds.kernels import OPTIONS
from ..degrees import turn_of
from .courses import Network, chains_of, owners_of
from .fine_mesh import FineMesh, belts_per_strip, strip_of

STRIPS_KEPT = 2
# Ground at the level of the water beside it is dry, whatever the last bits of an interpolated height say.
DRY_M = np.float32(0.01)


class FineRelief:
    """The heights of the local mesh with valleys cut, linear on its triangles; a `records.ReliefSampler`.

    It keeps the last STRIPS_KEPT strips, so a raster that is read from pole to pole makes every strip once. Not for use by
    two threads at once.
    """

    def __init__(self, mesh: FineMesh, network: Network) -> None:
        self._mesh, self._network = mesh, network
        self._belts = belts_per_strip(mesh)
        self._strips: OrderedDict[int, tuple[int, np.ndarray]] = OrderedDict()

    def sample(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """As in `records.ReliefSampler`."""
        return self._sampled(longitude, latitude)[0]

    def water(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """As in `records.ReliefSampler`."""
        return self._sampled(longitude, latitude)[1]

    def _sampled(self, longitude: np.ndarray, latitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(ground, water level or nan), float32 metres, in the shape of the degrees."""
        longitude, latitude = np.broadcast_arrays(np.asarray(longitude, np.float64), np.asarray(latitude, np.float64))
        shape, fine, mesh = longitude.shape, self._mesh.fine_cells, self._mesh
        longitude, latitude = longitude.ravel(), latitude.ravel()
        row = np.clip((90.0 - latitude) * (fine / 90.0), 0.0, 2.0 * fine)
        belt = np.minimum(row / mesh.steps, 2 * mesh.cells - 1).astype(np.int64)
        ground, water = np.empty(len(row), np.float32), np.empty(len(row), np.float32)
        start, coarse = meshes.ring_starts(fine), meshes.ring_starts(mesh.cells)
        strip = belt // self._belts
        for number in np.unique(strip):
            here = np.flatnonzero(strip == number)
            base, heights = self._strip(int(number))
            ground[here], water[here] = sample(
                longitude[here],
                row[here],
                mesh.steps,
                fine,
                start,
                base,
                heights,
                coarse,
                mesh.cells,
                mesh.body,
                mesh.level_m,
            )
        return ground.reshape(shape), water.reshape(shape)

    def _strip(self, number: int) -> tuple[int, np.ndarray]:
        """(local number of the first height, heights) of a strip and a belt to either side; its own belts are final."""
        if number in self._strips:
            self._strips.move_to_end(number)
            return self._strips[number]
        belts = 2 * self._mesh.cells
        first, last = number * self._belts, min((number + 1) * self._belts, belts)
        strip = strip_of(self._mesh, max(first - 1, 0), min(last + 1, belts))
        chains_of(self._mesh, self._network, strip, owners_of(self._mesh, self._network, strip), first, last + 1)
        self._strips[number] = strip.base, strip.heights_m
        if len(self._strips) > STRIPS_KEPT:
            self._strips.popitem(last=False)
        return self._strips[number]


@numba.njit(**OPTIONS)
def sample(
    longitude: np.ndarray,
    row: np.ndarray,
    n: int,
    fine: int,
    start: np.ndarray,
    base: int,
    heights: np.ndarray,
    coarse: np.ndarray,
    cells: int,
    body: np.ndarray,
    level: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """(ground, water level or nan), float32 (k,) each, at degrees of longitude and local rings `row`, float64 (k,).

    `start`, `base`, `heights`: of the local mesh's strip, as in `StripMesh`. `coarse`: int64, the ring starts of the global
    mesh of `cells`. `body`, `level`: as in `GlobalWaters`.
    """
    ground, water = np.empty(longitude.size, np.float32), np.full(longitude.size, np.float32(np.nan))
    for k in range(longitude.size):
        turn = 4.0 * turn_of(longitude[k])
        face = min(np.int64(turn), 3)
        length = row[k] if row[k] <= fine else 2.0 * fine - row[k]
        along = (turn - face) * length
        y = along if row[k] <= fine else row[k] - (fine - along)
        x = row[k] - y
        i, j = min(max(np.int64(x), 0), fine - 1), min(max(np.int64(y), 0), fine - 1)
        u, v = np.float32(x - i), np.float32(y - j)
        # On a ring the triangle south of it is taken, so that no point outside the belt counts.
        lower = i + j < min(np.int64(row[k]), 2 * fine - 1)
        b = heights[sample_number(start, fine, face, j, i + 1) - base]
        c = heights[sample_number(start, fine, face, j + 1, i) - base]
        if lower:
            a = heights[sample_number(start, fine, face, j + 1, i + 1) - base]
            ground[k] = (u + v - 1) * a + (1 - v) * b + (1 - u) * c
        else:
            a = heights[sample_number(start, fine, face, j, i) - base]
            ground[k] = (1 - u - v) * a + u * b + v * c
        # The global triangle.
        rest = i % n + j % n + (1 if lower else 0)
        south = 1 if rest >= n else 0
        p = sample_number(coarse, cells, face, j // n + south, i // n + south)
        q = sample_number(coarse, cells, face, j // n, i // n + 1)
        r = sample_number(coarse, cells, face, j // n + 1, i // n)
        for corner in (p, q, r):
            if body[corner] >= 0 and ground[k] < level[corner] - DRY_M:
                water[k] = level[corner]
    return ground, water
