"""Glances: where a flight would show one composition for long, its view turns aside for some seconds and back again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..ground.ground import Ground
from ..maths.easing import smootherstep
from .camera import Pose, turns
from .composition import USUAL, WATER, Views, alike_for, poses_of, views_of
from .paths import Flight

# How far the view turns aside, radians to the right, and when it begins to, seconds after the composition began.
TURNS, LATE_S = np.radians((12.0, -12.0, 21.0, -21.0, 28.0, -28.0)), (0.0, 1.5)
# The way aside, the stay there and the way back. Seconds.
ASIDE_S, STAY_S, BACK_S = 4.5, 0.5, 5.0
WHOLE_S = ASIDE_S + STAY_S + BACK_S
# They are over so many seconds before the end: there is the goal.
GOAL_S = 6.0
# A composition may last so long, seconds: told by pictures every LOOK_S seconds, of which few enough rays go out to take a
# little of what changes for the same.
LONG_S, LOOK_S = 3.75, 0.75
# So many compositions are looked at, none of those that nothing betters within NEAR_S of another. A glance must better
# `_constancy` by BETTER_S; a picture full of water more counts EMPTY against it.
MOST, NEAR_S, BETTER_S, EMPTY = 6, 2.0, 0.2, 2.0
# No ground may be so near ahead, metres, or stand less than ROOM_M below there.
WALL_M, ROOM_M = (60.0, 110.0, 160.0), 12.0
# Seconds between the moments at which turns are measured, and the share of the fastest turn that a glance may reach there.
FINE_S, SURE = 0.25, 0.95


@dataclass(frozen=True)
class Glance:
    """The view turns by `turn` radians to the right, from `begins` seconds on, and back, for WHOLE_S seconds in all."""

    begins: float
    turn: float

    def at(self, t: np.ndarray) -> np.ndarray:
        """How far the view has turned at times (k,), radians."""
        since = t - self.begins
        aside: np.ndarray = smootherstep(since / ASIDE_S) - smootherstep((since - ASIDE_S - STAY_S) / BACK_S)
        return self.turn * aside


def with_glances(ground: Ground, flight: Flight, start: float, end: float, fastest: float) -> Flight:
    """The flight, with glances between `start` and `end` seconds where it keeps a composition for over LONG_S.

    Its way stays as it is, and its horizon is as level. At `end` it has reached its goal. `fastest`: radians a second that
    the view turns at most.
    """
    times = np.arange(start, end, LOOK_S)
    if len(times) < 3:
        return flight
    poses = poses_of([flight.pose(t) for t in times])
    views = views_of(ground, poses, raster=USUAL)
    glances: list[Glance] = []
    hopeless = np.zeros(len(times), bool)
    for _ in range(MOST):
        alike = alike_for(views, LOOK_S)
        longest = int(np.argmax(np.where(hopeless, 0.0, alike)))
        if hopeless[longest] or alike[longest] <= LONG_S:
            break
        best, least = None, _constancy(alike) - BETTER_S
        for glance in _wishes(times[longest], glances, start, end - GOAL_S):
            if not _is_gentle(ground, flight, glance, fastest):
                continue
            seen = _glanced(ground, views, poses, times, glance)
            constancy = _constancy(alike_for(seen, LOOK_S)) + EMPTY * _emptier(seen, views)
            if constancy < least:
                best, least, found = glance, constancy, seen
        if best is None:
            hopeless |= np.abs(times - times[longest]) < NEAR_S
        else:
            glances.append(best)
            views = found
    return _looking(ground, flight, glances) if glances else flight


def _constancy(alike: np.ndarray) -> float:
    """How much too long compositions last, by their times (k,): seconds, of which the longer ones count most."""
    over = np.clip(alike - LONG_S, 0.0, None)
    return float((over * over).sum() * LOOK_S)


def _emptier(seen: Views, before: Views) -> float:
    """How much more water views show than they did `before`: from 0 on, in pictures full of it."""
    more = seen.shares()[:, WATER] - before.shares()[:, WATER]
    return float(np.clip(more.sum(), 0.0, None))


def _wishes(since: float, glances: Sequence[Glance], start: float, end: float) -> Iterator[Glance]:
    """Glances that may change a composition that began at `since`, none of them beside another."""
    for late, turn in product(LATE_S, TURNS):
        begins = min(since + late, end - WHOLE_S)
        if begins >= start and all(abs(begins - other.begins) >= WHOLE_S for other in glances):
            yield Glance(float(begins), float(turn))


def _looking(ground: Ground, flight: Flight, glances: Sequence[Glance]) -> Flight:
    def pose_at(t: float) -> Pose:
        pose = flight.beyond(t)
        # Frames ask for it: outside of glances it costs nothing.
        now = next((glance for glance in glances if 0.0 < t - glance.begins < WHOLE_S), None)
        if now is None:
            return pose
        turned = _turned(ground, poses_of([pose]), now.at(np.array([t])))[0]
        return replace(pose, forward=turned[3:6], up=turned[6:9])

    return Flight(flight.seconds, pose_at, flight.spherical)


def _turned(ground: Ground, poses: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Poses (k, 10) whose views are turned to the right about the vertical by `turn` (k,) radians."""
    vertical, out = ground.up(poses[:, :3]), poses.copy()
    c, s = np.cos(turn)[:, None], np.sin(turn)[:, None]
    for part in (slice(3, 6), slice(6, 9)):
        along = (poses[:, part] * vertical).sum(axis=1)[:, None] * vertical
        out[:, part] = along + (poses[:, part] - along) * c + np.cross(poses[:, part], vertical) * s
    return out


def _glanced(ground: Ground, views: Views, poses: np.ndarray, times: np.ndarray, glance: Glance) -> Views:
    """The views of `poses` at `times` with one more glance."""
    some = np.flatnonzero((times > glance.begins) & (times < glance.begins + WHOLE_S))
    changed = views_of(ground, _turned(ground, poses[some], glance.at(times[some])), raster=USUAL)
    parts = {name: getattr(views, name).copy() for name in ("what", "band", "away_m", "place", "poses")}
    for name, part in parts.items():
        part[some] = getattr(changed, name)
    return Views(**parts)


def _is_gentle(ground: Ground, flight: Flight, glance: Glance, fastest: float) -> bool:
    """Whether the view turns slowly enough while a glance lasts, and looks into no slope close ahead."""
    t = np.arange(glance.begins, glance.begins + WHOLE_S, FINE_S)
    poses = _turned(ground, poses_of([flight.pose(x) for x in t]), glance.at(t))
    if turns(poses[:, 3:6], poses[:, 6:9]).max() > SURE * fastest * FINE_S:
        return False
    some = poses[::4]
    ahead = np.concatenate([some[:, :3] + away * some[:, 3:6] for away in WALL_M])
    return bool(ground.clearance(ahead).min() > ROOM_M)
