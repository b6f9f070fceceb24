"""Rivers and lakes of a planet's global mesh: receivers, discharge, order, catchments, and a relief that agrees with them.

The relief of a landmass is cut into the basins of its pits (`basins`), each depression becomes a lake or a valley
(`lakes`), and rivers are graded: from source to mouth the land never rises. Each landmass is worked out from its own points
and the sea beside them alone; the result is the same in any order and on any number of threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...worlds.climate import YEAR_S, Climate
from ...worlds.doublecone import global_mesh as meshes
from ...worlds.drainage import Graph, fill
from ...worlds.drainage_kernels import CLOSED, UNSEEN, downstream
from . import grading_kernels as kernels
from .basins import Basins, basins_of
from .lakes import Fate, Judge, Lake, Water
from .landmasses import Globe, Landmasses, Shore, globe_of, landmasses_of, shore_of

# From this discharge on, running water is a river: the Thames has 65 m^3/s, the Rhine 2,900, the Amazon 200,000.
RIVER_M3_S = 100.0
BINS = 1 << 14
NONE = -1


@dataclass(frozen=True)
class Lakes:
    """All lakes, by landmass and then by their lowest point. Arrays by lake, float64 unless said.

    `level_m` float32, `bottom` int32 (lowest point), `outlet` int32 (the rim's lowest point, at the lake's level; -1: no
    outlet), `area_m2` (of the points under water), `volume_m3`, `inflow_m3_s` (all that reaches it, its own surface's runoff
    too), `evaporation_m3_s` (beyond what its land would evaporate), `outflow_m3_s`: inflow = evaporation + outflow.
    """

    level_m: np.ndarray
    bottom: np.ndarray
    outlet: np.ndarray
    area_m2: np.ndarray
    volume_m3: np.ndarray
    inflow_m3_s: np.ndarray
    evaporation_m3_s: np.ndarray
    outflow_m3_s: np.ndarray

    def __len__(self) -> int:
        return len(self.level_m)


@dataclass(frozen=True)
class Hydrology:
    """Waters of a whole mesh, by mesh point; points are mesh numbers.

    `heights_m`: float32, the relief with its valleys cut; lake beds as they were. `surface_m`: float32, the same but at
    lakes their level, at sea the sea's; it never rises from a land point to its receiver. `filled_m`: float32, the level
    at which water would run off were all depressions of the first relief full. `receiver_of_point`: int32, the neighbour
    that a land point flows to; -1 in the sea and at the bottom of a lake or basin without outlet. `discharge_m3_s`: float64,
    what arrives at a point, its own runoff too; what a lake evaporates is missing from its outlet on; 0 at sea.
    `lake_of_point`: int32, index into `lakes` or -1. `order_of_point`: uint8, Strahler's, 0 where less than `river_m3_s`
    flows. `mouth_of_point`: int32, the last land point on the way: at the sea, or the bottom of a basin; -1 in the sea.
    Points of one mouth are one catchment.
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
        """What each point passes on: its discharge, at a lake's outlet less what the lake has lost; float64 (points,)."""
        receiver, lake = self.receiver_of_point, self.lake_of_point
        leaves = (receiver >= 0) & (lake >= 0) & (lake[np.maximum(receiver, 0)] != lake)
        return np.where(leaves, np.append(self.lakes.outflow_m3_s, 0.0)[lake], self.discharge_m3_s)


@dataclass(frozen=True)
class LandmassWaters:
    """The same of one landmass, by place of its `shore`; lakes are numbered from 0, land places flow to places."""

    shore: Shore
    lakes: Lakes
    heights_m: np.ndarray
    surface_m: np.ndarray
    filled_m: np.ndarray
    receiver: np.ndarray
    discharge_m3_s: np.ndarray
    lake: np.ndarray
    order: np.ndarray
    mouth: np.ndarray


def hydrology_of(
    heights_m: np.ndarray,
    climate: Climate,
    sea_level_m: float = 0.0,
    globe: Globe | None = None,
    river_m3_s: float = RIVER_M3_S,
    threads: int = 1,
) -> Hydrology:
    """The waters of a whole mesh, float32 (4 N^2 + 2,) heights in metres, N a power of two, under a climate.

    Raises ValueError for heights that are not finite, or for another count of points. Kernels here are serial, so
    `threads` may be any.
    """
    globe = globe or globe_of(meshes.cells_of(heights_m))
    masses = landmasses_of(globe, heights_m, sea_level_m)
    heights_m = np.asarray(heights_m, np.float32)

    def waters(points: np.ndarray) -> LandmassWaters:
        return waters_of(globe, points, heights_m, climate, sea_level_m, river_m3_s)

    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(waters, masses.points))
    else:
        parts = [waters(points) for points in masses.points]
    return _whole(masses, heights_m, sea_level_m, river_m3_s, parts)


