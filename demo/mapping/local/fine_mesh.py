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
from ...worlds.doublecone.ring_spans import refine_spans, spans_of
from .condition_kernels import LakeShapes, condition
from .fine_mesh_kernels import GlobalWaters, StripMesh
from .strip_rows import Rows, in_order, ring_of_points, rows_of, whole_ring_of_points, whole_rows

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
    """The local mesh over the belts `first` .. `last` - 1: m points, in mesh order, on whole rings or on parts of them.

    `rows`: which points of each ring it holds. `base`: the number of the strip's first point. `ring`: int32 (m,).
    `heights_m`: float32 (m,). `wet`: uint8 (m,), 1 under the water of its triangle.
    `whole`: uint8 (t,), 1 for triangles where lines keep all their vertices, known once its shores are traced. `triangle`:
    int64 (t,), the numbers of its triangles, ascending. `asked`: bool (t,), the triangles in which lines are followed, or
    None for all. `cells`: bool by global point, those whose courses are laid, or None for all.
    """

    first: int
    last: int
    rows: Rows
    base: int
    ring: np.ndarray
    heights_m: np.ndarray
    wet: np.ndarray
    whole: np.ndarray
    triangle: np.ndarray
    asked: np.ndarray | None = None
    cells: np.ndarray | None = None

    def triangles(self, mesh: FineMesh) -> tuple[np.ndarray, np.ndarray]:
        """(place, corner) of all its triangles, as in `Triangles`."""
        return mesh.triangles.place[self.triangle], mesh.triangles.corner[self.triangle]

    def asked_in(self, mesh: FineMesh, first: int, last: int) -> np.ndarray:
        """Which of its triangles are asked for and lie in the belts first .. last - 1: indices in `triangle`, int64."""
        begin, end = np.searchsorted(self.triangle, mesh.triangles.first[[first, last]])
        here = np.arange(begin, end)
        return here if self.asked is None else here[self.asked[begin:end]]

    def points(self, mesh: FineMesh) -> StripMesh:
        """The strip's points, for kernels."""
        return StripMesh(mesh.steps, mesh.fine_cells, *self.rows, self.ring, self.heights_m, self.wet)


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
    raw = raw_rings(mesh.planet, mesh.ln, first * n, last * n)
    rows, ring = whole_rows(fine, first * n), whole_ring_of_points(fine, first * n, last * n)
    triangle = np.arange(int(mesh.triangles.first[first]), int(mesh.triangles.first[last]))
    return conditioned(mesh, first, last, rows, ring, raw, triangle)


def window_strip(mesh: FineMesh, triangle: np.ndarray) -> Strip:
    """The conditioned local mesh over some triangles, by their numbers, int64 ascending, and the points around them.

    Its heights are those of `strip_of` in these triangles, bit for bit. Points of other triangles are not conditioned.
    """
    t = mesh.triangles
    belt = t.place[triangle, 1:].sum(axis=1)
    window, raw = refine_spans(mesh.planet, mesh.ln, spans_of(mesh.cells, belt, t.corner[triangle]))
    rows, ring = rows_of(window), ring_of_points(window)
    return conditioned(mesh, int(belt.min()), int(belt.max()) + 1, rows, ring, in_order(window, raw), triangle)


def conditioned(
    mesh: FineMesh, first: int, last: int, rows: Rows, ring: np.ndarray, raw: np.ndarray, triangle: np.ndarray
) -> Strip:
    """A strip from its raw heights; the other arguments as in `Strip`."""
    base = int(rows.start[ring[0]]) if len(ring) else 0
    heights, wet, whole = raw.copy(), np.zeros(len(raw), np.uint8), np.zeros(len(triangle), np.uint8)
    strip = Strip(first, last, rows, base, ring, heights, wet, whole, triangle)
    place, corner = strip.triangles(mesh)
    condition(place, corner, strip.points(mesh), mesh.waters, mesh.coast, raw, mesh.lakes, mesh.lakes.row[triangle])
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
