"""The eye: how far it opens for the ground that the camera sees, worked out ahead, so that any moment can be drawn alone.

A picture that shade fills is exposed longer, one of slopes that face the sun shorter, as a photographer would.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..flight.paths import Flight
from ..ground.ground import Ground
from ..ground.warmth import Warmth
from ..ground.woods import moisture, wooded
from ..maths.easing import smoothstep
from ..maths.vectors import tangents, unit
from .cloud_cover import CloudCover
from .daylight import STEP_S, Daylight, adapted
from .moon_and_rings import Rings
from .palettes import Palette

# Rays into the picture: shares of its half width and half height, of an aspect of 16:9.
ACROSS, DOWN, ASPECT = np.linspace(-0.85, 0.85, 6), np.linspace(-0.9, 0.3, 6), 16.0 / 9.0
# Where a ray looks for the ground, and where the sun may be hidden from what it finds. Metres.
ALONG_M, TOWARDS_SUN_M = np.geomspace(150.0, 50_000.0, 18), np.geomspace(250.0, 16_000.0, 7)
# The exposure by which a picture of less light than open ground has is opened: the power of what it lacks, and the bounds.
POWER, LEAST, MOST = 0.80, 0.55, 1.9
# From this high above the ground relief is not what a picture is about, metres.
HIGH_M = 25_000.0
# The eye takes no ground for darker than this share of open ground.
DARKEST = 0.02
# The reflectance of ordinary ground, and how much more snow reflects.
ORDINARY, SNOW = 0.125, 2.8
# Snow lies everywhere where it is so much colder than where it begins, degrees; as in cover.glsl.
SNOWS_OVER_C = 5.0
# The power of what grows and lies that counts: woods should still look darker than meadows, and deserts lighter.
FELT = 0.65
# Of a colour's red, green and blue.
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def opened(
    daylight: Daylight,
    ground: Ground,
    flight: Flight,
    start_s: float,
    palette: Palette,
    warmth: Warmth,
    cover: np.ndarray | None = None,
    rings: Rings | None = None,
    clouds: CloudCover | None = None,
) -> Daylight:
    """The same daylight with an eye that has adapted to the ground in the picture from `start_s` seconds on.

    `palette`: the world's colours; `warmth`: where it is warm; `cover`: as `cover_parts` returns it, where it is known.
    `rings`, `clouds`: those that throw a shadow.
    """
    times = STEP_S * np.arange(len(daylight.exposures))
    wanted = np.ones(len(times))
    moments = np.flatnonzero((times >= start_s + STEP_S) & (times <= flight.seconds))
    if len(moments):
        wanted[moments] = _wanted(ground, flight, daylight.sun_at, times[moments], palette, warmth, cover, rings, clouds)
    return replace(daylight, exposures=daylight.exposures * adapted(wanted))


def _wanted(
    ground: Ground,
    flight: Flight,
    sun_at: Callable[[float], np.ndarray],
    times: np.ndarray,
    palette: Palette,
    warmth: Warmth,
    cover: np.ndarray | None,
    rings: Rings | None,
    clouds: CloudCover | None,
) -> np.ndarray:
    """The exposure (k,) of an eye fully adapted to the ground in view at times (k,), relative to that of open ground."""
    poses = [flight.pose(t) for t in times]
    eye = np.stack([pose.position for pose in poses])
    forward, up = np.stack([pose.forward for pose in poses]), np.stack([pose.up for pose in poses])
    half = np.tan(0.5 * np.array([pose.fov_y for pose in poses]))[:, None]
    right = np.cross(forward, up)
    rays = unit(
        np.stack(
            [forward + half * (ASPECT * x * right + y * up) for y in DOWN for x in ACROSS],
            axis=1,
        )
    )
    sun = np.stack([sun_at(t) for t in times])[:, None]
    place, found = _ground_seen(ground, eye[:, None], rays)
    normal = _normals(ground, place)
    share = _light(ground, place, normal, sun, rings) * _reflected(ground, place, normal, palette, warmth, cover)
    if clouds is not None:
        share = share * clouds.light(ground.up(place), np.broadcast_to(sun, place.shape), times)
    logs = np.where(found, np.log(np.maximum(share, DARKEST)), 0.0).sum(axis=1) / np.maximum(found.sum(axis=1), 1)
    near = np.exp(-np.maximum(ground.altitude(eye), 0.0) / HIGH_M) if ground.atlas.spherical else 1.0
    # What is not land says little.
    weight = near * np.minimum(1.6 * found.mean(axis=1), 1.0)
    return np.clip(np.exp(-POWER * logs), LEAST, MOST) ** weight


def _ground_seen(ground: Ground, eye: np.ndarray, rays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where rays (k, r, 3) from `eye` (k, 1, 3) first meet the ground, (k, r, 3), and whether that is land, (k, r)."""
    along = eye[:, :, None] + rays[:, :, None] * ALONG_M[:, None]
    height = ground.sampled(along)
    under = ground.altitude(along) < np.maximum(height, 0.0)
    first = under.argmax(axis=2)[..., None]
    place = np.take_along_axis(along, first[..., None], axis=2)[:, :, 0]
    land = np.take_along_axis(height, first, axis=2)[..., 0] > 0.0
    return place, under.any(axis=2) & land


