"""The view of a planet while it is born: the whole disc from afar, turning slowly. A flight over it starts from there."""

from __future__ import annotations

import numpy as np

from ..ground.ground import Ground
from ..maths.vectors import cross, unit
from ..worlds import hashing
from .camera import Pose, facing
from .paths import Flight, Track, control_times, smoothed

STREAM = 111
# The field of view of a planet seen from afar, and the share of half the picture's height that its disc takes.
FAR_FOV, DISC = np.radians(38.0), 0.72
# How fast the view turns about the planet: at rest, and around a pause at most. Radians per second.
IDLE_TURN, FASTEST_ORBIT = np.radians(3.0), np.radians(62.0)
# A planet is flown to from one of VIEWS sides. Each is judged by IN_VIEW places in a cap of radius VIEW_CAP radians; land on
# more than the share ENOUGH_LAND of them is no better.
VIEWS, IN_VIEW, VIEW_CAP, ENOUGH_LAND = 6, 200, np.radians(58.0), 0.45


def birth(radius_m: float, seed: int, seconds: float, pauses: list[tuple[float, float]]) -> Flight:
    """The view of a planet being born: whole, a little off the middle, turning slowly; half an orbit around each pause.

    `radius_m`: the planet's; `pauses`: (from, to) in seconds. Where pauses are too close for half an orbit each at
    FASTEST_ORBIT, the turns run together. The end does not depend on `seconds`, and the flight goes on evenly beyond it:
    `planet.plan` and `river.plan` start from there.
    """
    turned = _turns(seconds, pauses)

    def pose_at(t: float) -> Pose:
        extra = float(turned.at(t)[0]) if t < seconds else 0.0
        return birth_pose(radius_m, seed, t - seconds, extra)

    return Flight(seconds, pose_at, spherical=True)


def _turns(seconds: float, pauses: list[tuple[float, float]]) -> Track:
    """The angle still to be turned about the planet beyond the even turning, radians over time; 0 at the end."""
    t = control_times(seconds, 0.25)
    rate = np.zeros(len(t))
    for start, end in pauses:
        # A raised cosine of that width with FASTEST_ORBIT as its peak turns by half a circle.
        width = max(end - start, 2.0 * np.pi / FASTEST_ORBIT)
        middle = min(0.5 * (start + end), seconds - 0.5 * width - 0.5)
        x = np.clip((t - middle) / width, -0.5, 0.5)
        rate = np.maximum(rate, 2.0 * np.pi / width * 0.5 * (1.0 + np.cos(2.0 * np.pi * x)))
    rate = np.where(t > seconds, 0.0, np.minimum(smoothed(rate, 2.0), FASTEST_ORBIT - IDLE_TURN))
    turned = np.cumsum(rate) * 0.25
    return Track((turned - turned[-1])[:, None], 0.25)


def birth_pose(radius_m: float, seed: int, t: float, extra: float = 0.0) -> Pose:
    """The view t seconds after the end of the birth (before it, if negative), turned by `extra` radians more."""
    away = radius_m / np.sin(np.arctan(DISC * np.tan(0.5 * FAR_FOV)))
    direction = birth_directions(seed, t, extra)
    up = north_of(seed)
    right = unit(cross(up, direction))
    return facing(away * direction, -direction + off_middle(seed) * right, up, FAR_FOV)


def birth_directions(seed: int, t: np.ndarray | float, extra: float = 0.0) -> np.ndarray:
    """The unit vectors (..., 3) from the planet to the birth's camera at times (...), turned by `extra` radians more."""
    side, north = _sides(seed)
    longitude = 2.0 * np.pi * hashing.uniform(seed, STREAM, 1) + side * (IDLE_TURN * t + extra)
    latitude = np.radians(-4.0 - 12.0 * hashing.uniform(seed, STREAM, 2)) * north
    c, s = np.cos(latitude), np.sin(latitude)
    return np.stack([np.cos(longitude) * c, np.full_like(longitude, s), np.sin(longitude) * c], axis=-1)


def _sides(seed: int) -> tuple[float, float]:
    """(the direction in which the view turns, the pole that is up), each 1 or -1."""
    turning, north = (1.0 if hashing.uniform(seed, STREAM, k) < 0.5 else -1.0 for k in (3, 4))
    return turning, north


def north_of(seed: int) -> np.ndarray:
    """The pole that is up in the birth's view, unit (3,)."""
    return np.array([0.0, _sides(seed)[1], 0.0])


def view_seed(ground: Ground, seed: int) -> int:
    """The seed of the flight over a planet: of VIEWS that `seed` yields, the one whose birth ends over most land."""
    seeds = [seed, *(hashing.bits(seed, STREAM + 1, k) & 0x7FFFFFFF for k in range(1, VIEWS))]
    x = np.arange(IN_VIEW) + 0.5
    # A spiral by the golden angle: evenly over the cap around the pole z that the disc shows without its rim.
    z, angle = 1.0 - (1.0 - np.cos(VIEW_CAP)) * x / IN_VIEW, 2.399963 * x
    cap = np.stack([np.sqrt(1.0 - z * z) * np.cos(angle), np.sqrt(1.0 - z * z) * np.sin(angle), z], axis=1)
    poses = [birth_pose(ground.size_m, each, 0.0) for each in seeds]
    frames = np.stack([np.stack([cross(pose.up, unit(pose.position)), pose.up, unit(pose.position)]) for pose in poses])
    land = (ground.sampled(unit(cap @ frames)) > 0.0).mean(axis=1)
    return seeds[int(np.argmax(np.minimum(land, ENOUGH_LAND)))]


def off_middle(seed: int) -> float:
    """How far left of the middle of the picture the disc stands, as the tangent of an angle."""
    return _sides(seed)[0] * 0.20 * (16.0 / 9.0) * float(np.tan(0.5 * FAR_FOV))


def log_far(ground: Ground) -> float:
    """The logarithm of the altitude in metres from which the birth is seen."""
    return float(np.log(ground.size_m / np.sin(np.arctan(DISC * np.tan(0.5 * FAR_FOV))) - ground.size_m))
