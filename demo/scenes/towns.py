"""Towns: where people of a grown world would live, and their lamps, which are seen at night.

Towns stand on warm, low, even ground, most of them by the sea and in valleys. Their sizes fall by rank (Zipf), and roads
lead to the nearest larger ones. Every choice is a hash of the seed. Plain numpy over a `Ground`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground
from ..maths.vectors import crosses, tangents, unit
from ..worlds import hashing

LAMP = np.dtype([("position", np.float32, 3), ("colour", np.float32, 3), ("spread", np.float32), ("late", np.float32)])
STREAM = 130
# Linear colours: sodium, warm white, and the cold white of new streets.
WARM, WHITE, COLD = np.array([1.0, 0.50, 0.13]), np.array([1.0, 0.72, 0.38]), np.array([0.85, 0.9, 1.0])
RING = np.radians(np.arange(0.0, 360.0, 45.0))
# Height of lamps above the ground, in radii or extents: none sinks into the coarser ground that is drawn far away.
LIFT = 1.2e-4


@dataclass(frozen=True)
class Habits:
    """The habits of the people of a world; lengths are in radii of a planet or extents of a terrain.

    `tried`: places that are judged; `towns`: the most towns; `lamps`: those of the largest town, about. `street`: between
    two streets; `spacing`: between two towns at least, about; `road`: between two lamps of a road; `longest`: the longest
    road; `near`: how far around a place is judged; `lamp`: the spread of a lamp. `seaside`: how much a coast is worth;
    `uneven`: the roughness, by the highest land, that halves a place's worth.
    """

    tried: int
    towns: int
    lamps: int
    street: float
    spacing: float
    road: float
    longest: float
    near: float
    lamp: float
    seaside: float
    uneven: float


ON_PLANETS = Habits(
    tried=7000,
    towns=460,
    lamps=1900,
    street=8e-4,
    spacing=0.018,
    road=2.2e-3,
    longest=0.42,
    near=0.025,
    lamp=2.5e-5,
    seaside=1.0,
    uneven=0.035,
)
ON_TERRAINS = Habits(
    tried=2500,
    towns=64,
    lamps=190,
    street=1.3e-3,
    spacing=0.035,
    road=4.5e-3,
    longest=0.35,
    near=0.03,
    lamp=7e-5,
    seaside=0.45,
    uneven=0.08,
)
# The light of a lamp, and of the lit haze over the middle of a town.
BRIGHT, GLOW = 4.0, 0.02


def lamps(ground: Ground, seed: int, relief_m: float, cold: float = 0.3, snow_line: float = 0.62) -> np.ndarray:
    """The lamps of a world as LAMP records (k,).

    `position` and `spread` are in metres, `colour` is linear and holds the brightness, `late` tells how late in the evening
    a lamp is lit, 0..1. `relief_m`: the highest land; `cold`, `snow_line`: the palette's, for where it is too cold to live.
    """
    habits = ON_PLANETS if ground.atlas.spherical else ON_TERRAINS
    places, scores = _candidates(ground, seed, habits, relief_m, cold, snow_line)
    towns = _spaced(places, scores, habits.spacing * ground.size_m, habits.towns)
    if not len(towns):
        return np.zeros(0, LAMP)
    sizes = (np.arange(len(towns)) + 1.5) ** -0.72
    streets, street_colours = _streets(ground, seed, towns, sizes, habits)
    roads, road_colours = _roads(ground, seed, towns, habits)
    points, colours = (
        np.concatenate([streets, roads, towns]),
        np.concatenate([street_colours, road_colours, WARM + 0 * towns]),
    )
    colours[: -len(towns)] *= BRIGHT
    colours[-len(towns) :] *= GLOW
    spread = np.full(len(points), habits.lamp * ground.size_m)
    spread[-len(towns) :] = 2.6 * habits.street * np.sqrt(habits.lamps * sizes) * ground.size_m
    height = ground.height(points)
    kept = (height > 0.002 * relief_m) & (height < 0.6 * relief_m) & (height > ground.standing(points))
    if not ground.atlas.spherical:
        kept &= np.abs(points[:, [0, 2]]).max(axis=1) < 0.495 * ground.size_m
    points, colours, spread, height = points[kept], colours[kept], spread[kept], height[kept] + LIFT * ground.size_m
    out = np.zeros(len(points), LAMP)
    out["position"] = points + ground.up(points) * height[:, None]
    out["colour"], out["spread"] = colours, spread
    out["late"] = hashing.uniforms(seed, STREAM + 9, len(points))
    return out


def _candidates(
    ground: Ground, seed: int, habits: Habits, relief_m: float, cold: float, snow_line: float
) -> tuple[np.ndarray, np.ndarray]:
    """Places at the sea's level, float64 (k, 3) metres, and how good each is to live at, (k,); the best first."""
    draws = hashing.uniforms(seed, STREAM, habits.tried * 3).reshape(-1, 3)
    if ground.atlas.spherical:
        y, angle = 2.0 * draws[:, 0] - 1.0, 2.0 * np.pi * draws[:, 1]
        ring = np.sqrt(1.0 - y * y)
        places = np.stack([ring * np.cos(angle), y, ring * np.sin(angle)], axis=1) * ground.size_m
        latitude = np.abs(y)
    else:
        places = np.stack([draws[:, 0] - 0.5, np.zeros(len(draws)), draws[:, 1] - 0.5], axis=1) * (0.97 * ground.size_m)
        latitude = np.full(len(places), 0.42)
    height = ground.sampled(places)
    places, latitude, luck, height = (x[height > 0.0] for x in (places, latitude, draws[:, 2], height))
    around = _around(ground, places, 0.35 * habits.near)
    wide = _around(ground, places, habits.near)
    t = height / relief_m
    uneven = around.std(axis=1) / relief_m
    sea = (wide <= 0.0).mean(axis=1)
    # As in surface.frag.
    warmth = 1.0 - latitude**2 * (1.0 + 0.5 * cold) - (0.46 if ground.atlas.spherical else 0.62) * t
    liveable = np.clip((warmth - (1.04 - snow_line)) / 0.22, 0.0, 1.0) * np.clip(1.3 - t / 0.42, 0.0, 1.0)
    even = 1.0 / (1.0 + (uneven / habits.uneven) ** 2)
    coast = np.where(sea < 0.8, np.minimum(3.0 * sea, 1.0), 0.4)
    valley = np.clip((np.maximum(wide, 0.0).mean(axis=1) - height) / (0.06 * relief_m), 0.0, 1.0)
    score = liveable * even * (0.12 + habits.seaside * coast + 0.7 * valley) * (0.25 + luck)
    order = np.argsort(-score, kind="stable")
    order = order[score[order] > 0.06]
    return places[order], score[order]


