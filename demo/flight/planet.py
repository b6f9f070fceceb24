"""Flights around a planet: the view while it is born, and one flight from orbit to the ground and out again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ..ground.ground import UP, Ground
from ..maths.easing import smootherstep
from ..maths.vectors import cross, unit
from ..worlds import hashing
from .camera import Pose, facing
from .landing_site import Site, sites
from .paths import Flight, Track, control_times, smoothed, widened

STREAM = 111
STEP_S = 0.5
FAR_FOV, NEAR_FOV = np.radians(38.0), np.radians(50.0)
DISC = 0.66
IDLE_TURN, FASTEST_ORBIT = np.radians(3.0), np.radians(62.0)
# How long the way down, the low pass and the way out take, and the shortest flight that has room for all.
DESCENTS_S, LOW_S, CLIMB_S, WHOLE_S = (20.0, 22.0, 24.5), 5.5, 11.5, 44.0
# Where none of them is gentle enough anywhere: down and up.
SLOWER_S, LONGEST_DESCENT_S = ((30.0, 16.0), (34.0, 16.0)), 38.0
LEAST_CLEARANCE_M = 120.0
LOW_M, PACE_M_S = (190.0, 330.0), (470.0, 640.0)
# On the way down and out so many heights a second ahead, below the height at which that is fast enough.
GLIDE, FASTEST_GLIDE_M = 0.6, 45_000.0
OUT_SHARE = 0.62
CALM = 0.75
# Part of the way down in which the view is turned towards the way.
TURNED = 0.52
# Acceleration by the height above the ground, which is what the eye minds, per square second.
MOST_JOLT = 0.7
FASTEST_TURN = np.radians(12.0)
# Of choosing the side of a planet that is flown to: how many there are to choose from, the places looked at, the cap that
# they lie in, and the share of land that is as good as more.
VIEWS, IN_VIEW, VIEW_CAP, ENOUGH_LAND = 6, 200, np.radians(58.0), 0.45


def birth(radius_m: float, seed: int, seconds: float, pauses: list[tuple[float, float]]) -> Flight:
    """The view of a planet being born: whole, a little off the middle, turning slowly; around the pauses half an orbit.

    Where the pauses lie too close for half an orbit each at FASTEST_ORBIT, the turns run together. The end does not
    depend on `seconds`, and the flight goes on evenly beyond it: `plan` starts from there.
    """
    turned = _turns(seconds, pauses)

    def pose_at(t: float) -> Pose:
        extra = float(turned.at(t)[0]) if t < seconds else 0.0
        return birth_pose(radius_m, seed, t - seconds, extra)

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


def birth_pose(radius_m: float, seed: int, t: float, extra: float = 0.0) -> Pose:
    """The birth's view t seconds after (before, if negative) its end."""
    away = radius_m / np.sin(np.arctan(DISC * np.tan(0.5 * FAR_FOV)))
    direction = birth_directions(seed, t, extra)
    up = north_of(seed)
    right = unit(cross(up, direction))
    return facing(away * direction, -direction + _aside(seed) * right, up, FAR_FOV)


def birth_directions(seed: int, t: np.ndarray | float, extra: float = 0.0) -> np.ndarray:
    """The unit vectors (..., 3) from the planet to the birth's camera at times (...), turned by `extra` radians more."""
    side, north = _sides(seed)
    longitude = 2.0 * np.pi * hashing.uniform(seed, STREAM, 1) + side * (IDLE_TURN * t + extra)
    latitude = np.radians(-4.0 - 12.0 * hashing.uniform(seed, STREAM, 2)) * north
    c, s = np.cos(latitude), np.sin(latitude)
    return np.stack([np.cos(longitude) * c, np.full_like(longitude, s), np.sin(longitude) * c], axis=-1)


def _sides(seed: int) -> tuple[float, float]:
    """(direction of the turning, which pole is up), each 1 or -1."""
    turning, north = (1.0 if hashing.uniform(seed, STREAM, k) < 0.5 else -1.0 for k in (3, 4))
    return turning, north


def north_of(seed: int) -> np.ndarray:
    """The pole that is up in the birth's view, unit (3,)."""
    return np.array([0.0, _sides(seed)[1], 0.0])


