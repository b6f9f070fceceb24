"""Flights over a terrain: the view while it is born, and the way through it afterwards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.ground import UP, Ground
from ..maths.easing import smootherstep, smoothstep
from ..worlds import hashing
from . import scout
from .camera import Pose, facing, facings, look_at
from .composition import Planning, most_varied
from .glances import with_glances
from .overview import Overview, overview_of
from .paths import Flight, Track, control_times, smoothed, widened
from .route_scores import ROUTE_STEP_S, RouteRequest
from .terrain_view import FASTEST_TURN, HIGHER, STEP_S, STREAM, height_course, view

FOV = np.radians(46.0)
BIRTH_TURN = np.radians(1.2)
# The width of the square that the birth's view shows: by the width of the land, and at least by that of the terrain.
LAND_IN_VIEW, LEAST_WIDE = 1.12, 0.66
COASTING_S = 8.0
# How long the way down takes, and how much of it is left when carving ends: the land from near is not there before.
DESCENT_S, LEFT_S = 13.5, 7.0
CRUISE_M_S = (470.0, 600.0)
CRUISE_CLEARANCE_M = (150.0, 260.0)
LEAST_CLEARANCE_M = 60.0
WALL_M = (60.0, 110.0, 160.0)
SLOWING_S = 9.0


def birth(ground: Ground, seed: int, seconds: float) -> Flight:
    """The view of the terrain `ground` being born: from three quarters, turning slowly about it and closing in.

    The end does not depend on `seconds`, and the flight goes on evenly beyond it: `plan` starts from there.
    """
    # The ground itself stays out of the flight, which lasts longer.
    wide_m, highest_m = _wide(ground), ground.highest_m
    return Flight(seconds, lambda t: _birth_pose(wide_m, highest_m, seed, t - seconds))


def _wide(ground: Ground) -> float:
    """The width in metres of the square that the birth's view shows: nearly all land, and not much more of the sea."""
    heights = ground.heights_m[0, ::4, ::4]
    across = np.abs(np.linspace(-1.0, 1.0, len(heights)))
    land = np.maximum(across[:, None], across)[heights > 0.0]
    share = LAND_IN_VIEW * float(np.quantile(land, 0.97)) if land.size else 1.0
    return ground.size_m * min(max(share, LEAST_WIDE), 1.0)


def _birth_pose(wide_m: float, relief_m: float, seed: int, t: float) -> Pose:
    """The birth's view t seconds after (before, if negative) its end; after it, it comes to rest."""
    t = t if t < 0.0 else COASTING_S * np.tanh(t / COASTING_S)
    side = 1.0 if hashing.uniform(seed, STREAM, 0) < 0.5 else -1.0
    azimuth = 2.0 * np.pi * hashing.uniform(seed, STREAM, 1) + side * BIRTH_TURN * t
    away = wide_m * (0.74 + 0.26 * (1.0 - np.exp(t / 22.0)))
    elevation = np.radians(20.0 + 11.0 * (1.0 - np.exp(t / 18.0)))
    c, s = np.cos(azimuth), np.sin(azimuth)
    eye = away * np.array([c * np.cos(elevation), np.sin(elevation), s * np.cos(elevation)])
    target = np.array([0.035 * side * wide_m * -s, 0.25 * relief_m, 0.035 * side * wide_m * c])
    return look_at(eye, target, UP, FOV)


@dataclass(frozen=True)
class Past:
    """The land as it was before it was carved. A flight begins over it and keeps clear of it for `seconds`."""

    ground: Ground
    seconds: float


