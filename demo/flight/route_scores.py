"""How good routes through a terrain are, by coarse maps of its land."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground
from .overview import Overview

ROUTE_STEP_S = 0.5
# A route should turn by SWUNG radians within SWING of its places, of which every second is looked at; how much that counts.
SWING, SWUNG, SWINGS = 5, np.radians(32.0), 1.8
# The peak ahead at the LAST of those places is the goal of a route; how much it counts.
LAST, GOAL = 5, 3.0
# A view is judged at these distances ahead and radians to the side, from an eye this high above the ground. Metres.
VISTA_M, VISTA_ASIDE, VISTA_EYE_M = (900.0, 1_800.0, 3_500.0, 6_500.0), (0.0, -0.4, 0.4), 200.0
# Where the light is judged: metres ahead, radians to the side. A view is filled by shade where more than SHADY of those
# places turn their backs to the sun.
LIT_M, LIT_ASIDE, SHADY = (800.0, 1_500.0, 2_800.0), (-0.35, 0.0, 0.35), 0.5


@dataclass(frozen=True)
class Weights:
    """What a flight goes after: the weights of its score.

    `walls`: high land around; `valley`: low ground; `shore`: coasts; `subject`: peaks ahead; `bare`: views without land,
    which count against a route.
    """

    walls: float
    valley: float
    shore: float
    subject: float
    bare: float


WEIGHTS = (
    Weights(walls=1.6, valley=1.2, shore=1.0, subject=1.4, bare=1.6),
    Weights(walls=2.2, valley=2.4, shore=0.1, subject=1.4, bare=1.6),
    Weights(walls=1.4, valley=0.5, shore=0.2, subject=3.2, bare=1.2),
)


@dataclass(frozen=True)
class RouteRequest:
    """The route that is wanted: its length in `seconds`, its `speed` in m/s, and its fastest `turn` in radians per second.

    It begins on the side of `eye` (3,), metres, and is judged by its first `shown` seconds. `sun`: the unit vector towards
    it, which routes avoid to face; or None. `fov`: the field of view, radians. `stems`: rivers to follow, as
    `valleys.stems_of` has them.
    """

    seconds: float
    shown: float
    speed: float
    turn: float
    eye: np.ndarray
    fov: float
    sun: np.ndarray | None = None
    stems: tuple[np.ndarray, ...] = ()


def shown_places(request: RouteRequest) -> int:
    """How many places of a route are seen."""
    return int(np.ceil(request.shown / ROUTE_STEP_S)) + 1


def route_scores(
    ground: Ground, overview: Overview, weights: Weights, request: RouteRequest, xz: np.ndarray, heading: np.ndarray
) -> np.ndarray:
    """How much there is to see along routes: (r,)."""
    outside = np.clip(np.abs(xz).max(axis=(1, 2)) / overview.extent_m - 0.43, 0.0, None)
    xz, heading = xz[:, : shown_places(request)], heading[:, : shown_places(request)]
    x, z = xz[..., 0], xz[..., 1]
    height = np.maximum(ground.sampled(np.stack([x, np.zeros_like(x), z], axis=-1)), 0.0)
    mean, highest = overview.at(overview.mean_m, x, z), overview.at(overview.highest_m, x, z)
    land = overview.at(overview.land, x, z)
    relief = overview.relief_m
    walls = np.clip((highest - height) / relief, 0.0, 0.6).mean(axis=1)
    valley = np.clip((mean - height) / relief, -0.4, 0.3).mean(axis=1)
    shore = ((land > 0.35) & (land < 0.92)).mean(axis=1)
    climb = np.abs(np.diff(height, axis=1)).mean(axis=1) / relief
    # The later part of a route weighs more: the best should come last.
    rising = np.linspace(0.6, 1.4, x.shape[1])[::2]
    unlit = np.zeros(len(x)) if request.sun is None else _badly_lit(overview, request.sun, xz, heading)
    # Every second place is enough for what changes slowly.
    xz, heading, height = xz[:, ::2], heading[:, ::2], height[:, ::2]
    subjects = subject_weights(overview.peaks, xz, heading, height, relief).max(axis=-1)
    subject, goal = (subjects * rising).mean(axis=1), subjects[:, -LAST:].mean(axis=1)
    # A flight that never turns shows one picture.
    swings = (
        np.minimum(np.abs(heading[:, SWING:] - heading[:, :-SWING]) / SWUNG, 1.0).mean(axis=1)
        if heading.shape[1] > SWING
        else 0.0
    )
    walled, bare = _views(overview, xz, heading, height)
    return (
        weights.walls * walls
        + weights.valley * valley
        + weights.shore * shore
        + weights.subject * subject
        + GOAL * goal
        + SWINGS * swings
        - 2.5 * (land < 0.25).mean(axis=1)
        - 1.2 * (height <= 0.0).mean(axis=1)
        - 30.0 * outside
        - 6.0 * climb
        - 2.0 * walled
        - 1.5 * unlit
        - weights.bare * (bare * rising).mean(axis=1)
    )


def _badly_lit(overview: Overview, sun: np.ndarray, xz: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """How dark or flat the light is on the ground ahead of each route: (r,)."""
    azimuth = np.arctan2(sun[2], sun[0])
    cosine, sine = np.cos(heading), np.sin(heading)
    toward = cosine * np.cos(azimuth) + sine * np.sin(azimuth)
    against = np.clip((toward - 0.3) / 0.6, 0.0, 1.0) + 0.5 * np.clip((-toward - 0.6) / 0.4, 0.0, 1.0)
    # Ground that rises towards the sun turns its back to it.
    along_z, along_x = np.gradient(overview.mean_m, overview.extent_m / len(overview.mean_m))
    rising = along_x * np.cos(azimuth) + along_z * np.sin(azimuth)
    shade = np.zeros(heading.shape)
    for aside in LIT_ASIDE:
        cosine, sine = np.cos(heading + aside), np.sin(heading + aside)
        for away in LIT_M:
            rise = overview.at(rising, xz[..., 0] + away * cosine, xz[..., 1] + away * sine)
            shade += np.clip(rise / 0.2, 0.0, 1.0)
    shade /= len(LIT_ASIDE) * len(LIT_M)
    # A moment that one dark slope fills is worse than two that are dark by half.
    filled = np.clip((shade - SHADY) / (1.0 - SHADY), 0.0, 1.0)
    return (0.6 * against + shade + 2.0 * filled).mean(axis=1)


def _views(overview: Overview, xz: np.ndarray, heading: np.ndarray, height: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(how much each route looks into slopes and not into the distance, (r,); how bare of land each view is, (r, k))."""
    walled = np.zeros(len(height))
    bare = np.ones(height.shape)
    for aside in VISTA_ASIDE:
        cosine, sine = np.cos(heading + aside), np.sin(heading + aside)
        steepest = np.full(height.shape, -1.0)
        for away in VISTA_M:
            x, z = xz[..., 0] + away * cosine, xz[..., 1] + away * sine
            steepest = np.maximum(steepest, (overview.at(overview.tops_m, x, z) - height - VISTA_EYE_M) / away)
            if aside == 0.0 and away > 2_000.0:
                bare = np.minimum(bare, 1.0 - overview.at(overview.land, x, z))
        walled += np.clip((steepest - 0.12) / 0.15, 0.0, 1.5).mean(axis=1) / len(VISTA_ASIDE)
    return walled, bare


