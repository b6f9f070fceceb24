"""Peaks: their prominence on the global mesh, and their tops on the local mesh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numba
import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.kernels import OPTIONS
from ...worlds.shapes import check_indices, check_shape
from ..waters.hydrology import Hydrology
from ..waters.landmasses import Landmasses
from .fine_mesh import FineMesh, Strip
from .fine_mesh_kernels import StripMesh, load, number_of

NONE = -1

# Less prominent tops are hills. With 600 m only some hundreds would be left, four in ten of them "ultras".
PROMINENT_M = 300.0


@dataclass(frozen=True)
class Summits:
    """The summits of the global mesh by height, the highest first: `point` int32 (k,), `prominence_m` float64 (k,)."""

    point: np.ndarray
    prominence_m: np.ndarray


@dataclass(frozen=True)
class Tops:
    """The highest local point around each summit, by global point.

    `point`: int32 (k,), the summits, ascending. `number`: int64 (k,), local mesh numbers. `height_m`: float32 (k,).
    """

    point: np.ndarray
    number: np.ndarray
    height_m: np.ndarray


def joined_tops(parts: Sequence[Tops]) -> Tops:
    """The tops of all strips, in their order."""
    columns = zip(*((part.point, part.number, part.height_m) for part in parts), strict=True)
    return Tops(*(np.concatenate(column) for column in columns))


def distinct_tops(parts: Sequence[Tops]) -> Tops:
    """The tops of strips or blocks that may have some in common, by global point."""
    every = joined_tops(parts)
    point, first = np.unique(every.point, return_index=True)
    return Tops(point, every.number[first], every.height_m[first])


def summits_of(heights_m: np.ndarray, neighbour: np.ndarray, masses: Landmasses, sea_level_m: float) -> Summits:
    """All summits that stand PROMINENT_M or more above the highest pass to higher land, or above the sea.

    `heights_m`: float32 (points,); `neighbour`: int32 (points, 6). Raises ValueError for arrays of other shapes.
    """
    points = len(masses.landmass_of_point)
    check_shape("heights_m", heights_m, points)
    check_shape("neighbour", neighbour, points, 6)
    check_indices("neighbour", neighbour, points)
    land = np.flatnonzero(masses.landmass_of_point >= 0)
    order = land[np.lexsort((land, -heights_m[land]))].astype(np.int32)
    key = prominence(order, heights_m, neighbour, np.float32(sea_level_m))
    tops = order[key[order] >= PROMINENT_M]
    return Summits(tops, key[tops])


def summits_on(waters: Hydrology, neighbour: np.ndarray) -> Summits:
    """All summits of a planet with these waters; `neighbour` as `summits_of` takes it."""
    return summits_of(standing_m(waters), neighbour, waters.landmasses, waters.sea_level_m)


def standing_m(waters: Hydrology) -> np.ndarray:
    """Heights of all points for the search of summits, float32 (points,): a lake's surface lies just below its rim."""
    return np.where(waters.lake_of_point >= 0, np.nextafter(waters.surface_m, np.float32(-np.inf)), waters.heights_m)


def tops_of(mesh: FineMesh, strip: Strip, owner: np.ndarray, summits: Summits, first: int, last: int) -> Tops:
    """The tops of the summits on the global rings first .. last - 1, once the strip's valleys are cut.

    A local point is around a summit if it is nearer than half-way to other global points and in no other point's cell.
    `owner`: as `courses.owners_of` returns it; raises ValueError for one of another length.
    """
    check_shape("owner", owner, len(strip.heights_m))
    a, b = meshes.ring_starts(mesh.cells)[[first, last]]
    here = (summits.point >= a) & (summits.point < b)
    if strip.cells is not None:
        here &= strip.cells[summits.point]
    points = np.sort(summits.point[here])
    place, corner = strip.triangles(mesh)
    number, height = np.full(len(mesh.body), NONE, np.int64), np.full(len(mesh.body), -np.inf, np.float32)
    wanted = np.zeros(len(mesh.body), bool)
    wanted[points] = True
    some = wanted[corner].any(axis=1)
    highest(place[some], corner[some], wanted, strip.points(mesh), owner, number, height)
    return Tops(points, number[points], height[points])


@numba.njit(**OPTIONS)
def highest(
    place: np.ndarray,
    corner: np.ndarray,
    wanted: np.ndarray,
    mesh: StripMesh,
    owner: np.ndarray,
    number: np.ndarray,
    height: np.ndarray,
) -> None:
    """Fill `number` and `height`, by global point, with the highest local point around each `wanted` point.

    Of equally high points the one with the lowest number is taken.
    """
    n, heights, wet = mesh.n, mesh.heights, mesh.wet
    local = np.zeros((n + 1, n + 1), np.int64)
    for t in range(place.shape[0]):
        load(place, t, mesh, local)
        for k in range(3):
            p = corner[t, k]
            if not wanted[p]:
                continue
            for i in range(n + 1):
                for j in range(n + 1 - i):
                    x = local[i, j]
                    part = n - i - j if k == 0 else i if k == 1 else j
                    if 2 * part < n or wet[x] == 1 or (owner[x] >= 0 and owner[x] != p):
                        continue
                    if heights[x] > height[p] or (heights[x] == height[p] and number_of(x, mesh) < number[p]):
                        height[p], number[p] = heights[x], number_of(x, mesh)


@numba.njit(**OPTIONS)
def prominence(order: np.ndarray, heights: np.ndarray, neighbour: np.ndarray, sea_level: np.float32) -> np.ndarray:
    """The prominence of each point that is a top, float64 (points,), 0 elsewhere; `order`: land points, highest first."""
    result = np.zeros(heights.size)
    set_of, top = np.full(heights.size, -1, np.int32), np.empty(heights.size, np.int32)
    for p in order:
        set_of[p], top[p] = p, p
        for k in range(neighbour.shape[1]):
            s = neighbour[p, k]
            if set_of[s] < 0:
                continue
            while set_of[s] != s:
                set_of[s] = set_of[set_of[s]]
                s = set_of[s]
            mine = p
            while set_of[mine] != mine:
                set_of[mine] = set_of[set_of[mine]]
                mine = set_of[mine]
            if s == mine:
                continue
            # The lower top ends here. Ties go to the one that comes first in mesh order.
            a, b = top[s], top[mine]
            high, low = (a, b) if heights[a] > heights[b] or (heights[a] == heights[b] and a < b) else (b, a)
            result[low] = np.float64(heights[low]) - np.float64(heights[p])
            set_of[mine] = s
            top[s] = high
    for p in order:
        if set_of[p] == p:
            result[top[p]] = np.float64(heights[top[p]]) - np.float64(sea_level)
    return result
