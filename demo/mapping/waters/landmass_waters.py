"""Rivers and lakes of one landmass, and a relief that agrees with them.

The relief is divided into the basins of its pits (`basins`). Each depression becomes a lake or a valley (`lakes`). Rivers
are graded: from source to mouth the land never rises.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...worlds.climate.laws import YEAR_S
from ...worlds.climate.mesh_climate import Climate
from ...worlds.drainage import Graph, fill
from ...worlds.drainage_kernels import CLOSED, UNSEEN, downstream
from ...worlds.shapes import check_shape
from . import grading_kernels as kernels
from .basins import Basins, basins_of
from .hollows import FilledDepression, Water
from .lake_sizes import favour_of, wanted_m2
from .lakes import Fate, Judge
from .landmasses import Globe, Shore, shore_of
from .wishes import NO_WISHES, Wishes, drowned, kept_leaves, shown_m3_s

# Running water with at least this discharge is a river: the Thames has 65 m^3/s, the Rhine 2,900, the Amazon 200,000.
RIVER_M3_S = 100.0
BINS = 1 << 14
NONE = -1


@dataclass(frozen=True)
class Lakes:
    """Lakes by landmass and then by their lowest point; arrays are by lake, float64 unless it says otherwise.

    `level_m`: float32. `bottom`: int32, the lowest point. `outlet`: int32, the lowest point of the rim, which is at the
    lake's level; -1 without outlet. `share`: the part of the area of its points that is under water: below 1 for lakes
    smaller than a step of the mesh. `area_m2`: under water. `volume_m3`. `inflow_m3_s`: all that reaches the lake, with the
    runoff of its own surface. `evaporation_m3_s`: what it evaporates beyond what its land would. `outflow_m3_s`: what
    leaves it; inflow = evaporation + outflow.
    """

    level_m: np.ndarray
    bottom: np.ndarray
    outlet: np.ndarray
    share: np.ndarray
    area_m2: np.ndarray
    volume_m3: np.ndarray
    inflow_m3_s: np.ndarray
    evaporation_m3_s: np.ndarray
    outflow_m3_s: np.ndarray

    def __len__(self) -> int:
        return len(self.level_m)


@dataclass(frozen=True)
class LandmassWaters:
    """The waters of one landmass, by place of its `shore`; the fields are those of `Hydrology`.

    Lakes are numbered from 0. Receivers, mouths, bottoms and outlets are places. A place without receiver has itself.
    """

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


def waters_of(
    globe: Globe,
    points: np.ndarray,
    heights_m: np.ndarray,
    climate: Climate,
    sea_level_m: float = 0.0,
    river_m3_s: float = RIVER_M3_S,
    least_lake_m2: float = 0.0,
    wishes: Wishes = NO_WISHES,
) -> LandmassWaters:
    """The waters of one landmass, given its mesh numbers in ascending order. Only values at these points are read.

    Raises ValueError for arrays that do not fit the mesh of `globe`.
    """
    _check_shapes(globe, heights_m, climate)
    shore = shore_of(globe, points)
    level = np.full(len(shore.point), sea_level_m, np.float32)
    level[: shore.land] = heights_m[points]
    water, basins = _water(globe, points, level[: shore.land], climate), basins_of(shore, level)
    wanted = wanted_m2(basins, points, water.level_m, (water.area_m2, water.favour))
    wanted = np.where(wanted >= least_lake_m2, wanted, 0.0)
    wishes = wishes.of(points)
    kept = kept_leaves(wishes, basins)
    wanted[list(kept)] = np.inf
    without: frozenset[int] = frozenset()
    while True:
        fate = Judge(basins, water, wanted, without, kept).judge()
        lakes = sorted(fate.lakes, key=lambda lake: int(basins.bottom[lake.node]))
        receiver, order, lake, surface = _graded(shore, basins, fate, lakes, level)
        # A valley may have cut a lake's rim, or gravel from below drowned its outlet: decide again without that lake.
        bad = kernels.breached(shore.neighbour, lake, surface, *_levels(lakes)) | drowned(wishes, lakes)
        if not bad.any():
            break
        without |= {lakes[k].node for k in np.flatnonzero(bad)}
    discharge, inflow, outflow = _gathered(shore, water, lakes, receiver, order, lake)
    leaves = _outflow_of_place(lake, receiver, outflow)
    shown = shown_m3_s(wishes, (discharge, receiver, lake), shore.neighbour, order, shore.land, river_m3_s)
    return LandmassWaters(
        shore,
        _lakes(basins, water, lakes, inflow, outflow),
        np.where(lake >= 0, level, surface).astype(np.float32),
        surface,
        filled(shore, level),
        receiver,
        discharge,
        lake,
        kernels.strahler(order, receiver, shore.land, shown, float(river_m3_s), leaves),
        kernels.mouths(order, receiver, shore.land),
    )


def _check_shapes(globe: Globe, heights_m: np.ndarray, climate: Climate) -> None:
    check_shape("heights_m", heights_m, len(globe.area_m2))
    for name in ("runoff_mm", "rain_mm", "evaporation_mm"):
        check_shape(name, getattr(climate, name), len(globe.area_m2))


def filled(shore: Shore, level: np.ndarray) -> np.ndarray:
    """Heights `level`, float32 (m,), with all depressions filled until they run off to the sea; a new array.

    Raises ValueError for another number of heights.
    """
    check_shape("level", level, len(shore.point))
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
    loss = np.maximum(dry - (rain - runoff), 0.0) * rate
    return Water(level.astype(np.float64), area, runoff * rate, loss, favour_of(climate, points))


def _levels(lakes: list[FilledDepression]) -> tuple[np.ndarray, np.ndarray]:
    """(levels float32, outlets int32) of lakes."""
    return np.array([x.level_m for x in lakes], np.float32), np.array([x.outlet for x in lakes], np.int32)


def _graded(
    shore: Shore, basins: Basins, fate: Fate, lakes: list[FilledDepression], level: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(receiver, places from upstream to downstream, lake, surface) of a landmass with these lakes."""
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
    kernels.settle(shore.neighbour, receiver, lake, shore.land, surface)
    return receiver, order, lake, surface


