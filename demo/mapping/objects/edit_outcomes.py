"""What has become of edits: how far each reaches, and which could not be honoured, with the reasons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..degrees import directions
from ..edits import edit as acts
from ..edits.edit import Edit
from ..edits.edited_planet import EditedPlanet, Trace
from ..waters.hydrology import Hydrology
from .given_names import FIELDS, nearest
from .records import PlanetMap

# The local mesh carries a change of the global one so many steps further.
BEYOND_STEPS = 3
# A peak may differ by so much from the height that it is given, in metres, or in parts of it.
PEAK_M, PEAK_PART = 30.0, 0.03


@dataclass(frozen=True)
class Outcome:
    """One edit: how far from it anything changes, km, in how many catchments, and why it is not honoured, or ""."""

    edit: Edit
    reach_km: float
    catchments: int
    problem: str


def outcomes_of(planet: PlanetMap, edited: EditedPlanet, missing: list[tuple[Edit, str]]) -> list[Outcome]:
    """By edit; `missing`: those whose thing bears no name, with the reason."""
    changed = changed_points(edited.before, edited.waters)
    unnamed = {id(edit): reason for edit, reason in missing}
    return [
        Outcome(
            trace.edit,
            *reach_of(edited, changed, trace),
            trace.problem or _failed(planet, edited, trace) or unnamed.get(id(trace.edit), ""),
        )
        for trace in edited.traces
    ]


def changed_points(before: Hydrology, after: Hydrology) -> np.ndarray:
    """Points at which the waters or the land have changed: bool (points,)."""
    same = [
        (getattr(before, name) == getattr(after, name))
        for name in ("heights_m", "surface_m", "receiver_of_point", "discharge_m3_s", "order_of_point", "mouth_of_point")
    ]
    same.append((before.lake_of_point >= 0) == (after.lake_of_point >= 0))
    changed: np.ndarray = ~np.logical_and.reduce(same)
    return changed


def reach_of(edited: EditedPlanet, changed: np.ndarray, trace: Trace) -> tuple[float, int]:
    """(km from the edit to the farthest change that hangs together with it, the catchments in which that is)."""
    ground = edited.ground
    if not trace.points or trace.problem or trace.edit.act == acts.RENAMED:
        return 0.0, 0
    near = np.zeros(len(changed), bool)
    near[[ground.nearest(trace.edit.at), *(p for p in trace.points if p >= 0)]] = True
    near |= near[ground.globe.neighbour].any(axis=1)
    while True:
        # Changes hang together where they are neighbours.
        wider = near | (changed & near[ground.globe.neighbour].any(axis=1))
        if (wider == near).all():
            break
        near = wider
    found = np.flatnonzero(near & changed)
    if not len(found):
        return 0.0, 0
    here = directions(np.array(trace.edit.at))
    chord = float(np.sqrt(((ground.place[found] - here) ** 2).sum(axis=1).max()))
    arc = 2.0 * float(np.arcsin(min(0.5 * chord, 1.0))) * ground.globe.radius_m * 1e-3
    mouths = edited.waters.mouth_of_point[found]
    return arc + BEYOND_STEPS * ground.step_km, len(np.unique(mouths[mouths >= 0]))


def _failed(planet: PlanetMap, edited: EditedPlanet, trace: Trace) -> str:
    """Why a peak is not as an edit has it; "" where it is, and for other things."""
    edit = trace.edit
    if edit.thing != "peak" or edit.act in (acts.RENAMED, acts.DELETED):
        return ""
    near = nearest(planet, edit, 1.5 * edited.ground.step)
    if near is None:
        return "it does not stand 300 m above the pass to higher land, as peaks of a map do"
    height = float(getattr(planet, FIELDS["peak"])[near].height_m)
    if edit.height_m is not None and abs(height - edit.height_m) > max(PEAK_M, PEAK_PART * edit.height_m):
        return f"it is {height:.0f} m high, not {edit.height_m:.0f} m, on the mesh of these --gn and --ln"
    return ""