def _normals(ground: Ground, place: np.ndarray) -> np.ndarray:
    """The ground's normals at places (k, r, 3): unit (k, r, 3)."""
    up, reach = ground.up(place), ground.cell_m
    return unit(up - sum(_slope(ground, place, reach, way)[..., None] * way for way in tangents(up)))


def _light(ground: Ground, place: np.ndarray, normal: np.ndarray, sun: np.ndarray, rings: Rings | None) -> np.ndarray:
    """The light at places (k, r, 3) with their normals by that on open level ground: (k, r). `sun`: unit (k, 1, 3)."""
    up = ground.up(place)
    standing = np.maximum(ground.sampled(place), 0.0) - ground.altitude(place)
    towards = (place + up * standing[..., None])[:, :, None] + sun[:, :, None] * TOWARDS_SUN_M[:, None]
    hidden = (ground.altitude(towards) < ground.sampled(towards)).any(axis=2)
    height = (up * sun).sum(axis=-1)
    direct, sky = _sunlight(height), _skylight(height)
    facing = np.maximum((normal * sun).sum(axis=-1), 0.0) * ~hidden
    if rings is not None:
        facing = facing * rings.passed(place / ground.size_m, np.broadcast_to(sun, place.shape))
    open_sky = 0.5 + 0.5 * (normal * up).sum(axis=-1)
    return (direct * facing + sky * open_sky) / (direct * np.maximum(height, 0.0) + sky)


def _reflected(
    ground: Ground, place: np.ndarray, normal: np.ndarray, palette: Palette, warmth: Warmth, cover: np.ndarray | None
) -> np.ndarray:
    """What the ground at places (k, r, 3) with their normals reflects, by what ordinary ground does: (k, r).

    Rock, snow and what grows lie about as in surface.frag.
    """
    t = np.clip(ground.sampled(place) / max(ground.highest_m, 1.0), 0.0, 1.0)
    warm = palette.felt(warmth).celsius(ground.up(place)[..., 1] ** 2, t)
    snow = _step(palette.snow_c - warm, 0.0, SNOWS_OVER_C)
    steep = 1.25 * np.sqrt(np.maximum(1.0 - (normal * ground.up(place)).sum(axis=-1), 0.0))
    covers = np.array(palette.covers) @ LUMINANCE / ORDINARY
    soil = covers.mean() if cover is None else _grown(covers, moisture(ground, cover, place), warm) ** FELT
    soil = soil + (0.8 * np.array(palette.rock) @ LUMINANCE / ORDINARY - soil) * _step(steep, 0.42, 0.75)
    return soil + (SNOW - soil) * snow * (1.0 - _step(steep, 0.5, 0.9))


def _grown(covers: np.ndarray, moist: np.ndarray, warm: np.ndarray) -> np.ndarray:
    """The mean of `covers` (7,) that stand on ground of such moisture and warmth, degrees Celsius: (k, r)."""
    mild = np.clip((warm - 3.0) / 11.0, 0.0, 1.0)
    sand, stones, grass = (cold + (kind - cold) * mild for kind, cold in zip(covers[:3], covers[3:6], strict=True))
    dry = 0.5 * (sand + stones)
    open_ = dry + (grass - dry) * _step(moist, 0.24, 0.58)
    return open_ + (covers[6] - open_) * wooded(moist, warm)


def _slope(ground: Ground, place: np.ndarray, reach: float, way: np.ndarray) -> np.ndarray:
    return (ground.sampled(place + reach * way) - ground.sampled(place - reach * way)) / (2.0 * reach)


def _sunlight(height: np.ndarray) -> np.ndarray:
    """The share of the sun's light that the air lets through, by the sine (...) of its elevation."""
    return np.exp(-0.13 / (np.maximum(height, 0.0) + 0.025))


def _skylight(height: np.ndarray) -> np.ndarray:
    """The light of the sky as ground_light.glsl takes it, in suns, by the sine (...) of the sun's elevation."""
    day = 0.55 * _step(height, -0.20, 0.18) + 0.45 * _step(height, -0.05, 0.45)
    return 0.115 * (day + 0.07) * (3.3 - _step(height, 0.03, 0.38))


def _step(x: np.ndarray, low: float, high: float) -> np.ndarray:
    return smoothstep(np.clip((x - low) / (high - low), 0.0, 1.0))
