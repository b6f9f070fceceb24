"""The local mesh of a planet, strip by strip: refined heights whose shores have the topology of the global mesh.

A belt lies between two neighbouring rings of the global mesh; it has two rows of triangles. A strip is a run of belts.
Every global triangle holds (n + 1)(n + 2) / 2 local points, n = 2^ln. What is made of them depends only on the heights in
that triangle and on the nature of its corners, so strips, and rhombi, can be made in any order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.global_relief import RingWindow
from ...worlds.doublecone.local_mesh import Planet, displacement_m, local_level
from ...worlds.shapes import check_shape
from ..waters.hydrology import Hydrology
from .condition_kernels import condition
from .fine_mesh_kernels import GlobalWaters, StripMesh

LAND = -1
# A strip has about this many local points, and from 1 to MAX_BELTS belts, besides its margins.
STRIP_POINTS, MAX_BELTS = 1 << 19, 16
# Lines keep all their vertices up to this ln. On finer meshes they are thinned to this part of a global step; their
# vertices double with every level and would otherwise fill the memory that heights do not need.
FULL_LN, THIN_STEPS = 3, 72

# The height to which coasts are raised before their shores are found, in parts of the first local level's greatest
# displacement: USUAL_LAND or USUAL_BED at least, and at most STEEP_LAND or STEEP_BED times that on land or in water. Still
# higher and deeper ground comes nearer by at most NEARER times. The least is greater in water, where beds that rise out of
# it along the global mesh's edges would show; the most is greater on land, or shores would run too far inland.
USUAL_LAND, USUAL_BED, STEEP_LAND, STEEP_BED = np.float32(1.2), np.float32(1.5), np.float32(2.0), np.float32(1.0)
NEARER = np.float32(2.0)
# Beside lakes smaller than a step of the global mesh land is raised to this, in the same parts.
APART = np.float32(4.0)


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
    land that of the highest water beside it, -inf without any. `coast`: float32 (points, 3), as `coast_of` returns it.
    `surface_m`, `receiver`: as in `Hydrology`. `catchment`: int32 (points,), the number of the point's mouth in mesh order;
    -1 in the sea.
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
    """

    first: int
    last: int
    start: np.ndarray
    base: int
    ring: np.ndarray
    heights_m: np.ndarray
    wet: np.ndarray

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


def fine_mesh_of(planet: Planet, ln: int, waters: Hydrology, neighbour: np.ndarray) -> FineMesh:
    """The local mesh of a planet; `neighbour` is the global mesh's, int32 (points, 6).

    Raises ValueError where the three are not of one mesh.
    """
    points = meshes.point_count(2**planet.gn)
    check_shape("heights_m", planet.heights_m, points)
    check_shape("surface_m", waters.surface_m, points)
    check_shape("neighbour", neighbour, points, 6)
    seas = len(waters.landmasses.sea_area_m2)
    lake, sea = waters.lake_of_point, waters.landmasses.sea_of_point
    body = np.where(sea >= 0, sea, np.where(lake >= 0, lake + seas, LAND)).astype(np.int32)
    own = np.where(sea >= 0, np.float32(waters.sea_level_m), waters.surface_m)
    own = np.where(body == LAND, np.float32(-np.inf), own)
    level = np.where(body == LAND, own[neighbour].max(axis=1), own).astype(np.float32)
    carved = replace(planet, heights_m=waters.heights_m)
    triangles = triangles_of(2**planet.gn)
    _, catchment = np.unique(waters.mouth_of_point, return_inverse=True)
    catchment = (catchment - (waters.mouth_of_point.min() < 0)).astype(np.int32)
    share = np.append(waters.lakes.share, 1.0)[lake]
    coast = coast_of(carved, body, level, share, neighbour)
    return FineMesh(carved, ln, triangles, body, level, coast, waters.surface_m, waters.receiver_of_point, catchment)


def least_lake_m2(cells: int, ln: int, radius_m: float) -> float:
    """The area of four cells of the local mesh, m^2: the smallest lake that it shows."""
    return float(4.0 * np.pi * radius_m**2 / (cells * 2**ln) ** 2)


def coast_of(planet: Planet, body: np.ndarray, level_m: np.ndarray, share: np.ndarray, neighbour: np.ndarray) -> np.ndarray:
    """How the local relief is eased at each global point: float32 (points, 3), the columns datum, lift and part.

    On low coasts local displacements are much larger than the global heights. Shores would then run anywhere, and only dams
    along the edges of the global mesh could keep them in place. On steep coasts displacements hardly matter. So land near
    water is lifted by `lift` metres, and beds are sunk, until they balance the displacements; the shore is that of this
    relief. Then the height above `datum`, the water's level, is multiplied by `part`, which leaves global points unchanged.

    `share`: of each point's area, the part under water if it lies in a lake, float64 (points,). Lakes with less than their
    points' whole area are sunk less, and the land beside them is lifted more, so their shores come nearer.
    """
    near, usual = np.isfinite(level_m), np.where(body == LAND, USUAL_LAND, USUAL_BED) * displacement_m(planet)
    datum = np.where(near, level_m, planet.heights_m)
    clear = np.where(near, np.abs(planet.heights_m - datum), np.float32(1.0))
    steep = np.maximum(np.where(body == LAND, STEEP_LAND, STEEP_BED) * usual, clear / NEARER)
    wanted = np.where(near, np.maximum(np.minimum(clear, steep), usual), clear)
    # The area grows with the square of the way from the point to the shore; that of a triangle's third is reached half-way.
    small, way = share < 1.0, 0.55 * np.sqrt(share).astype(np.float32)
    beside = small[neighbour].any(axis=1) & (body == LAND)
    wanted = np.where(beside, np.maximum(wanted, APART * usual), wanted)
    wanted = np.where(small, APART * usual * way / (1.0 - way), wanted)
    side = np.where(body == LAND, np.float32(1.0), np.float32(-1.0))
    return np.stack([datum, side * (wanted - clear), clear / wanted], axis=1).astype(np.float32)


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
    strip = Strip(first, last, start, int(start[first * n]), ring, heights, wet)
    place, corner = strip.triangles(mesh, first, last)
    condition(place, corner, strip.points(mesh), mesh.waters, mesh.coast, raw)
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
