"""Flights around a planet: the view while it is born, and the pass along its terminator afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from demo.flight.camera import Pose, facing, unit
from demo.flight.ground import UP, Ground
from demo.flight.paths import Flight, Track, control_times, smoothed, smootherstep, widened
from demo.worlds import hashing

STREAM, PASS_STREAM = 111, 112
STEP_S = 0.5
FAR_FOV, NEAR_FOV = np.radians(38.0), np.radians(50.0)
DISC = 0.66
IDLE_TURN, FASTEST_ORBIT = np.radians(3.0), np.radians(62.0)
APPROACHES_S = np.array([13.5, 16.5, 20.0])
LEAST_CLEARANCE_M = 3_000.0
PASSES, TRIED_PASSES = 384, 8
CLIMB_FROM = 0.58
CALM = 0.75
FASTEST_TURN = np.radians(12.0)


def birth(radius_m: float, seed: int, seconds: float, pauses: list[tuple[float, float]]) -> Flight:
    """The view of a planet being born: whole, a little off the middle, turning slowly; around the pauses half an orbit.

    Where the pauses lie too close for half an orbit each at FASTEST_ORBIT, the turns run together. The end does not
    depend on `seconds`, and the flight goes on evenly beyond it: `plan` starts from there.
    """
    turned = _turns(seconds, pauses)

    def pose_at(t: float) -> Pose:
        extra = float(turned.at(t)[0]) if t < seconds else 0.0
        return _birth_pose(radius_m, seed, t - seconds, extra)

    return Flight(seconds, pose_at, spherical=True)


def _turns(seconds: float, pauses: list[tuple[float, float]]) -> Track:
    """Angle still to be turned about the planet beyond the even turning, radians over time; 0 at the end."""
    t = control_times(seconds, 0.25)
    rate = np.zeros(len(t))
    for start, end in pauses:
        # A raised cosine of that width and the fastest rate turns by half a circle.
        width = max(end - start, 2.0 * np.pi / FASTEST_ORBIT)
        middle = min(0.5 * (start + end), seconds - 0.5 * width - 0.5)
        x = np.clip((t - middle) / width, -0.5, 0.5)
        rate = np.maximum(rate, 2.0 * np.pi / width * 0.5 * (1.0 + np.cos(2.0 * np.pi * x)))
    rate = np.where(t > seconds, 0.0, np.minimum(smoothed(rate, 2.0), FASTEST_ORBIT - IDLE_TURN))
    turned = np.cumsum(rate) * 0.25
    return Track((turned - turned[-1])[:, None], 0.25)


def _birth_pose(radius_m: float, seed: int, t: float, extra: float = 0.0) -> Pose:
    """The birth's view t seconds after (before, if negative) its end."""
    side, north = _sides(seed)
    longitude = 2.0 * np.pi * hashing.uniform(seed, STREAM, 1) + side * (IDLE_TURN * t + extra)
    latitude = np.radians(-4.0 - 12.0 * hashing.uniform(seed, STREAM, 2)) * north
    away = radius_m / np.sin(np.arctan(DISC * np.tan(0.5 * FAR_FOV)))
    c = np.cos(latitude)
    position = away * np.array([np.cos(longitude) * c, np.sin(latitude), np.sin(longitude) * c])
    up = np.array([0.0, north, 0.0])
    right = unit(np.cross(up, position))
    return facing(position, -position / away + _aside(seed) * right, up, FAR_FOV)


def _sides(seed: int) -> tuple[float, float]:
    """(direction of the turning, which pole is up), each 1 or -1."""
    turning, north = (1.0 if hashing.uniform(seed, STREAM, k) < 0.5 else -1.0 for k in (3, 4))
    return turning, north


def plan(ground: Ground, seed: int, sun_direction: np.ndarray, seconds: float, calm: bool = False) -> Flight:
    """A flight around the planet: from the birth's view down to a pass along the terminator, and out again.

    `sun_direction`: unit (3,) towards the sun. Clearance is at least LEAST_CLEARANCE_M, the fastest turn FASTEST_TURN
    (CALM times that if `calm`). The picture's up is the vertical once the horizon is near, the planet's axis from afar.
    """
    track = _gentle_track(ground, seed, sun_direction, seconds, calm)
    return Flight(seconds, lambda moment: _pose(track.at(moment)), spherical=True)


def _gentle_track(ground: Ground, seed: int, sun: np.ndarray, seconds: float, calm: bool) -> Track:
    """The most promising flight that turns slowly enough, or else the one that turns slowest."""
    bound = 0.96 * FASTEST_TURN * (CALM if calm else 1.0)
    best, least = None, np.inf
    for approach in np.minimum(APPROACHES_S * (1.5 if calm else 1.0), 0.68 * seconds):
        for track in _tracks(ground, seed, sun, float(approach), seconds, calm):
            fastest = _fastest_turn(track, seconds)
            if fastest < least:
                best, least = track, fastest
            if least < bound:
                return best
    return best