def view_seed(ground: Ground, seed: int) -> int:
    """The seed by which to fly over a planet: of VIEWS that `seed` stands for, the one whose birth ends before most land."""
    seeds = [seed, *(hashing.bits(seed, STREAM + 1, k) & 0x7FFFFFFF for k in range(1, VIEWS))]
    x = np.arange(IN_VIEW) + 0.5
    # Evenly over the cap around the pole z that a disc shows without its rim: a spiral by the golden angle.
    z, angle = 1.0 - (1.0 - np.cos(VIEW_CAP)) * x / IN_VIEW, 2.399963 * x
    cap = np.stack([np.sqrt(1.0 - z * z) * np.cos(angle), np.sqrt(1.0 - z * z) * np.sin(angle), z], axis=1)
    poses = [birth_pose(ground.size_m, each, 0.0) for each in seeds]
    frames = np.stack([np.stack([cross(pose.up, unit(pose.position)), pose.up, unit(pose.position)]) for pose in poses])
    land = (ground.sampled(unit(cap @ frames)) > 0.0).mean(axis=1)
    return seeds[int(np.argmax(np.minimum(land, ENOUGH_LAND)))]


@dataclass(frozen=True)
class Phases:
    """When a flight comes down, flies low, and climbs: `low` from `down` seconds on, up from `up` to `out`. `slow`: how many
    times as long as elsewhere the view takes to turn into the way and to rise to the horizon."""

    down: float
    up: float
    out: float
    slow: float = 1.0

    def lowness(self, t: np.ndarray) -> np.ndarray:
        """From 0 far away to 1 near the ground, and back to a share that is left in the end: (k,), of log altitude."""
        return even((t / self.down - 0.10) / 0.90) - OUT_SHARE * even((t - self.up) / (self.out - self.up))


def plan(ground: Ground, seed: int, sun_direction: np.ndarray, seconds: float, calm: bool = False) -> Flight:
    """A flight from the birth's view down to a low pass over a coast or mountains where the sun is low, and out again.

    `sun_direction`: unit (3,) towards the sun. Clearance, detail included, is at least LEAST_CLEARANCE_M, the fastest turn
    FASTEST_TURN (CALM times that if `calm`). The picture's up is the vertical once the horizon is near, the planet's axis
    from afar.
    """
    track = gentlest(ground, _tracks(ground, seed, sun_direction, seconds, calm), seconds, calm)
    return Flight(seconds, lambda moment: pose_of(track.at(moment)), spherical=True)


def gentlest(ground: Ground, tracks: Iterator[Track], seconds: float, calm: bool) -> Track:
    """The first of the tracks over `seconds` that is gentle enough, or else the gentlest one; kept clear of the ground."""
    fastest = 0.96 * FASTEST_TURN * (CALM if calm else 1.0)
    best, least = None, np.inf
    for track in tracks:
        # What turns too fast already does so however high it is flown, and is the last resort.
        harshness = 3.0 * _fastest_turn(track, seconds) / fastest
        if harshness < 3.0:
            track = _lifted(ground, track, seconds)
            turn, jolt = _fastest_turn(track, seconds), _jolt(ground, track, seconds)
            harshness = max(turn / fastest, jolt / (0.94 * MOST_JOLT))
        if harshness < least:
            best, least = track, harshness
        if least < 1.0:
            return best
    return _lifted(ground, best, seconds)


def _tracks(ground: Ground, seed: int, sun: np.ndarray, seconds: float, calm: bool) -> Iterator[Track]:
    """Flights down to sites, the most promising first, each with more and more time for the way down; the slowest last."""
    t = control_times(seconds, STEP_S)
    before = birth_directions(seed, t)
    north = north_of(seed)
    scale = min(seconds / WHOLE_S, 1.0)
    found = sites(ground, seed, sun, before[1], north)
    usual = product(found, [(down, CLIMB_S) for down in DESCENTS_S])
    for site, (down_s, climb_s) in (*usual, *product(found, SLOWER_S)):
        down = min(down_s * (1.25 if calm else 1.0), LONGEST_DESCENT_S) * scale
        up = down + LOW_S * scale
        yield _track(ground, seed, t, before, site, Phases(down, up, up + climb_s * scale), calm)


