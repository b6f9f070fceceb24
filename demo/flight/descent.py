"""Descents: what all flights around a planet share, from orbit down to the ground, low over it, and out again.

A flight has three phases, an altitude over time, and a frame (viewing direction and up) over time. Several tracks are made
for one flight, and the first that is gentle enough is flown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground
from ..maths.easing import smootherstep
from ..maths.vectors import crosses, length, unit
from .camera import Pose, facing, facings, turns
from .paths import Flight, Track, smoothed, widened
from .planet_birth import FAR_FOV, north_of, off_middle

# Between control points, seconds.
STEP_S = 0.5
# The field of view near the ground, radians.
NEAR_FOV = np.radians(50.0)
LEAST_CLEARANCE_M = 120.0
# How far a flight rises again in `lowness` on its way out, where nothing else is said.
OUT_SHARE = 0.62
# A calm flight turns and moves this many times as fast as others.
CALM = 0.75
# The share of the way down during which the view turns towards the way.
TURNED = 0.52
# The share of it during which the disc comes to the middle, and the one from which on up is away from the planet. Beside the
# middle that would be another way than up in the picture, which would roll by some 20 degrees within two seconds.
CENTRED, UPRIGHT = 0.3, 0.24
# The eye minds acceleration divided by the height above the ground: at most this, per square second.
MOST_JOLT = 0.7
# By the share LEAD of the way down a flight comes nearer sooner than `ramp` has it, by none from LED on: seen from afar, a
# slow start is a still.
LEAD, LED = 0.07, 0.38
# Radians per second.
FASTEST_TURN = np.radians(12.0)


@dataclass(frozen=True)
class Phases:
    """The phases of a flight, in seconds since its start: down until `down`, low until `up`, climbing until `out`.

    `slow`: a factor on the time in which the view turns into the way and rises to the horizon; `rises`: how far the flight
    comes down again in `lowness` on its way out.
    """

    down: float
    up: float
    out: float
    slow: float = 1.0
    rises: float = OUT_SHARE

    def lowness(self, t: np.ndarray) -> np.ndarray:
        """How low a flight is at times (k,), linear in log altitude: 0 far away, 1 low, 1 - `rises` at the end."""
        gone = t / self.down
        lead = LEAD * (1.0 - smootherstep(gone / LED))
        return smootherstep(0.5 * gone / LEAD) * ramp(gone + lead) - self.rises * ramp((t - self.up) / (self.out - self.up))


def gentlest(ground: Ground, tracks: Iterator[Track], seconds: float, calm: bool) -> Track:
    """The first of the tracks over `seconds` that is gentle enough, or else the gentlest; kept clear of the ground.

    Raises ValueError without tracks.
    """
    fastest = 0.96 * FASTEST_TURN * (CALM if calm else 1.0)
    best: Track | None = None
    least = np.inf
    for track in tracks:
        # A track that already turns too fast does so at any height: it is the last resort.
        harshness = 3.0 * _fastest_turn(track, seconds) / fastest
        if harshness < 3.0:
            track = _lifted(ground, track, seconds)
            turn, jolt = _fastest_turn(track, seconds), _jolt(ground, track, seconds)
            harshness = max(turn / fastest, jolt / (0.94 * MOST_JOLT))
        if harshness < least:
            best, least = track, harshness
        if least < 1.0:
            return track
    if best is None:
        raise ValueError("there is no track to choose from")
    return _lifted(ground, best, seconds)


def track_of(
    ground: Ground,
    t: np.ndarray,
    direction: np.ndarray,
    altitude: np.ndarray,
    frames: tuple[np.ndarray, np.ndarray],
    phases: Phases,
) -> Track:
    """The track of directions (k, 3) from the planet's centre, altitudes (k,) in metres above the sea, and `frames_of`."""
    fov = FAR_FOV + (NEAR_FOV - FAR_FOV) * smootherstep(t / phases.down)
    upright = smootherstep((t - UPRIGHT * phases.down) / (0.14 * phases.down))
    position = direction * (ground.size_m + altitude)[:, None]
    return Track(np.column_stack([position, *frames, upright, fov]), STEP_S)


