"""Rivers: courses on the ground, with the level and the width of their water.

A river never rises on its way: where the ground does, it lies in a gorge. Tributaries come down to the river that they join.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from ..maths.vectors import tangents
from ..worlds.carving.river_ways import SEA, Courses
from ..worlds.climate.temperature import PLANET_M, TERRAIN_M, temperature_c
from ..worlds.heightfield import sample
from ..worlds.runoff import Runoff
from .detail import Detail
from .fine_bends import Winding, finely_bent
from .ground import Ground
from .meanders import evened
from .meetings import without_crossings
from .ragged_shores import above_water
from .river_bends import OCTAVES, height_at, softened, some_of, wound
from .river_forms import GRAVEL, banks, braids, gone, in_bends, in_valleys, most_seen, mouths, seen_of, uneven
from .river_gaps import HIDDEN, without_gaps
from .river_levels import levels_of
from .torrents import PLANET_FALLING, PLANET_FALLS_M, TERRAIN_FALLS_M, Falls

# A river is WIDE times the root of its discharge in m^3/s wide, in metres, and no less than LEAST_M: three or four times as
# wide as on Earth, or nobody would see it from a flight. A river of the Earth has 5 to 8.
WIDE, LEAST_M = 28.0, 4.0
# A planet of the show is a tenth of the Earth and looked at from higher.
PLANET_WIDE = 26.0
# Metres of depth of a river that is 1 m wide, and the power of the width that the depth follows.
DEEP, DEEP_POWER = 0.22, 0.75
# A river is narrow at its source: it has its width after so many points.
SPRING = 10
# On ground of this slope rivers wind half as much as on level ground.
GENTLE = 0.16
# Rivers that would lie so many metres and half widths below the ground are not seen, and begin to fade at half of that: land
# that stands in a river's way is not cut through to its foot.
DEEPEST_M, DEEPEST_WIDE = 70.0, 8.0
# On steep ground a river is so much narrower: a torrent among boulders.
TORRENT = 0.4
# What is left beside rivers of at least so much water of the strength of the detail.
CALM, CALM_M3_S = 0.4, 0.3
# Degrees Celsius, yearly mean, at which rivers are open and at which they are ice.
OPEN_C, ICE_C = -3.0, -7.0
# From afar rivers are drawn on the ground, but no more than so many metres above their level.
GORGE_M = 90.0
# Under so many metres of water of a lake, or of the sea where it flows there, a river is not seen any more; that is evened
# over so many points.
DROWNED_M, SEA_DROWNED_M, SHALLOWS = 1.5, 4.0, 10
# A map tells water from land by its samples alone. Land that its detail has below the sea stands so many metres above it, as
# surface.frag draws it.
LAND_M = 1.0
# Of its depth a braided river has this share.
BRAIDS_DEEP = 0.45


@dataclass(frozen=True)
class Rivers:
    """Rivers by point, lines as in `Courses`.

    `place`: float64 (p, 3), as `Atlas.place` has it. All others float32 (p,): `level_m`, of the water above the sea, never
    rising downstream; `ground_m`, of the ground above it, up to GORGE_M; `gap_m`, all that the ground
    stands above it; `half_m`, half the width; `depth_m`; `flow_m3_s`; `shown`, 0..1, how
    much of the river is to be seen: nothing under the sea; `frozen`, 0..1; `white`, 0..1, how white a fall has left it;
    `braided`, 0..1, how far it parts into threads on gravel; `bank`, the slope of its banks. `first`: int (lines + 1,).
    `size_m`: the radius or the extent.
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
    white: np.ndarray
    braided: np.ndarray
    bank: np.ndarray
    first: np.ndarray
    size_m: float

    def __len__(self) -> int:
        return len(self.first) - 1


