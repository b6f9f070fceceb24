"""Paths: smooth curves in time, and flights made of them.

A pose is a pure function of time: nothing is filtered from frame to frame, so any moment can be drawn alone. Curves are
uniform cubic B-splines: twice continuously differentiable, inside the hull of their control points, and their
velocities and accelerations are bounded by the differences of the control points, so bounds can be kept by construction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ..maths.easing import ease, smootherstep
from .camera import Pose, blend, poses_of

JOIN_S = 2.5

F = TypeVar("F", float, np.ndarray)


@dataclass(frozen=True)
class Track:
    """A uniform cubic B-spline in time: `control` float64 (k, d), control point i peaking at (i - 1) * `step` seconds."""

    control: np.ndarray
    step: float

    def at(self, t: float) -> np.ndarray:
        """Value float64 (d,) at time t; held before the first and after the last moment, (k - 3) * step."""
        x = min(max(t / self.step, 0.0), len(self.control) - 3.0 - 1e-9)
        i = int(x)
        f = x - i
        return np.array(_weights(f)) @ self.control[i : i + 4]

    def each(self, t: np.ndarray) -> np.ndarray:
        """`at` for many times (m,), with the same bits: float64 (m, d)."""
        x = np.clip(t / self.step, 0.0, len(self.control) - 3.0 - 1e-9)
        i = x.astype(np.intp)
        f = x - i
        out: np.ndarray = np.matmul(np.stack(_weights(f), axis=1)[:, None], self.control[i[:, None] + np.arange(4)])[:, 0]
        return out

    def sampled(self, t: np.ndarray) -> np.ndarray:
        """`at` for many times (m,), sooner than `each` and with other last bits: float64 (m, d)."""
        x = np.clip(t / self.step, 0.0, len(self.control) - 3.0 - 1e-9)
        i = x.astype(np.intp)
        f = (x - i)[:, None]
        g = 1.0 - f
        c = self.control
        return (
            g**3 * c[i] + (3 * f**3 - 6 * f**2 + 4) * c[i + 1] + (3 * g**3 - 6 * g**2 + 4) * c[i + 2] + f**3 * c[i + 3]
        ) / 6.0


def _weights(f: F) -> tuple[F, F, F, F]:
    """What each of four control points counts at a share `f` of the way from the second to the third."""
    g = 1.0 - f
    return (
        g * g * g / 6.0,
        (3 * f * f * (f - 2.0) + 4.0) / 6.0,
        (3 * g * g * (g - 2.0) + 4.0) / 6.0,
        f * f * f / 6.0,
    )


def control_times(seconds: float, step: float) -> np.ndarray:
    """The moments (k,) at which the control points of a track over 0..seconds peak: from -step to beyond the end."""
    return (np.arange(int(np.ceil(seconds / step)) + 3) - 1.0) * step


def widened(values: np.ndarray, reach: int) -> np.ndarray:
    """Maximum of (k,) values over `reach` neighbours to either side."""
    padded = np.pad(values, reach, mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=-1)


def smoothed(values: np.ndarray, sigma: float) -> np.ndarray:
    """(k,) or (k, d) values convolved with a Gaussian of `sigma` samples, ends continued by point reflection.

    Point reflection keeps the slope at the ends, so that straight lines stay as they are.
    """
    if sigma < 0.05:
        return values.copy()
    flat = values.reshape(len(values), -1)
    reach = min(int(np.ceil(3.0 * sigma)), len(flat) - 1)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    padded = np.concatenate([2 * flat[0] - flat[reach:0:-1], flat, 2 * flat[-1] - flat[-2 : -reach - 2 : -1]])
    out = np.stack([np.convolve(padded[:, d], kernel, mode="valid") for d in range(flat.shape[1])], axis=1)
    return out.reshape(values.shape)


def wandering(draws: np.ndarray, t: np.ndarray, every: float) -> np.ndarray:
    """A smooth course (k,) within 0..1 at times `t` (k,), which is low and high by turns, one of `draws` (m,) every `every`
    seconds; the last one stays."""
    knots = np.where(np.arange(len(draws)) % 2 == 0, 0.3 * draws, 1.0 - 0.3 * draws)
    x = np.clip(t / every, 0.0, len(draws) - 1.001)
    i = x.astype(np.intp)
    f = smootherstep(x - i)
    out: np.ndarray = knots[i] * (1.0 - f) + knots[i + 1] * f
    return out


class Flight:
    """Poses over 0 <= t <= seconds, a pure function of t. Outside, the pose is that of the nearer end.

    `spherical`: whether the flight is over a planet. `beyond(t)`: the same function, continued past the end; `each_beyond`:
    the same for many times at once, with the same bits: (k,) to (k, 10), as `poses_of` has them.
    """

    def __init__(
        self,
        seconds: float,
        pose_at: Callable[[float], Pose],
        spherical: bool = False,
        poses_at: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> None:
        self.seconds = float(seconds)
        self.beyond = pose_at
        self.each_beyond = poses_at or (lambda times: poses_of([pose_at(t) for t in times.tolist()]))
        self.spherical = spherical
        self._last: tuple[float, Pose] | None = None

    def pose(self, t: float) -> Pose:
        """The pose at t seconds."""
        t = min(max(float(t), 0.0), self.seconds)
        last = self._last
        # One frame asks for its pose several times.
        if last is None or last[0] != t:
            self._last = last = t, self.beyond(t)
        return last[1]

    def poses(self, times: np.ndarray) -> np.ndarray:
        """The poses at `times` (k,), in seconds: (k, 10), as `poses_of` has them."""
        return self.each_beyond(np.clip(times, 0.0, self.seconds))


def join(first: Flight, second: Flight, over: float = JOIN_S) -> Flight:
    """`first`, then `second`: the first goes on while it blends into the second, over `over` seconds.

    The two should be nearly the same there, as a plan and its birth are. A blend of ways far apart would be a third way,
    whose clearance nobody has checked.
    """

    def pose_at(t: float) -> Pose:
        since = t - first.seconds
        if since <= 0.0:
            return first.beyond(t)
        pose = second.pose(since)
        if since >= over:
            return pose
        return blend(first.beyond(t), pose, ease(since / over), second.spherical)

    def poses_at(times: np.ndarray) -> np.ndarray:
        since = times - first.seconds
        out = np.empty((len(times), 10))
        before, after = since <= 0.0, since >= over
        if before.any():
            out[before] = first.each_beyond(times[before])
        if after.any():
            out[after] = second.poses(since[after])
        for k in np.flatnonzero(~before & ~after):
            out[k] = poses_of([pose_at(float(times[k]))])[0]
        return out

    return Flight(first.seconds + second.seconds, pose_at, second.spherical, poses_at)