def frames_of(
    seed: int, t: np.ndarray, direction: np.ndarray, ahead: np.ndarray, pitch: np.ndarray, phases: Phases
) -> tuple[np.ndarray, np.ndarray]:
    """Viewing directions and up, each (k, 3): at first down on the disc, then `pitch` (k,) radians above the way `ahead`.

    The picture turns towards the way while the planet is still a disc. The view rises about a level axis, so that the
    horizon comes into the picture without roll.
    """
    turned = ramp(t / (TURNED * phases.slow * phases.down))
    risen = ramp((t - 0.04 * phases.down) / (0.66 * phases.slow * phases.down))[:, None]
    north = level_toward(north_of(seed), direction)
    yaw = (np.arctan2((crosses(ahead, north) * direction).sum(axis=1), (ahead * north).sum(axis=1)) * turned)[:, None]
    level = north * np.cos(yaw) - crosses(direction, north) * np.sin(yaw)
    right = crosses(level, direction)
    angle = -0.5 * np.pi * (1.0 - risen) + pitch[:, None] * risen
    forward = level * np.cos(angle) + direction * np.sin(angle)
    up = crosses(right, forward)
    aside = off_middle(seed) * (1.0 - ramp(t / (CENTRED * phases.down)))[:, None]
    return unit(forward + aside * right), up


def ramp(x: np.ndarray) -> np.ndarray:
    """0 to 1 over 0..1 for ascending `x` (k,): a straight line with smoothed ends, which keeps the fastest turn low."""
    ramp = np.clip((np.clip(x, 0.0, 1.0) - 0.14) / 0.72, 0.0, 1.0)
    steps = 0.14 / max(float(np.diff(x).max()), 1e-9)
    return np.clip(smoothed(ramp, steps / 3.0), 0.0, 1.0)


def level_toward(toward: np.ndarray, vertical: np.ndarray) -> np.ndarray:
    """The unit vectors (k, 3) at right angles to `vertical` (k, 3) that are nearest to `toward`."""
    return unit(toward - (toward * vertical).sum(axis=-1, keepdims=True) * vertical)


def pitch_of(ground: Ground, altitude: np.ndarray) -> np.ndarray:
    """Radians above the horizontal (k,) that put the horizon on the upper third, down to a steepest view."""
    dip = np.arccos(ground.size_m / (ground.size_m + altitude))
    return -np.minimum(dip + np.radians(7.0), np.radians(76.0))


def _fastest_turn(track: Track, seconds: float) -> float:
    """The fastest turn of the picture along a track, in radians a second."""
    at = track.sampled(np.arange(0.0, seconds, 0.25))
    vertical, forward = unit(at[:, :3]), unit(at[:, 3:6])
    up = level_toward(vertical * at[:, 9:10] + at[:, 6:9] * (1.0 - at[:, 9:10]), forward)
    return float(turns(forward, up).max()) / 0.25


def _jolt(ground: Ground, track: Track, seconds: float) -> float:
    """The greatest acceleration along a track divided by the height above the ground, per square second."""
    step = 0.25
    at = track.sampled(np.arange(0.0, seconds, step))[:, :3]
    acceleration = np.diff(at, 2, axis=0) / (step * step)
    height = ground.altitude(at[1:-1]) - np.maximum(ground.sampled(at[1:-1]), 0.0)
    return float((np.sqrt((acceleration**2).sum(axis=1)) / np.maximum(height, LEAST_CLEARANCE_M)).max())


def pose_of(channels: np.ndarray) -> Pose:
    """The pose of the channels (11,) of a track: position, forward, up, how far the vertical is up (0..1), field of view."""
    position, forward, up, upright, fov = channels[:3], channels[3:6], channels[6:9], channels[9], channels[10]
    vertical = position / length(position)
    return facing(position, forward, vertical * upright + up * (1.0 - upright), fov)


def flight_of(track: Track, seconds: float) -> Flight:
    """The flight over `seconds` along a track."""
    return Flight(seconds, lambda t: pose_of(track.at(t)), spherical=True, poses_at=lambda t: _poses_of(track.each(t)))


def _poses_of(channels: np.ndarray) -> np.ndarray:
    """`pose_of` for many moments (k, 11), with the same bits: (k, 10)."""
    position, forward, up, upright, fov = (channels[:, part] for part in (slice(3), slice(3, 6), slice(6, 9), [9], 10))
    vertical = position / np.sqrt(np.matmul(position[:, None, :], position[:, :, None])[:, 0])
    return facings(position, forward, vertical * upright + up * (1.0 - upright), fov)


def _lifted(ground: Ground, track: Track, seconds: float) -> Track:
    """The same track, raised smoothly wherever it comes too near to the ground."""
    control = track.control.copy()
    t = np.arange(0.0, seconds, 0.1)
    for _ in range(12):
        at = Track(control, STEP_S).sampled(t)[:, :3]
        # Detail takes time: it is asked for only where the highest samples around are not far below.
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
