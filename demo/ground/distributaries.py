"""Distributaries: the arms into which a large river parts on the delta that it has built, each of which comes to the sea.

A river that comes to flat ground of its own deposits breaks out to both sides, and the outermost arms leave it first. Arms
are lines as courses are, so their levels, their beds and their water are those of any other river.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..maths.easing import smoothstep
from ..maths.vectors import crosses, lengths, unit
from ..worlds.atlas import Atlas
from ..worlds.carving.lattice import SHELF
from ..worlds.carving.river_ways import SEA, Courses
from ..worlds.hashing import uniforms_at

STREAM = 135
# Rivers part that have at least this share of the largest one's water.
LARGE = 0.04
# A delta is no higher than so many times the shelf that rivers fill up to, from its apex on, and on the way of an arm. The
# apex is where such ground begins beside the river, too, on one side at least: so many cells away.
APEX, ON_WAY, BESIDE = 3.0, 3.0, 1.3
# From the apex to the mouth it is at least and at most so many cells long.
SHORTEST, LONGEST = 1.6, 20.0
# Arms are looked for in these directions to either side of the way from the apex to the mouth, degrees, turned by up to half
# of TURNED and so far from each other.
BEARINGS, MOST_BEARING, TURNED, APART = (18.0, 27.0, 36.0, 46.0, 56.0, 67.0, 78.0), 82.0, 7.0, 17.0
# The sea is at most so many times as far away there as the mouth; so many steps are asked for their height, and it is no
# nearer than so many of them.
FAR, ASKED, NEAREST = 1.7, 28, 3
# An arm leaves the river after this share of the way to its mouth: the outermost, and the innermost at the latest.
LEAVES = 0.04, 0.46
# This share of the arms leave the next outer arm instead of the river, after these shares of its way.
BRANCHING, BRANCHES = 0.45, (0.30, 0.48)
# Shares of the water that an arm takes.
TAKEN = 0.18, 0.34
# It goes on for this share of its way under the sea, so that it fades there, and keeps the river's direction for this one.
DROWNED, ONWARD = 0.10, 0.42
# Points of an arm, at least.
FEWEST = 8
# It swings to both sides by so much of its way, so often on it: at least, and at most.
SWINGS, TIMES = 0.035, (1.3, 2.8)
# After so much of its way it is so many cells away from any other water, or this share of the way to where it began.
LEFT, CLEAR, BEGINS = 0.4, 0.16, 0.05
# So many of its points are held against all water at a time, or they would take 25 MB.
SOME = 16

Heights = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class _Delta:
    """The delta of a river from its point `apex` to its point `mouth`; `ahead`, `aside`: float64 (3,), unit and level, and
    `long`: the way from the one to the other, in radii or extents."""

    line: int
    apex: int
    mouth: int
    ahead: np.ndarray
    aside: np.ndarray
    long: float
    spherical: bool

    def on_world(self, place: np.ndarray) -> np.ndarray:
        """Places (k, 3) that are nearly on the world, on it."""
        return unit(place) if self.spherical else place * [1.0, 0.0, 1.0]


@dataclass(frozen=True)
class _Arm:
    """An arm at `place`, float64 (p, 3). It leaves the arm number `outer`, or the river where that is -1, at its point
    `leaves`, counted from the apex of a river, with the share `taken` of the water there."""

    place: np.ndarray
    outer: int
    leaves: int
    taken: float


def with_arms(courses: Courses, ground: Heights, atlas: Atlas, cell: float, highest_m: float, seed: int) -> Courses:
    """The same courses, with the arms of those that have built deltas. Arms come before what they leave.

    `ground(place)`: metres above the sea (k,) at places (k, 3); `cell`: of the samples, in radii or extents; `highest_m`: of
    the highest land; `seed`: the world's.
    """
    shelf_m = SHELF * highest_m
    last = courses.first[1:] - 1
    large = courses.flow_m3_s[last] >= LARGE * courses.flow_m3_s[last].max(initial=0.0)
    lines = np.flatnonzero((courses.end == SEA) & large)
    # Arms are put before all others, which keep their order.
    lines_before, points_before = len(courses), len(courses.place)
    for found in reversed(_deltas(courses, lines, ground, atlas.spherical, cell, shelf_m)):
        more = len(courses.place) - points_before
        line = found.line + len(courses) - lines_before
        delta = replace(found, line=line, apex=found.apex + more, mouth=found.mouth + more)
        arms = _arms(courses, delta, ground, shelf_m, cell, seed)
        if arms:
            courses = _joined_to(courses, delta, arms)
    return courses


def _deltas(
    courses: Courses, lines: np.ndarray, ground: Heights, spherical: bool, cell: float, shelf_m: float
) -> list[_Delta]:
    """The deltas of some lines, in their order; not all have one."""
    ways = [_lower_way(courses, int(line), cell) for line in lines]
    highs = _heights(ground, [way.place for way in ways])
    seaward = [(way, high) for way, high in zip(ways, highs, strict=True) if (high > 0.0).any()]
    asides = [_aside(way, high, spherical, cell) for way, high in seaward]
    sides = [
        _heights(ground, [way.place + sign * aside for (way, _), aside in zip(seaward, asides, strict=True)])
        for sign in (1.0, -1.0)
    ]
    found = [
        _delta(way, high, np.minimum(*beside), spherical, cell, shelf_m)
        for (way, high), *beside in zip(seaward, *sides, strict=True)
    ]
    return [delta for delta in found if delta]


def _heights(ground: Heights, runs: list[np.ndarray]) -> list[np.ndarray]:
    """The ground (p,) at each of some runs of places (p, 3), which is asked for all of them at once."""
    if not runs:
        return []
    return np.split(ground(np.concatenate(runs)), np.cumsum([len(run) for run in runs])[:-1])


@dataclass(frozen=True)
class _LowerWay:
    """The points of a line, from the point `begin` of all on, where a delta may lie: `place` (p, 3), and `left` (p,), the
    way to the end of the line, in radii or extents. `comes`: whether the line begins before them."""

    line: int
    begin: int
    place: np.ndarray
    left: np.ndarray
    comes: bool


def _lower_way(courses: Courses, line: int, cell: float) -> _LowerWay:
    own = courses.line(line)
    place = courses.place[own]
    step = lengths(np.diff(place, axis=0))
    left = np.concatenate([np.cumsum(step[::-1])[::-1], [0.0]])
    begin = int(np.argmax(left < (LONGEST + 4.0) * cell))
    return _LowerWay(line, own.start + begin, place[begin:], left[begin:], begin > 0)


def _mouth(way: _LowerWay, high: np.ndarray, spherical: bool) -> tuple[int, np.ndarray]:
    """The last point of a way above the sea, and what is up there, unit (3,). `high`: of the ground on it, metres (p,)."""
    mouth = int(np.flatnonzero(high > 0.0)[-1])
    return mouth, unit(way.place[mouth]) if spherical else np.array([0.0, 1.0, 0.0])


def _aside(way: _LowerWay, high: np.ndarray, spherical: bool, cell: float) -> np.ndarray:
    """From each point of a way to the ground beside it, float64 (p, 3)."""
    _, up = _mouth(way, high, spherical)
    aside = crosses(up, np.gradient(way.place, axis=0))
    return aside * (BESIDE * cell / np.maximum(lengths(aside), 1e-15))[:, None]


def _delta(
    way: _LowerWay, high: np.ndarray, beside: np.ndarray, spherical: bool, cell: float, shelf_m: float
) -> _Delta | None:
    """`high`: of the ground on a way, metres above the sea (p,); `beside`: of the lower one of its sides."""
    mouth, up = _mouth(way, high, spherical)
    above = (beside > APEX * shelf_m) | (high > APEX * shelf_m) | (way.left - way.left[mouth] > LONGEST * cell)
    steep = np.flatnonzero(above[:mouth])
    apex = int(steep[-1]) + 1 if len(steep) else 0
    along = way.place[mouth] - way.place[apex]
    along = along - (along @ up) * up
    long = float(np.sqrt(along @ along))
    if (apex < 1 and not way.comes) or long < SHORTEST * cell:
        return None
    ahead = along / long
    return _Delta(way.line, way.begin + apex, way.begin + mouth, ahead, crosses(up, ahead), long, spherical)


def _arms(courses: Courses, delta: _Delta, ground: Heights, shelf_m: float, cell: float, seed: int) -> list[_Arm]:
    """The arms of a delta, each after what it leaves."""
    near = lengths(courses.place - courses.place[delta.apex]) < 2.0 * FAR * delta.long
    water = courses.place[near]
    chance = iter(uniforms_at(seed, STREAM, np.arange(64) + 64 * delta.apex).tolist())
    river = courses.place[delta.apex : delta.mouth + 1]
    step = delta.long / (len(river) - 1)
    found: list[_Arm] = []
    for side in (-1.0, 1.0):
        outer = -1
        for bearing, reach in reversed(_ways(river[0], delta, ground, shelf_m, side, next(chance))):
            inward, branching, taken = 1.0 - bearing / MOST_BEARING, next(chance), next(chance)
            if outer >= 0 and branching < BRANCHING:
                stem, leaves, low, high = found[outer].place, outer, *BRANCHES
            else:
                stem, leaves, low, high = river, -1, LEAVES[0], LEAVES[0] + (LEAVES[1] - LEAVES[0]) * inward
            at = int(np.clip((low + (high - low) * next(chance)) * (len(stem) - 1), 1, len(stem) - 2))
            angle = np.radians(side * bearing)
            goal = river[0] + (1.0 + DROWNED) * reach * (np.cos(angle) * delta.ahead + np.sin(angle) * delta.aside)
            place = delta.on_world(_way(stem, at, goal, step, delta.aside, taken))
            level = ground(place[: int(len(place) / (1.0 + DROWNED))]).max() <= ON_WAY * shelf_m
            if level and _is_clear(place, water, cell):
                outer, water = len(found), np.concatenate([water, place])
                found.append(_Arm(place, leaves, at, TAKEN[0] + (TAKEN[1] - TAKEN[0]) * taken))
    return found


def _ways(
    apex: np.ndarray, delta: _Delta, ground: Heights, shelf_m: float, side: float, chance: float
) -> list[tuple[float, float]]:
    """(degrees, how far away the sea is) in directions to one side of a delta that are level, the least first."""
    bearings = np.array(BEARINGS) + TURNED * (chance - 0.5)
    angles = np.radians(side * bearings)
    ways = np.cos(angles)[:, None] * delta.ahead + np.sin(angles)[:, None] * delta.aside
    away = delta.long * FAR * np.arange(1, ASKED + 1) / ASKED
    at = apex + away[:, None] * ways[:, None]
    high = ground(delta.on_world(at.reshape(-1, 3))).reshape(len(ways), ASKED)
    found: list[tuple[float, float]] = []
    for bearing, along in zip(bearings.tolist(), high, strict=True):
        wet = np.flatnonzero(along < 0.0)
        apart = not found or bearing - found[-1][0] >= APART
        if len(wet) and wet[0] >= NEAREST and along[: wet[0]].max() <= ON_WAY * shelf_m and apart:
            found.append((bearing, float(away[wet[0]])))
    return found


def _is_clear(place: np.ndarray, water: np.ndarray, cell: float) -> bool:
    """Whether an arm at `place` (p, 3) keeps away from other water at places (k, 3). `cell`: as for `with_arms`."""
    gone = lengths(place - place[0])
    asked = np.flatnonzero(gone > LEFT * gone[-1])[::2]
    apart = np.empty(len(asked))
    for start in range(0, len(asked), SOME):
        some = slice(start, start + SOME)
        apart[some] = np.sqrt(((place[asked[some], None] - water) ** 2).sum(axis=2).min(axis=1))
    return bool((apart > np.minimum(CLEAR * cell, BEGINS * gone[asked])).all())


def _way(stem: np.ndarray, leaves: int, goal: np.ndarray, step: float, aside: np.ndarray, chance: float) -> np.ndarray:
    """The places (p, 3), about `step` apart, of an arm that leaves the line `stem` at its point `leaves`, to its goal.

    It swings along `aside` (3,), unit; `chance`: 0..1."""
    begin = stem[leaves]
    onward = stem[min(leaves + 2, len(stem) - 1)] - stem[max(leaves - 2, 0)]
    far = float(np.sqrt((goal - begin) @ (goal - begin)))
    bend = begin + ONWARD * far * onward / max(float(np.sqrt(onward @ onward)), 1e-15)
    s = np.linspace(0.0, 1.0, max(int(np.ceil(far / step)), FEWEST))[:, None]
    often = TIMES[0] + (TIMES[1] - TIMES[0]) * chance
    swing = SWINGS * far * smoothstep(np.minimum(2.0 * s, 1.0)) * np.sin(2.0 * np.pi * (often * s + 5.0 * chance))
    way: np.ndarray = (1.0 - s) ** 2 * begin + 2.0 * s * (1.0 - s) * bend + s * s * goal + swing * aside
    return way


def _joined_to(courses: Courses, delta: _Delta, arms: list[_Arm]) -> Courses:
    """Courses with arms of a river at the beginning, the last of them first."""
    counts = np.array([len(arm.place) for arm in reversed(arms)])
    begin = np.concatenate([[0], np.cumsum(counts)])
    more, many = int(begin[-1]), len(arms)
    flow = np.concatenate([np.zeros(more), courses.flow_m3_s])
    parted = np.empty(many, np.intp)
    river_end = more + courses.line(delta.line).stop
    # Along each river from its beginning on, or an arm would take water that has left before.
    for number in sorted(range(many), key=lambda number: (arms[number].outer, arms[number].leaves)):
        arm, line = arms[number], many - 1 - number
        if arm.outer < 0:
            leaves, end = more + delta.apex + arm.leaves, river_end
        else:
            outer = many - 1 - arm.outer
            leaves, end = int(begin[outer]) + arm.leaves, int(begin[outer + 1])
        parted[line] = leaves
        flow[begin[line] : begin[line + 1]] = arm.taken * flow[leaves]
        flow[leaves:end] *= 1.0 - arm.taken
    return Courses(
        np.concatenate([*(arm.place for arm in reversed(arms)), courses.place]),
        flow,
        np.concatenate([np.full(more, -np.inf, np.float32), courses.lake_m]),
        np.concatenate([begin, more + courses.first[1:]]),
        np.concatenate([np.full(many, SEA), courses.end]),
        np.concatenate([np.full(many, -1), np.where(courses.joined >= 0, courses.joined + more, -1)]),
        np.concatenate([parted, np.where(courses.parted >= 0, courses.parted + more, -1)]),
    )
