"""Where the peaks of a planet stand and how high they are, as its map has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.local_mesh import Planet
from ..degrees import directions
from ..local import courses, peaks
from ..local.fine_mesh import FineMesh, strip_of
from ..local.fine_relief import FineRelief, relief_in_runs
from ..local.mesh_places import place_of
from ..local.peak_heights import climbed
from ..local.planet_mesh import fine_mesh_of
from ..waters.hydrology import Hydrology
from ..waters.landmasses import Globe

# The top of a summit is sought no farther from its point than this, in steps of the global mesh.
REACH_STEPS = 3.0


@dataclass(frozen=True)
class Top:
    """The top of a peak. `point`: its summit on the global mesh. `apart`: the chord to it from where it was sought."""

    point: int
    height_m: float
    apart: float


class PeakTops:
    """The peaks of a planet whose waters are known; all as `planet_map_of` finds them."""

    def __init__(self, planet: Planet, ln: int, globe: Globe, waters: Hydrology) -> None:
        self._planet, self._ln, self._globe, self._waters = planet, ln, globe, waters
        self._parts: tuple[FineMesh, courses.Network, peaks.Summits, FineRelief] | None = None

    def nearest(self, at: Sequence[float], most: float) -> Top | None:
        """The peak nearest to a place in degrees, None beyond the chord `most`."""
        tops = self._tops(at)
        best = min(tops, key=lambda top: (top.apart, -top.height_m, top.point), default=None)
        return best if best and best.apart <= most else None

    def _tops(self, at: Sequence[float]) -> list[Top]:
        mesh, network, summits, relief = self._made()
        here, cells = directions(np.array(at)), self._globe.cells
        places = meshes.from_faces(self._globe.atlas.positions(cells + 1))[summits.point]
        near = ((places - here) ** 2).sum(axis=1) < (REACH_STEPS * 0.5 * np.pi / cells) ** 2
        found = peaks.Summits(summits.point[near], summits.prominence_m[near])
        tops = [self._top(mesh, network, found, point) for point in found.point.tolist()]
        if not tops:
            return []
        points, numbers = (np.concatenate(part) for part in zip(*tops, strict=True))
        top = climbed(mesh, relief, numbers)
        apart = np.sqrt(((directions(place_of(mesh, top.number)) - here) ** 2).sum(axis=1))
        return [Top(*row) for row in zip(points.tolist(), top.height_m.tolist(), apart.tolist(), strict=True)]

    def _top(
        self, mesh: FineMesh, network: courses.Network, summits: peaks.Summits, point: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """(the summit, the local mesh number of its top before valleys are cut), (1,) each."""
        ring = int(np.searchsorted(meshes.ring_starts(mesh.cells), point, side="right")) - 1
        strip = strip_of(mesh, max(ring - 1, 0), min(ring + 1, 2 * mesh.cells))
        owner = courses.owners_of(mesh, network, strip)
        one = summits.point == point
        tops = peaks.tops_of(
            mesh, strip, owner, peaks.Summits(summits.point[one], summits.prominence_m[one]), ring, ring + 1
        )
        return tops.point, tops.number

    def _made(self) -> tuple[FineMesh, courses.Network, peaks.Summits, FineRelief]:
        """What the whole planet has, made once and only for planets with edited peaks."""
        if self._parts is None:
            globe, waters = self._globe, self._waters
            mesh = fine_mesh_of(self._planet, self._ln, waters, globe.neighbour)
            network = courses.network_of(mesh, waters)
            summits = peaks.summits_on(waters, globe.neighbour)
            self._parts = mesh, network, summits, relief_in_runs(mesh, network)
        return self._parts
