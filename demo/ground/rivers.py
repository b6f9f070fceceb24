"""Rivers: courses on the ground, with the level and the width of their water.

A river never rises on its way: where the ground does, it lies in a gorge. Tributaries come down to the river that they join.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths.vectors import tangents, unit
from ..worlds.carving.river_ways import SEA, Courses
from ..worlds.climate.temperature import PLANET_M, TERRAIN_M, temperature_c
from ..worlds.hashing import bits, uniforms_at
from ..worlds.heightfield import sample
from ..worlds.runoff import Runoff
from .detail import Detail
from .ground import Ground
from .lattice_noise import simplex

STREAM = 131
# A river is WIDE times the root of its discharge in m^3/s wide, in metres, and no less than LEAST_M: three or four times as
# wide as on Earth, or nobody would see it from a flight. A river of the Earth has 5 to 8.
WIDE, LEAST_M = 22.0, 4.0
# A planet of the show is a tenth of the Earth and looked at from higher.
PLANET_WIDE = 26.0
# Metres of depth of a river that is 1 m wide, and the power of the width that the depth follows.
DEEP, DEEP_POWER = 0.22, 0.75
# A river is narrow at its source: it has its width after so many points.
SPRING = 10
# Rivers wind about the way that the samples tell: by so many cells, in bends of so many cells. On ground of the slope GENTLE
# they wind half as much as on level ground.
WINDING = ((0.030, 2.1), (0.045, 1.2), (0.025, 0.75))
GENTLE = 0.16
# Below this share of the highest land they wind less and less.
SHORE = 0.025
# They do not wind up to ground that is so many metres higher.
CLIMB_M = 12.0
# Where they would lie so many metres below the ground they are not seen, and begin to fade at half of that: land that stands
# in a river's way is not cut through to its foot.
DEEPEST_M = 45.0
# On steep ground a river is so much narrower, and so much of it is seen: a torrent among boulders.
TORRENT, TORRENT_SEEN = 0.4, 0.3
# Rivers are by these factors as wide as they should be, changing over so many points.
UNEVEN, STRETCH = (0.62, 1.38), 6
# Octaves of the detail that a river's ground is told with: shorter ones its bed is cut through.
OCTAVES = 3
# Ground along a course is evened over this many points to either side.
EVENED = 3
# What is left beside rivers of at least so much water of the strength of the detail.
CALM, CALM_M3_S = 0.4, 0.3
# Degrees Celsius, yearly mean, at which rivers are open and at which they are ice.
OPEN_C, ICE_C = -3.0, -7.0
# From afar rivers are drawn on the ground, but no more than so many metres above their level.
GORGE_M = 90.0
# Over this many points a tributary comes down to the river that it joins.
FALLING = 42


@dataclass(frozen=True)
class Rivers:
    """Rivers by point, lines as in `Courses`.

    `place`: float64 (p, 3), as `Atlas.place` has it. All others float32 (p,): `level_m`, of the water above the sea, never
    rising downstream; `ground_m`, of the ground above it, up to GORGE_M; `gap_m`, all that the ground
    stands above it; `half_m`, half the width; `depth_m`; `flow_m3_s`; `shown`, 0..1,
    how much of the river is to be seen: nothing under the sea; `frozen`, 0..1. `first`: int (lines + 1,). `size_m`: the
    radius or the extent.
    """

    place: np.ndarray
    level_m: np.ndarray
    ground_m: np.ndarray
    gap_m: np.ndarray
    half_m: np.ndarray
    depth_m: np.ndarray
    flow_m3_s: np.ndarray
    shown: np.ndarray
    frozen: np.ndarray
    first: np.ndarray
    size_m: float

    def __len__(self) -> int:
        return len(self.first) - 1


def rivers_of(courses: Courses, ground: Ground, seed: int) -> Rivers:
    """The rivers of courses on a ground; `seed`: the world's, which says how warm a terrain is."""
    flat = _flatness(courses.place, ground)
    place = _wound(courses.place, ground, flat, seed)
    high = _at(place, ground, OCTAVES)
    level = _levels(courses, high)
    gap = np.maximum(high - level, 0.0)
    step = np.arange(len(high)) - np.repeat(courses.first[:-1], np.diff(courses.first))
    half = 0.5 * np.maximum((PLANET_WIDE if ground.atlas.spherical else WIDE) * np.sqrt(courses.flow_m3_s), LEAST_M)
    half *= np.minimum((step + 2.0) / (SPRING + 1.0), 1.0) * _uneven(len(high), seed) * (TORRENT + (1.0 - TORRENT) * flat)
    seen = np.minimum(TORRENT_SEEN + 2.0 * flat, 1.0) * np.clip(2.0 - 2.0 * gap / DEEPEST_M, 0.0, 1.0)
    return Rivers(
        place=place,
        level_m=level.astype(np.float32),
        ground_m=np.clip(high, level, level + GORGE_M).astype(np.float32),
        gap_m=gap.astype(np.float32),
        half_m=half.astype(np.float32),
        depth_m=(DEEP * (2.0 * half) ** DEEP_POWER).astype(np.float32),
        flow_m3_s=courses.flow_m3_s.astype(np.float32),
        shown=(_shown(courses, high, step) * seen).astype(np.float32),
        frozen=_frozen(ground, place, level, seed).astype(np.float32),
        first=courses.first,
        size_m=ground.size_m,
    )


