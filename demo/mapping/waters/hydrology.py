"""Rivers and lakes of a planet's global mesh: receivers, discharge, order, catchments, and a relief that agrees with them.

Each landmass is worked out from its own points and the sea beside them alone (`landmass_waters`). So the result is the same
in any order and on any number of threads, and whether small islands are worked out one by one or together.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...worlds.climate.mesh_climate import Climate
from ...worlds.doublecone import global_mesh as meshes
from .landmass_waters import NONE, RIVER_M3_S, Lakes, LandmassWaters, waters_of
from .landmasses import Globe, Landmasses, globe_of, landmasses_of
from .wishes import NO_WISHES, Wishes

# Islands of at most so many points are worked out together: most of the time that each takes does not depend on its size.
SMALL = 200


@dataclass(frozen=True)
class Hydrology:
    """The waters of a whole mesh; arrays are by mesh point (points,), and points are mesh numbers.

    `river_m3_s`: the least discharge of a river. `heights_m`: float32, the relief with its valleys cut and its lakes empty.
    `surface_m`: float32, the same with the levels of lakes and of the sea; it never rises from a land point to its receiver.
    `filled_m`: float32, the first relief with all its depressions filled up to where water runs off.
    `receiver_of_point`: int32, the neighbour that a land point flows to; -1 in the sea and at the bottom of a lake or basin
    without outlet. `discharge_m3_s`: float64, what arrives at a point, with its own runoff; 0 at sea. Water that a lake
    evaporates is missing from its outlet on. `lake_of_point`: int32, index into `lakes`, or -1. `order_of_point`: uint8,
    Strahler's, 0 where there is no river. `mouth_of_point`: int32, the last land point on the way downstream, at the sea or
    at the bottom of a basin; -1 in the sea. The points of one mouth are one catchment.
    """

    landmasses: Landmasses
    lakes: Lakes
    sea_level_m: float
    river_m3_s: float
    heights_m: np.ndarray
    surface_m: np.ndarray
    filled_m: np.ndarray
    receiver_of_point: np.ndarray
    discharge_m3_s: np.ndarray
    lake_of_point: np.ndarray
    order_of_point: np.ndarray
    mouth_of_point: np.ndarray

    @cached_property
    def passed_m3_s(self) -> np.ndarray:
        """What each point passes on, float64 (points,): its discharge, less a lake's loss where it leaves the lake."""
        receiver, lake = self.receiver_of_point, self.lake_of_point
        leaves = (receiver >= 0) & (lake >= 0) & (lake[np.maximum(receiver, 0)] != lake)
        return np.where(leaves, np.append(self.lakes.outflow_m3_s, 0.0)[lake], self.discharge_m3_s)


def hydrology_of(
    heights_m: np.ndarray,
    climate: Climate,
    sea_level_m: float = 0.0,
    globe: Globe | None = None,
    river_m3_s: float = RIVER_M3_S,
    threads: int = 1,
    least_lake_m2: float = 0.0,
    wishes: Wishes = NO_WISHES,
    each: Callable[[Landmasses], list[LandmassWaters]] | None = None,
) -> Hydrology:
    """The waters of a whole mesh under a climate; heights are float32 (4 N^2 + 2,) metres, N a power of two.

    `globe` is made where it is not given. `least_lake_m2`: the area of the smallest lake in a valley. `wishes`: those of
    edits. `each`: settles the waters of all landmasses by the same arguments, unless this process does. Raises ValueError
    for heights that are not finite, or for another count of points in them or in the climate. The kernels are serial, so any
    number of `threads` is safe.
    """
    globe = globe or globe_of(meshes.cells_of(heights_m))
    masses = landmasses_of(globe, heights_m, sea_level_m)
    heights_m = np.asarray(heights_m, np.float32)

    def waters(points: np.ndarray) -> LandmassWaters:
        return waters_of(globe, points, heights_m, climate, sea_level_m, river_m3_s, least_lake_m2, wishes)

    if each:
        return _whole(masses, heights_m, sea_level_m, river_m3_s, each(masses))
    together = _together(masses)
    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(waters, together))
    else:
        parts = [waters(points) for points in together]
    if parts:
        parts[-1] = _by_landmass(parts[-1], masses)
    return _whole(masses, heights_m, sea_level_m, river_m3_s, parts)


def _together(masses: Landmasses) -> list[np.ndarray]:
    """The mesh numbers, ascending, of land that is worked out at once: each large landmass, then all small islands."""
    first = max((k + 1 for k, points in enumerate(masses.points) if len(points) > SMALL), default=0)
    islands = masses.points[first:]
    return [*masses.points[:first], *([np.sort(np.concatenate(islands))] if islands else [])]


def _by_landmass(part: LandmassWaters, masses: Landmasses) -> LandmassWaters:
    """The waters of several landmasses with their lakes in the order of these, and then of the lakes' lowest points."""
    bottom = part.lakes.bottom
    order = np.lexsort((bottom, masses.landmass_of_point[part.shore.point[bottom]]))
    number = np.append(np.argsort(order), NONE).astype(part.lake.dtype)
    lakes = Lakes(**{name: getattr(part.lakes, name)[order] for name in Lakes.__dataclass_fields__})
    return replace(part, lakes=lakes, lake=number[part.lake])


def _whole(
    masses: Landmasses, heights_m: np.ndarray, sea_level_m: float, river_m3_s: float, parts: list[LandmassWaters]
) -> Hydrology:
    """The waters of the planet, put together from those of its landmasses."""
    count = len(heights_m)
    heights, filled_m = heights_m.copy(), heights_m.copy()
    surface = np.full(count, sea_level_m, np.float32)
    receiver, lake, mouth = (np.full(count, NONE, np.int32) for _ in range(3))
    discharge, order = np.zeros(count), np.zeros(count, np.uint8)
    before = 0
    for part in parts:
        land = part.shore.land
        points = part.shore.point[:land]
        heights[points], surface[points], filled_m[points] = (
            x[:land] for x in (part.heights_m, part.surface_m, part.filled_m)
        )
        ends = part.receiver[:land] == np.arange(land)
        receiver[points] = np.where(ends, NONE, part.shore.point[part.receiver[:land]])
        discharge[points], order[points] = part.discharge_m3_s[:land], part.order[:land]
        lake[points] = np.where(part.lake[:land] < 0, NONE, part.lake[:land] + before)
        mouth[points] = part.shore.point[part.mouth[:land]]
        before += len(part.lakes)
    return Hydrology(
        masses, _joined(parts), sea_level_m, river_m3_s, heights, surface, filled_m, receiver, discharge, lake, order, mouth
    )


def _joined(parts: list[LandmassWaters]) -> Lakes:
    """The lakes of all landmasses, with mesh numbers in place of the landmasses' own places."""

    def points(part: LandmassWaters, places: np.ndarray) -> np.ndarray:
        return np.where(places < 0, NONE, part.shore.point[places]).astype(np.int32)

    columns = {name: [getattr(part.lakes, name) for part in parts] for name in Lakes.__dataclass_fields__}
    for name in ("bottom", "outlet"):
        columns[name] = [points(part, places) for part, places in zip(parts, columns[name], strict=True)]
    none = {"level_m": np.float32, "bottom": np.int32, "outlet": np.int32}
    return Lakes(**{name: np.concatenate([np.zeros(0, none.get(name, np.float64)), *x]) for name, x in columns.items()})