def _gathered(
    shore: Shore, water: Water, lakes: list[FilledDepression], receiver: np.ndarray, order: np.ndarray, lake: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(discharge by place, inflow by lake, outflow by lake), m^3/s."""
    discharge, inflow, outflow = np.empty(len(receiver)), np.zeros(len(lakes)), np.zeros(len(lakes))
    loss = np.array([one.loss_m3_s for one in lakes], np.float64)
    has_outlet = np.array([one.outlet != NONE for one in lakes], bool)
    kernels.gather(order, receiver, shore.land, lake, loss, has_outlet, water.runoff_m3_s, discharge, inflow, outflow)
    return discharge, inflow, outflow


def _outflow_of_place(lake: np.ndarray, receiver: np.ndarray, outflow: np.ndarray) -> np.ndarray:
    """Whether water leaves a lake from each place: bool (m,)."""
    leaves = (lake >= 0) & (receiver != np.arange(len(lake))) & (lake[receiver] != lake)
    return leaves & (np.append(outflow, 0.0)[lake] > 0.0)


def _lakes(basins: Basins, water: Water, lakes: list[FilledDepression], inflow: np.ndarray, outflow: np.ndarray) -> Lakes:
    level, outlet = _levels(lakes)
    bottom = np.array([basins.bottom[one.node] for one in lakes], np.int32)
    share = np.array([one.share for one in lakes], np.float64)
    area = share * np.array([water.area_m2[one.places].sum() for one in lakes], np.float64)
    depth = [np.float64(one.level_m) - water.level_m[one.places] for one in lakes]
    full = np.array([(d * water.area_m2[one.places]).sum() for d, one in zip(depth, lakes, strict=True)], np.float64)
    return Lakes(level, bottom, outlet, share, area, share * full, inflow, inflow - outflow, outflow)
