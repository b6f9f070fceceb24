"""Landing sites: where on a planet a flight comes down to the ground, and where it looks there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground
from ..maths.vectors import crosses, unit
from ..worlds import hashing

STREAM = 113
FIRST_PLACES, KEPT_PLACES, VARIATIONS, SITES = 1200, 24, 24, 8
# The ground that is judged: under the way, metres along it; and in view, metres ahead and radians to the right.
ALONG_M = np.arange(-2_000.0, 9_001.0, 1_000.0)
AHEAD_M = np.array([2_500.0, 4_500.0, 7_000.0, 10_000.0, 14_000.0, 20_000.0, 28_000.0, 40_000.0])
ASIDE = np.radians([-28.0, -14.0, 0.0, 14.0, 28.0])
EYE_M = 350.0
# The ground in view from high above on the way out: radians ahead and to the right; more than the share OUT_LAND of land is
# no better.
OUT_AHEAD, OUT_ASIDE, OUT_LAND = np.array([0.07, 0.13, 0.19, 0.25, 0.33]), np.array([-0.11, 0.0, 0.11]), 0.40
# The ground in view on the way in: shares of the way from afar to the site, radians before the site, and the radians around
# that are seen. More than the share IN_LAND of land is no better; IN_WORTH is what land in all of them is worth.
IN_SHARE, IN_BEFORE = np.array([0.55, 0.75, 0.9, 1.0, 1.0]), np.array([-0.20, -0.20, -0.19, -0.15, -0.09])
IN_AROUND, IN_LAND, IN_WORTH = np.array([0.28, 0.20, 0.13, 0.08, 0.05]), 0.35, 3.5
# The sun's elevation: wanted from SUN_LOW to SUN_HIGH, and at most SUN_HIGHEST where there is nothing else to see. Radians.
SUN_LOW, SUN_HIGH, SUN_HIGHEST = np.radians(8.0), np.radians(22.0), np.radians(60.0)
# Where places lie along the terminator: radians from the planet's equator towards the upper pole.
PLACE_LOW, PLACE_HIGH = np.radians(-72.0), np.radians(48.0)
# The cosine between a site and the place that the flight comes from: below it the way is long and turns fast.
FAR = np.cos(np.radians(48.0))
# Radians before and after the site over which the flight is near the ground; the sine of the sun's least elevation there.
WAY_IN, WAY_OUT, SET = -0.30, 0.55, np.sin(np.radians(7.0))
# Beyond this sine of the latitude a place is worth less, by this much.
COLD_FROM, COLD = 0.55, 3.0
# The way under clouds that is judged, metres along it. A site is gloomy where they hide more than CLOUDY of the sky.
UNDER_CLOUDS_M, CLOUDY, GLOOM = np.array([-4_000.0, 4_000.0, 12_000.0, 24_000.0]), 0.30, 2.2
# How far land near ahead is of one colour, by the share of it that woods hide: where they are green, and where they are not,
# for there the shapes of bare land tell more.
GREEN, BROWN, DULL = ((0.0, 0.15, 0.60, 0.90), (1.0, 0.0, 0.0, 1.0)), ((0.15, 0.90), (0.0, 1.0)), 0.9
# Land near ahead is rugged where its heights differ by so much in the mean, metres.
RUGGED_M, RUGGED = 700.0, 1.2
# A view is filled by shade where more than this share of the ground near ahead turns its back to the sun.
SHADY = 0.35
THIRD = np.radians(14.0)
MOST_ASIDE = np.radians(20.0)


@dataclass(frozen=True)
class Outlook:
    """What there is to see of a planet besides its relief.

    `hidden(up)`: the share of the sky that clouds hide over places, unit (..., 3), when the flight is there: (...), 0..1.
    `wooded(up, height_m)`: the share of the ground that woods hide there, at heights (...) above the sea: (...), 0..1.
    `green`: whether woods are.
    """

    hidden: Callable[[np.ndarray], np.ndarray]
    wooded: Callable[[np.ndarray, np.ndarray], np.ndarray]
    green: bool


@dataclass(frozen=True)
class Site:
    """A place to come down to.

    `start`: its direction from the planet's centre, unit (3,); `heading`: the level direction of the flight there, unit
    (3,); `aside`: radians to the right by which the view leaves the way, so that the highest mountain is on a third.
    """

    start: np.ndarray
    heading: np.ndarray
    aside: float


def sites(
    ground: Ground,
    seed: int,
    sun: np.ndarray,
    eye: np.ndarray,
    north: np.ndarray,
    also: tuple[np.ndarray, np.ndarray] | None = None,
    outlook: Outlook | None = None,
) -> list[Site]:
    """The best places for a low flight where the sun is low, best first.

    `sun`, `eye`: unit (3,) towards the sun and towards the place that the flight comes from; `north`: the picture's up
    there, unit (3,). Headings stay near it, because turning takes time. `also`: further places to choose from, unit (k, 3),
    and the headings there, level unit (k, 3); `outlook`: what there is to see besides relief, where that is known.
    """
    draws = hashing.uniforms(seed, STREAM, FIRST_PLACES * 3).reshape(-1, 3)
    east = unit(crosses(north, sun))
    east *= 1.0 if east @ eye >= 0.0 else -1.0
    pole = unit(north - (north @ sun) * sun)
    # In one place of four the sun is higher, for worlds whose land is all there.
    high = np.arange(FIRST_PLACES) % 4 == 0
    lift = np.where(high, SUN_HIGH + (SUN_HIGHEST - SUN_HIGH) * draws[:, 0], SUN_LOW + (SUN_HIGH - SUN_LOW) * draws[:, 0])[
        :, None
    ]
    place = (PLACE_LOW + (PLACE_HIGH - PLACE_LOW) * draws[:, 1])[:, None]
    start = (east * np.cos(place) + pole * np.sin(place)) * np.cos(lift) + sun * np.sin(lift)
    tangent = pole * np.cos(place) - east * np.sin(place)
    heading = _turned(start, tangent, np.radians(90.0) * (draws[:, 2] - 0.5))
    if also is not None:
        start, heading = np.concatenate([start, also[0]]), np.concatenate([heading, also[1]])
    score, _ = _worth(ground, start, heading, sun, eye, outlook, every=2)
    best = np.argsort(-score, kind="stable")[:KEPT_PLACES]
    start, heading = _varied(seed, start[best], heading[best])
    score, peak = _worth(ground, start, heading, sun, eye, outlook)
    found: list[int] = []
    for k in np.argsort(-score, kind="stable"):
        if len(found) < SITES and all(start[k] @ start[other] < np.cos(0.03) for other in found):
            found.append(int(k))
    return [Site(start[k], heading[k], float(_aside(peak[k]))) for k in found]


def _worth(
    ground: Ground,
    start: np.ndarray,
    heading: np.ndarray,
    sun: np.ndarray,
    eye: np.ndarray,
    outlook: Outlook | None,
    every: int = 1,
) -> tuple[np.ndarray, np.ndarray]:
    """How good places (k, 3) with their headings are: (k,), and the bearings that `_scores` returns with it."""
    score, peak = _scores(ground, start, heading, sun, every)
    score += IN_WORTH * _land_on_the_way_in(ground, start, heading, eye)
    score -= _badly_lit(sun, start, heading) + 4.0 * np.maximum(FAR - start @ eye, 0.0)
    return score if outlook is None else score - _monotonous(ground, start, heading, outlook, every), peak


def _monotonous(ground: Ground, start: np.ndarray, heading: np.ndarray, outlook: Outlook, every: int) -> np.ndarray:
    """A penalty (k,) for places below closed clouds, and for views of one colour."""
    angle = (UNDER_CLOUDS_M / ground.size_m)[:, None]
    way = start[:, None] * np.cos(angle) + heading[:, None] * np.sin(angle)
    gloomy = np.clip((outlook.hidden(way).mean(axis=1) - CLOUDY) / (1.0 - CLOUDY), 0.0, 1.0)
    seen = _seen(ground, start, heading, AHEAD_M[AHEAD_M <= 14_000.0][::every], ASIDE[::every])
    height = ground.sampled(seen)
    land = height > 0.0
    woods = (outlook.wooded(seen, height) * land).sum(axis=(1, 2)) / np.maximum(land.sum(axis=(1, 2)), 1)
    dull = np.interp(woods, *(GREEN if outlook.green else BROWN))
    penalty: np.ndarray = GLOOM * gloomy + DULL * dull * land.mean(axis=(1, 2))
    return penalty


def _seen(ground: Ground, start: np.ndarray, heading: np.ndarray, ahead: np.ndarray, aside: np.ndarray) -> np.ndarray:
    """Places `ahead` metres away and `aside` radians to the right of headings: unit (k, aside, ahead, 3)."""
    way = heading[:, None] * np.cos(aside)[:, None] + crosses(heading, start)[:, None] * np.sin(aside)[:, None]
    away = (ahead / ground.size_m)[:, None]
    return start[:, None, None] * np.cos(away) + way[:, :, None] * np.sin(away)


def _badly_lit(sun: np.ndarray, start: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """A penalty (k,) for a sun out of its bounds at places (k, 3), or below the horizon at either end of the low flight."""
    height = start @ sun
    low, high = np.maximum(np.sin(SUN_LOW) - height, 0.0), np.maximum(height - np.sin(SUN_HIGH), 0.0)
    ends = [np.maximum(SET - (start * np.cos(a) + heading * np.sin(a)) @ sun, 0.0) for a in (WAY_IN, WAY_OUT)]
    return 20.0 * low + np.minimum(20.0 * high, 1.2 + 2.0 * high) + 5.0 * ends[0] + 8.0 * ends[1]


def _aside(bearing: float) -> float:
    """How far to look aside so that a peak at `bearing` stands on the third nearer to the way; radians, both."""
    side = 1.0 if bearing >= 0.0 else -1.0
    return float(np.clip(bearing - side * THIRD, -MOST_ASIDE, MOST_ASIDE))


def _varied(seed: int, start: np.ndarray, heading: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each of the (k, 3) places and headings itself and others near it, VARIATIONS in all."""
    draws = hashing.uniforms(seed, STREAM + 1, len(start) * VARIATIONS * 3).reshape(len(start), VARIATIONS, 3) - 0.5
    draws[:, 0] = 0.0
    s, h = np.repeat(start, VARIATIONS, axis=0), np.repeat(heading, VARIATIONS, axis=0)
    along, across, turn = draws.reshape(-1, 3).T
    moved = unit(s + 0.08 * along[:, None] * h + 0.08 * across[:, None] * crosses(h, s))
    level = unit(h - (h * moved).sum(axis=1, keepdims=True) * moved)
    return moved, _turned(moved, level, np.radians(50.0) * turn)


