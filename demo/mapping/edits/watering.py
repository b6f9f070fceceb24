"""Edits of waters: lakes are drained, hollowed out and dammed; rivers are carved along their drawn courses, or hidden."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..waters.hydrology import NONE
from ..waters.stems import largest_feeders, river_ends
from ..waters.wishes import Wishes
from . import edit as acts
from .edit import Edit, EditProblem
from .edited_ground import Ground

# A lake's bed sinks so much from its rim to its middle, and the land beyond its outlet rises so much above its level.
DEEP_M, DAM_M = 60.0, 5.0
# A carved river falls at least so much a step of the mesh, and its banks rise so much above it.
FALL_M, BANK_M = 0.5, 1.0
# So many parts of a river's points have to be near a line for it to be that river's.
ALIKE = 0.3
# So much of a drawn river has to run where it is drawn.
FOLLOWED = 0.6


@dataclass
class Wanted:
    """The wishes of all edits so far; sets of mesh points, as in `Wishes`."""

    drained: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)
    drawn: set[int] = field(default_factory=set)
    hidden: set[int] = field(default_factory=set)

    def copy(self) -> Wanted:
        return Wanted(*(set(points) for points in vars(self).values()))

    def wishes(self) -> Wishes:
        return Wishes(*(frozenset(points) for points in (self.drained, self.kept, self.drawn, self.hidden)))


def change_lake(ground: Ground, wanted: Wanted, edit: Edit) -> list[int]:
    """Drain a lake, add one, or move one; returns its lowest point. Raises EditProblem."""
    bottom = NONE
    if edit.act in (acts.MOVED, acts.DELETED):
        lake = lake_at(ground, edit.at)
        points = np.flatnonzero(ground.waters.lake_of_point == lake)
        bottom = int(ground.waters.lakes.bottom[lake])
        # Not all its places: a lake nearby may have a part of them.
        wanted.drained.add(bottom)
        wanted.kept -= set(points.tolist())
    if edit.act in (acts.MOVED, acts.ADDED):
        bottom = _hollow(ground, wanted, edit)
    return [bottom]


def lake_at(ground: Ground, at: tuple[float, float]) -> int:
    """The lake of the wet point nearest to a place. Raises EditProblem where there is none nearby."""
    near, square = ground.within(ground.nearest(at), 3.0)
    wet = ground.waters.lake_of_point[near] >= 0
    if not wet.any():
        raise EditProblem("no lake is there")
    return int(ground.waters.lake_of_point[near[wet][np.argmin(square[wet])]])


def _hollow(ground: Ground, wanted: Wanted, edit: Edit) -> int:
    """Make room for a lake: a bed that sinks to one lowest point, a rim without gaps, and one outlet."""
    heights = ground.heights_m
    points = set(ground.inside(edit.shape).tolist()) or {ground.nearest(edit.at)}
    points = _connected(ground, points)
    rim = sorted({q for p in points for q in ground.beside(p)} - points)
    if any(heights[p] <= 0.0 for p in [*points, *rim]):
        raise EditProblem(f"it comes within a step of the global mesh, {ground.step_km:.0f} km, of the sea")
    middle = np.median([float(heights[p]) for p in sorted(points)])
    level = max(float(edit.height_m) if edit.height_m is not None else float(middle), DAM_M)
    steps = _from_rim(ground, points)
    bottom = max(sorted(points), key=lambda p: (steps[p], -heights[p], -p))
    away = _away(ground, points, bottom)
    most = max(away.values()) + 1
    for p in sorted(points):
        heights[p] = np.float32(level - DEEP_M * (1.0 - away[p] / most) - FALL_M)
    outlet = min(rim, key=lambda p: (float(heights[p]), p))
    for p in rim:
        heights[p] = np.float32(level) if p == outlet else max(heights[p], np.float32(level + DAM_M))
    wanted.drained -= points
    wanted.kept.add(bottom)
    return bottom


def _connected(ground: Ground, points: set[int]) -> set[int]:
    """The largest connected part."""
    best: set[int] = set()
    left = set(points)
    while left:
        found, todo = set[int](), [min(left)]
        while todo:
            p = todo.pop()
            if p in left:
                left.remove(p)
                found.add(p)
                todo += ground.beside(p)
        if len(found) > len(best):
            best = found
    return best


def _from_rim(ground: Ground, points: set[int]) -> dict[int, int]:
    """How many steps each point is away from those outside."""
    steps, left, away = dict[int, int](), set(points), 0
    while left:
        rim = {p for p in left if any(q not in left for q in ground.beside(p))} or set(left)
        steps |= dict.fromkeys(rim, away)
        left -= rim
        away += 1
    return steps


def _away(ground: Ground, points: set[int], bottom: int) -> dict[int, int]:
    """How many steps within `points` each of them is away from one of them."""
    steps, rim = {bottom: 0}, [bottom]
    while rim:
        rim = sorted({q for p in rim for q in ground.beside(p) if q in points and q not in steps})
        away = max(steps.values()) + 1
        steps |= dict.fromkeys(rim, away)
    return steps


def change_river(ground: Ground, wanted: Wanted, edit: Edit) -> list[int]:
    """Hide a river, carve one, or move one; returns its points downstream. Raises EditProblem."""
    old = set(river_at(ground, edit.before)) if edit.act in (acts.MOVED, acts.DELETED) else set[int]()
    wanted.hidden |= old
    wanted.drawn -= old
    if edit.act == acts.DELETED:
        return sorted(old)
    path = _carve(ground, edit)
    wanted.drawn |= set(path)
    wanted.hidden -= set(path)
    return path


def river_at(ground: Ground, line: tuple[tuple[float, float], ...]) -> list[int]:
    """The points of the river that has most of a line, upstream. Raises EditProblem where none has."""
    drawn = set(ground.path(line))
    around = drawn | {q for p in drawn for q in ground.beside(p)}
    feeder, best = largest_feeders(ground.waters), (ALIKE, list[int]())
    for end in river_ends(ground.waters).tolist():
        chain = [end]
        while feeder[chain[-1]] >= 0 and ground.waters.lake_of_point[feeder[chain[-1]]] < 0:
            chain.append(int(feeder[chain[-1]]))
        alike = len(drawn & set(chain)) / len(drawn) + 0.1 * len(around & set(chain)) / len(chain)
        best = max(best, (alike, chain), key=lambda found: found[0])
    if not best[1]:
        raise EditProblem("no river of the global mesh runs there")
    return [p for p in best[1] if p in around]


def _carve(ground: Ground, edit: Edit) -> list[int]:
    """Lower the land along a drawn river so that it falls all the way, and raise its banks where they are lower."""
    heights, lake = ground.heights_m, ground.waters.lake_of_point
    path = ground.path([place for part in edit.shape for place in part])
    if heights[path[0]] <= 0.0 < heights[path[-1]]:
        path = path[::-1]
    path, mouth_m = _to_water(ground, path)
    count, last = len(path), np.inf
    bed = np.array([min(float(heights[p]), _lowest_bank(ground, p, set(path)) - BANK_M) for p in path])
    for k in range(count):
        bed[k] = max(min(bed[k], last - FALL_M), mouth_m + FALL_M * (count - k))
        last = bed[k]
    heights[path] = bed.astype(np.float32)
    for p, own in zip(path, bed.tolist(), strict=True):
        for q in ground.beside(p):
            if q not in path and heights[q] > 0.0 and lake[q] < 0 and heights[q] <= own:
                heights[q] = np.float32(own + BANK_M)
    return path


def _to_water(ground: Ground, path: list[int]) -> tuple[list[int], float]:
    """(the part of a path from its source to the first sea or lake that it comes to, the level of what it ends in)."""
    waters, heights = ground.waters, ground.heights_m
    wet = [heights[p] <= 0.0 or waters.lake_of_point[p] >= 0 for p in path]
    if False not in wet:
        raise EditProblem("runs through water alone")
    first = wet.index(False)
    last = next((k for k in range(first, len(path)) if wet[k]), len(path))
    dry = path[first:last]
    # Water beside the sea runs straight into it.
    ashore = next((k for k, p in enumerate(dry) if any(heights[q] <= 0.0 for q in ground.beside(p))), len(dry))
    if ashore < len(dry):
        if ashore + 1 < FOLLOWED * len(dry):
            raise EditProblem(f"it comes within a step of the global mesh, {ground.step_km:.0f} km, of the sea too early")
        return dry[: ashore + 1], 0.0
    if last < len(path):
        lake = int(waters.lake_of_point[path[last]])
        return dry, float(waters.lakes.level_m[lake]) if lake >= 0 else 0.0
    return dry, max(min(float(heights[q]) for q in ground.beside(dry[-1])), 0.0)


def _lowest_bank(ground: Ground, point: int, path: set[int]) -> float:
    """The height of the lowest land beside a point that is not on the path."""
    banks = [float(ground.heights_m[q]) for q in ground.beside(point) if q not in path and ground.heights_m[q] > 0.0]
    return min(banks, default=np.inf)