def _track(ground: Ground, seed: int, t: np.ndarray, before: np.ndarray, site: Site, phases: Phases, calm: bool) -> Track:
    """The flight that turns from `before` (k, 3), the birth's way continued, to `site`."""
    lowness = phases.lowness(t)
    angle = _way(ground, seed, t, lowness, phases, calm)
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    along, ahead = site.start * c + site.heading * s, site.heading * c - site.start * s
    w = even(t / (0.48 * phases.down))
    direction = unit(before * (1.0 - w)[:, None] + along * w[:, None])
    altitude = _altitudes(ground, seed, direction, lowness)
    # The view is on the mountain while it is near, and comes back to the way.
    aside = site.aside * smootherstep((t - 0.55 * phases.down) / (0.45 * phases.down))
    aside = aside * (1.0 - smootherstep((t - phases.up) / (0.6 * (phases.out - phases.up))))
    level = _level(ahead, direction)
    level = level * np.cos(aside)[:, None] + np.cross(level, direction) * np.sin(aside)[:, None]
    falling = np.clip(np.gradient(lowness, t) * phases.down, 0.0, 1.5)
    frames = frames_of(seed, t, direction, level, pitch_of(ground, altitude) - np.radians(6.0) * falling, phases)
    return track_of(ground, t, direction, altitude, frames, phases)


def track_of(
    ground: Ground,
    t: np.ndarray,
    direction: np.ndarray,
    altitude: np.ndarray,
    frames: tuple[np.ndarray, np.ndarray],
    phases: Phases,
) -> Track:
    """The track of directions (k, 3) and altitudes (k,) from the centre, and of `frames_of`."""
    fov = FAR_FOV + (NEAR_FOV - FAR_FOV) * smootherstep(t / phases.down)
    upright = smootherstep((t - 0.365 * phases.down) / (0.14 * phases.down))
    position = direction * (ground.size_m + altitude)[:, None]
    return Track(np.column_stack([position, *frames, upright, fov]), STEP_S)


def _way(ground: Ground, seed: int, t: np.ndarray, lowness: np.ndarray, phases: Phases, calm: bool) -> np.ndarray:
    """Radians along the way (k,), 0 where the low pass begins: slow near the ground, fast far above it."""
    low, high = PACE_M_S
    pace = (low + (high - low) * hashing.uniform(seed, STREAM, 6)) * (CALM if calm else 1.0)
    altitude = np.exp(log_far(ground) * (1.0 - lowness) + np.log(LOW_M[0]) * lowness)
    # In the end the flight comes to rest high above the ground.
    glide = GLIDE * (1.0 - 0.85 * smootherstep((t - phases.up) / (phases.out - phases.up)))
    speed = pace + glide * altitude / (1.0 + altitude / FASTEST_GLIDE_M)
    gone = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1])) * STEP_S])
    return (gone - np.interp(phases.down, t, gone)) / ground.size_m


def frames_of(
    seed: int, t: np.ndarray, direction: np.ndarray, ahead: np.ndarray, pitch: np.ndarray, phases: Phases
) -> tuple[np.ndarray, np.ndarray]:
    """Viewing directions and up, each (k, 3): down on the disc first, then `pitch` above the level way `ahead`.

    The picture is turned towards the way while the planet is still a disc; the view rises about an axis that is level, so
    that the horizon comes into the picture without roll.
    """
    turned = even(t / (TURNED * phases.slow * phases.down))
    risen = even((t - 0.04 * phases.down) / (0.66 * phases.slow * phases.down))[:, None]
    north = _level(north_of(seed), direction)
    yaw = (np.arctan2((np.cross(ahead, north) * direction).sum(axis=1), (ahead * north).sum(axis=1)) * turned)[:, None]
    level = north * np.cos(yaw) - np.cross(direction, north) * np.sin(yaw)
    right = np.cross(level, direction)
    angle = -0.5 * np.pi * (1.0 - risen) + pitch[:, None] * risen
    forward = level * np.cos(angle) + direction * np.sin(angle)
    up = np.cross(right, forward)
    return unit(forward + _aside(seed) * (1.0 - turned)[:, None] * right), up


def even(x: np.ndarray) -> np.ndarray:
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


def pitch_of(ground: Ground, altitude: np.ndarray) -> np.ndarray:
    """Radians above the horizontal (k,) that put the horizon on the upper third, as long as it is seen so."""
    dip = np.arccos(ground.size_m / (ground.size_m + altitude))
    return -np.minimum(dip + np.radians(7.0), np.radians(76.0))


