"""Edits of land: coasts are raised or lowered, peaks lifted with what surrounds them, lowered or taken down."""

from __future__ import annotations

import numpy as np

from . import edit as acts
from .edit import Edit, EditProblem
from .edited_ground import Ground

# A peak lifts the land within so many steps of the mesh.
LIFT_STEPS = 3.0
# New land begins so high and new sea so deep, in metres, and goes on so much higher or deeper a step away from its shore.
LAND_M, LAND_STEP_M, SEA_M, SEA_STEP_M = 30.0, 40.0, 60.0, 120.0
# What is left of a peak that is taken down; less than a peak's least prominence.
LEFT_M = 150.0
# A new peak without a height is so high above the land.
NEW_PEAK_M = 900.0
# A peak that towers over more points than this would take a whole range down with it.
MOST_LOWERED = 600
# The highest peak of an island takes all of it down, so the island may have no more points than this.
MOST_OF_ISLAND = 40
# The highest peak, in metres: on Mars they have 22,000.
MOST_M = 25_000.0
# A peak is the one that an edit means if its top is so near to the edit's place, in steps of the mesh.
MEANT_STEPS = 1.5


def lift_coast(ground: Ground, edit: Edit) -> list[int]:
    """Raise an area out of the sea, or lower it into the sea; returns its points. Raises EditProblem where it has none."""
    up = edit.act == acts.RAISED
    points = ground.inside(edit.shape)
    points = points[(ground.heights_m[points] <= 0.0) == up]
    if not len(points):
        raise EditProblem(f"smaller than a step of the global mesh, {ground.step_km:.0f} km: take a greater --gn")
    inwards = _steps_inwards(ground, points)
    first, more = (LAND_M, LAND_STEP_M) if up else (-SEA_M, -SEA_STEP_M)
    ground.heights_m[points] = (first + more * inwards).astype(np.float32)
    return [int(point) for point in points]


def _steps_inwards(ground: Ground, points: np.ndarray) -> np.ndarray:
    """How many steps each point is away from those outside: float64, 0 for the outermost."""
    left, steps = np.zeros(len(ground.heights_m), bool), np.zeros(len(ground.heights_m))
    left[points] = True
    away = 0
    while left.any():
        rim = left & ~left[ground.globe.neighbour].all(axis=1)
        if not rim.any():
            steps[left] = away
            break
        steps[rim] = away
        left &= ~rim
        away += 1
    return steps[points]


def lift_peak(ground: Ground, edit: Edit, more_m: float = 0.0) -> list[int]:
    """Move a peak, take it down, add one, or give it another height; returns its summit's point. Raises EditProblem.

    `more_m`: how much more the summit is to be raised than it seems. The local mesh rises above the global one, by as much
    as the land is high, so a peak is told how far it has missed its height once it stands.
    """
    if edit.act == acts.HEIGHT:
        assert edit.height_m is not None
        top = ground.peaks.nearest(edit.at, MEANT_STEPS * ground.step)
        if top is None:
            raise EditProblem("no peak is there")
        _raise_by(ground, top.point, edit.height_m, edit.height_m - top.height_m + more_m)
        return [top.point]
    at = ground.nearest(edit.at)
    if edit.act in (acts.MOVED, acts.DELETED):
        top = ground.peaks.nearest(edit.at, MEANT_STEPS * ground.step)
        take_down(ground, top.point if top else at)
    if edit.act in (acts.MOVED, acts.ADDED):
        at = ground.nearest(edit.place)
        height = edit.height_m if edit.height_m is not None else float(ground.heights_m[at]) + NEW_PEAK_M
        if edit.act == acts.MOVED and at == ground.nearest(edit.at):
            raise EditProblem(f"moved by less than a step of the global mesh, {ground.step_km:.0f} km: take a greater --gn")
        _raise_by(ground, at, height, height - float(ground.heights_m[at]) + more_m)
    return [at]


def _raise_by(ground: Ground, point: int, height_m: float, rise_m: float) -> None:
    """Raise a point so that its peak has a height; the land around it follows smoothly, and coasts stay.

    Raises EditProblem in the sea, and for heights that no peak has.
    """
    heights = ground.heights_m
    if heights[point] <= 0.0:
        raise EditProblem("stands in the sea: draw a coast around it first")
    if not LAND_M <= height_m <= MOST_M:
        raise EditProblem(f"{height_m:.0f} m is no height for a peak: from {LAND_M:.0f} to {MOST_M:.0f} m are")
    near, square = ground.within(point, LIFT_STEPS)
    land = near[heights[near] > 0.0]
    part = (1.0 - square[heights[near] > 0.0]) ** 2
    top_m = max(float(heights[point]) + rise_m, 2.0)
    heights[land] = np.maximum(heights[land] + rise_m * part, 1.0).astype(np.float32)
    heights[point] = np.float32(top_m)
    # Nothing beside it stays higher.
    for other in ground.beside(point):
        heights[other] = min(heights[other], np.float32(top_m - 1.0))


def summit_near(ground: Ground, point: int) -> int:
    """The highest of a point and its neighbours."""
    near = [point, *ground.beside(point)]
    return max(near, key=lambda one: (float(ground.heights_m[one]), -one))


def take_down(ground: Ground, point: int) -> None:
    """Lower a peak, and all around it that is above the pass to higher land, to little above that pass."""
    heights = ground.heights_m
    top = summit_near(ground, point)
    above = _above_pass(ground, top)
    if above is None:
        raise EditProblem("towers over all land around it: lower it instead")
    points, pass_m = above
    height = heights[points].astype(np.float64) - pass_m
    heights[points] = (pass_m + height * min(1.0, LEFT_M / float(height.max()))).astype(np.float32)


def _above_pass(ground: Ground, top: int) -> tuple[np.ndarray, float] | None:
    """(the points that a top towers over, the height of the pass to higher land); None where there are too many."""
    heights = ground.heights_m
    mine, rim, lowest = {top}, set(ground.beside(top)), float(heights[top])
    while rim and len(mine) < MOST_LOWERED:
        on = max(rim, key=lambda one: (float(heights[one]), -one))
        if heights[on] > heights[top]:
            return np.array(sorted(p for p in mine if heights[p] > lowest)), lowest
        if heights[on] <= 0.0:
            return (np.array(sorted(mine)), 0.0) if len(mine) <= MOST_OF_ISLAND else None
        rim.remove(on)
        mine.add(on)
        lowest = min(lowest, float(heights[on]))
        rim |= set(ground.beside(on)) - mine
    return None