def river_parts(
    courses: Courses,
    ground: Ground,
    seed: int,
    wide: float | None = None,
    shown: np.ndarray | float = 1.0,
    eyes: np.ndarray | None = None,
    deepest_m: float = DEEPEST_M,
) -> Generator[None, None, Rivers]:
    """The rivers of courses on a ground, in parts; `seed`: the world's, which says how warm a terrain is.

    `wide`: metres of width by the root of the discharge, None for what the kind of world has; `shown`: (p,), 0..1, a factor
    on how much of them is seen. `eyes`: (m, 3), positions in metres near which rivers have fine bends. `deepest_m`: how deep
    in the ground rivers without a width are not seen any more.
    """
    ways, at = yield from way_parts(courses, ground, seed, wide, eyes)
    yield
    from_spring = np.interp(at, np.arange(len(courses.place)), _from_spring(courses))
    if isinstance(shown, np.ndarray):
        shown = np.interp(at, np.arange(len(shown)), shown)
    courses, place, half, flat = ways
    along_m = gone(courses, place) * ground.size_m
    half *= uneven(courses, along_m, half, seed)
    high = _ground_under(place, ground)
    high_m, falling = (PLANET_FALLS_M, PLANET_FALLING) if ground.atlas.spherical else (TERRAIN_FALLS_M, 1.0)
    falls = Falls(courses, along_m, half, high_m, _frozen(ground, place, high, seed) > 0.5, seed, falling)
    yield
    level = levels_of(courses, high, falls.stepped)
    yield
    braided = braids(courses, place, along_m, high, half, lambda at: height_at(at, ground, OCTAVES), ground.size_m, seed)
    half *= np.maximum(mouths(courses, along_m, half, flat), 1.0 + (GRAVEL - 1.0) * braided)
    half = in_bends(courses, place, half / ground.size_m) * ground.size_m
    white = falls.whiteness(level)
    yield
    # What a fall has cut is no valley that hides it.
    seen = seen_of(courses, flat, white, high - falls.before, deepest_m + DEEPEST_WIDE * half)
    left, drowned = np.minimum(seen / most_seen(flat), 1.0), _drowned(place, high, ground)
    if ground.atlas.spherical:
        cell_m, size_m = ground.cell_m, ground.size_m
        left *= in_valleys(courses, place, high, flat, lambda at: height_at(at, ground, OCTAVES), cell_m, size_m)
    yield
    left = without_gaps(courses, along_m, half, high - falls.before, (drowned > 0.5) | (high < 0.0), left)
    # Below a gap, too, a river begins thin and narrow.
    half /= _narrow(from_spring)
    from_spring = np.minimum(from_spring, _from_hidden(courses, left))
    half *= _narrow(from_spring)
    seen = np.maximum(seen, most_seen(flat)) * left * (1.0 - drowned)
    shown = _without_faint(_shown(courses, high, from_spring) * seen * shown, courses)
    return Rivers(
        place=falls.drawn_in(place, level, ground.size_m),
        level_m=level.astype(np.float32),
        ground_m=np.clip(high, level, level + GORGE_M).astype(np.float32),
        gap_m=np.maximum(high - level, 0.0).astype(np.float32),
        half_m=half.astype(np.float32),
        depth_m=(DEEP * (2.0 * half) ** DEEP_POWER * (1.0 - (1.0 - BRAIDS_DEEP) * braided)).astype(np.float32),
        flow_m3_s=courses.flow_m3_s.astype(np.float32),
        shown=shown.astype(np.float32),
        frozen=_frozen(ground, place, level, seed).astype(np.float32),
        white=white.astype(np.float32),
        braided=braided.astype(np.float32),
        bank=banks(flat, white, np.maximum(high - level, 0.0)).astype(np.float32),
        first=courses.first,
        size_m=ground.size_m,
    )


def way_parts(
    courses: Courses, ground: Ground, seed: int, wide: float | None = None, eyes: np.ndarray | None = None
) -> Generator[None, None, tuple[Winding, np.ndarray]]:
    """(rivers along courses as they wind over a ground, none across another; where their points are among those of the
    courses, float64 (q,)), in parts. All else is as for `river_parts`."""
    some, near = some_of(courses.step)
    flat = softened(_flatness(courses.place[some], ground)[near], courses)
    half = 0.5 * np.maximum(
        (wide or (PLANET_WIDE if ground.atlas.spherical else WIDE)) * np.sqrt(courses.flow_m3_s), LEAST_M
    )
    half *= _narrow(_from_spring(courses)) * (TORRENT + (1.0 - TORRENT) * flat)
    ways, at = Winding(courses, wound(courses, ground, flat, half, seed), half, flat), np.arange(float(len(flat)))
    yield
    if eyes is not None and ground.atlas.spherical:
        ways, at = finely_bent(ways, eyes, ground.size_m, seed)
        yield
    ways, kept = without_crossings(ways, ground.atlas.spherical)
    return ways, at[kept]