def _wound(place: np.ndarray, ground: Ground, flat: np.ndarray, seed: int) -> np.ndarray:
    """Places (p, 3) moved by noise that depends on the place alone: where rivers meet, they still meet. `flat`: (p,)."""
    atlas = ground.atlas
    cell = ground.cell_m / ground.size_m
    up = place if atlas.spherical else np.broadcast_to([0.0, 1.0, 0.0], place.shape)
    # A mouth stays where the sea is.
    freely = flat * np.clip(sample(ground.heights_m, *atlas.invert(place)[:3]) / (SHORE * ground.highest_m), 0.0, 1.0)
    out = place.copy()
    for number, (far, bend) in enumerate(WINDING):
        found = np.empty((len(place), 4))
        simplex(np.ascontiguousarray(place / (bend * cell)), np.uint64(bits(seed, STREAM, number) & 0xFFFFFFFF), found)
        # Across its slope, noise moves places without crowding them.
        out += (far * cell * freely)[:, None] * np.cross(up, found[:, 1:])
    if atlas.spherical:
        out = unit(out)
    higher = _at(out, ground, OCTAVES) - _at(place, ground, OCTAVES)
    out = place + (out - place) * np.clip(2.0 - higher / CLIMB_M, 0.0, 1.0)[:, None]
    return unit(out) if atlas.spherical else out


