"""The flight of the planetary map: from orbit to a river's mouth, up its valley to the source, and out again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from demo.flight.camera import unit
from demo.flight.ground import Ground
from demo.flight.paths import Flight, Track, control_times, smoothed, smootherstep, widened
from demo.flight.planet import (
    CALM,
    FAR_FOV,
    FASTEST_TURN,
    MOST_JOLT,
    NEAR_FOV,
    STEP_S,
    Phases,
    _birth_pose,
    _even,
    _fastest_turn,
    _frames,
    _jolt,
    _lifted,
    _log_far,
    _pitch,
    _pose,
)

# Parts of the time before `end` in which the way down is flown; the rest follows the river.
DOWN = 0.47
# Above the valley, metres, and the lengths of rivers that are neither crept along nor raced along, metres.
LOW_M, CALM_LOW_M = 4_200.0, 5_500.0
SHORTEST_M, LONGEST_M = 70_000.0, 190_000.0
# How far bends are cut, in steps of the flight: the gentlest wins.
BENDS = (4.0, 6.0, 9.0, 13.0, 18.0)
TRIED_ROUTES = 8
# A little before the flight's end the source is reached.
REST_S = 2.0
OUT_S = 12.0


def plan(
    ground: Ground,
    routes: Sequence[np.ndarray],
    seed: int,
    sun_direction: np.ndarray,
    seconds: float,
    end: float,
    calm: bool = False,
) -> Flight:
    """A flight over `seconds` from the birth's view to a river's mouth and along it to its source, reached before `end`.

    `routes`: unit vectors (k, 3) of rivers from mouth to source, the greatest first; `sun_direction`: unit (3,). Bounds are
    those of `planet.plan`. Raises ValueError where there is no river.
    """
    if not routes:
        raise ValueError("there is no river to follow")
    fastest = 0.96 * FASTEST_TURN * (CALM if calm else 1.0)
    best, least = None, np.inf
    for track in _tracks(ground, routes, seed, sun_direction, seconds, end, calm):
        track = _lifted(ground, track, seconds)
        harshness = max(_fastest_turn(track, seconds) / fastest, _jolt(ground, track, seconds) / (0.94 * MOST_JOLT))
        if harshness < least:
            best, least = track, harshness
        if least < 1.0:
            break
    return Flight(seconds, lambda moment: _pose(best.at(moment)), spherical=True)


def chosen(ground: Ground, routes: Sequence[np.ndarray], sun: np.ndarray, eye: np.ndarray) -> list[int]:
    """Numbers of the routes worth following, the best first: of a good length, in daylight, on the side that `eye` sees."""
    scores = []
    for k, route in enumerate(routes):
        length = _lengths(route)[-1] * ground.size_m
        fits = min(length / SHORTEST_M, 1.0) * min(LONGEST_M / max(length, 1.0), 1.0)
        height = route @ sun
        lit = ((height > 0.12) & (height < 0.85)).mean()
        near = 0.5 + 0.5 * float(route[0] @ unit(eye))
        scores.append(2.0 * fits + 2.0 * lit + 1.5 * near - 0.02 * k)
    return np.argsort(-np.array(scores), kind="stable")[:TRIED_ROUTES].tolist()


def _tracks(
    ground: Ground, routes: Sequence[np.ndarray], seed: int, sun: np.ndarray, seconds: float, end: float, calm: bool
) -> Iterator[Track]:
    t = control_times(seconds, STEP_S)
    before = unit(np.stack([_birth_pose(ground.size_m, seed, x).position for x in t]))
    for k in chosen(ground, routes, sun, before[1]):
        for bend in BENDS:
            yield _track(ground, seed, t, before, routes[k], bend, end, calm)


def _track(
    ground: Ground, seed: int, t: np.ndarray, before: np.ndarray, route: np.ndarray, bend: float, end: float, calm: bool
) -> Track:
    """The flight that turns from `before` (k, 3), the birth's way continued, into the river."""
    down, up = DOWN * end, end - REST_S
    along = _along(route, t, down, up, bend)
    ahead = smoothed(np.gradient(along, axis=0), 2.0)
    phases = Phases(down, up, up + OUT_S)
    w = _even(t / (0.62 * down))
    direction = unit(before * (1.0 - w)[:, None] + along * w[:, None])
    altitude = _altitudes(ground, direction, phases.lowness(t), CALM_LOW_M if calm else LOW_M)
    forward, above = _frames(seed, t, direction, ahead, _pitch(ground, altitude), phases)
    fov = FAR_FOV + (NEAR_FOV - FAR_FOV) * smootherstep(t / down)
    upright = smootherstep((t - 0.38 * down) / (0.14 * down))
    position = direction * (ground.size_m + altitude)[:, None]
    return Track(np.column_stack([position, forward, above, upright, fov]), STEP_S)


def _along(route: np.ndarray, t: np.ndarray, down: float, up: float, bend: float) -> np.ndarray:
    """Unit vectors (k, 3) along the river, at its mouth at `down` and at its source at `up` seconds, straight on beyond."""
    gone = _lengths(route)
    share = (t - down) / (up - down) * gone[-1]
    inside = np.stack([np.interp(share, gone, route[:, axis]) for axis in range(3)], axis=1)
    third = max(1, len(route) // 3)
    start, finish = _onward(route[third], route[0]), _onward(route[-1 - third], route[-1])
    inside += np.minimum(share, 0.0)[:, None] * -start + np.maximum(share - gone[-1], 0.0)[:, None] * finish
    return unit(smoothed(inside, bend))


def _onward(behind: np.ndarray, here: np.ndarray) -> np.ndarray:
    """The level unit vector at `here` away from `behind`."""
    away = here - behind
    return unit(away - (away @ here) * here)


def _lengths(route: np.ndarray) -> np.ndarray:
    """Way from the first point to each, radians: float64 (k,)."""
    step = np.sqrt((np.diff(route, axis=0) ** 2).sum(axis=1))
    return np.concatenate([[0.0], np.cumsum(step)])


def _altitudes(ground: Ground, direction: np.ndarray, lowness: np.ndarray, low: float) -> np.ndarray:
    """Metres above the sea (k,): down in equal factors, along a smooth envelope of the valley, and out again."""
    floor = ground.max_near(direction * ground.size_m, 2_500.0)
    near = smootherstep((lowness - 0.5) / 0.4)
    return smoothed(widened(floor, 3), 5.0) * near + np.exp(_log_far(ground) * (1.0 - lowness) + np.log(low) * lowness)
