"""What has become of edits: how far each reaches, and which could not be honoured, with the reasons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..degrees import directions
from ..edits import edit as acts
from ..edits.edit import Edit
from ..edits.edited_planet import EditedPlanet, Trace
from ..waters.hydrology import Hydrology
from ..waters.landmass_kernels import connect
from .given_names import nearest
from .records import PlanetMap

# The local mesh carries a change of the global one so many steps further.
BEYOND_STEPS = 5
# A peak may differ by so much from the height that it is given, in metres, or in parts of it.
PEAK_M, PEAK_PART = 30.0, 0.1


@dataclass(frozen=True)
class Outcome:
    """One edit: how far from it anything changes, km, in how many catchments, and why it is not honoured, or "".

    `height_m`: of a peak, as the local mesh has it.
    """

    edit: Edit
    reach_km: float
    catchments: int
    problem: str
    height_m: float | None = None


def outcomes_of(planet: PlanetMap, edited: EditedPlanet, missing: list[tuple[Edit, str]]) -> list[Outcome]:
    """By edit; `missing`: those whose thing bears no name, with the reason."""
    unnamed = {id(edit): reason for edit, reason in missing}
    out = []
    for trace, found in zip(edited.traces, _by_trace(edited), strict=True):
        height = _peak_height(planet, edited, trace)
        problem = trace.problem or _failed(trace.edit, height) or unnamed.get(id(trace.edit), "")
        out.append(Outcome(trace.edit, *_reach(edited, trace, found), problem, height))
    return out


def changed_points(before: Hydrology, after: Hydrology) -> np.ndarray:
    """Points at which the waters or the land have changed: bool (points,)."""
    same = [
        (getattr(before, name) == getattr(after, name))
        for name in ("heights_m", "surface_m", "receiver_of_point", "discharge_m3_s", "order_of_point", "mouth_of_point")
    ]
    same.append((before.lake_of_point >= 0) == (after.lake_of_point >= 0))
    changed: np.ndarray = ~np.logical_and.reduce(same)
    return changed


def _by_trace(edited: EditedPlanet) -> list[np.ndarray]:
    """The changed points that each trace answers for: all that hang together with it, and what hangs together with none but
    is nearer to it than to others."""
    ground, changed = edited.ground, changed_points(edited.before, edited.waters)
    part = np.where(changed, connect(changed, ground.globe.neighbour), -1)
    owned = [np.zeros(len(changed), bool) for _ in edited.traces]
    seeds = [_seeds(edited, trace) for trace in edited.traces]
    met = [set(np.unique(part[seed][part[seed] >= 0]).tolist()) for seed in seeds]
    acting = [k for k, seed in enumerate(seeds) if len(seed)]
    for number in np.unique(part[part >= 0]).tolist() if acting else ():
        here = part == number
        mine = [k for k in acting if number in met[k]]
        if not mine:
            middle = ground.place[here].mean(axis=0)
            mine = [max(acting, key=lambda k: float((ground.place[seeds[k]] @ middle).max()))]
        for k in mine:
            owned[k] |= here
    return [np.flatnonzero(points) for points in owned]


def _seeds(edited: EditedPlanet, trace: Trace) -> np.ndarray:
    """The points of an edit and their neighbours; none where it changes neither land nor water."""
    if not trace.points or trace.edit.act == acts.RENAMED:
        return np.zeros(0, np.int64)
    ground = edited.ground
    own = np.array([ground.nearest(trace.edit.at), *(p for p in trace.points if p >= 0)])
    return np.unique(np.append(ground.globe.neighbour[own], own))


def _reach(edited: EditedPlanet, trace: Trace, found: np.ndarray) -> tuple[float, int]:
    """(km from an edit to the farthest of the points that it has changed, the catchments in which these are)."""
    if not len(found):
        return 0.0, 0
    ground = edited.ground
    here = directions(np.array(trace.edit.at))
    chord = float(np.sqrt(((ground.place[found] - here) ** 2).sum(axis=1).max()))
    arc = 2.0 * float(np.arcsin(min(0.5 * chord, 1.0))) * ground.globe.radius_m * 1e-3
    mouths = edited.waters.mouth_of_point[found]
    return arc + BEYOND_STEPS * ground.step_km, len(np.unique(mouths[mouths >= 0]))


def _peak_height(planet: PlanetMap, edited: EditedPlanet, trace: Trace) -> float | None:
    """The height of the peak of an edit; None without one, and for other edits."""
    edit = trace.edit
    if edit.thing != "peak" or edit.act in (acts.RENAMED, acts.DELETED) or trace.problem:
        return None
    near = nearest(planet, edit, 1.5 * edited.ground.step)
    return None if near is None else float(planet.peaks[near].height_m)


def _failed(edit: Edit, height_m: float | None) -> str:
    """Why a peak is not as an edit has it; "" where it is, and for other things."""
    if edit.thing != "peak" or edit.act in (acts.RENAMED, acts.DELETED):
        return ""
    if height_m is None:
        return "it does not stand 300 m above the pass to higher land, as peaks of a map do"
    if edit.height_m is not None and abs(height_m - edit.height_m) > max(PEAK_M, PEAK_PART * edit.height_m):
        return f"it is {height_m:.0f} m high, not {edit.height_m:.0f} m, on the mesh of these --gn and --ln"
    return ""