def subject_weights(peaks: np.ndarray, xz: np.ndarray, heading: np.ndarray, height: np.ndarray, relief: float) -> np.ndarray:
    """How good a subject each peak is from each place: float64 (..., p) in 0..1. Good ones are ahead, 2 to 12 km away, high.

    `peaks`: (p, 3); `xz`: (..., 2); `height`: (...) of the eye; `relief`: the highest land. All in metres.
    """
    x, z = xz[..., 0], xz[..., 1]
    cosine, sine = np.cos(heading), np.sin(heading)

    def weight(peak: np.ndarray) -> np.ndarray:
        dx, dz = peak[0] - x, peak[2] - z
        away = np.sqrt(dx * dx + dz * dz)
        # The cosine of the angle between the route and the peak: full weight within 40 degrees, none beyond 73.
        ahead = (dx * cosine + dz * sine) / np.maximum(away, 1.0)
        front = np.clip((ahead - 0.29) / 0.47, 0.0, 1.0)
        band = np.clip((away - 1_200.0) / 1_500.0, 0.0, 1.0) * np.clip((14_000.0 - away) / 6_000.0, 0.0, 1.0)
        return front * band * np.clip((peak[1] - height) / (0.5 * relief), 0.0, 1.0)

    # One peak at a time: all at once would leave the processor's cache, and take ten times as long.
    return np.stack([weight(peak) for peak in peaks], axis=-1)
