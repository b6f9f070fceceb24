"""Forms of rivers: uneven widths, funnels at the sea, and braids, where several threads of water part and meet on gravel.

A river braids where much water and much gravel come down a slope that is too steep for meanders and too gentle for a torrent
(L. Leopold and M. Wolman, "River channel patterns: braided, meandering and straight", 1957).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..maths.easing import smoothstep
from ..maths.vectors import crosses, lengths, unit
from ..worlds.carving.river_ways import RIVER, SEA, Courses
from ..worlds.hashing import uniforms_at
from .detail import CHUNK
from .meanders import evened

STREAM = 134
# Rivers are by these factors as wide as they should be, changing over so many half widths and at least so many points.
UNEVEN, STRETCH, STRETCH_POINTS = (0.66, 1.34), 5.0, 6.0
# Half a river's width is at most this share of the radius of its bends, told over so many points to either side.
BENT, BENT_POINTS = 0.6, 8
# At the sea a river is so many times as wide, and widens over so many widths; one on level ground has a longer funnel.
MOUTH, MOUTH_LONG = 2.6, 7.0
ESTUARY, ESTUARY_LONG = 4.6, 13.0
# The arms of a delta are all but as wide there as before.
DELTA = 1.5
# Slopes between which rivers braid: from none to all and back.
BRAIDED = 0.004, 0.011, 0.035, 0.065
# They have at least so much of the water that the largest tenth of all points have, and all of it: none and all of braids.
WATER = 0.35, 0.9
# Braids come and go over so many points, for this share of the way.
BRAIDS_LONG, BRAIDS_SHARE = 320, 0.65
# None braids over its last points, so many, before it joins another, and all do over twice as many.
JOINS_POINTS = 40
# How many times as wide the gravel is as the river would be. No ground stands so many metres and shares of that width above
# the water at its rims.
GRAVEL, LEVEL_M, LEVEL_SHARE = 3.4, 6.0, 0.15
# So much is seen of a torrent, and a fall as far as the river is over so many points to either side.
TORRENT_SEEN, FALL_POINTS = 0.4, 12
# On ground steeper than that of these flatnesses a river is seen only in a valley. Its sides rise by such a slope, from none
# to all, over so many cells. That is evened over so many points to either side. A small river has less than this share of
# the water that the largest tenth of all points have.
HILLSIDE, SIDES, SIDES_CELLS, SIDES_POINTS, SMALL = (0.80, 0.50), (0.02, 0.09), 0.3, 24, 0.3
# Slope of a river's banks on level and on steep ground, and at the foot of a fall.
BANK, GORGE_BANK, FALL_BANK = 0.26, 1.3, 1.9
# The slope of the valleys that rivers have cut through what stood in their way, and how deep a cut is that begins to be one
# and that is one.
VALLEY_BANK, VALLEY_M = 0.42, (25.0, 90.0)
# Slopes and braids are evened over so many points to either side.
EVENED = 14


def gone(courses: Courses, place: np.ndarray) -> np.ndarray:
    """The way of each point from its source, float64 (p,), in radii or extents; `place`: (p, 3)."""
    step = np.zeros(len(place))
    step[1:] = lengths(np.diff(place, axis=0))
    far = np.cumsum(step)
    way: np.ndarray = far - far[courses.first[:-1]][courses.of_point]
    return way


def most_seen(flat: np.ndarray) -> np.ndarray:
    """How much is seen of rivers that no land hides, 0..1, float64 (p,). `flat`: (p,), 1 on level ground."""
    return np.minimum(TORRENT_SEEN + 0.9 * flat, 1.0)


def seen_of(courses: Courses, flat: np.ndarray, white: np.ndarray, deep: np.ndarray, deepest: np.ndarray) -> np.ndarray:
    """How much is seen of rivers that lie `deep` (p,) metres in the ground, 0..1, float64 (p,): nothing from `deepest` (p,)
    on. `flat`: (p,), 1 on level ground; `white`: (p,), 1 on a fall."""
    uncut = np.clip(2.0 - 2.0 * np.maximum(deep, 0.0) / deepest, 0.0, 1.0)
    river = most_seen(flat) * uncut
    # A fall of a river that is hidden above and below it would hang on its slope alone.
    fall = white * uncut * np.minimum(evened(river, courses, FALL_POINTS) / TORRENT_SEEN, 1.0)
    out: np.ndarray = np.maximum(river, fall)
    return out


def uneven(courses: Courses, along: np.ndarray, half: np.ndarray, seed: int) -> np.ndarray:
    """By how many times the mean of its stretch a river is wide at each point, float64 (p,).

    `along`: (p,), way from the source, and `half`, half the width, in one unit.
    """
    step = np.maximum(np.diff(along, prepend=0.0), 0.0)
    long = np.maximum(STRETCH * half, STRETCH_POINTS * step)
    knot = np.cumsum(step / np.maximum(long, 1e-12))
    first, low, high = np.floor(knot), *UNEVEN
    begin, end = (uniforms_at(seed, STREAM, (first + k).astype(np.int64)) for k in (0, 1))
    return low + (high - low) * (begin + (end - begin) * smoothstep(knot - first))


def in_bends(courses: Courses, place: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Half the widths (p,), narrower where rivers would be folded over themselves: float64 (p,).

    `half`: in radii or extents; `place`: (p, 3).
    """
    line, point = courses.of_point, np.arange(len(place))
    before, after = np.maximum(point - 1, courses.first[line]), np.minimum(point + 1, courses.first[line + 1] - 1)
    ahead = place[after] - place[before]
    long = np.maximum(lengths(ahead), 1e-15)
    ahead /= long[:, None]
    turn = ahead[after]
    turn -= ahead[before]
    bend = evened(lengths(turn) / long, courses, BENT_POINTS // 2)
    # From here on as much of it again is needed.
    del ahead, turn
    most = BENT / np.maximum(bend, 1e-9)
    for shift in range(1, BENT_POINTS + 1):
        for beside in (
            np.maximum(point - shift, courses.first[line]),
            np.minimum(point + shift, courses.first[line + 1] - 1),
        ):
            most = np.minimum(most, BENT / np.maximum(bend[beside], 1e-9))
    found: np.ndarray = np.minimum(half, evened(np.minimum(most, 4.0 * half), courses, BENT_POINTS))
    return found


def mouths(courses: Courses, along: np.ndarray, half: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """By how many times rivers are wider where they come to the sea, float64 (p,).

    `along`: (p,), way from the source, and `half`, half the width, in one unit; `flat`: 1 on level ground.
    """
    line = courses.of_point
    last = courses.first[1:] - 1
    left = (along[last][line] - along) / (2.0 * half[last][line])
    level = smoothstep(np.clip((flat[last][line] - 0.80) / 0.18, 0.0, 1.0))
    widest, long_ = (a + (b - a) * level for a, b in ((MOUTH, ESTUARY), (MOUTH_LONG, ESTUARY_LONG)))
    widest = np.where(courses.on_delta[line], DELTA, widest)
    wide = 1.0 + (widest - 1.0) * np.clip(1.0 - left / long_, 0.0, 1.0) ** 2
    return np.where((courses.end == SEA)[line], wide, 1.0)


def braids(
    courses: Courses,
    place: np.ndarray,
    along_m: np.ndarray,
    high: np.ndarray,
    half: np.ndarray,
    ground: Callable[[np.ndarray], np.ndarray],
    size_m: float,
    seed: int,
) -> np.ndarray:
    """How far rivers part into threads, 0..1, float64 (p,).

    `along_m`: (p,), metres from the source; `high`: of the ground, metres; `half`: half the width, metres; `ground`: heights
    (k,) at places (k, 3).
    """
    line, point = courses.of_point, np.arange(len(place))
    low = np.maximum(point - EVENED, courses.first[line])
    up = np.minimum(point + EVENED, courses.first[line + 1] - 1)
    level = evened(high, courses, EVENED)
    slope = (level[low] - level[up]) / np.maximum(along_m[up] - along_m[low], 1e-6)
    a, b, c, d = BRAIDED
    suits = smoothstep(np.clip((slope - a) / (b - a), 0.0, 1.0)) * smoothstep(np.clip((d - slope) / (d - c), 0.0, 1.0))
    most = float(np.percentile(courses.flow_m3_s, 90)) if len(place) else 1.0
    suits *= np.clip((courses.flow_m3_s / most - WATER[0]) / (WATER[1] - WATER[0]), 0.0, 1.0)
    # Where it joins another river it is one thread: its gravel would lie on the other's water.
    left = courses.first[line + 1] - 1 - point
    suits *= np.where((courses.end == RIVER)[line], np.clip(left / JOINS_POINTS - 1.0, 0.0, 1.0), 1.0)
    knots = (point - courses.first[line]) // BRAIDS_LONG + 4099 * line
    suits *= uniforms_at(seed, STREAM + 1, knots) < BRAIDS_SHARE
    asked = np.flatnonzero(suits > 0.0)
    if len(asked):
        suits[asked] *= _room(place, asked, np.stack([low, up]), high, GRAVEL * half, ground, size_m)
    return evened(evened(suits, courses, EVENED), courses, EVENED)


def _room(
    place: np.ndarray,
    asked: np.ndarray,
    ends: np.ndarray,
    high: np.ndarray,
    wide: np.ndarray,
    ground: Callable[[np.ndarray], np.ndarray],
    size_m: float,
) -> np.ndarray:
    """1 where the points `asked` (k,) lie on ground so level that gravel `wide` (p,) metres to both sides finds room, to 0.

    `ends`: (2, p), the points between which the way's direction is told.
    """
    above = np.maximum(*_beside(place, asked, ends, wide, ground, size_m)) - high[asked]
    most = LEVEL_M + LEVEL_SHARE * wide[asked]
    return np.clip(2.0 - above / most, 0.0, 1.0)


def _beside(
    place: np.ndarray,
    asked: np.ndarray,
    ends: np.ndarray,
    wide: np.ndarray,
    ground: Callable[[np.ndarray], np.ndarray],
    size_m: float,
) -> tuple[np.ndarray, np.ndarray]:
    """The ground to the right and to the left of the points `asked` (k,), `wide` (p,) metres away; the rest as `_room`."""
    found = np.empty((2, len(asked)))
    spherical = abs(float(place[asked[0]] @ place[asked[0]]) - 1.0) < 1e-6
    for start in range(0, len(asked), CHUNK):
        chunk = slice(start, start + CHUNK)
        number = asked[chunk]
        here = place[number]
        up = unit(here) if spherical else np.broadcast_to([0.0, 1.0, 0.0], here.shape)
        across = crosses(up, place[ends[1, number]] - place[ends[0, number]])
        across *= (wide[number] / size_m / np.maximum(lengths(across), 1e-15))[:, None]
        found[0, chunk], found[1, chunk] = ground(here - across), ground(here + across)
    right, left = found
    return right, left


def in_valleys(
    courses: Courses,
    place: np.ndarray,
    high: np.ndarray,
    flat: np.ndarray,
    ground: Callable[[np.ndarray], np.ndarray],
    cell_m: float,
    size_m: float,
) -> np.ndarray:
    """1 where rivers run in valleys or on level ground, to 0 on open hillsides, where they would be roads: float64 (p,).

    A river of samples that are kilometres apart begins on a slope that has no valley yet. `high`: of the ground, metres;
    `flat`: 1 on level ground; `ground`: heights (k,) at places (k, 3); `cell_m`: of the samples.
    """
    line, point = courses.of_point, np.arange(len(place))
    low = np.maximum(point - EVENED, courses.first[line])
    up = np.minimum(point + EVENED, courses.first[line + 1] - 1)
    found = np.ones(len(place))
    asked = np.flatnonzero(flat < HILLSIDE[0])
    if not len(asked):
        return found
    away = np.full(len(place), SIDES_CELLS * cell_m)
    rise = (np.minimum(*_beside(place, asked, np.stack([low, up]), away, ground, size_m)) - high[asked]) / away[asked]
    valley = smoothstep(np.clip((rise - SIDES[0]) / (SIDES[1] - SIDES[0]), 0.0, 1.0))
    level = smoothstep(np.clip((flat[asked] - HILLSIDE[1]) / (HILLSIDE[0] - HILLSIDE[1]), 0.0, 1.0))
    found[asked] = level + (1.0 - level) * valley
    # Half seen, a river would be a ghost: it begins and ends within a short way. A great one is seen all the way.
    hidden = np.clip(2.5 - 4.0 * evened(found, courses, SIDES_POINTS), 0.0, 1.0)
    most = float(np.percentile(courses.flow_m3_s, 90))
    return 1.0 - hidden * np.clip(2.0 - courses.flow_m3_s / (SMALL * most), 0.0, 1.0)


def banks(flat: np.ndarray, white: np.ndarray, deep_m: np.ndarray) -> np.ndarray:
    """The slope of banks, float64 (p,). `flat`: (p,), 1 on level ground; `white`: (p,), 1 at the foot of a fall; `deep_m`:
    how high the ground stands above the water."""
    bank = GORGE_BANK + (BANK - GORGE_BANK) * np.minimum(1.3 * flat, 1.0)
    # A deep cut is a valley and no slot.
    bank += (VALLEY_BANK - bank) * smoothstep(np.clip((deep_m - VALLEY_M[0]) / (VALLEY_M[1] - VALLEY_M[0]), 0.0, 1.0))
    return bank + (FALL_BANK - bank) * white
