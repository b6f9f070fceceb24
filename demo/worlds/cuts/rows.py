"""The rows of a mesh, and where cuts cross them: differences along each row, whose prefix sums are the heights."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ..atlas import CUBE, DOUBLE_CONE, Atlas
from ..circle import circle
from ..shapes import check_shape
from . import kernels, ring_kernels


class Rows(ABC):
    """The rows of a mesh, and where cuts cross them."""

    def __init__(self) -> None:
        # Heights are twice the sums of the differences less this.
        self._shift = 0

    def add(self, normals: np.ndarray, offsets: np.ndarray, weight: np.ndarray, slab: np.ndarray) -> None:
        """Add cuts: `weight` int32 (k,) units up where n.p > d, or where |n.p| < d if `slab`, bool (k,); down elsewhere."""
        count = len(offsets)
        check_shape("normals", normals, count, 3)
        for name, array in (("offsets", offsets), ("weight", weight), ("slab", slab)):
            check_shape(name, array, count)
        self._add_planes(normals, offsets, np.where(slab, -weight, weight))
        if slab.any():
            # Up beyond -d and down again beyond d: 2 between the two and 0 elsewhere, from which 1 is taken.
            self._add_planes(normals[slab], -offsets[slab], weight[slab])
            self._shift += int(weight[slab].sum(dtype=np.int64))

    @abstractmethod
    def _add_planes(self, normals: np.ndarray, offsets: np.ndarray, weight: np.ndarray) -> None:
        """Add planes: `weight` int32 (k,) units up where n.p > d, down elsewhere."""

    @abstractmethod
    def write(self, heights: np.ndarray, unit: float) -> None:
        """Fill heights float32 (faces, n, n) with unit * (ups - downs)."""


class CubeRows(Rows):
    """The differences along the rows of the six faces of a cube."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self._differences = np.zeros((6, n, n + 1), np.int32)

    def _add_planes(self, normals: np.ndarray, offsets: np.ndarray, weight: np.ndarray) -> None:
        # The kernel takes offsets >= 0, so the other planes are turned round.
        away = np.where(offsets < 0.0, -1, 1).astype(np.int32)
        weight = weight * away
        kernels.cut_cube(normals * away[:, None], offsets * away, weight, self._differences)
        self._shift += int(weight.sum(dtype=np.int64))

    def write(self, heights: np.ndarray, unit: float) -> None:
        kernels.sum_cube(self._differences, self._shift, unit, heights)
        copies, owners = CUBE.seams(heights.shape[1])
        flat = heights.reshape(-1)
        flat[copies] = flat[owners]


class ParallelRows(Rows):
    """The differences along the parallels of LATLONG or DOUBLE_CONE. Samples that faces share are one sample here."""

    def __init__(self, atlas: Atlas, n: int) -> None:
        super().__init__()
        cells = n - 1
        self._cone = atlas is DOUBLE_CONE
        if self._cone:
            ring = np.arange(2 * cells + 1)
            self._counts = np.maximum(4 * np.minimum(ring, 2 * cells - ring), 1)
        else:
            self._counts = np.full(n, 2 * cells)
        self._starts = np.concatenate([[0], np.cumsum(self._counts + 1)[:-1]])
        self._cosines, self._sines = circle(0.5 * (np.arange(len(self._counts)) / (len(self._counts) - 1)))
        self._differences = np.zeros(int((self._counts + 1).sum()), np.int32)

    def _add_planes(self, normals: np.ndarray, offsets: np.ndarray, weight: np.ndarray) -> None:
        # arctan2 may differ in its last bit between processors. A crossing that close to a vertex is settled without it.
        turns = np.arctan2(normals[:, 2], normals[:, 0]) / (2.0 * np.pi) % 1.0
        rings = self._cosines, self._sines, self._counts, self._starts
        ring_kernels.cut_rings(normals, offsets, turns, weight, *rings, self._differences)
        self._shift += int(weight.sum(dtype=np.int64))

    def write(self, heights: np.ndarray, unit: float) -> None:
        ring_kernels.sum_rings(self._differences, self._counts, self._starts, self._shift, unit, self._cone, heights)
