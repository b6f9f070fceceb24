"""Scouting a terrain: what there is to see, and which way through it shows most of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground
from ..maths.easing import smoothstep
from ..worlds import hashing

TASTE_STREAM, ROUTE_STREAM, REFINE_STREAM = 119, 120, 121
FIRST_ROUTES, KEPT_ROUTES, REFINED_ROUTES, REFINEMENTS = 320, 8, 160, 2
COARSE = 128
NEAR_M, WIDE_M = 1_800.0, 3_000.0
TURN_KNOTS = 6
ROUTE_STEP_S = 0.5
VISTA_M, VISTA_EYE_M = (900.0, 1_800.0, 3_500.0, 6_500.0), 200.0
LIT_M = 1_500.0
VISTA_ASIDE = (0.0, -0.4, 0.4)
PEAKS, PEAK_APART_M = 7, 3_500.0


@dataclass(frozen=True)
class Survey:
    """Coarse maps of a terrain, float64 (m, m) over its square, and its peaks, float64 (p, 3) positions in metres.

    `mean_m` and `land` (0..1): averages over WIDE_M; `highest_m`: maximum within NEAR_M; `tops_m`: of the cell itself.
    """

    extent_m: float
    relief_m: float
    mean_m: np.ndarray
    highest_m: np.ndarray
    tops_m: np.ndarray
    land: np.ndarray
    peaks: np.ndarray

    def at(self, field: np.ndarray, x: np.ndarray, z: np.ndarray, outside: float = 0.0) -> np.ndarray:
        """The nearest value of a coarse map at x, z in metres; `outside` off the square."""
        m = field.shape[0]
        u, v = x * (m / self.extent_m) + 0.5 * m, z * (m / self.extent_m) + 0.5 * m
        inside = (np.minimum(u, v) >= 0.0) & (np.maximum(u, v) < m)
        # Wrong cells outside are never taken.
        cell = v.astype(np.intp) * m + u.astype(np.intp)
        return np.where(inside, field.ravel().take(cell, mode="clip"), outside)


@dataclass(frozen=True)
class Taste:
    """What a flight goes after: the weights of walls around, of low ground, of coasts, of peaks ahead, of land in view."""

    walls: float
    valley: float
    shore: float
    subject: float
    bare: float


TASTES = (
    Taste(walls=1.6, valley=1.2, shore=1.0, subject=1.4, bare=1.6),
    Taste(walls=2.2, valley=2.4, shore=0.1, subject=1.4, bare=1.6),
    Taste(walls=1.4, valley=0.5, shore=0.2, subject=3.2, bare=1.2),
)


@dataclass(frozen=True)
class Route:
    """A way at constant speed: positions float64 (k, 2) as x, z every ROUTE_STEP_S seconds, and headings (k,) in radians."""

    xz: np.ndarray
    heading: np.ndarray


def survey(ground: Ground) -> Survey:
    """Look at a terrain from above."""
    heights = np.maximum(ground.heights_m[0], 0.0).astype(np.float64)
    n = heights.shape[0]
    m = min(COARSE, n)
    edges = np.linspace(0, n, m + 1).astype(np.intp)[:-1]
    highest = np.maximum.reduceat(np.maximum.reduceat(heights, edges, axis=0), edges, axis=1)
    middle = np.linspace(0, n - 1, m).astype(np.intp)
    coarse = heights[np.ix_(middle, middle)]
    cell = ground.size_m / m
    wide, near = int(np.ceil(WIDE_M / cell)), int(np.ceil(NEAR_M / cell))
    return Survey(
        ground.size_m,
        max(ground.highest_m, 1.0),
        _boxed(coarse, wide),
        _highest_around(highest, near),
        highest,
        _boxed((coarse > 0.0).astype(np.float64), wide),
        _peaks(highest, ground.size_m, int(np.ceil(PEAK_APART_M / cell))),
    )


def _boxed(field: np.ndarray, reach: int) -> np.ndarray:
    """Mean over a square of 2 reach + 1 cells, edges repeated."""
    for axis in (0, 1):
        width = [(0, 0), (0, 0)]
        width[axis] = (reach + 1, reach)
        total = np.cumsum(np.pad(field, width, mode="edge"), axis=axis)
        upper, lower = np.split(total, [2 * reach + 1], axis=axis)[1], np.split(total, [-2 * reach - 1], axis=axis)[0]
        field = (upper - lower) / (2 * reach + 1)
    return field


def _highest_around(field: np.ndarray, reach: int) -> np.ndarray:
    for axis in (0, 1):
        width = [(0, 0), (0, 0)]
        width[axis] = (reach, reach)
        padded = np.pad(field, width, mode="edge")
        field = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=axis).max(axis=-1)
    return field


def _peaks(highest: np.ndarray, extent_m: float, apart: int) -> np.ndarray:
    """Highest points at least `apart` cells from each other, highest first."""
    top = np.flatnonzero((highest >= _highest_around(highest, apart)) & (highest > 0.0))
    top = top[np.argsort(-highest.ravel()[top], kind="stable")][:PEAKS]
    if top.size == 0:
        return np.zeros((1, 3))
    j, i = np.divmod(top, highest.shape[1])
    scale = extent_m / highest.shape[0]
    return np.stack([(i + 0.5) * scale - extent_m / 2, highest.ravel()[top], (j + 0.5) * scale - extent_m / 2], axis=1)


@dataclass(frozen=True)
class Order:
    """What way is wanted: its length in seconds, `speed` in metres a second, the fastest `turn` in radians a second.

    It is entered on the side of `eye` (3,); `sun`, a unit vector towards it or None, is rather not flown against.
    """

    seconds: float
    speed: float
    turn: float
    eye: np.ndarray
    sun: np.ndarray | None = None


def best_route(ground: Ground, map_: Survey, seed: int, order: Order) -> Route:
    """The best of some hundred ways through the terrain, by a search that refines the best of random ones."""
    knots = 3 + TURN_KNOTS
    taste = TASTES[int(hashing.uniform(seed, TASTE_STREAM, 0) * len(TASTES))]
    genes = hashing.uniforms(seed, ROUTE_STREAM, FIRST_ROUTES * knots).reshape(-1, knots)
    scores = _scores(ground, map_, taste, order, *_routes(genes, map_.extent_m, order))
    for round_ in range(REFINEMENTS):
        kept = np.argsort(-scores, kind="stable")[:KEPT_ROUTES]
        drawn = hashing.uniforms(seed, REFINE_STREAM + round_, REFINED_ROUTES * knots).reshape(-1, knots)
        near = genes[np.resize(kept, REFINED_ROUTES)] + (drawn - 0.5) * (0.5 if round_ == 0 else 0.2)
        near = np.clip(near, 0.0, 1.0)
        genes = np.concatenate([genes[kept], near])
        scores = np.concatenate([scores[kept], _scores(ground, map_, taste, order, *_routes(near, map_.extent_m, order))])
    best = int(np.argmax(scores))
    xz, heading = _routes(genes[best : best + 1], map_.extent_m, order)
    return Route(xz[0], heading[0])


def _routes(genes: np.ndarray, extent_m: float, order: Order) -> tuple[np.ndarray, np.ndarray]:
    """Positions (r, k, 2) and headings (r, k) of the ways that `genes` (r, 3 + TURN_KNOTS) in 0..1 stand for."""
    eye = order.eye
    azimuth = np.arctan2(eye[2], eye[0])
    k = int(np.ceil(order.seconds / ROUTE_STEP_S)) + 1
    side = azimuth + (genes[:, 0] - 0.5) * np.radians(130.0)
    away = extent_m * (0.16 + 0.26 * genes[:, 1])
    start = np.stack([away * np.cos(side), away * np.sin(side)], axis=1)
    inward = np.arctan2(start[:, 1] - eye[2], start[:, 0] - eye[0])
    first = inward + (genes[:, 2] - 0.5) * np.radians(110.0)
    x = np.linspace(0.0, TURN_KNOTS - 1.0, k)
    i = np.minimum(x.astype(np.intp), TURN_KNOTS - 2)
    rates = (2.0 * genes[:, 3:] - 1.0) * order.turn
    f = smoothstep(x - i)
    rate = rates[:, i] * (1.0 - f) + rates[:, i + 1] * f
    heading = first[:, None] + np.cumsum(rate, axis=1) * ROUTE_STEP_S
    way = np.stack([np.cos(heading), np.sin(heading)], axis=2) * (order.speed * ROUTE_STEP_S)
    xz = start[:, None, :] + np.cumsum(way, axis=1) - way[:, :1]
    return xz, heading


def _scores(ground: Ground, map_: Survey, taste: Taste, order: Order, xz: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """How much there is to see along ways: (r,)."""
    x, z = xz[..., 0], xz[..., 1]
    height = np.maximum(ground.sampled(np.stack([x, np.zeros_like(x), z], axis=-1)), 0.0)
    mean, highest = map_.at(map_.mean_m, x, z), map_.at(map_.highest_m, x, z)
    land = map_.at(map_.land, x, z)
    relief = map_.relief_m
    walls = np.clip((highest - height) / relief, 0.0, 0.6).mean(axis=1)
    valley = np.clip((mean - height) / relief, -0.4, 0.3).mean(axis=1)
    shore = ((land > 0.35) & (land < 0.92)).mean(axis=1)
    outside = np.clip(np.maximum(np.abs(x), np.abs(z)) / map_.extent_m - 0.43, 0.0, None).max(axis=1)
    climb = np.abs(np.diff(height, axis=1)).mean(axis=1) / relief
    # The later part of a way weighs more: what comes last should be the best.
    rising = np.linspace(0.6, 1.4, x.shape[1])[::2]
    unlit = np.zeros(len(x)) if order.sun is None else _badly_lit(map_, order.sun, xz, heading)
    # Half of the places are enough for what changes slowly.
    xz, heading, height = xz[:, ::2], heading[:, ::2], height[:, ::2]
    subject = (subject_weights(map_.peaks, xz, heading, height, relief).max(axis=-1) * rising).mean(axis=1)
    walled, bare = _views(map_, xz, heading, height)
    return (
        taste.walls * walls
        + taste.valley * valley
        + taste.shore * shore
        + taste.subject * subject
        - 2.5 * (land < 0.25).mean(axis=1)
        - 1.2 * (height <= 0.0).mean(axis=1)
        - 30.0 * outside
        - 6.0 * climb
        - 2.0 * walled
        - 1.5 * unlit
        - taste.bare * (bare * rising).mean(axis=1)
    )


def _badly_lit(map_: Survey, sun: np.ndarray, xz: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """How dark or flat the light is on what each way looks at: (r,)."""
    azimuth = np.arctan2(sun[2], sun[0])
    cosine, sine = np.cos(heading), np.sin(heading)
    toward = cosine * np.cos(azimuth) + sine * np.sin(azimuth)
    against = np.clip((toward - 0.3) / 0.6, 0.0, 1.0) + 0.5 * np.clip((-toward - 0.6) / 0.4, 0.0, 1.0)
    # Ground that rises towards the sun turns its back to it.
    along_z, along_x = np.gradient(map_.mean_m, map_.extent_m / len(map_.mean_m))
    x, z = xz[..., 0] + LIT_M * cosine, xz[..., 1] + LIT_M * sine
    rise = map_.at(along_x * np.cos(azimuth) + along_z * np.sin(azimuth), x, z)
    return (0.6 * against + np.clip(rise / 0.2, 0.0, 1.0)).mean(axis=1)


def _views(map_: Survey, xz: np.ndarray, heading: np.ndarray, height: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(how much of each way looks into a slope instead of into the distance (r,), how bare of land each view is (r, k))."""
    walled = np.zeros(len(height))
    bare = np.ones(height.shape)
    for aside in VISTA_ASIDE:
        cosine, sine = np.cos(heading + aside), np.sin(heading + aside)
        steepest = np.full(height.shape, -1.0)
        for away in VISTA_M:
            x, z = xz[..., 0] + away * cosine, xz[..., 1] + away * sine
            steepest = np.maximum(steepest, (map_.at(map_.tops_m, x, z) - height - VISTA_EYE_M) / away)
            if aside == 0.0 and away > 2_000.0:
                bare = np.minimum(bare, 1.0 - map_.at(map_.land, x, z))
        walled += np.clip((steepest - 0.12) / 0.15, 0.0, 1.5).mean(axis=1) / len(VISTA_ASIDE)
    return walled, bare


def subject_weights(peaks: np.ndarray, xz: np.ndarray, heading: np.ndarray, height: np.ndarray, relief: float) -> np.ndarray:
    """How good a subject each peak is from each place: float64 (..., p) in 0..1: ahead, at 2 to 12 km, and high."""
    x, z = xz[..., 0], xz[..., 1]
    cosine, sine = np.cos(heading), np.sin(heading)

    def weights(peak: np.ndarray) -> np.ndarray:
        dx, dz = peak[0] - x, peak[2] - z
        away = np.sqrt(dx * dx + dz * dz)
        # By the cosine of the angle between the way and the peak: all of it within 40 degrees, nothing beyond 73.
        ahead = (dx * cosine + dz * sine) / np.maximum(away, 1.0)
        front = np.clip((ahead - 0.29) / 0.47, 0.0, 1.0)
        band = np.clip((away - 1_200.0) / 1_500.0, 0.0, 1.0) * np.clip((14_000.0 - away) / 6_000.0, 0.0, 1.0)
        return front * band * np.clip((peak[1] - height) / (0.5 * relief), 0.0, 1.0)

    # A peak at a time: ten times as fast as all at once, which leaves the processor's cache.
    return np.stack([weights(peak) for peak in peaks], axis=-1)
