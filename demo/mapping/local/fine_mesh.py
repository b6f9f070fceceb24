"""The local mesh of a planet, strip by strip: refined heights whose shores have the topology of the global mesh.

A belt lies between two neighbouring rings of the global mesh; it has two rows of triangles. A strip is a run of belts.
Every global triangle holds (n + 1)(n + 2) / 2 local points, n = 2^ln. What is made of them depends only on the heights in
that triangle and on the nature of its corners, so strips, and rhombi, can be made in any order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.global_relief import RingWindow
from ...worlds.doublecone.local_mesh import Planet, local_level
from .condition_kernels import LakeShapes, condition
from .fine_mesh_kernels import GlobalWaters, StripMesh

LAND = -1
# A strip has about this many local points, and from 1 to MAX_BELTS belts, besides its margins.
STRIP_POINTS, MAX_BELTS = 1 << 19, 16
# Lines keep all their vertices up to this ln. On finer meshes they are thinned to this part of a global step; their
# vertices double with every level and would otherwise fill the memory that heights do not need.
FULL_LN, THIN_STEPS = 3, 72


@dataclass(frozen=True)
class Triangles:
    """All t global triangles, by belt.

    `place`: int32 (t, 4): face, row, column, and 1 for the southern triangle of the cell. `corner`: int32 (t, 3), global
    points: the apex (north or south), then anticlockwise on the map. `first`: int64 (belts + 1,), where each belt begins.
    """

    place: np.ndarray
    corner: np.ndarray
    first: np.ndarray


@dataclass(frozen=True)
class FineMesh:
    """The whole local mesh, and what it has to agree with at each global point.

    `planet`: the global relief with its valleys cut. `ln`: levels of the local mesh. `body`: int32 (points,), the sea over
    a point, or the count of seas + the lake; LAND on land. `level_m`: float32 (points,), the level of the point's water; on
    land that of the highest water beside it, -inf without any. `coast`: float32 (points, 3), as `planet_mesh.coast_of`
    returns it.
    `surface_m`, `receiver`: as in `Hydrology`. `catchment`: int32 (points,), the number of the point's mouth in mesh order;
    -1 in the sea. `lakes`: the shapes of lakes.
    """

    planet: Planet
    ln: int
    triangles: Triangles
    body: np.ndarray
    level_m: np.ndarray
    coast: np.ndarray
    surface_m: np.ndarray
    receiver: np.ndarray
    catchment: np.ndarray
    lakes: LakeShapes

    @property
    def cells(self) -> int:
        """Cells of the global mesh from a pole to the equator."""
        return int(2**self.planet.gn)

    @property
    def steps(self) -> int:
        """Local steps along a global edge."""
        return int(2**self.ln)

    @property
    def fine_cells(self) -> int:
        """Cells of the local mesh from a pole to the equator."""
        return self.cells * self.steps

    @property
    def tolerance(self) -> float:
        """How far thinning may move shores and borders, in degrees of latitude; 0 leaves all vertices."""
        return 90.0 / (self.cells * THIN_STEPS) if self.ln > FULL_LN else 0.0

    @property
    def waters(self) -> GlobalWaters:
        """The waters of the global mesh, for kernels."""
        return GlobalWaters(self.body, self.level_m, self.receiver)


@dataclass(frozen=True)
class Strip:
    """The local mesh over the belts `first` .. `last` - 1: m points on whole rings, in mesh order.

    `start`: int64 (2 fine_cells + 2,), the number of each ring's first point. `base`: the number of the strip's first
    point. `ring`: int16 (m,). `heights_m`: float32 (m,). `wet`: uint8 (m,), 1 under the water of its triangle.
    `whole`: uint8 by triangle of the strip, 1 where lines keep all their vertices, known once its shores are traced.
    """

    first: int
    last: int
    start: np.ndarray
    base: int
    ring: np.ndarray
    heights_m: np.ndarray
    wet: np.ndarray
    whole: np.ndarray

    def triangles(self, mesh: FineMesh, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """(place, corner) of the triangles in the belts first .. last - 1, as in `Triangles`."""
        t = mesh.triangles
        span = slice(int(t.first[first]), int(t.first[last]))
        return t.place[span], t.corner[span]

    def points(self, mesh: FineMesh) -> StripMesh:
        """The strip's points, for kernels."""
        return StripMesh(mesh.steps, mesh.fine_cells, self.start, self.base, self.ring, self.heights_m, self.wet)


