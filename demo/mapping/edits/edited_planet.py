"""A planet under edits: its global heights and waters once every round of edits has been laid on the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...worlds.climate.mesh_climate import Climate, climate_of
from ...worlds.doublecone.local_mesh import Planet
from ..waters.hydrology import Hydrology, hydrology_of
from ..waters.landmasses import Globe
from ..waters.wishes import Wishes
from . import edit as acts
from .aiming import Aim
from .edit import Edit, EditProblem, Round
from .edited_ground import Ground
from .lifting import MEANT_STEPS, lift_coast, lift_peak
from .peak_tops import PeakTops
from .watering import FOLLOWED, Wanted, change_lake, change_river

# Later ones have the last word: a river is carved through all that the others have made.
ORDER = ("coast", "peak", "lake", "river")
Flooding = Callable[[np.ndarray, Wishes], Hydrology]


@dataclass(frozen=True)
class Trace:
    """What has become of one edit on the global mesh: its `points`, or the `problem` for which it is left out."""

    edit: Edit
    points: tuple[int, ...]
    problem: str = ""


@dataclass(frozen=True)
class EditedPlanet:
    """`planet` and `waters` as edited; `before`: the waters without any edit; `ground`: the places of the mesh.

    `climate`, `wishes`: what `hydrology_of` takes besides, to find the same waters again.
    """

    planet: Planet
    waters: Hydrology
    before: Hydrology
    ground: Ground
    traces: tuple[Trace, ...]
    climate: Climate
    wishes: Wishes


def edited_planet(
    planet: Planet,
    ln: int,
    globe: Globe,
    climate: Climate,
    before: Hydrology,
    rounds: tuple[Round, ...],
    least_lake_m2: float = 0.0,
    threads: int = 1,
) -> EditedPlanet:
    """Lay rounds of edits on a planet. `before`: its waters without them; the other arguments are those of `hydrology_of`.

    The climate stays as it was, or an edit here would change rivers everywhere; only new land and new sea have their own.
    """
    waters, wanted, traces = before, Wanted(), list[Trace]()

    def flooded(heights_m: np.ndarray, wishes: Wishes) -> Hydrology:
        weather = _climate(planet, heights_m, climate)
        return hydrology_of(heights_m, weather, globe=globe, threads=threads, least_lake_m2=least_lake_m2, wishes=wishes)

    def peaks_of(heights_m: np.ndarray, waters: Hydrology) -> PeakTops:
        return PeakTops(replace(planet, heights_m=heights_m), ln, globe, waters)

    ground = Ground(planet.heights_m, globe, waters, peaks_of(planet.heights_m, waters))
    for edits in rounds:
        ordered = sorted(edits, key=lambda one: ORDER.index(one.thing) if one.thing in ORDER else len(ORDER))
        laid, ground, waters, wanted = _round_laid(ground, wanted, ordered, flooded, peaks_of)
        traces += laid
    weather = _climate(planet, ground.heights_m, climate)
    edited = replace(planet, heights_m=ground.heights_m)
    return EditedPlanet(edited, waters, before, ground, tuple(traces), weather, wanted.wishes())


def _round_laid(
    before: Ground, wanted: Wanted, edits: Sequence[Edit], flooded: Flooding, peaks_of: Callable[..., PeakTops]
) -> tuple[list[Trace], Ground, Hydrology, Wanted]:
    """One round laid again and again, until nothing in it fails and all peaks have their heights, or as nearly as can be.

    Returns what has become of each edit, and the ground, its waters and all wishes with these edits.
    """
    left_out: dict[int, str] = {}
    aims = [Aim(settled=_aim_m(edit) is None) for edit in edits]
    while True:
        ground, trial = before.again(), wanted.copy()
        laid = [_laid(ground, trial, edit, left_out.get(k, ""), aims[k].more_m) for k, edit in enumerate(edits)]
        waters = flooded(ground.heights_m, trial.wishes())
        failed = {k: problem for k, trace in enumerate(laid) if (problem := _failed(waters, trace))}
        # Without them all is laid again: what cannot be honoured leaves no trace.
        left_out |= failed
        if not failed:
            peaks = peaks_of(ground.heights_m, waters)
            for aim, trace in zip(aims, laid, strict=True):
                if not aim.settled:
                    aim.learn(_missed_m(peaks, trace, ground.step))
            if all(aim.settled for aim in aims):
                ground.waters, ground.peaks = waters, peaks
                return laid, ground, waters, trial


def _aim_m(edit: Edit) -> float | None:
    """The height that a peak is given, metres; None for other edits."""
    return edit.height_m if edit.thing == "peak" and edit.act in (acts.HEIGHT, acts.ADDED, acts.MOVED) else None


def _missed_m(peaks: PeakTops, trace: Trace, step: float) -> float | None:
    """By how much a peak is lower than its edit has it, metres; None where none stands."""
    wanted, top = _aim_m(trace.edit), None if trace.problem else peaks.nearest(trace.edit.place, MEANT_STEPS * step)
    return None if wanted is None or top is None else wanted - top.height_m


def _laid(ground: Ground, wanted: Wanted, edit: Edit, left_out: str, more_m: float) -> Trace:
    """One edit laid on the ground, or left out whole; `left_out`: why it has to be, or "". `more_m`: see `lift_peak`."""
    if left_out:
        return Trace(edit, (), left_out)
    if edit.act == acts.RENAMED:
        return Trace(edit, (ground.nearest(edit.at),))
    change: Callable[[], list[int]] = {
        "coast": lambda: lift_coast(ground, edit),
        "peak": lambda: lift_peak(ground, edit, more_m),
        "lake": lambda: change_lake(ground, wanted, edit),
        "river": lambda: change_river(ground, wanted, edit),
    }[edit.thing]
    heights, before = ground.heights_m.copy(), wanted.copy()
    try:
        return Trace(edit, tuple(change()))
    except EditProblem as problem:
        ground.heights_m = heights
        vars(wanted).update(vars(before))
        return Trace(edit, (), str(problem))


def _failed(waters: Hydrology, trace: Trace) -> str:
    """Why waters are not as an edit has them; "" where they are."""
    edit, points = trace.edit, list(trace.points)
    if trace.problem or edit.thing not in ("lake", "river") or edit.act == acts.RENAMED:
        return ""
    if edit.thing == "lake":
        dry = edit.act != acts.DELETED and waters.lake_of_point[points[0]] < 0
        return "its land is too dry to feed it, or a river has cut through its rim" if dry else ""
    runs = waters.order_of_point[points] > 0
    if edit.act == acts.DELETED:
        return "rivers or a lake upstream still need a way to the sea" if runs.mean() > 0.5 else ""
    on = waters.receiver_of_point[points[:-1]] == np.array(points[1:])
    kept = float((runs[:-1] & on).mean()) if len(points) > 1 else float(runs[0])
    return "" if kept >= FOLLOWED else f"its water takes another way over {1.0 - kept:.0%} of it"


def _climate(planet: Planet, heights_m: np.ndarray, climate: Climate) -> Climate:
    """The planet's climate, with that of the edited planet where land has become sea or the sea land."""
    other = (planet.heights_m > 0.0) != (heights_m > 0.0)
    if not other.any():
        return climate
    anew = climate_of(heights_m, atlas=planet.atlas)
    return Climate(*(np.where(other, getattr(anew, name), getattr(climate, name)) for name in Climate.__dataclass_fields__))