def _around(ground: Ground, places: np.ndarray, reach: float) -> np.ndarray:
    """Heights (k, 8) in metres on a ring around places, `reach` radii or extents away."""
    side, ahead = _level_axes(ground, places)
    away = reach * ground.size_m
    return np.stack([ground.sampled(places + away * (np.cos(a) * side + np.sin(a) * ahead)) for a in RING], axis=1)


def _level_axes(ground: Ground, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two level unit vectors (k, 3) at right angles to each other at places (k, 3)."""
    if not ground.atlas.spherical:
        return np.broadcast_to((1.0, 0.0, 0.0), places.shape), np.broadcast_to((0.0, 0.0, 1.0), places.shape)
    return tangents(ground.up(places))


def _spaced(places: np.ndarray, scores: np.ndarray, apart: float, count: int) -> np.ndarray:
    """The first `count` places at least about `apart` metres from all before them; good ones may stand closer."""
    chosen = np.zeros((0, 3))
    for place, score in zip(places, scores, strict=True):
        d = chosen - place
        if len(chosen) and (d * d).sum(axis=1).min() < (apart * (1.6 - min(score, 1.0))) ** 2:
            continue
        chosen = np.concatenate([chosen, place[None]])
        if len(chosen) == count:
            break
    return chosen


def _streets(
    ground: Ground, seed: int, towns: np.ndarray, sizes: np.ndarray, habits: Habits
) -> tuple[np.ndarray, np.ndarray]:
    """The lamps of towns, places and colours, (k, 3) each: dense in the middle, in streets, sparse further out."""
    counts = np.maximum((habits.lamps * sizes).astype(np.intp), 5)
    town = np.repeat(np.arange(len(towns)), counts)
    u = hashing.uniforms(seed, STREAM + 1, len(town) * 5).reshape(-1, 5)
    turned = 2.0 * np.pi * hashing.uniforms(seed, STREAM + 2, len(towns))[town]
    radius = habits.street * (0.55 * np.sqrt(counts))[town]
    away = radius * (-np.log(1.0 - 0.999 * u[:, 0])) ** 0.75
    arms = 3 + (town % 4)
    angle = 2.0 * np.pi * u[:, 1]
    # Beyond the middle lamps gather along the ways out.
    out = np.clip(away / radius - 0.9, 0.0, 0.9)
    angle -= out * np.sin(arms * angle) / arms
    x, z = away * np.cos(angle), away * np.sin(angle)
    on_x = u[:, 2] < 0.5
    x, z = (
        np.where(on_x, np.round(x / habits.street) * habits.street, x),
        np.where(on_x, z, np.round(z / habits.street) * habits.street),
    )
    x, z = np.cos(turned) * x - np.sin(turned) * z, np.sin(turned) * x + np.cos(turned) * z
    points = _beside(ground, towns[town], x * ground.size_m, z * ground.size_m)
    middle = np.exp(-away / radius)[:, None]
    tint = WARM * (1.0 - middle) + WHITE * middle
    tint = np.where(u[:, 3:4] < 0.1, COLD, tint)
    return points, tint * (0.35 + 0.9 * u[:, 4:5] ** 2 + 0.5 * middle)


def _roads(ground: Ground, seed: int, towns: np.ndarray, habits: Habits) -> tuple[np.ndarray, np.ndarray]:
    """The lamps of roads, as `_streets`: from each town to the nearest two larger ones, unless much sea lies between."""
    town, other, length = _pairs(ground, towns, habits.longest)
    number = town * 1024 + other
    count = np.maximum((length / habits.road).astype(np.intp), 2)
    road = np.repeat(np.arange(len(town)), count)
    step = np.arange(len(road)) - np.repeat(np.cumsum(count) - count, count)
    share = (step + hashing.uniforms_at(seed, STREAM + 3, number[road] + step)) / count[road]
    side, phase = (hashing.uniforms_at(seed, STREAM + k, number)[road] for k in (4, 5))
    bend = (side - 0.5) * 0.5 * length[road] * np.sin(np.pi * share)
    bend += 0.06 * length[road] * np.sin(2.0 * np.pi * (share * 2.0 + phase))
    bend *= np.minimum(4.0 * share * (1.0 - share), 1.0)
    a, b = towns[town][road], towns[other][road]
    way = a * (1.0 - share)[:, None] + b * share[:, None]
    way = way + unit(crosses(ground.up(way), b - a)) * (bend * ground.size_m)[:, None]
    if ground.atlas.spherical:
        way = unit(way) * ground.size_m
    at_sea = np.bincount(road, ground.sampled(way) <= 0.0, len(town)) / count
    kept = (at_sea <= 0.25)[road]
    # Lamps are fainter far from towns.
    lone = 0.10 + 0.45 * (2.0 * share - 1.0) ** 4
    bright = lone * (0.4 + 1.2 * hashing.uniforms_at(seed, STREAM + 6, number[road] + step))
    return way[kept], WARM * bright[kept, None]


def _pairs(ground: Ground, towns: np.ndarray, longest: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers of towns, of the nearest two towns before each, and their distances, at most `longest` radii or extents."""
    pairs = []
    for k in range(1, len(towns)):
        away = np.sqrt(((towns[:k] - towns[k]) ** 2).sum(axis=1)) / ground.size_m
        pairs += [(k, other, away[other]) for other in np.argsort(away, kind="stable")[:2]]
    town, other, length = np.array(pairs, np.float64).reshape(-1, 3).T
    near = length <= longest
    return town[near].astype(np.intp), other[near].astype(np.intp), length[near]


def _beside(ground: Ground, places: np.ndarray, x: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Points x and z (k,) metres beside places (k, 3), at the sea's level."""
    side, ahead = _level_axes(ground, places)
    points = places + side * x[:, None] + ahead * z[:, None]
    return unit(points) * ground.size_m if ground.atlas.spherical else points