def _flatness(place: np.ndarray, ground: Ground) -> np.ndarray:
    """1 on level ground, 1/2 on ground of the slope GENTLE, float64 (p,), at places (p, 3) as `Atlas.place` has them."""
    atlas, step = ground.atlas, ground.cell_m / ground.size_m
    x, z = tangents(place) if atlas.spherical else (np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    # Over the whole cell: the walls of the valley do not count as much as the land around.
    high = [sample(ground.heights_m, *atlas.invert(place + step * way)[:3]) for way in (x, -x, z, -z)]
    steep = np.hypot(high[0] - high[1], high[2] - high[3]) / (2.0 * ground.cell_m)
    return 1.0 / (1.0 + (steep / GENTLE) ** 2)


def _uneven(count: int, seed: int) -> np.ndarray:
    """By how many times the mean of its stretch a river is wide at each of `count` points, float64 (count,)."""
    knots = np.arange(count // STRETCH + 2)
    low, high = UNEVEN
    return np.interp(np.arange(count), knots * STRETCH, low + (high - low) * uniforms_at(seed, STREAM, knots))


def calmed(detail: Detail, runoff: Runoff) -> Detail:
    """The same detail, but gentler in valleys: rivers have laid down there what fills the hollows."""
    atlas = detail.atlas
    wet = np.flatnonzero(runoff.land & (runoff.discharge_m3_s(detail.size_m) >= CALM_M3_S))
    left = np.ones(detail.rough_m.shape, np.float32)
    flat, (copies, owners) = left.reshape(-1), atlas.seams(detail.rough_m.shape[-1])
    flat[runoff.sample[wet]] = CALM
    np.minimum.at(flat, owners, flat[copies])
    flat[copies] = flat[owners]
    return replace(detail, rough_m=(detail.rough_m * left).astype(detail.rough_m.dtype))


def smooth_at(place: np.ndarray, ground: Ground) -> np.ndarray:
    """Metres above the sea, float64 (p,), of the smooth surface through the samples at places (p, 3), as `Atlas.place` has
    them."""
    return _at(place, ground, 0)


def _at(place: np.ndarray, ground: Ground, octaves: int) -> np.ndarray:
    face, u, v, _ = ground.atlas.invert(place)
    if ground.detail is None:
        return sample(ground.heights_m, face, u, v)
    return ground.detail.height(face, u, v, min(octaves, ground.detail.octaves))


def _levels(courses: Courses, high: np.ndarray) -> np.ndarray:
    """The level of the water at each point, float64 (p,): nowhere above the evened ground, and never below the sea."""
    level = np.maximum(np.minimum(_evened(courses, high), high), 0.0)
    # Water stands above the bed of a lake.
    level = np.maximum(level, courses.lake_m)
    first = courses.first.tolist()
    joined, end = courses.joined.tolist(), courses.end.tolist()
    # Tributaries come first, so all that flows into a river has been looked at before it.
    for k in range(len(joined)):
        own = level[first[k] : first[k + 1]]
        if end[k] == SEA:
            own[-1] = 0.0
        np.minimum.accumulate(own, out=own)
        if joined[k] >= 0:
            level[joined[k]] = min(level[joined[k]], own[-1])
    for k in reversed(range(len(joined))):
        if joined[k] < 0:
            continue
        own = level[first[k] : first[k + 1]]
        falls = min(FALLING, len(own))
        # What is below the river's level here would climb into it.
        step = np.arange(1, falls + 1) / falls
        own[-falls:] = np.minimum.accumulate(own[-falls:] + step * (level[joined[k]] - own[-1]))
    return level


def _evened(courses: Courses, high: np.ndarray) -> np.ndarray:
    """Mean of the ground over EVENED points to either side on the same line."""
    total = np.concatenate([[0.0], np.cumsum(high)])
    line = courses.of_point
    at = np.arange(len(high))
    low = np.maximum(at - EVENED, courses.first[line])
    up = np.minimum(at + EVENED + 1, courses.first[line + 1])
    return (total[up] - total[low]) / (up - low)


def _shown(courses: Courses, high: np.ndarray, step: np.ndarray) -> np.ndarray:
    """How much of each point is seen: a river begins thin, and fades where the ground goes under the sea."""
    left = np.repeat(courses.first[1:], np.diff(courses.first)) - np.arange(len(high)) - 1
    mouth = (courses.end == SEA)[courses.of_point]
    drowned = mouth & (high < 0.0)
    shown = np.minimum(step / SPRING, 1.0)
    shown[drowned] = 0.0
    shown[mouth & (left == 0)] = 0.0
    return shown


def _frozen(ground: Ground, place: np.ndarray, level: np.ndarray, seed: int) -> np.ndarray:
    """How far rivers at places (p, 3) are ice, 0..1, float64 (p,)."""
    # The climate has a scale of heights of its own.
    metres = (PLANET_M if ground.atlas.spherical else TERRAIN_M) / max(ground.highest_m, 1e-9)
    cold = temperature_c(ground.atlas, place, level * metres, seed)
    return np.clip((OPEN_C - cold) / (OPEN_C - ICE_C), 0.0, 1.0)
