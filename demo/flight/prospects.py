"""Prospects: what would be seen along ways through a land, so that the one that shows most is flown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground
from .composition import QUICK, SKY, WATER, Views, differences, views_of
from .paths import smoothed, widened

# Seconds between the pictures that are judged, and in how many of them another composition is wanted.
STEP_S, ANOTHER = 2.0, 2
# The camera of a prospect: metres above the ground, its pitch in radians and by how much of the slope ahead it follows.
ABOVE_M, PITCH, FOLLOWS = 260.0, np.radians(-7.0), 0.55
# The share of sky that is wanted, from and to; a picture is filled by a slope that is this near.
SKY_FROM, SKY_TO, WALL_M = 0.20, 0.45, 450.0
# More of a change from one picture to another counts no more.
MOST_CHANGE = 1.3


@dataclass(frozen=True)
class Worth:
    """What is wanted of a way: the weights of its prospect."""

    variety: float = 3.0
    constant: float = 3.0
    sky: float = 1.0
    relief: float = 2.5
    near: float = 0.7
    walled: float = 3.0
    wet: float = 1.5
    dark: float = 1.2
    goal: float = 1.5


def prospects(
    ground: Ground, ways: np.ndarray, yaw: np.ndarray, fov: float, sun: np.ndarray | None = None, worth: Worth | None = None
) -> np.ndarray:
    """How much is seen along `ways` (c, k, 2), x and z in metres over a terrain `ground` every STEP_S seconds: (c,).

    `yaw` (c, k): where the camera looks, radians from x to z; `fov`: its field of view in radians; `sun`: unit (3,).
    """
    worth = worth or Worth()
    count, length = yaw.shape
    views = views_of(ground, _poses(ground, ways, yaw, fov), raster=QUICK)
    later = min(ANOTHER, length - 1)
    first = np.arange(count * length).reshape(count, length)[:, : length - later]
    change = differences(views, views.blocks(), first.ravel(), first.ravel() + later, MOST_CHANGE).reshape(first.shape)
    shares = views.shares().reshape(count, length, -1)
    sky, wet = shares[..., SKY], shares[..., WATER]
    skyline = views.skyline.reshape(count, length, -1)
    stands_out = np.clip((skyline.max(axis=2) - np.median(skyline, axis=2)) / 0.25, 0.0, 1.0)
    near = (views.away_m < 2_500.0).mean(axis=(1, 2)).reshape(count, length)
    walled = (views.away_m < WALL_M).mean(axis=(1, 2)).reshape(count, length)
    # Nothing but water below the sky is nothing to see.
    sea = np.clip(wet / np.maximum(1.0 - sky, 0.05) - 0.55, 0.0, None)
    last = slice(-max(length // 5, 2), None)
    goal = stands_out[:, last].mean(axis=1) + 0.5 * (np.abs(wet[:, last].mean(axis=1) - 0.2) < 0.12)
    off_sky = np.clip(SKY_FROM - sky, 0.0, None) + np.clip(sky - SKY_TO, 0.0, None)
    return (
        worth.variety * np.minimum(change, MOST_CHANGE).mean(axis=1)
        - worth.constant * np.clip(1.15 - change, 0.0, None).max(axis=1)
        - worth.sky * 4.0 * off_sky.mean(axis=1)
        + worth.relief * stands_out.mean(axis=1)
        + worth.near * np.minimum(near, 0.4).mean(axis=1)
        - worth.walled * np.clip(walled - 0.25, 0.0, None).max(axis=1)
        - worth.wet * sea.mean(axis=1)
        - worth.dark * _dark(ground, views, sun).reshape(count, length).mean(axis=1)
        + worth.goal * goal
    )


def _poses(ground: Ground, ways: np.ndarray, yaw: np.ndarray, fov: float) -> np.ndarray:
    """Poses (c * k, 10) of a camera that follows `ways` as flights do."""
    points = np.stack([ways[..., 0], np.zeros(yaw.shape), ways[..., 1]], axis=-1)
    floor = np.maximum(ground.sampled(points), 0.0)
    envelope = np.stack([smoothed(widened(row, 1), 1.0) for row in floor]) + ABOVE_M
    run = np.maximum(np.sqrt((np.diff(ways, axis=1) ** 2).sum(axis=2)), 1.0)
    slope = np.arctan2(np.diff(envelope, axis=1), run)
    pitch = np.clip(PITCH + FOLLOWS * np.concatenate([slope, slope[:, -1:]], axis=1), np.radians(-22.0), np.radians(3.0))
    points[..., 1] = envelope
    c, s = np.cos(pitch), np.sin(pitch)
    forward = np.stack([np.cos(yaw) * c, s, np.sin(yaw) * c], axis=-1)
    up = np.stack([-np.cos(yaw) * s, c, -np.sin(yaw) * s], axis=-1)
    width = np.full((*yaw.shape, 1), fov)
    return np.concatenate([points, forward, up, width], axis=-1).reshape(-1, 10)


def _dark(ground: Ground, views: Views, sun: np.ndarray | None) -> np.ndarray:
    """The share (k,) of the pictures that is near land turned away from the sun."""
    if sun is None:
        return np.zeros(len(views.what))
    place, reach = views.place, 1.5 * ground.cell_m
    level = np.hypot(sun[0], sun[2])
    way = np.array([sun[0], 0.0, sun[2]]) / max(level, 1e-9)
    rise = (ground.sampled(place + reach * way) - ground.sampled(place - reach * way)) / (2.0 * reach)
    shaded = (rise * level > sun[1]) & (views.what != SKY) & (views.what != WATER) & (views.away_m < 15_000.0)
    return shaded.mean(axis=(1, 2))