def _fastest_turn(track: Track, seconds: float) -> float:
    """The fastest turn of the picture along a track, in radians a second."""
    at = track.sampled(np.arange(0.0, seconds, 0.25))
    vertical, forward = unit(at[:, :3]), unit(at[:, 3:6])
    up = _level(vertical * at[:, 9:10] + at[:, 6:9] * (1.0 - at[:, 9:10]), forward)
    right = np.cross(forward, up)
    trace = sum((axis[1:] * axis[:-1]).sum(axis=1) for axis in (forward, up, right))
    return float(np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0)).max()) / 0.25


def _jolt(ground: Ground, track: Track, seconds: float) -> float:
    """The greatest acceleration along a track by the height above the ground, per square second."""
    step = 0.25
    at = track.sampled(np.arange(0.0, seconds, step))[:, :3]
    acceleration = np.diff(at, 2, axis=0) / (step * step)
    height = ground.altitude(at[1:-1]) - np.maximum(ground.sampled(at[1:-1]), 0.0)
    return float((np.sqrt((acceleration**2).sum(axis=1)) / np.maximum(height, LEAST_CLEARANCE_M)).max())


def pose_of(channels: np.ndarray) -> Pose:
    position, forward, up, upright, fov = channels[:3], channels[3:6], channels[6:9], channels[9], channels[10]
    vertical = position / np.sqrt(position @ position)
    return facing(position, forward, vertical * upright + up * (1.0 - upright), fov)


def log_far(ground: Ground) -> float:
    """The logarithm of the altitude in metres from which the birth is seen."""
    return float(np.log(ground.size_m / np.sin(np.arctan(DISC * np.tan(0.5 * FAR_FOV))) - ground.size_m))


def _altitudes(ground: Ground, seed: int, direction: np.ndarray, lowness: np.ndarray) -> np.ndarray:
    """Metres above the sea (k,): down in equal factors, along a smooth envelope of the ground, and out again."""
    low = LOW_M[0] + (LOW_M[1] - LOW_M[0]) * hashing.uniform(seed, STREAM, 5)
    floor = np.zeros(len(lowness))
    floor[lowness > 0.25] = ground.max_near(direction[lowness > 0.25] * ground.size_m, 400.0)
    # Where the flight is still high the ground far below must not shake it.
    near, close = smootherstep((lowness - 0.25) / 0.55), smootherstep((lowness - 0.80) / 0.2)
    envelope = smoothed(widened(floor, 8), 7.0) * (near - close) + smoothed(widened(floor, 2), 4.0) * close
    return smoothed(envelope, 2.0) + np.exp(log_far(ground) * (1.0 - lowness) + np.log(low) * lowness)


def _lifted(ground: Ground, track: Track, seconds: float) -> Track:
    """The same track, raised smoothly wherever it would come too near to the ground."""
    control = track.control.copy()
    t = np.arange(0.0, seconds, 0.1)
    for _ in range(12):
        at = Track(control, STEP_S).sampled(t)[:, :3]
        # Where even the highest samples around are far below there is no need to ask for the detail, which takes time.
        close = ground.altitude(at) < 2.0 * ground.highest_m + 10_000.0
        standing = ground.max_near(at[close], ground.cell_m, detail=False) + 1.5 * ground.margin_m
        close[close] = standing + 1.3 * LEAST_CLEARANCE_M > ground.altitude(at[close])
        lack = np.zeros(len(t))
        lack[close] = ground.max_near(at[close], 150.0) + 1.3 * LEAST_CLEARANCE_M - ground.altitude(at[close])
        if lack.max() <= 0.0:
            break
        need = np.zeros(len(control))
        np.maximum.at(need, np.clip(np.round(t / STEP_S).astype(np.intp) + 1, 0, len(need) - 1), np.clip(lack, 0.0, None))
        raised = np.maximum(smoothed(widened(need, 4), 2.5) * 1.15, 0.0)
        control[:, :3] += unit(control[:, :3]) * raised[:, None]
    return Track(control, STEP_S)


def as_printed(t: float, radius_m: float) -> Pose:
    """The article's planet: whole and centred, turning half a degree a second about y."""
    angle = np.radians(0.5 * t)
    position = 3.2 * radius_m * np.array([np.sin(angle), 0.0, np.cos(angle)])
    return facing(position, -position, UP, np.radians(45.0))
