"""Glances: where a flight would show one composition for long, its view turns aside and back again.

How far it has turned is told at knots in time, between which it goes on as a B-spline does. Of all courses from knot to knot
that one is taken on which compositions change in time and the view turns little. It is found by dynamic programming
(R. Bellman, "Dynamic Programming", 1957): what a composition costs depends on the last few knots alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ground.ground import Ground
from ..maths.vectors import crosses
from .camera import Pose, poses_of, turns
from .composition import FINE, SKY, WATER, Views, differences, views_of
from .paths import Flight, Track

# Seconds between knots, and how far the view may have turned aside at one, radians to the right, in even steps.
KNOT_S, TURNS = 1.5, np.radians(np.linspace(-33.6, 33.6, 13))
# A composition should have changed after so many knots. From one to the next the view turns by so many steps at most, and by
# no more than so many more or fewer than before.
LAGS, MOST_STEPS, MOST_BENT = 3, 2, 2
# It is over so many seconds before the end: there is the goal.
GOAL_S = 2.0
# A difference of CHANGED is a change for sure; one that is less by SURELY is none, or may be none. The square of what is
# lacking of a change costs SAME, and SOON a knot earlier; a composition that stays too long costs LONG.
CHANGED, SURELY, SAME, SOON, LONG = 1.5, 0.25, 8.0, 0.8, 8.0
# What a view full of water costs, by the share of the ground beyond WET; a step of turning, and each square of a step by
# which the rate of turning changes.
WET, EMPTY, ASIDE, BENT = 0.55, 3.0, 0.02, 0.03
# No ground may be so near ahead, metres, or stand less than ROOM_M below there.
WALL_M, ROOM_M = (60.0, 110.0, 160.0), 12.0
# Seconds between the moments at which turns are measured, and the shares of the fastest turn that are tried.
FINE_S, SURE, SHARES = 0.25, 0.95, (0.95, 0.85, 0.7)


def with_glances(ground: Ground, flight: Flight, start: float, end: float, fastest: float) -> Flight:
    """The flight, with glances between `start` and `end` seconds where it would keep a composition for long.

    Its way stays as it is, and its horizon is as level. At `end` it has reached its goal. `fastest`: radians a second that
    the view turns at most.
    """
    # The last knots before it turns are straight.
    times = np.arange(start + (2 - LAGS) * KNOT_S, end, KNOT_S)
    if len(times) <= LAGS + 2:
        return flight
    straight = np.abs(TURNS) < 1e-9
    turned = _turned_each(ground, flight.poses(times))
    asked: np.ndarray = _inside(times, start, end)[:, None] | straight
    free = asked.copy()
    free[asked] = _are_free(ground, turned[asked])
    gentle = _gentle(ground, flight, times, fastest)
    # What no glance can turn to need not be looked at.
    free = _within_reach(free, gentle[0])
    if not free[:, ~straight].any():
        return flight
    costs = _costs(views_of(ground, turned[free], raster=FINE), free)
    for slow in gentle:
        steps = _cheapest(costs, free, slow)
        if steps is None or not TURNS[steps].any():
            return flight
        control = np.concatenate([[0.0], TURNS[steps], [0.0, 0.0]])[:, None]
        glancing = _looking(ground, flight, Track(control, KNOT_S), float(times[0]))
        if _is_gentle(ground, flight, glancing, start, end, fastest):
            return glancing
    return flight


@dataclass(frozen=True)
class _Costs:
    """Of k knots and o turns: `unchanged[j]`: (k, o, o), what the picture at each knot and turn lacks of being another one
    j + 1 knots later, 0 where it is; `view`: (k, o), what each picture costs by itself."""

    unchanged: np.ndarray
    view: np.ndarray


def _inside(times: np.ndarray, start: float, end: float) -> np.ndarray:
    """At which knots the view may be turned, bool (k,): what a knot does is felt two knots before and after it."""
    return (times > start + 1.5 * KNOT_S) & (times < end - GOAL_S - 2.0 * KNOT_S)


def _turned_each(ground: Ground, poses: np.ndarray) -> np.ndarray:
    """Poses (k, 10) turned by each of TURNS: (k, o, 10)."""
    count = len(TURNS)
    return _turned(ground, np.repeat(poses, count, axis=0), np.tile(TURNS, len(poses))).reshape(-1, count, 10)


def _are_free(ground: Ground, poses: np.ndarray) -> np.ndarray:
    """Whether no ground is close ahead of poses (k, 10): bool (k,)."""
    ahead = np.stack([poses[:, :3] + away * poses[:, 3:6] for away in WALL_M])
    free: np.ndarray = ground.clearance(ahead).min(axis=0) > ROOM_M
    return free


def _within_reach(free: np.ndarray, gentle: np.ndarray) -> np.ndarray:
    """Which turns at each knot may be on a course over those that are `free`, bool (k, o), that begins straight.

    `gentle`: as each of `_gentle` has it.
    """
    knots, count = free.shape
    step = np.arange(count)[None, :] - np.arange(count)[:, None]
    near, which = np.abs(step) <= MOST_STEPS, np.clip(step + MOST_STEPS, 0, 2 * MOST_STEPS)
    ways = near & gentle[:, which]
    out = free.copy()
    out[:LAGS] = np.arange(count) == count // 2
    for knot in range(LAGS, knots):
        out[knot] &= (out[knot - 1][:, None] & ways[knot - 1]).any(axis=0)
    for knot in range(knots - 1, LAGS, -1):
        out[knot - 1] &= (ways[knot - 1] & out[knot]).any(axis=1)
    return out


def _costs(views: Views, seen: np.ndarray) -> _Costs:
    """The costs of the views of those turns that are `seen`, bool (k, o); 0 elsewhere."""
    number = np.full(seen.shape, -1)
    number[seen] = np.arange(len(views.what))
    view = np.zeros(seen.shape)
    view[seen] = _of_views(views, np.abs(TURNS)[np.nonzero(seen)[1]])
    return _Costs(_unchanged(views, number), view)


def _unchanged(views: Views, number: np.ndarray) -> np.ndarray:
    """`_Costs.unchanged` of views. `number`: those of each knot and turn, int (k, o), -1 for none."""
    (knots, count), blocks = number.shape, views.blocks()
    out = np.zeros((LAGS, knots, count, count))
    here, there = np.meshgrid(np.arange(count), np.arange(count), indexing="ij")
    for lag in range(1, LAGS + 1):
        seen = (number[:-lag, :, None] >= 0) & (number[lag:, None, :] >= 0) & (np.abs(here - there) <= MOST_STEPS * lag)
        knot, first, last = np.nonzero(seen)
        change = differences(views, blocks, number[knot, first], number[knot + lag, last], CHANGED)
        out[lag - 1, knot, first, last] = np.clip(CHANGED - change, 0.0, None)
    return out


def _of_views(views: Views, aside: np.ndarray) -> np.ndarray:
    """What views cost by themselves, (m,): those full of water, and those far `aside`, radians (m,)."""
    shares = views.shares()
    sea = shares[:, WATER] / np.maximum(1.0 - shares[:, SKY], 0.05)
    cost: np.ndarray = EMPTY * np.clip(sea - WET, 0.0, None) + ASIDE * aside / (TURNS[1] - TURNS[0])
    return cost


def _gentle(ground: Ground, flight: Flight, times: np.ndarray, fastest: float) -> list[np.ndarray]:
    """By how many steps, -MOST_STEPS to MOST_STEPS, the view may turn from each knot to the next: bool (k - 1, steps).

    One for each of SHARES, of the `fastest` turn.
    """
    poses = flight.poses(np.arange(times[0] - KNOT_S, times[-1] + 2.0 * KNOT_S, FINE_S))
    forward, up = poses[:, 3:6], poses[:, 6:9]
    axes = (forward, up, crosses(forward, up))
    axis = 0.5 * sum(crosses(axis[:-1], axis[1:]) for axis in axes) / FINE_S
    whole = turns(forward, up) / FINE_S
    right = -(axis * ground.up(poses[:-1, :3])).sum(axis=1)
    rates = np.arange(-MOST_STEPS, MOST_STEPS + 1) * (TURNS[1] - TURNS[0]) / KNOT_S
    total = whole[:, None] ** 2 + 2.0 * right[:, None] * rates + rates**2
    reach, every = round(0.75 * KNOT_S / FINE_S), round(KNOT_S / FINE_S)
    begins = every * np.arange(1, len(times))
    each = [(total <= (share * fastest) ** 2) | (rates == 0.0) for share in SHARES]
    return [np.stack([slow[begin - reach : begin + every + reach].all(axis=0) for begin in begins]) for slow in each]


def _cheapest(costs: _Costs, free: np.ndarray, gentle: np.ndarray) -> np.ndarray | None:
    """The turns of k knots, int (k,), that cost least; None where there are none.

    `free`: bool (k, o); `gentle`: as `_gentle` has it. The state is what the last LAGS knots have.
    """
    knots, count = free.shape
    turn = np.arange(count)
    straight = count // 2
    step = turn[None, :] - turn[:, None]
    slow = np.where(np.abs(step) <= MOST_STEPS, np.clip(step + MOST_STEPS, 0, 2 * MOST_STEPS), -1)
    bent = step[None, :, :] - step[:, :, None]
    bending = np.where(np.abs(bent) <= MOST_BENT, BENT * bent**2, np.inf)
    total = np.full((count,) * LAGS, np.inf)
    total[(straight,) * LAGS] = 0.0
    came = []
    for knot in range(LAGS, knots):
        first = knot - LAGS
        soon = np.minimum(costs.unchanged[0, first][:, :, None], costs.unchanged[1, first][:, None, :])
        same = np.minimum(soon[..., None], costs.unchanged[2, first][:, None, None, :])
        own = np.where(free[knot], costs.view[knot], np.inf)
        way = np.where((slow >= 0) & gentle[knot - 1][slow], 0.0, np.inf)
        stays = SAME * same**2 + LONG * np.clip((same - SURELY) / SURELY, 0.0, 1.0)
        each = total[:, :, :, None] + stays + SOON * soon[..., None] ** 2 + (bending + way[None] + own)[None]
        came.append(each.argmin(axis=0))
        total = each.min(axis=0)
    last = np.unravel_index(int(np.argmin(total)), total.shape)
    if not np.isfinite(total[last]):
        return None
    chosen = [int(part) for part in last[::-1]]
    for before in reversed(came):
        chosen.append(int(before[tuple(chosen[: -LAGS - 1 : -1])]))
    return np.array(chosen[::-1])


def _looking(ground: Ground, flight: Flight, aside: Track, start: float) -> Flight:
    """The flight, turned by the radians of `aside`, whose time begins at `start` seconds."""
    last = start + (len(aside.control) - 3) * aside.step

    def pose_at(t: float) -> Pose:
        pose = flight.beyond(t)
        # Frames ask for it: before and after all glances it costs nothing.
        turn = float(aside.at(t - start)[0]) if start < t < last else 0.0
        if turn == 0.0:
            return pose
        turned = _turned(ground, poses_of([pose]), np.array([turn]))[0]
        return replace(pose, forward=turned[3:6], up=turned[6:9])

    def poses_at(times: np.ndarray) -> np.ndarray:
        poses = flight.each_beyond(times)
        during = np.flatnonzero((times > start) & (times < last))
        turn = aside.each(times[during] - start)[:, 0]
        away = during[turn != 0.0]
        poses[away] = _turned(ground, poses[away], turn[turn != 0.0])
        return poses

    return Flight(flight.seconds, pose_at, flight.spherical, poses_at)


def _turned(ground: Ground, poses: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Poses (k, 10) whose views are turned to the right about the vertical by `turn` (k,) radians."""
    out, vertical = poses.copy(), ground.up(poses[:, :3])[:, None]
    c, s = np.cos(turn)[:, None, None], np.sin(turn)[:, None, None]
    # Forward and up at once: each frame turns one pose.
    ways = poses[:, 3:9].reshape(-1, 2, 3)
    along = (ways * vertical).sum(axis=2, keepdims=True) * vertical
    out[:, 3:9] = (along + (ways - along) * c + crosses(ways, vertical) * s).reshape(-1, 6)
    return out


def _is_gentle(ground: Ground, flight: Flight, glancing: Flight, start: float, end: float, fastest: float) -> bool:
    """Whether the view turns slowly enough, or no faster than without glances, and looks into no slope close ahead."""
    times = np.arange(start, end, FINE_S)
    before, poses = (one.poses(times) for one in (flight, glancing))
    own, turned = (turns(part[:, 3:6], part[:, 6:9]) for part in (before, poses))
    if (turned > np.maximum(SURE * fastest * FINE_S, own)).any():
        return False
    ahead = np.concatenate([poses[:, :3] + away * poses[:, 3:6] for away in WALL_M])
    return bool(ground.clearance(ahead).min() > ROOM_M)