def _from_spring(courses: Courses) -> np.ndarray:
    """Points from the source, int (p,); an arm is wide from its beginning."""
    return np.where(courses.has_source, courses.step, SPRING)


def _narrow(from_spring: np.ndarray) -> np.ndarray:
    """By how many times rivers are as wide so many points (p,) from their springs as they should be."""
    return np.minimum((from_spring + 2.0) / (SPRING + 1.0), 1.0)


def _from_hidden(courses: Courses, left: np.ndarray) -> np.ndarray:
    """Points from the last one above that is hidden, int (p,); SPRING at least where there is none."""
    point = np.arange(len(left))
    last = np.maximum.accumulate(np.where(left < HIDDEN, point, -1))
    return np.where(last >= courses.first[:-1][courses.of_point], point - last, SPRING)


def _ground_under(place: np.ndarray, ground: Ground) -> np.ndarray:
    """The ground of rivers at places (p, 3), metres, float64 (p,): that of a few octaves, whose hills they are cut through,
    or that of all where it is lower. Above a hollow a river would hang in the air."""
    high = height_at(place, ground, OCTAVES)
    if ground.detail is not None:
        high = np.minimum(high, height_at(place, ground, ground.detail.octaves))
    if ground.above_m is not None:
        high = np.where(above_water(ground, place, high) < 0.0, high, np.maximum(high, LAND_M))
    return high


def _drowned(place: np.ndarray, high: np.ndarray, ground: Ground) -> np.ndarray:
    """How far rivers at places (p, 3) are in lakes, and on a map in the sea, 0..1, float64 (p,).

    `high`: (p,), of the ground, metres.
    """
    if ground.above_m is not None:
        return np.clip(-above_water(ground, place, high) / DROWNED_M, 0.0, 1.0)
    if ground.lakes is None:
        return np.zeros(len(place))
    return np.clip((ground.lakes.at(*ground.atlas.invert(place)[:3]) - high) / DROWNED_M, 0.0, 1.0)


def _flatness(place: np.ndarray, ground: Ground) -> np.ndarray:
    """1 on level ground, 1/2 on ground of the slope GENTLE, float64 (p,), at places (p, 3) as `Atlas.place` has them."""
    atlas, step = ground.atlas, ground.cell_m / ground.size_m
    x, z = tangents(place) if atlas.spherical else (np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    # Over the whole cell: the walls of the valley do not count as much as the land around.
    high = [sample(ground.heights_m, *atlas.invert(place + step * way)[:3]) for way in (x, -x, z, -z)]
    steep = np.hypot(high[0] - high[1], high[2] - high[3]) / (2.0 * ground.cell_m)
    return 1.0 / (1.0 + (steep / GENTLE) ** 2)


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


def _without_faint(shown: np.ndarray, courses: Courses) -> np.ndarray:
    """The same shares, (p,), but nothing of rivers of which nowhere HIDDEN is seen: their beds would be pits."""
    most = np.maximum.reduceat(shown, courses.first[:-1])
    return np.where(most[courses.of_point] < HIDDEN, 0.0, shown)


def _shown(courses: Courses, high: np.ndarray, step: np.ndarray) -> np.ndarray:
    """How much of each point is seen: a river begins thin, and fades where the ground goes under the sea.

    `step`: (p,), points from the source.
    """
    left = np.repeat(courses.first[1:], np.diff(courses.first)) - np.arange(len(high)) - 1
    mouth = (courses.end == SEA)[courses.of_point]
    shown = np.minimum(step / SPRING, 1.0)
    # Lagoons on its way do not cut it in pieces.
    shown[mouth] *= 1.0 - evened(np.clip(-high / SEA_DROWNED_M, 0.0, 1.0), courses, SHALLOWS)[mouth]
    shown[mouth & (left == 0)] = 0.0
    return shown


def _frozen(ground: Ground, place: np.ndarray, level: np.ndarray, seed: int) -> np.ndarray:
    """How far rivers at places (p, 3), so many metres above the sea, are ice, 0..1, float64 (p,)."""
    # The climate has a scale of heights of its own.
    metres = (PLANET_M if ground.atlas.spherical else TERRAIN_M) / max(ground.highest_m, 1e-9)
    cold = temperature_c(ground.atlas, place, level * metres, seed)
    return np.clip((OPEN_C - cold) / (OPEN_C - ICE_C), 0.0, 1.0)