def _tracks(ground: Ground, seed: int, sun: np.ndarray, approach: float, seconds: float, calm: bool) -> Iterator[Track]:
    """Flights down into passes, the most promising first."""
    times = control_times(seconds, STEP_S)
    rate = np.radians(1.1 if calm else 2.0)
    pace = 1.0 - 0.75 * _climbing(times, approach, seconds)
    angle = rate * (np.cumsum(pace) * STEP_S - STEP_S - approach)
    before = unit(np.stack([_birth_pose(ground.size_m, seed, t).position for t in times]))
    for start, heading in _passes(ground, seed, sun, before[1], rate, approach, seconds):
        yield _track(ground, seed, times, before, start, heading, angle, approach, seconds)


def _track(
    ground: Ground,
    seed: int,
    t: np.ndarray,
    before: np.ndarray,
    start: np.ndarray,
    heading: np.ndarray,
    angle: np.ndarray,
    approach: float,
    seconds: float,
) -> Track:
    """The flight that turns from `before` (k, 3), the birth's way continued, into the pass from `start` with `heading`."""
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    along, ahead = start * c + heading * s, heading * c - start * s
    w = smootherstep(t / approach)
    direction = unit(before * (1.0 - w)[:, None] + along * w[:, None])
    altitude = _altitudes(ground, seed, t, direction, approach, seconds)
    forward, up = _frames(seed, t, direction, ahead, _pitch(ground, altitude), approach)
    fov = FAR_FOV + (NEAR_FOV - FAR_FOV) * w
    upright = smootherstep((t - 0.75 * approach) / (0.25 * approach))
    position = direction * (ground.size_m + altitude)[:, None]
    return Track(np.column_stack([position, forward, up, upright, fov]), STEP_S)


def _frames(
    seed: int, t: np.ndarray, direction: np.ndarray, ahead: np.ndarray, pitch: np.ndarray, approach: float
) -> tuple[np.ndarray, np.ndarray]:
    """Viewing directions and up, each (k, 3): down on the disc first, in the end `pitch` above the level way ahead.

    The picture is turned towards the way while the planet is still a disc; afterwards the view rises about an axis that
    is level, so that the horizon comes into the picture without roll.
    """
    turned = _even(t / (0.62 * approach))
    risen = _even((t - 0.3 * approach) / (0.67 * approach))[:, None]
    north = _level(np.array([0.0, _sides(seed)[1], 0.0]), direction)
    level = _level(north * (1.0 - turned)[:, None] + _level(ahead, direction) * turned[:, None], direction)
    right = np.cross(level, direction)
    angle = -0.5 * np.pi * (1.0 - risen) + pitch[:, None] * risen
    forward = level * np.cos(angle) + direction * np.sin(angle)
    up = np.cross(right, forward)
    return unit(forward + _aside(seed) * (1.0 - turned)[:, None] * right), up


def _even(x: np.ndarray) -> np.ndarray:
    """From 0 to 1 over 0..1, evenly but for its ends, which keeps the fastest turn low."""
    ramp = np.clip((np.clip(x, 0.0, 1.0) - 0.14) / 0.72, 0.0, 1.0)
    steps = 0.14 / max(float(np.diff(x).max()), 1e-9)
    return np.clip(smoothed(ramp, steps / 3.0), 0.0, 1.0)


def _level(toward: np.ndarray, vertical: np.ndarray) -> np.ndarray:
    """Unit vectors (k, 3) at right angles to `vertical` (k, 3), as near to `toward` as can be."""
    return unit(toward - (toward * vertical).sum(axis=-1, keepdims=True) * vertical)


def _aside(seed: int) -> float:
    """How far the disc is off the middle of the picture, as the tangent of an angle; positive: to the left."""
    return _sides(seed)[0] * 0.20 * (16.0 / 9.0) * float(np.tan(0.5 * FAR_FOV))


def _climbing(t: np.ndarray, approach: float, seconds: float) -> np.ndarray:
    """0 to 1 (k,) from where the flight begins to climb out to its end."""
    start = max(CLIMB_FROM * seconds, approach + 2.0)
    return smootherstep((t - start) / max(seconds - start, 1.0))


def _pitch(ground: Ground, altitude: np.ndarray) -> np.ndarray:
    """Radians above the horizontal (k,) that put the horizon on the upper third, as long as it is seen so."""
    dip = np.arccos(ground.size_m / (ground.size_m + altitude))
    return -np.minimum(dip + np.radians(8.0), np.radians(76.0))