def waters_of(
    globe: Globe,
    points: np.ndarray,
    heights_m: np.ndarray,
    climate: Climate,
    sea_level_m: float = 0.0,
    river_m3_s: float = RIVER_M3_S,
) -> LandmassWaters:
    """The waters of one landmass, given its mesh numbers, ascending. Nothing but its own points' values is read."""
    shore = shore_of(globe, points)
    level = np.full(len(shore.point), sea_level_m, np.float32)
    level[: shore.land] = heights_m[points]
    water = _water(globe, points, level[: shore.land], climate)
    basins = basins_of(shore, level)
    without: frozenset[int] = frozenset()
    while True:
        fate = Judge(basins, water, without).judge()
        lakes = sorted(fate.lakes, key=lambda lake: int(basins.bottom[lake.node]))
        receiver, order, lake, surface = _graded(shore, basins, fate, lakes, level)
        # A valley that cuts a lake's rim empties it, gravel from below may drown its outlet: judge again without it.
        bad = kernels.breached(shore.neighbour, lake, surface, *_levels(lakes))
        if not bad.any():
            break
        without |= {lakes[k].node for k in np.flatnonzero(bad)}
    discharge, inflow, outflow = _gathered(shore, water, lakes, receiver, order, lake)
    ground = np.where(lake >= 0, level, surface).astype(np.float32)
    return LandmassWaters(
        shore,
        _lakes(basins, water, lakes, inflow, outflow),
        ground,
        surface,
        filled(shore, level),
        receiver,
        discharge,
        lake,
        kernels.strahler(order, receiver, shore.land, discharge, float(river_m3_s)),
        kernels.mouths(order, receiver, shore.land),
    )


def filled(shore: Shore, level: np.ndarray) -> np.ndarray:
    """Heights `level`, float32 (m,), with all depressions filled up to where they run off to the sea; a new array."""
    raised = level.copy()
    seen = np.full(len(level), UNSEEN, np.uint8)
    seen[shore.land :] = CLOSED
    seeds = np.arange(shore.land, len(level), dtype=np.int32)
    if len(seeds):
        fill(Graph.of_mesh(shore.neighbour), raised, seen, seeds, min(BINS, len(level)) + 1)
    return raised


def _water(globe: Globe, points: np.ndarray, level: np.ndarray, climate: Climate) -> Water:
    area = globe.area_m2[points]
    rate = area * (1e-3 / YEAR_S)
    runoff, rain, dry = (
        np.asarray(x[points], np.float64) for x in (climate.runoff_mm, climate.rain_mm, climate.evaporation_mm)
    )
    return Water(level.astype(np.float64), area, runoff * rate, np.maximum(dry - (rain - runoff), 0.0) * rate)


def _levels(lakes: list[Lake]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([x.level_m for x in lakes], np.float32), np.array([x.outlet for x in lakes], np.int32)


def _graded(
    shore: Shore, basins: Basins, fate: Fate, lakes: list[Lake], level: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(receiver, order from upstream to downstream, lake, surface) by place."""
    receiver = basins.receiver.copy()
    passes = np.array(fate.opened, np.int32).reshape(-1, 2)
    kernels.turn(receiver, passes[:, 0].copy(), passes[:, 1].copy())
    gravel = np.full(basins.leaves + 1, -np.inf, np.float32)
    for leaf, floor in fate.floor_m.items():
        gravel[leaf] = floor
    surface = np.maximum(level, gravel[basins.basin])
    lake = np.full(len(level), NONE, np.int32)
    for k, one in enumerate(lakes):
        lake[one.places] = k
        surface[one.places] = one.level_m
    order = downstream(receiver)
    kernels.grade(order, receiver, lake, shore.land, surface)
    return receiver, order, lake, surface


def _gathered(
    shore: Shore, water: Water, lakes: list[Lake], receiver: np.ndarray, order: np.ndarray, lake: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Discharge by place, inflow and outflow by lake."""
    discharge, inflow, outflow = np.empty(len(receiver)), np.zeros(len(lakes)), np.zeros(len(lakes))
    loss = np.array([one.loss_m3_s for one in lakes], np.float64)
    has_outlet = np.array([one.outlet != NONE for one in lakes], bool)
    kernels.gather(order, receiver, shore.land, lake, loss, has_outlet, water.runoff_m3_s, discharge, inflow, outflow)
    return discharge, inflow, outflow


def _lakes(basins: Basins, water: Water, lakes: list[Lake], inflow: np.ndarray, outflow: np.ndarray) -> Lakes:
    level, outlet = _levels(lakes)
    bottom = np.array([basins.bottom[one.node] for one in lakes], np.int32)
    area = np.array([water.area_m2[one.places].sum() for one in lakes], np.float64)
    depth = [np.float64(one.level_m) - water.level_m[one.places] for one in lakes]
    volume = np.array([(d * water.area_m2[one.places]).sum() for d, one in zip(depth, lakes, strict=True)], np.float64)
    return Lakes(level, bottom, outlet, area, volume, inflow, inflow - outflow, outflow)


def _whole(
    masses: Landmasses, heights_m: np.ndarray, sea_level_m: float, river_m3_s: float, parts: list[LandmassWaters]
) -> Hydrology:
    """The planet of its landmasses."""
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
    """All landmasses' lakes, with mesh numbers for places."""

    def points(part: LandmassWaters, places: np.ndarray) -> np.ndarray:
        return np.where(places < 0, NONE, part.shore.point[places]).astype(np.int32)

    columns = {name: [getattr(part.lakes, name) for part in parts] for name in Lakes.__dataclass_fields__}
    for name in ("bottom", "outlet"):
        columns[name] = [points(part, places) for part, places in zip(parts, columns[name], strict=True)]
    none = {"level_m": np.float32, "bottom": np.int32, "outlet": np.int32}
    return Lakes(**{name: np.concatenate([np.zeros(0, none.get(name, np.float64)), *x]) for name, x in columns.items()})
