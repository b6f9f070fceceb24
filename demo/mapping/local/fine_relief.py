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
from .fine_mesh import Ground, belts_per_strip, strip_of

STRIPS_KEPT = 2
# Ground as high as the water beside it is dry, whatever the last bit of a mean of heights says.
DRY_M = np.float32(0.01)


class LocalRelief:
    """An `objects.Relief`: linear on the triangles of the local mesh, with valleys cut; keeps STRIPS_KEPT strips.

    Rows of a raster from one pole to the other make every strip once. Not for two threads at once.
    """

    def __init__(self, ground: Ground, network: Network) -> None:
        self._ground, self._network = ground, network
        self._belts = belts_per_strip(ground)
        self._strips: OrderedDict[int, tuple[int, np.ndarray]] = OrderedDict()

    def sample(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """As in `objects.Relief`."""
        return self._sampled(longitude, latitude)[0]

    def water(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """As in `objects.Relief`."""
        return self._sampled(longitude, latitude)[1]

    def _sampled(self, longitude: np.ndarray, latitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        longitude, latitude = np.broadcast_arrays(np.asarray(longitude, np.float64), np.asarray(latitude, np.float64))
        shape, fine, g = longitude.shape, self._ground.fine_cells, self._ground
        longitude, latitude = longitude.ravel(), latitude.ravel()
        row = np.clip((90.0 - latitude) * (fine / 90.0), 0.0, 2.0 * fine)
        belt = np.minimum(row / g.steps, 2 * g.cells - 1).astype(np.int64)
        ground, water = np.empty(len(row), np.float32), np.empty(len(row), np.float32)
        start, coarse = meshes.ring_starts(fine), meshes.ring_starts(g.cells)
        strip = belt // self._belts
        for number in np.unique(strip):
            here = np.flatnonzero(strip == number)
            base, heights = self._strip(int(number))
            ground[here], water[here] = sample(
                longitude[here], row[here], g.steps, fine, start, base, heights, coarse, g.cells, g.body, g.level_m
            )
        return ground.reshape(shape), water.reshape(shape)

    def _strip(self, number: int) -> tuple[int, np.ndarray]:
        """(fine number of the first height, heights) of a strip and a belt to either side, with its own belts final."""
        if number in self._strips:
            self._strips.move_to_end(number)
            return self._strips[number]
        belts = 2 * self._ground.cells
        first, last = number * self._belts, min((number + 1) * self._belts, belts)
        strip = strip_of(self._ground, max(first - 1, 0), min(last + 1, belts))
        chains_of(self._ground, self._network, strip, owners_of(self._ground, self._network, strip), first, last + 1)
        self._strips[number] = strip.base, strip.heights_m
        if len(self._strips) > STRIPS_KEPT:
            self._strips.popitem(last=False)
        return self._strips[number]


@numba.njit(**OPTIONS)
def sample(longitude, row, n, fine, start, base, heights, coarse, cells, body, level):
    """(ground, water level or nan), float32 each, at degrees of longitude and rings `row`, float64, of the local mesh."""
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
        # On a ring the triangle is one that lies south of it, so that no point outside the belt counts.
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