def plan(
    ground: Ground,
    seed: int,
    seconds: float,
    calm: bool = False,
    sun_direction: np.ndarray | None = None,
    past: Past | None = None,
    stems: list[np.ndarray] | None = None,
    end: float | None = None,
    glances: bool = True,
) -> Planning:
    """A flight over `seconds`: from the birth's view down, low through valleys and past peaks, slowing at the end.

    It is planned with pauses. Clearance is at least LEAST_CLEARANCE_M, the fastest turn FASTEST_TURN (half of it if `calm`),
    the horizon level.
    With `sun_direction`, unit (3,), routes avoid flat light and the dark side of slopes.
    `past`: of land that is carved while the flight begins, whose birth was seen over the older land. `stems`: the rivers, as
    `valleys.stems_of` has them; `end`: when the goal is reached, seconds; None: at the end. `glances`: whether other ways
    are tried and the view turns aside where it would stay the same for long.
    """
    end = seconds if end is None else end
    overview = overview_of(ground)
    born = past.ground if past else ground
    descent = min(past.seconds + LEFT_S if past else DESCENT_S, 0.45 * seconds)
    low, high = CRUISE_M_S
    speed = (low + (high - low) * hashing.uniform(seed, STREAM, 2)) * (0.6 if calm else 1.0)
    fastest = FASTEST_TURN * (0.3 if calm else 0.6)
    whole, shown = max(seconds - descent, 2.0), max(end - descent, 2.0)
    t, wide_m = control_times(seconds, STEP_S), _wide(born)
    before = np.stack([_channels(_birth_pose(wide_m, born.highest_m, seed, x)) for x in t])
    request = RouteRequest(whole, shown, speed, fastest, before[1, :3], FOV, sun_direction, tuple(stems or ()))
    routes = scout.best_routes(ground, overview, seed, request)

    def flown(attempt: int) -> Flight:
        xz = _way(routes[attempt % len(routes)], speed, seconds, t, before, descent)
        y = _heights(ground, overview, seed, t, xz, before[:, 1], descent, past)
        looks = view(ground, overview, seed, t, xz, y, before, calm, descent, end)
        track = Track(_lifted(ground, np.column_stack([xz[:, 0], y, xz[:, 1], looks]), seconds, past), STEP_S)
        flight = Flight(seconds, lambda t: _pose(track.at(t)), poses_at=lambda t: _poses(track.each(t)))
        bound = FASTEST_TURN * (0.5 if calm else 1.0)
        return with_glances(ground, flight, 0.08 * descent, end, bound) if glances else flight

    yield
    if not glances:
        return flown(0)
    return (yield from most_varied(ground, flown, 0.0, min(end, seconds - SLOWING_S), len(routes)))


def _pose(channels: np.ndarray) -> Pose:
    """The pose of (x, y, z, yaw, pitch): the horizon is level by construction."""
    x, y, z, yaw, pitch = channels.tolist()
    c = np.cos(pitch)
    return facing(np.array([x, y, z]), np.array([np.cos(yaw) * c, np.sin(pitch), np.sin(yaw) * c]), UP, FOV)


def _poses(channels: np.ndarray) -> np.ndarray:
    """`_pose` for many moments (k, 5), with the same bits: (k, 10), as `poses_of` has them."""
    yaw, pitch = channels[:, 3], channels[:, 4]
    c = np.cos(pitch)
    forward = np.stack([np.cos(yaw) * c, np.sin(pitch), np.sin(yaw) * c], axis=1)
    return facings(channels[:, :3], forward, np.broadcast_to(UP, forward.shape), np.full(len(channels), FOV))


def _channels(pose: Pose) -> np.ndarray:
    """(x, y, z, yaw, pitch) of a pose, float64 (5,): metres and radians."""
    forward = pose.forward
    return np.array([*pose.position, np.arctan2(forward[2], forward[0]), np.arcsin(forward[1])])


def _way(route: scout.Route, speed: float, seconds: float, t: np.ndarray, before: np.ndarray, descent: float) -> np.ndarray:
    """Where the camera is, x and z (k, 2) in metres: the birth's way turning into the route."""
    # Time along the route runs at full speed, and slows down to a tenth at the end.
    since = t - descent
    left = np.clip((seconds - t) / SLOWING_S, 0.0, 1.0)
    pace = 0.1 + 0.9 * smoothstep(left)
    clock = np.cumsum(np.where(since > 0, pace, 0.0)) * STEP_S
    clock = np.where(since > 0, clock - STEP_S + (since[since > 0][0] if (since > 0).any() else 0.0), since)
    w = smootherstep(t / descent)[:, None]
    return before[:, [0, 2]] * (1.0 - w) + _along(route, clock, speed) * w


