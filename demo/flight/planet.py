"""The flight over a planet: from the birth's view down to the ground where the sun is low, and out again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from ..ground.ground import UP, Ground
from ..maths.easing import smootherstep
from ..maths.vectors import unit
from ..worlds import hashing
from .camera import Pose, facing
from .descent import CALM, STEP_S, Phases, frames_of, gentlest, level_toward, pitch_of, pose_of, ramp, track_of
from .landing_site import Site, sites
from .paths import Flight, Track, control_times, smoothed, widened
from .planet_birth import STREAM, birth_directions, log_far, north_of

# How long the way down, the low pass and the way out take, and the shortest flight that has room for all three. Seconds.
DESCENTS_S, LOW_S, CLIMB_S, WHOLE_S = (20.0, 22.0, 24.5), 5.5, 11.5, 44.0
# Ways (down, out) for worlds where none of those is gentle enough, and the longest way down.
SLOWER_S, LONGEST_DESCENT_S = ((30.0, 16.0), (34.0, 16.0)), 38.0
# Of the low pass: metres above the ground and metres per second, each from the least to the most.
LOW_M, PACE_M_S = (190.0, 330.0), (470.0, 640.0)
# On the way down and out the flight covers GLIDE times its altitude per second, and hardly more above FASTEST_GLIDE_M.
GLIDE, FASTEST_GLIDE_M = 0.6, 45_000.0


def plan(ground: Ground, seed: int, sun_direction: np.ndarray, seconds: float, calm: bool = False) -> Flight:
    """A flight over `seconds` from the birth's view down to a low pass over coasts or mountains, and out again.

    `sun_direction`: unit (3,) towards the sun, which is low where the flight is. Bounds (`descent`): clearance, detail
    included, is at least LEAST_CLEARANCE_M, the fastest turn FASTEST_TURN, CALM times that if `calm`. The picture's up is
    the planet's axis from afar and the vertical once the horizon is near.
    """
    track = gentlest(ground, _tracks(ground, seed, sun_direction, seconds, calm), seconds, calm)
    return Flight(seconds, lambda moment: pose_of(track.at(moment)), spherical=True)


def _tracks(ground: Ground, seed: int, sun: np.ndarray, seconds: float, calm: bool) -> Iterator[Track]:
    """Tracks down to sites, the most promising site first, each with ever more time for the way down; the slowest last."""
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
    """The track that turns from `before` (k, 3), the birth's way continued, to `site`."""
    lowness = phases.lowness(t)
    angle = _way(ground, seed, t, lowness, phases, calm)
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    along, ahead = site.start * c + site.heading * s, site.heading * c - site.start * s
    w = ramp(t / (0.48 * phases.down))
    direction = unit(before * (1.0 - w)[:, None] + along * w[:, None])
    altitude = _altitudes(ground, seed, direction, lowness)
    # The view turns to the mountain while it is near, and back to the way after it.
    aside = site.aside * smootherstep((t - 0.55 * phases.down) / (0.45 * phases.down))
    aside = aside * (1.0 - smootherstep((t - phases.up) / (0.6 * (phases.out - phases.up))))
    level = level_toward(ahead, direction)
    level = level * np.cos(aside)[:, None] + np.cross(level, direction) * np.sin(aside)[:, None]
    falling = np.clip(np.gradient(lowness, t) * phases.down, 0.0, 1.5)
    frames = frames_of(seed, t, direction, level, pitch_of(ground, altitude) - np.radians(6.0) * falling, phases)
    return track_of(ground, t, direction, altitude, frames, phases)


def _way(ground: Ground, seed: int, t: np.ndarray, lowness: np.ndarray, phases: Phases, calm: bool) -> np.ndarray:
    """Radians along the way (k,), 0 where the low pass begins: slow near the ground, fast far above it."""
    low, high = PACE_M_S
    pace = (low + (high - low) * hashing.uniform(seed, STREAM, 6)) * (CALM if calm else 1.0)
    altitude = np.exp(log_far(ground) * (1.0 - lowness) + np.log(LOW_M[0]) * lowness)
    # At the end the flight comes to rest high above the ground.
    glide = GLIDE * (1.0 - 0.85 * smootherstep((t - phases.up) / (phases.out - phases.up)))
    speed = pace + glide * altitude / (1.0 + altitude / FASTEST_GLIDE_M)
    gone = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1])) * STEP_S])
    return (gone - np.interp(phases.down, t, gone)) / ground.size_m


def _altitudes(ground: Ground, seed: int, direction: np.ndarray, lowness: np.ndarray) -> np.ndarray:
    """Metres above the sea (k,): down in equal factors, along a smooth envelope of the ground, and up again."""
    low = LOW_M[0] + (LOW_M[1] - LOW_M[0]) * hashing.uniform(seed, STREAM, 5)
    floor = np.zeros(len(lowness))
    floor[lowness > 0.25] = ground.max_near(direction[lowness > 0.25] * ground.size_m, 400.0)
    # The ground far below must not shake a flight that is still high.
    near, close = smootherstep((lowness - 0.25) / 0.55), smootherstep((lowness - 0.80) / 0.2)
    envelope = smoothed(widened(floor, 8), 7.0) * (near - close) + smoothed(widened(floor, 2), 4.0) * close
    return smoothed(envelope, 2.0) + np.exp(log_far(ground) * (1.0 - lowness) + np.log(low) * lowness)


def as_printed(t: float, radius_m: float) -> Pose:
    """The article's planet: whole and centred, turning half a degree a second about y."""
    angle = np.radians(0.5 * t)
    position = 3.2 * radius_m * np.array([np.sin(angle), 0.0, np.cos(angle)])
    return facing(position, -position, UP, np.radians(45.0))