def _fastest_turn(track: Track, seconds: float) -> float:
    """The fastest turn of the picture along a track, in radians a second."""
    at = track.sampled(np.arange(0.0, seconds, 0.25))
    vertical, forward = unit(at[:, :3]), unit(at[:, 3:6])
    up = _level(vertical * at[:, 9:10] + at[:, 6:9] * (1.0 - at[:, 9:10]), forward)
    right = np.cross(forward, up)
    trace = sum((axis[1:] * axis[:-1]).sum(axis=1) for axis in (forward, up, right))
    return float(np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0)).max()) / 0.25


def _pose(channels: np.ndarray) -> Pose:
    position, forward, up, upright, fov = channels[:3], channels[3:6], channels[6:9], channels[9], channels[10]
    vertical = position / np.sqrt(position @ position)
    return facing(position, forward, vertical * upright + up * (1.0 - upright), fov)


def _passes(
    ground: Ground, seed: int, sun: np.ndarray, eye: np.ndarray, rate: float, approach: float, seconds: float
) -> list[tuple[np.ndarray, np.ndarray]]:
    """(direction of the start, heading) of the passes with most to see where the sun is low, best first."""
    draws = hashing.uniforms(seed, PASS_STREAM, PASSES * 3).reshape(-1, 3)
    north = np.array([0.0, _sides(seed)[1], 0.0])
    # Ground where the sun stands a few degrees high: off the terminator's circle towards the sun.
    east = unit(np.cross(north, sun))
    east *= 1.0 if east @ eye >= 0.0 else -1.0
    pole = unit(north - (north @ sun) * sun)
    lift = np.radians(5.0 + 13.0 * draws[:, 0])[:, None]
    place = np.radians(-40.0 + 50.0 * draws[:, 1])[:, None]
    ring = east * np.cos(place) + pole * np.sin(place)
    start = ring * np.cos(lift) + sun * np.sin(lift)
    tangent = pole * np.cos(place) - east * np.sin(place)
    turn = np.radians(-30.0 + 60.0 * draws[:, 2])[:, None]
    heading = unit(tangent * np.cos(turn) + np.cross(start, tangent) * np.sin(turn))
    low = max(CLIMB_FROM * seconds - approach, 0.0)
    # From the last of the approach to what is still ahead when the climb begins.
    angle = np.linspace(-3.0 * rate, rate * (low + 9.0), 40)[None, :, None]
    way = start[:, None, :] * np.cos(angle) + heading[:, None, :] * np.sin(angle)
    order = np.argsort(-_scores(ground, sun, way), kind="stable")[:TRIED_PASSES]
    return [(start[k], heading[k]) for k in order]


def _scores(ground: Ground, sun: np.ndarray, way: np.ndarray) -> np.ndarray:
    """How much there is to see along passes (p, k, 3): (p,)."""
    height = ground.sampled(way)
    land = (height > 0.0).astype(np.float64)
    tall = np.maximum(height, 0.0) / max(ground.highest_m, 1.0)
    coasts = np.abs(np.diff(land, axis=1)).mean(axis=1)
    # The longest stretch of sea counts, not only its share: water is boring when it does not end.
    run = np.zeros(len(way))
    longest = np.zeros(len(way))
    for k in range(way.shape[1]):
        run = (run + 1.0) * (land[:, k] == 0.0)
        longest = np.maximum(longest, run)
    sun_height = way @ sun
    lit = ((sun_height > 0.03) & (sun_height < 0.4)).mean(axis=1)
    return (
        1.0 * np.minimum(land.mean(axis=1), 0.75)
        + 1.5 * coasts
        + 2.0 * tall.std(axis=1)
        + tall.mean(axis=1)
        + 1.4 * lit
        - 2.0 * np.clip(longest / way.shape[1] - 0.12, 0.0, None)
    )


def _altitudes(
    ground: Ground, seed: int, t: np.ndarray, direction: np.ndarray, approach: float, seconds: float
) -> np.ndarray:
    """Metres above the sea (k,): down in equal factors, along above the ground, and out again."""
    far = ground.size_m / np.sin(np.arctan(DISC * np.tan(0.5 * FAR_FOV))) - ground.size_m
    low = 20_000.0 + 16_000.0 * hashing.uniform(seed, STREAM, 5)
    floor = ground.max_near(direction * ground.size_m, 12_000.0)
    low = smoothed(widened(floor + low, 3), 3.0)
    w = smootherstep(t / approach) * (1.0 - 0.75 * _climbing(t, approach, seconds))
    return np.exp(np.log(far) * (1.0 - w) + np.log(low) * w)


def as_printed(t: float, radius_m: float) -> Pose:
    """The article's planet: whole and centred, turning half a degree a second about y."""
    angle = np.radians(0.5 * t)
    position = 3.2 * radius_m * np.array([np.sin(angle), 0.0, np.cos(angle)])
    return facing(position, -position, UP, np.radians(45.0))
