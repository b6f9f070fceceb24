"""The flight of the planetary map: from orbit to a river's mouth, up its valley to the source, and out again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from ..ground.ground import Ground
from ..maths.easing import smootherstep
from ..maths.vectors import unit
from .composition import Planning, most_varied
from .descent import CALM, FASTEST_TURN, STEP_S, Phases, flight_of, frames_of, gentlest, pitch_of, ramp, track_of
from .glances import with_glances
from .paths import Flight, Track, control_times, smoothed, widened
from .planet_birth import birth_directions, log_far, north_of

# (the share of the time before `end` for the way down, the factor `slow` of Phases), in groups; the rest of the time follows
# the river. The first that is gentle enough is flown; all rivers are tried with a group before the next group.
DOWN = (((0.47, 1.0), (0.47, 1.3), (0.56, 1.3), (0.56, 1.45)), ((0.66, 1.45),), ((0.74, 1.45), (0.74, 1.0)))
# Height above the valley, and the lengths of rivers that suit the speed of a flight. Metres.
LOW_M, CALM_LOW_M = 4_200.0, 5_500.0
SHORTEST_M, LONGEST_M = 70_000.0, 190_000.0
# How far bends are cut, in steps of the flight: the gentlest is flown.
BENDS = (4.0, 6.0, 9.0, 13.0, 18.0)
TRIED_ROUTES = 8
# How far a flight may be from its river, metres; farther only where no nearer one is gentle enough.
ASTRAY_M = 25_000.0
# The way along the river begins this far before the mouth, metres.
APPROACH_M = 24_000.0
# Rivers are seen best between these sines of the sun's elevation, and by night below the first of them; the share of a river
# that must be in such light.
LOW_SUN, HIGH_SUN, LIT = 0.12, 0.85, 0.75
# What land that rises beside a river is worth, up to how far above it and how far from it that counts, metres: mountains,
# and the walls of its valley. A river through a plain is a poor flight, whatever stands on the horizon.
RISES = ((2.5, 2_200.0, 18_000.0), (2.0, 1_200.0, 6_000.0))
# At so many places of a river, at least, this is looked at.
LOOKED_AT = 6
# The source is reached this long before the end, and the way out takes this long.
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
) -> Planning:
    """A flight over `seconds` from the birth's view to a river's mouth and along it to its source, reached before `end`.

    It is planned with pauses: other rivers are tried where one composition would stay for long.

    `routes`: unit vectors (k, 3) along each river from mouth to source, the greatest river first; `sun_direction`: unit
    (3,). The bounds are those of `planet.plan`. Raises ValueError without rivers.
    """
    if not routes:
        raise ValueError("there is no river to follow")

    def flown(attempt: int) -> Flight:
        track = gentlest(ground, _tracks(ground, routes, seed, sun_direction, seconds, end, calm, attempt), seconds, calm)
        flight = flight_of(track, seconds)
        return with_glances(ground, flight, 0.08 * end, end, FASTEST_TURN * (CALM if calm else 1.0))

    yield
    return (yield from most_varied(ground, flown, 0.0, end))


def chosen(
    ground: Ground, routes: Sequence[np.ndarray], sun: np.ndarray, eye: np.ndarray, north: np.ndarray
) -> tuple[list[list[int]], list[list[int]]]:
    """(groups of the numbers of routes by day, a group of those by night), the best first.

    By day those in the best light come first, then those under a high sun, and then more of the first.
    Good routes have a suitable length, a valley and mountains beside them, begin on the side that `eye` (3,) sees, and lead
    towards `north`, unit (3,), which is up in the picture.
    """
    scores, lit, day = [], [], []
    for k, route in enumerate(routes):
        length = _lengths(route)[-1] * ground.size_m
        fits = min(length / SHORTEST_M, 1.0) * min(LONGEST_M / max(length, 1.0), 1.0)
        height = route @ sun
        lit.append(((height > LOW_SUN) & (height < HIGH_SUN)).mean())
        day.append((height > LOW_SUN).mean())
        near = 0.5 + 0.5 * float(route[0] @ unit(eye))
        turns = max(_heading(route) @ -north, 0.0)
        scores.append(2.0 * fits + 2.0 * lit[-1] + 1.5 * near - 1.5 * turns + _risen(ground, route) - 0.02 * k)
    best = np.argsort(-np.array(scores), kind="stable")
    in_light, by_day = np.array(lit)[best] >= LIT, np.array(day)[best] >= LIT
    seen, high, dark = (best[which].tolist() for which in (in_light, by_day & ~in_light, ~by_day))
    return [seen[:TRIED_ROUTES], high[:TRIED_ROUTES], seen[TRIED_ROUTES : 2 * TRIED_ROUTES]], [dark[:TRIED_ROUTES]]


def followed(flight: Flight, routes: Sequence[np.ndarray], start: float, end: float) -> int:
    """The number of the route that a flight stays nearest to from `start` to `end` seconds."""
    at = unit(np.stack([flight.pose(t).position for t in np.linspace(start, end, 12)]))
    return int(np.argmax([(at @ route.T).max(axis=1).min() for route in routes]))


def _tracks(
    ground: Ground,
    routes: Sequence[np.ndarray],
    seed: int,
    sun: np.ndarray,
    seconds: float,
    end: float,
    calm: bool,
    attempt: int,
) -> Iterator[Track]:
    """Tracks along the rivers, the best first. `attempt`: from 0; another one begins with another of the best rivers."""
    t = control_times(seconds, STEP_S)
    before = birth_directions(seed, t)
    downs = DOWN[1:] if calm else DOWN
    by_day, by_night = chosen(ground, routes, sun, before[1], north_of(seed))
    first = attempt % max(len(by_day[0]), 1)
    by_day[0] = [*by_day[0][first:], *by_day[0][:first]]
    # A flight that strays from its river is better than one by night.
    for near, group, ways_down in (*product((True, False), by_day, downs), *product((True, False), by_night, downs)):
        for k, bend, (down, slow) in product(group, BENDS, ways_down):
            phases = Phases(down * end, end - REST_S, end - REST_S + OUT_S, slow)
            along = _along(routes[k], t, phases.down, phases.up, bend, APPROACH_M / ground.size_m)
            if (_astray(along[(t > phases.down) & (t < phases.up)], routes[k]) * ground.size_m < ASTRAY_M) == near:
                yield _track(ground, seed, t, before, along, phases, calm)


def _track(
    ground: Ground,
    seed: int,
    t: np.ndarray,
    before: np.ndarray,
    along: np.ndarray,
    phases: Phases,
    calm: bool,
) -> Track:
    """The flight that turns from `before` (k, 3), the birth's way continued, into `along` (k, 3), the river's."""
    ahead = smoothed(np.gradient(along, axis=0), 2.0)
    w = ramp(t / (0.62 * phases.down))
    direction = unit(before * (1.0 - w)[:, None] + along * w[:, None])
    altitude = _altitudes(ground, direction, phases.lowness(t), CALM_LOW_M if calm else LOW_M)
    return track_of(
        ground, t, direction, altitude, frames_of(seed, t, direction, ahead, pitch_of(ground, altitude), phases), phases
    )


def _along(route: np.ndarray, t: np.ndarray, down: float, up: float, bend: float, approach: float) -> np.ndarray:
    """Unit vectors (k, 3) along the river at times `t` (k,): at its mouth at `down` seconds, at its source at `up`.

    Beyond the source the way goes straight on. Before the mouth it comes from `approach` radians away, ever faster.
    """
    gone = _lengths(route)
    share = (t - down) / (up - down) * gone[-1]
    inside = np.stack([np.interp(share, gone, route[:, axis]) for axis in range(3)], axis=1)
    third = max(1, len(route) // 3)
    finish = _onward(route[-1 - third], route[-1])
    before = approach * np.expm1(np.minimum(share, 0.0) / approach)
    inside += before[:, None] * _heading(route) + np.maximum(share - gone[-1], 0.0)[:, None] * finish
    return unit(smoothed(inside, bend))


def _astray(way: np.ndarray, route: np.ndarray) -> float:
    """The greatest distance of a way (k, 3) from a route, radians."""
    return float(np.arccos(np.clip((way @ route.T).max(axis=1), -1.0, 1.0)).max(initial=0.0))


def _risen(ground: Ground, route: np.ndarray) -> float:
    """What the land that rises beside a river is worth, by the means along its course."""
    places = route[:: max(1, len(route) // LOOKED_AT)] * ground.size_m
    water_m = np.maximum(ground.sampled(places), 0.0)

    def share(tall_m: float, beside_m: float) -> float:
        return float(np.minimum((ground.max_near(places, beside_m, detail=False) - water_m) / tall_m, 1.0).mean())

    return sum(worth * share(tall_m, beside_m) for worth, tall_m, beside_m in RISES)


def _heading(route: np.ndarray) -> np.ndarray:
    """The level unit vector at a route's first point along its first third."""
    return -_onward(route[max(1, len(route) // 3)], route[0])


def _onward(behind: np.ndarray, here: np.ndarray) -> np.ndarray:
    """The level unit vector at `here` away from `behind`."""
    away = here - behind
    return unit(away - (away @ here) * here)


def _lengths(route: np.ndarray) -> np.ndarray:
    """The distance along a route from its first point to each, radians: float64 (k,)."""
    step = np.sqrt((np.diff(route, axis=0) ** 2).sum(axis=1))
    return np.concatenate([[0.0], np.cumsum(step)])


def _altitudes(ground: Ground, direction: np.ndarray, lowness: np.ndarray, low: float) -> np.ndarray:
    """Metres above the sea (k,): down in equal factors, along a smooth envelope of the valley, and up again."""
    floor = ground.max_near(direction * ground.size_m, 2_500.0, detail=False)
    near = smootherstep((lowness - 0.5) / 0.4)
    return smoothed(widened(floor, 3), 5.0) * near + np.exp(log_far(ground) * (1.0 - lowness) + np.log(low) * lowness)
