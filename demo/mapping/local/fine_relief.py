"""The final relief of a planetary map, section by section, worked out or read where it is asked for."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .courses import Network
from .fine_mesh import FineMesh, belts_per_strip
from .fine_relief_kernels import triangles_at
from .kept_parts import unkept
from .mesh_relief import MeshRelief, Piece
from .region_relief import place_keys
from .sections import Section, kept_ground

if TYPE_CHECKING:
    from .relief_ground import ReliefGround

# Sections that are kept at least: a raster that is read from pole to pole takes every run of belts once.
LEAST_KEPT = 2


class FineRelief(MeshRelief):
    """The heights of the local mesh with valleys cut. Any threads may ask for them at once."""

    def __init__(
        self,
        mesh: FineMesh,
        sections: Sequence[Section],
        ground: Callable[[Section], Piece],
        most_bytes: int = 0,
        stage: ReliefGround | None = None,
    ) -> None:
        """`sections`: those of the whole planet, in their order; `ground`: their heights. The last ones are kept, up to
        `most_bytes` of them. `stage`: what another process has the same relief from, if others may read its heights."""
        super().__init__(mesh)
        self.stage = stage
        self._sections, self._ground, self._most = sections, ground, most_bytes
        self._kept: OrderedDict[int, Piece] = OrderedDict()
        self._held = 0
        # No section is made by two threads, and what is kept is counted by one at a time.
        self._turn = threading.Lock()
        belts = [one.last - one.first for one in sections if one.part == 0]
        begins = np.flatnonzero([one.part == 0 for one in sections])
        self._by_belt = np.repeat(begins, belts)
        self._by_triangle = _by_triangle(mesh, sections) if len(begins) < len(sections) else None

    def _piece_at(self, longitude: np.ndarray, row: np.ndarray) -> np.ndarray:
        if self._by_triangle is not None:
            return self._by_triangle[triangles_at(longitude, row, self._mesh.steps, self._mesh.fine_cells)]
        belt = np.minimum(row / self._mesh.steps, 2 * self._mesh.cells - 1).astype(np.int64)
        return self._by_belt[belt]

    def _piece(self, number: int) -> Piece:
        with self._turn:
            if number in self._kept:
                self._kept.move_to_end(number)
                return self._kept[number]
            made = self._kept[number] = self._ground(self._sections[number])
            self._held += made.heights_m.nbytes
            while len(self._kept) > LEAST_KEPT and self._held > self._most:
                self._held -= self._kept.popitem(last=False)[1].heights_m.nbytes
            return made


def relief_in_runs(mesh: FineMesh, network: Network) -> FineRelief:
    """The relief of a planet in runs of whole belts, which are worked out each time."""
    belts, per = 2 * mesh.cells, belts_per_strip(mesh)
    runs = [Section(first, min(first + per, belts), 0, 1) for first in range(0, belts, per)]
    return FineRelief(mesh, runs, lambda run: kept_ground("", mesh, network, run, unkept))


def _by_triangle(mesh: FineMesh, sections: Sequence[Section]) -> np.ndarray:
    """The section of each triangle by its place, as `place_keys` numbers them: int32 (t,)."""
    found, keys = np.empty(len(mesh.triangles.place), np.int32), place_keys(mesh)
    for number, section in enumerate(sections):
        found[keys[section.triangles(mesh)]] = number
    return found