def _along(route: scout.Route, clock: np.ndarray, speed: float) -> np.ndarray:
    """Positions (k, 2) on a route at times `clock` (k,); before its start, on the straight line that leads to it."""
    x = np.clip(clock / ROUTE_STEP_S, 0.0, len(route.xz) - 1.001)
    i = x.astype(np.intp)
    f = (x - i)[:, None]
    inside = route.xz[i] * (1 - f) + route.xz[i + 1] * f
    first = np.array([np.cos(route.heading[0]), np.sin(route.heading[0])])
    return inside + np.minimum(clock, 0.0)[:, None] * speed * first


def _heights(
    ground: Ground,
    overview: Overview,
    seed: int,
    t: np.ndarray,
    xz: np.ndarray,
    before: np.ndarray,
    descent: float,
    past: Past | None = None,
) -> np.ndarray:
    """Altitudes (k,) in metres: from the birth's down to a smooth envelope of the ground, higher over ridges."""
    low, high = CRUISE_CLEARANCE_M
    wanted = low + (high - low) * hashing.uniform(seed, STREAM, 3)
    points = np.stack([xz[:, 0], np.zeros(len(xz)), xz[:, 1]], axis=1)
    floor = _highest_near(ground, past, points, 300.0, t)
    over = np.clip(floor - overview.at(overview.mean_m, xz[:, 0], xz[:, 1]), 0.0, None)
    seconds = t[-2]
    rising = 0.12 * overview.relief_m * smootherstep((t - seconds + 12.0) / 12.0)
    # It ends low, and slowly.
    higher = wanted * HIGHER ** (height_course(seed, t) * (1.0 - smootherstep((t - seconds + 11.0) / 8.0)))
    envelope = smoothed(widened(floor + higher + 0.2 * over + rising, 1), 2.7)
    w = smootherstep(t / descent)
    return np.exp(np.log(np.maximum(before, envelope)) * (1.0 - w) + np.log(envelope) * w)


def _highest_near(ground: Ground, past: Past | None, points: np.ndarray, metres: float, t: np.ndarray) -> np.ndarray:
    """The highest ground (k,) that is within `metres` of points (k, 3) at times (k,), or was before it was carved."""
    floor = ground.max_near(points, metres)
    return np.maximum(floor, np.where(t < past.seconds, past.ground.max_near(points, metres), floor)) if past else floor


def _lifted(ground: Ground, control: np.ndarray, seconds: float, past: Past | None = None) -> np.ndarray:
    """The same control points, raised smoothly wherever the track comes too near to the ground."""
    control = control.copy()
    t = np.arange(0.0, seconds, 0.1)
    knots = (np.arange(len(control)) - 1.0) * STEP_S
    for _ in range(12):
        at = Track(control, STEP_S).sampled(t)
        floor = _highest_near(ground, past, at[:, :3], 90.0, t)
        lack = np.maximum(floor + 1.35 * LEAST_CLEARANCE_M - at[:, 1], _wall_ahead(ground, at))
        if lack.max() <= 0.0:
            break
        need = np.zeros(len(control))
        np.maximum.at(need, np.clip(np.round(t / STEP_S).astype(np.intp) + 1, 0, len(need) - 1), np.clip(lack, 0.0, None))
        raised = smoothed(widened(need, 4), 2.0) * 1.15 * (knots > 1.0)
        control[:, 1] += np.maximum(raised, 0.0)
    return control


def _wall_ahead(ground: Ground, at: np.ndarray) -> np.ndarray:
    """Metres (m,) by which channels (m, 5) must rise for the camera not to look into a slope close ahead."""
    yaw, pitch = at[:, 3], at[:, 4]
    forward = np.stack([np.cos(yaw) * np.cos(pitch), np.sin(pitch), np.sin(yaw) * np.cos(pitch)], axis=1)
    seen = [at[:, :3] + away * forward for away in WALL_M]
    return np.max([np.maximum(ground.height(point), 0.0) + 8.0 - point[:, 1] for point in seen], axis=0)


def as_printed(t: float, extent_m: float) -> Pose:
    """The article's own view: 2 units away from a terrain 4 units wide, turning half a degree a second about y."""
    angle = np.radians(0.5 * t)
    eye = 0.5 * extent_m * np.array([np.sin(angle), 0.0, np.cos(angle)])
    eye[1] = extent_m / 8.0
    return look_at(eye, np.array([0.0, extent_m / 8.0, 0.0]), UP, np.radians(45.0))