def _turned(start: np.ndarray, heading: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Headings (k, 3) turned by angles (k,) to the right."""
    return heading * np.cos(angle)[:, None] + crosses(heading, start) * np.sin(angle)[:, None]


def _scores(
    ground: Ground, start: np.ndarray, heading: np.ndarray, sun: np.ndarray, every: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """How much there is to see (k,), and the bearing (k,) of the highest mountain ahead, radians to the right.

    For a first choice only every `every`-th place is looked at in each direction.
    """
    size, relief = ground.size_m, max(ground.highest_m, 1.0)
    along, ahead, aside = ALONG_M[::every], AHEAD_M[::every], ASIDE[::every]
    angle = along / size
    under = ground.sampled(start[:, None] * np.cos(angle)[:, None] + heading[:, None] * np.sin(angle)[:, None])
    right = crosses(heading, start)
    way = heading[:, None] * np.cos(aside)[:, None] + right[:, None] * np.sin(aside)[:, None]
    seen = ground.sampled(_seen(ground, start, heading, ahead, aside))
    eye = np.maximum(under, 0.0).max(axis=1) + EYE_M
    # The planet falls away below the level.
    rise = (np.maximum(seen, 0.0) - ahead**2 / (2.0 * size) - eye[:, None, None]) / ahead
    mountains = rise[:, :, ahead >= 7_000.0]
    tall = np.clip(mountains.max(axis=(1, 2)) / 0.13, -0.5, 1.0)
    walls = rise[:, np.abs(aside) < 0.3][:, :, ahead <= 10_000.0]
    blocked = np.clip((walls.max(axis=(1, 2)) - 0.06) / 0.10, 0.0, 1.0)
    land, near = under > 0.0, seen[:, :, ahead <= 14_000.0] > 0.0
    # Some water is wanted, but not as the foreground, and no long way over it.
    coast = 1.0 - np.abs(near.mean(axis=(1, 2)) - 0.68) / 0.32
    crossed = np.minimum(np.abs(np.diff(land.astype(np.float64), axis=1)).sum(axis=1), 2.0) * 0.5
    foreground = near[:, :, ahead[: near.shape[2]] <= 7_000.0]
    wet = np.clip(0.60 - land.mean(axis=1), 0.0, None) + np.clip(0.55 - foreground.mean(axis=(1, 2)), 0.0, None)
    low = np.maximum(under, 0.0)
    climb = (low.max(axis=1) - low[:, 0]) / relief
    score = 1.7 * tall + 1.0 * np.maximum(coast, -1.0) + 0.6 * crossed - 1.4 * blocked - 4.0 * np.abs(climb) - 3.0 * wet
    score += RUGGED * np.minimum(np.maximum(seen, 0.0)[:, :, ahead <= 14_000.0].std(axis=(1, 2)) / RUGGED_M, 1.0)
    score -= 1.5 * np.clip(low.mean(axis=1) / relief - 0.25, 0.0, None)
    # Near the poles all is white.
    score -= COLD * np.clip(np.abs(start[:, 1]) - COLD_FROM, 0.0, None)
    score -= 3.0 * _filled_by_shade(sun, start, way, heading, right, aside, ahead, np.maximum(seen, 0.0))
    out = _land_on_the_way_out(ground, start, heading, right, every)
    score += 1.2 * np.minimum(out / OUT_LAND, 1.0) - 3.0 * np.clip(1.0 - out / (0.4 * OUT_LAND), 0.0, None)
    return score, aside[np.argmax(mountains.max(axis=2), axis=1)]


def _filled_by_shade(
    sun: np.ndarray,
    start: np.ndarray,
    way: np.ndarray,
    heading: np.ndarray,
    right: np.ndarray,
    aside: np.ndarray,
    ahead: np.ndarray,
    seen: np.ndarray,
) -> np.ndarray:
    """How much of the view is ground near ahead that turns its back to the sun, beyond the share SHADY: (k,), 0..1.

    `seen`: (k, aside, ahead) metres, the ground `ahead` metres on the ways (k, aside, 3), which lie `aside` radians to the
    right of `heading`.
    """
    near = ahead <= 14_000.0
    along = np.gradient(seen[:, :, near], ahead[near], axis=2)
    across = np.gradient(seen[:, :, near], aside, axis=1) / ahead[near]
    beside = right[:, None] * np.cos(aside)[:, None] - heading[:, None] * np.sin(aside)[:, None]
    height = start @ sun
    light = height[:, None, None] - along * (way @ sun)[:, :, None] - across * (beside @ sun)[:, :, None]
    dark = np.clip(1.0 - 1.5 * light / np.maximum(height, 0.05)[:, None, None], 0.0, 1.0).mean(axis=(1, 2))
    return np.clip((dark - SHADY) / (1.0 - SHADY), 0.0, 1.0)


def _land_on_the_way_in(ground: Ground, start: np.ndarray, heading: np.ndarray, eye: np.ndarray) -> np.ndarray:
    """How much of what is seen on the way down from above `eye`, unit (3,), is land, at most IN_LAND: (k,), 0..1."""
    before = start[:, None] * np.cos(IN_BEFORE)[:, None] + heading[:, None] * np.sin(IN_BEFORE)[:, None]
    under = unit(before * IN_SHARE[:, None] + eye * (1.0 - IN_SHARE)[:, None])
    around = IN_AROUND[:, None] * np.array([-1.0, 0.0, 1.0])
    ways = around[:, :, None] * heading[:, None, None], around[:, :, None] * crosses(heading, start)[:, None, None]
    seen = under[:, :, None, None] + ways[0][:, :, :, None] + ways[1][:, :, None, :]
    land = (ground.sampled(unit(seen)) > 0.0).mean(axis=(2, 3))
    share: np.ndarray = np.minimum(land / IN_LAND, 1.0).mean(axis=1)
    return share


def _land_on_the_way_out(
    ground: Ground, start: np.ndarray, heading: np.ndarray, right: np.ndarray, every: int
) -> np.ndarray:
    """The share of land in what is seen after the climb: (k,)."""
    ahead, aside = OUT_AHEAD[::every, None], OUT_ASIDE[None, ::every, None]
    way = start[:, None] * np.cos(ahead) + heading[:, None] * np.sin(ahead)
    return (ground.sampled(way[:, :, None] * np.cos(aside) + right[:, None, None] * np.sin(aside)) > 0.0).mean(axis=(1, 2))
