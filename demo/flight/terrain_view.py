"""Where a camera over a terrain looks: ahead along its way, to one peak after the other, and at last to its goal."""

from __future__ import annotations

import numpy as np

from ..ground.ground import Ground
from ..maths.easing import smootherstep
from ..worlds import hashing
from .overview import Overview
from .paths import smoothed, wandering, widened
from .route_scores import subject_weights
from .skyline import skyline

STREAM = 110
STEP_S = 0.5
# How much higher above the ground a flight is by turns, every HIGHER_S seconds; and by how much its view tilts, radians.
# From high up it looks down, and up at the mountains from low down.
HIGHER, TILT, HIGHER_S = 2.8, np.radians(6.5), 5.0
# The least pitch is so far below the skyline ahead, so that there is sky; radians. The steepest views.
BELOW_SKYLINE, STEEPEST = np.radians(13.0), (np.radians(-23.0), np.radians(4.0))
# A subject that the view has rested on for so long is left for another, and may come back after a while; not within GOAL_S
# of the goal. Seconds.
WEARIED_S, RESTED_S, GOAL_S = 3.5, 9.0, 6.0
AHEAD_S = 4.0
# Radians per second; yaw and pitch are bounded lower, because together they turn faster than either.
FASTEST_TURN = np.radians(12.0)
# A view that turns too fast is smoothed over ever more control points (SMOOTHER), and then turns to the way ever later
# (LATER, by the length of the descent).
SMOOTHER, LATER = np.geomspace(2.0, 60.0, 14), (1.25, 1.5, 1.8, 2.2)
THIRD = np.radians(14.0)


def view(
    ground: Ground,
    overview: Overview,
    seed: int,
    t: np.ndarray,
    xz: np.ndarray,
    y: np.ndarray,
    before: np.ndarray,
    calm: bool,
    descent: float,
    end: float,
) -> np.ndarray:
    """Yaw and pitch (k, 2) in radians: ahead along the way, or with a peak on a third of the picture."""
    ahead = round(AHEAD_S / STEP_S)
    later = np.minimum(np.arange(len(t)) + ahead, len(t) - 1)
    toward = xz[later] - xz
    length = np.sqrt((toward * toward).sum(axis=1))
    yaw = np.unwrap(np.arctan2(toward[:, 1], toward[:, 0]))
    yaw[length < 300.0] = yaw[length >= 300.0][-1]
    slope = np.arctan2(y[later] - y, np.maximum(length, 800.0))
    pitch = np.clip(np.radians(-6.5) + 0.4 * slope, np.radians(-20.0), np.radians(3.0))
    yaw, pitch = _with_subject(overview, t - end, xz, y, yaw, pitch)
    eye, level = np.stack([xz[:, 0], y, xz[:, 1]], axis=1), np.stack([np.cos(yaw), np.zeros(len(yaw)), np.sin(yaw)], axis=1)
    pitch = np.maximum(pitch, smoothed(widened(skyline(ground, eye, level), 2), 3.0) - BELOW_SKYLINE)
    pitch = np.clip(pitch + TILT * (1.0 - 2.0 * height_course(seed, t)), *STEEPEST)
    first = np.unwrap(before[:, 3])
    yaw -= 2 * np.pi * np.round((yaw[0] - first[0]) / (2 * np.pi))
    away = np.column_stack([yaw - first, pitch - before[:, 4]])
    bound = FASTEST_TURN * (0.5 if calm else 1.0) * 0.9
    return _bounded(away, np.column_stack([first, before[:, 4]]), t, bound, descent)


def height_course(seed: int, t: np.ndarray) -> np.ndarray:
    """How high the flight is above the ground by turns, 0..1 at times (k,)."""
    return wandering(hashing.uniforms(seed, STREAM + 5, 24), t, HIGHER_S)


def _with_subject(
    overview: Overview, since: np.ndarray, xz: np.ndarray, y: np.ndarray, yaw: np.ndarray, pitch: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Yaw and pitch (k,) turned towards the best peak, as far as it is a good subject and not seen for long.

    `since` (k,): seconds since the goal was reached.
    """
    weights = subject_weights(overview.peaks, xz, yaw, y - 200.0, overview.relief_m)
    weights = smoothed(_wearied(weights, since), 3.0)
    # The power makes one subject win; without it the view would rest between two.
    sharp = np.clip(weights, 0.0, None) ** 3
    total = sharp.sum(axis=1)
    share = np.clip(weights.max(axis=1) * 1.6, 0.0, 0.85)
    d = overview.peaks[None, :, [0, 2]] - xz[:, None, :]
    bearing = np.arctan2(d[..., 1], d[..., 0]) - yaw[:, None]
    bearing = (bearing + np.pi) % (2 * np.pi) - np.pi
    # The subject stands on the third that leaves the way itself in the picture.
    bearing -= THIRD * np.tanh(bearing / np.radians(8.0))
    rise = np.arctan2(overview.peaks[:, 1] - y[:, None], np.sqrt((d * d).sum(axis=2)))
    rise = np.clip(rise - np.radians(6.0), np.radians(-22.0), np.radians(4.0)) - pitch[:, None]
    part = sharp / np.maximum(total, 1e-9)[:, None] * share[:, None]
    return yaw + (bearing * part).sum(axis=1), pitch + (rise * part).sum(axis=1)


def _wearied(weights: np.ndarray, since: np.ndarray) -> np.ndarray:
    """The weights (k, p) of subjects that lose their interest while they are looked at, but not near the goal."""
    out, seen = weights.copy(), np.zeros(weights.shape[1])
    for k in range(len(weights)):
        out[k] *= np.exp(-((seen / WEARIED_S) ** 2)) if since[k] < -GOAL_S else 1.0
        looked_at = out[k] >= max(float(out[k].max()), 1e-6)
        seen += STEP_S * np.where(looked_at, 1.0, -seen / RESTED_S)
    return out


def _bounded(away: np.ndarray, base: np.ndarray, t: np.ndarray, bound: float, descent: float) -> np.ndarray:
    """`base` (k, 2) at first, then ever more of `away` (k, 2) added to it, at a rate of at most `bound` radians per second.

    The view is smoothed for that, and, where even the most smoothing is not enough, turns later. The last try is taken.
    """
    for sigma, late in [*((sigma, 1.0) for sigma in SMOOTHER), *((SMOOTHER[-1], late) for late in LATER)]:
        start = smootherstep(t / (descent * late))[:, None]
        view = base + smoothed(away * start, sigma) * smootherstep((t - STEP_S) / (late * (3.0 + 0.2 * sigma)))[:, None]
        rate = np.diff(view, axis=0) / STEP_S
        if np.sqrt((rate * rate).sum(axis=1)).max() <= bound:
            break
    return view
