"""The local mesh of a planet, strip by strip: refined heights whose shores have the topology of the global mesh.

A strip is a run of belts, a belt being what lies between two neighbouring rings of the global mesh: two rows of triangles.
Every global triangle holds (n + 1)(n + 2) / 2 local points, n = 2^ln; what is made of them depends on the heights of that
triangle and the nature of its corners alone, so that strips, and rhombi, can be made in any order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.global_relief import RingWindow
from ...worlds.doublecone.local_mesh import Planet, displacement_m, local_level
from ..waters.hydrology import Hydrology
from .condition_kernels import condition

LAND = -1
# A strip has about this many local points, and from 1 to MAX_BELTS belts, beside its margins.
STRIP_POINTS, MAX_BELTS = 1 << 19, 16
# Up to this ln lines have all their vertices. On finer meshes they are thinned to this part of a global step, or their
# vertices, twice as many and more a level, would fill the memory that heights do not.
FULL_LN, THIN_STEPS = 3, 72


# How high coasts are made for their shores, in parts of the greatest displacement by the first local level: at least and,
# as many times that, at most, on land and in water; still higher and deeper ones come nearer by no more than NEARER times.
# Sea beds are deeper than coasts are high: were both let go as far, shores would run too far inland.
USUAL, STEEP_LAND, STEEP_BED, NEARER = (np.float32(x) for x in (0.9, 2.0, 1.0, 2.0))


@dataclass(frozen=True)
class Triangles:
    """All global triangles by belt: `place` int32 (t, 4): face, row, column, and whether it is the cell's southern one.

    `corner`: int32 (t, 3), mesh numbers: the one on the meridians' side (north, or south), then anticlockwise on the map.
    `first`: int64 (belts + 1,), where each belt begins.
    """

    place: np.ndarray
    corner: np.ndarray
    first: np.ndarray


@dataclass(frozen=True)
class Ground:
    """What the local mesh has to agree with, by global point.

    `planet`: the global relief with valleys cut. `body`: int32, the sea, or the count of seas + the lake, that covers a
    point; LAND. `level_m`: float32, of the point's own water; on land that of the highest water beside it, -inf for none.
    `coast`: as `coast_of` has it. `surface_m`, `receiver`: as `Hydrology` has them. `catchment`: int32, by the order of the
    mouths; -1 in the sea.
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
        """Of the global mesh, a quarter."""
        return 2**self.planet.gn

    @property
    def steps(self) -> int:
        """Local steps along a global edge."""
        return 2**self.ln

    @property
    def fine_cells(self) -> int:
        """Of the local mesh, a quarter."""
        return self.cells * self.steps

    @property
    def tolerance(self) -> float:
        """How far, in degrees of latitude, shores and borders may be off after thinning; 0: as they are traced."""
        return 90.0 / (self.cells * THIN_STEPS) if self.ln > FULL_LN else 0.0


@dataclass(frozen=True)
class Strip:
    """The local mesh over the belts `first` .. `last` - 1, whole rings of it in mesh order.

    `start`: int64, the fine mesh's ring starts; `base`: the fine mesh number of the first point here. `heights_m`: float32;
    `wet`: uint8, under the water of its triangle; `ring`: int16.
    """

    first: int
    last: int
    start: np.ndarray
    base: int
    ring: np.ndarray
    heights_m: np.ndarray
    wet: np.ndarray

    def triangles(self, ground: Ground, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """(place, corner) of the triangles in belts first .. last - 1."""
        t = ground.triangles
        span = slice(int(t.first[first]), int(t.first[last]))
        return t.place[span], t.corner[span]


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


def ground_of(planet: Planet, ln: int, waters: Hydrology, neighbour: np.ndarray) -> Ground:
    """The ground for a planet's local mesh; `neighbour` is the global mesh's, int32 (points, 6)."""
    seas = len(waters.landmasses.sea_area_m2)
    lake, sea = waters.lake_of_point, waters.landmasses.sea_of_point
    body = np.where(sea >= 0, sea, np.where(lake >= 0, lake + seas, LAND)).astype(np.int32)
    own = np.where(sea >= 0, np.float32(waters.sea_level_m), waters.surface_m)
    own = np.where(body == LAND, np.float32(-np.inf), own)
    level = np.where(body == LAND, own[neighbour].max(axis=1), own).astype(np.float32)
    carved = Planet(planet.seed, planet.gn, waters.heights_m, planet.roughness)
    triangles = triangles_of(2**planet.gn)
    _, catchment = np.unique(waters.mouth_of_point, return_inverse=True)
    catchment = (catchment - (waters.mouth_of_point.min() < 0)).astype(np.int32)
    coast = coast_of(carved, body, level)
    return Ground(carved, ln, triangles, body, level, coast, waters.surface_m, waters.receiver_of_point, catchment)


def coast_of(planet: Planet, body: np.ndarray, level_m: np.ndarray) -> np.ndarray:
    """How the local relief is eased at each global point, float32 (points, 3): datum, lift and part.

    On low coasts local displacements go so much farther than the global heights that shores would run anywhere, and those of
    the global mesh could be kept only by dams along its edges; on steep coasts they hardly show. So near water the relief
    is lifted, and beds are sunk, to what displacements are in balance with, and then brought back towards the water, the
    datum, to that `part` of its height above it which leaves global points as they are. The shore is that of the former.
    """
    near, usual = np.isfinite(level_m), USUAL * displacement_m(planet)
    datum = np.where(near, level_m, planet.heights_m)
    clear = np.where(near, np.abs(planet.heights_m - datum), np.float32(1.0))
    steep = np.maximum(np.where(body == LAND, STEEP_LAND, STEEP_BED) * usual, clear / NEARER)
    wanted = np.where(near, np.maximum(np.minimum(clear, steep), usual), clear)
    side = np.where(body == LAND, np.float32(1.0), np.float32(-1.0))
    return np.stack([datum, side * (wanted - clear), clear / wanted], axis=1).astype(np.float32)


def belts_per_strip(ground: Ground) -> int:
    return max(1, min(MAX_BELTS, STRIP_POINTS // (4 * ground.fine_cells * ground.steps)))


def strip_of(ground: Ground, first: int, last: int) -> Strip:
    """The conditioned local mesh over the belts first .. last - 1, 0 <= first < last <= 2 cells."""
    fine, n = ground.fine_cells, ground.steps
    start = meshes.ring_starts(fine)
    raw = raw_rings(ground.planet, ground.ln, first * n, last * n)
    heights = raw.copy()
    wet = np.zeros(len(heights), np.uint8)
    rings = np.arange(first * n, last * n + 1)
    ring = np.repeat(rings.astype(np.int16), meshes.ring_counts(fine)[rings])
    strip = Strip(first, last, start, int(start[first * n]), ring, heights, wet)
    place, corner = strip.triangles(ground, first, last)
    condition(place, corner, n, fine, start, strip.base, ground.body, ground.level_m, ground.coast, raw, heights, wet)
    return strip


def raw_rings(planet: Planet, ln: int, first: int, last: int) -> np.ndarray:
    """Heights of the whole local rings first .. last, float32 in mesh order: the bits of `refine`; a new array."""
    windows = [(first, last)]
    for k in range(ln, 0, -1):
        # A new ring looks two rings beyond its parents.
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