def triangles_of(cells: int) -> Triangles:
    """All 8 cells^2 triangles of a global mesh."""
    face, row, column, lower = (x.ravel() for x in np.meshgrid(*map(np.arange, (4, cells, cells, 2)), indexing="ij"))
    belt = row + column + lower
    order = np.argsort(belt, kind="stable")
    face, row, column, lower = face[order], row[order], column[order], lower[order]
    apex = meshes.point_of(cells, face, row + lower, column + lower)
    one = meshes.point_of(cells, face, row + 1 - lower, column + lower)
    two = meshes.point_of(cells, face, row + lower, column + 1 - lower)
    first = np.searchsorted(belt[order], np.arange(2 * cells + 1))
    place = np.stack([face, row, column, lower], axis=1).astype(np.int32)
    return Triangles(place, np.stack([apex, one, two], axis=1).astype(np.int32), first)


def least_lake_m2(cells: int, ln: int, radius_m: float) -> float:
    """The area of four cells of the local mesh, m^2: the smallest lake that it shows."""
    return float(4.0 * np.pi * radius_m**2 / (cells * 2**ln) ** 2)


def belts_per_strip(mesh: FineMesh) -> int:
    """The count of belts in a strip, so that every strip has about STRIP_POINTS points."""
    return max(1, min(MAX_BELTS, STRIP_POINTS // (4 * mesh.fine_cells * mesh.steps)))


def strip_of(mesh: FineMesh, first: int, last: int) -> Strip:
    """The conditioned local mesh over the belts first .. last - 1, 0 <= first < last <= 2 cells."""
    fine, n = mesh.fine_cells, mesh.steps
    start = meshes.ring_starts(fine)
    raw = raw_rings(mesh.planet, mesh.ln, first * n, last * n)
    heights = raw.copy()
    wet = np.zeros(len(heights), np.uint8)
    rings = np.arange(first * n, last * n + 1)
    ring = np.repeat(rings.astype(np.int16), meshes.ring_counts(fine)[rings])
    span = slice(int(mesh.triangles.first[first]), int(mesh.triangles.first[last]))
    whole = np.zeros(span.stop - span.start, np.uint8)
    strip = Strip(first, last, start, int(start[first * n]), ring, heights, wet, whole)
    place, corner = strip.triangles(mesh, first, last)
    condition(place, corner, strip.points(mesh), mesh.waters, mesh.coast, raw, mesh.lakes, mesh.lakes.row[span])
    return strip


def raw_rings(planet: Planet, ln: int, first: int, last: int) -> np.ndarray:
    """Heights of the whole local rings first .. last, float32 metres in mesh order: the bits of `refine`; a new array."""
    windows = [(first, last)]
    for k in range(ln, 0, -1):
        # A new ring needs the two rings beyond its parents.
        low, high = windows[-1]
        windows.append((max(low // 2 - 1, 0), min(high // 2 + 2, 2 ** (planet.gn + k))))
    cells, values = 2**planet.gn, planet.heights_m
    source = RingWindow.whole(cells)
    for k in range(1, ln + 1):
        target = _window(cells * 2**k, *windows[ln - k])
        values = local_level(planet, values, source, target, k)
        source = target
    if ln == 0:
        starts = meshes.ring_starts(cells)
        return values[starts[first] : starts[last + 1]].copy()
    return values


def _window(cells: int, first: int, last: int) -> RingWindow:
    count = meshes.ring_counts(cells)[first : last + 1]
    return RingWindow(cells, first, np.concatenate([[0], np.cumsum(count)]), np.zeros(len(count), np.int64))
