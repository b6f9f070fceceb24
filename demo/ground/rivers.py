"""Rivers: courses on the ground, with the level and the width of their water.

A river never rises on its way: where the ground does, it lies in a gorge. Tributaries come down to the river that they join.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths.easing import smoothstep
from ..maths.vectors import tangents, unit
from ..worlds.carving.river_ways import RIVER, SEA, Courses
from ..worlds.climate.temperature import PLANET_M, TERRAIN_M, temperature_c
from ..worlds.hashing import bits
from ..worlds.heightfield import sample
from ..worlds.runoff import Runoff
from .detail import Detail
from .fine_bends import Winding, finely_bent
from .ground import Ground
from .lattice_noise import simplex
from .meanders import bends, evened, joined
from .river_forms import GRAVEL, banks, braids, gone, in_bends, mouths, uneven
from .river_levels import levels_of
from .torrents import PLANET_FALLING, PLANET_FALLS_M, TERRAIN_FALLS_M, Falls, in_gullies

STREAM = 131
# A river is WIDE times the root of its discharge in m^3/s wide, in metres, and no less than LEAST_M: three or four times as
# wide as on Earth, or nobody would see it from a flight. A river of the Earth has 5 to 8.
WIDE, LEAST_M = 28.0, 4.0
# A planet of the show is a tenth of the Earth and looked at from higher.
PLANET_WIDE = 26.0
# Metres of depth of a river that is 1 m wide, and the power of the width that the depth follows.
DEEP, DEEP_POWER = 0.22, 0.75
# A river is narrow at its source: it has its width after so many points.
SPRING = 10
# Rivers wind about the way that the samples tell: by so many cells, in bends of so many cells. On ground of the slope GENTLE
# they wind half as much as on level ground.
WINDING = ((0.090, 2.9), (0.020, 0.9))
GENTLE = 0.16
# Below this share of the highest land, and over the last so many points, they wind less and less.
SHORE, LAST = 0.003, 24
# They do not wind up to ground that is so many metres higher.
CLIMB_M = 12.0
# That, and how level the ground is, is judged over so many points to either side.
CLIMBING = 16
# One of so many points is asked for that.
SOME = 5
# Where they would lie so many metres and half widths below the ground they are not seen, and begin to fade at half of that:
# land that stands in a river's way is not cut through to its foot.
DEEPEST_M, DEEPEST_WIDE = 26.0, 2.2
# On steep ground a river is so much narrower, and so much of it is seen: a torrent among boulders.
TORRENT, TORRENT_SEEN = 0.4, 0.4
# Octaves of the detail that a river's ground is told with: shorter ones its bed is cut through.
OCTAVES = 3
# What is left beside rivers of at least so much water of the strength of the detail.
CALM, CALM_M3_S = 0.4, 0.3
# Degrees Celsius, yearly mean, at which rivers are open and at which they are ice.
OPEN_C, ICE_C = -3.0, -7.0
# From afar rivers are drawn on the ground, but no more than so many metres above their level.
GORGE_M = 90.0
# Under so many metres of water of a lake, or of the sea where it flows there, a river is not seen any more; that is evened
# over so many points.
DROWNED_M, SEA_DROWNED_M, SHALLOWS = 1.5, 4.0, 10
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


def rivers_of(
    courses: Courses,
    ground: Ground,
    seed: int,
    wide: float | None = None,
    shown: np.ndarray | float = 1.0,
    eyes: np.ndarray | None = None,
) -> Rivers:
    """The rivers of courses on a ground; `seed`: the world's, which says how warm a terrain is.

    `wide`: metres of width by the root of the discharge, None for what the kind of world has; `shown`: (p,), 0..1, a factor
    on how much of them is seen. `eyes`: (m, 3), positions in metres near which rivers have fine bends.
    """
    step = np.arange(len(courses.place)) - np.repeat(courses.first[:-1], np.diff(courses.first))
    some, near = _some(step)
    flat = evened(_flatness(courses.place[some], ground)[near], courses, CLIMBING)
    half = 0.5 * np.maximum(
        (wide or (PLANET_WIDE if ground.atlas.spherical else WIDE)) * np.sqrt(courses.flow_m3_s), LEAST_M
    )
    # An arm is wide from its beginning.
    from_spring = np.where(courses.has_source, step, SPRING)
    half *= np.minimum((from_spring + 2.0) / (SPRING + 1.0), 1.0) * (TORRENT + (1.0 - TORRENT) * flat)
    place = _wound(courses, ground, flat, half, seed)
    if eyes is not None and ground.atlas.spherical:
        fine, at = finely_bent(Winding(courses, place, half, flat), eyes, ground.size_m, seed)
        courses, place, half, flat = fine
        from_spring = np.interp(at, np.arange(len(from_spring)), from_spring)
        if isinstance(shown, np.ndarray):
            shown = np.interp(at, np.arange(len(shown)), shown)
    along_m = gone(courses, place) * ground.size_m
    half *= uneven(courses, along_m, half, seed)
    high = _at(place, ground, OCTAVES)
    high_m, falling = (PLANET_FALLS_M, PLANET_FALLING) if ground.atlas.spherical else (TERRAIN_FALLS_M, 1.0)
    falls = Falls(courses, along_m, half, high_m, _frozen(ground, place, high, seed) > 0.5, seed, falling)
    level = levels_of(courses, high, falls.stepped)
    braided = braids(courses, place, along_m, high, half, lambda at: _at(at, ground, OCTAVES), ground.size_m, seed)
    half *= np.maximum(mouths(courses, along_m, half, flat), 1.0 + (GRAVEL - 1.0) * braided)
    half = in_bends(courses, place, half / ground.size_m) * ground.size_m
    white = falls.whiteness(level)
    # What a fall has cut is no valley that hides it.
    seen = _seen(flat, white, high - falls.before, half) * (1.0 - _drowned(place, high, ground))
    return Rivers(
        place=falls.drawn_in(place, level, ground.size_m),
        level_m=level.astype(np.float32),
        ground_m=np.clip(high, level, level + GORGE_M).astype(np.float32),
        gap_m=np.maximum(high - level, 0.0).astype(np.float32),
        half_m=half.astype(np.float32),
        depth_m=(DEEP * (2.0 * half) ** DEEP_POWER * (1.0 - (1.0 - BRAIDS_DEEP) * braided)).astype(np.float32),
        flow_m3_s=courses.flow_m3_s.astype(np.float32),
        shown=(_shown(courses, high, from_spring) * seen * shown).astype(np.float32),
        frozen=_frozen(ground, place, level, seed).astype(np.float32),
        white=white.astype(np.float32),
        braided=braided.astype(np.float32),
        bank=banks(flat, white).astype(np.float32),
        first=courses.first,
        size_m=ground.size_m,
    )


def _wound(courses: Courses, ground: Ground, flat: np.ndarray, half: np.ndarray, seed: int) -> np.ndarray:
    """The places of courses (p, 3), winding. `flat`, `half`: (p,), how level the ground is, and half the widths in metres.

    A part of it is noise that depends on the place alone: where rivers meet, they still meet.
    """
    place = courses.place
    atlas = ground.atlas
    cell = ground.cell_m / ground.size_m
    up = place if atlas.spherical else np.broadcast_to([0.0, 1.0, 0.0], place.shape)
    # A mouth stays where the sea is.
    high = np.clip(sample(ground.heights_m, *atlas.invert(place)[:3]) / (SHORE * ground.highest_m), 0.0, 1.0)
    left = courses.first[1:][courses.of_point] - 1 - np.arange(len(place))
    # A tributary goes on to where its river has moved.
    left[(courses.end == RIVER)[courses.of_point]] = LAST
    freely = flat * evened(np.minimum(high, smoothstep(np.minimum(left / LAST, 1.0))), courses, CLIMBING)
    moved = bends(courses, place, half / ground.size_m, np.minimum(flat, freely), seed)
    for number, (far, bend) in enumerate(WINDING):
        found = np.empty((len(place), 4))
        simplex(np.ascontiguousarray(place / (bend * cell)), np.uint64(bits(seed, STREAM, number) & 0xFFFFFFFF), found)
        # Across its slope, noise moves places without crowding them.
        moved += (far * cell * freely)[:, None] * np.cross(up, found[:, 1:])
    some, near = _some(np.arange(len(place)) - np.repeat(courses.first[:-1], np.diff(courses.first)))
    there = place[some] + moved[some]
    higher = (smooth_at(unit(there) if atlas.spherical else there, ground) - smooth_at(place[some], ground))[near]
    # From point to point it changes little, or angles would show.
    moved *= evened(np.clip(2.0 - higher / CLIMB_M, 0.0, 1.0), courses, CLIMBING)[:, None]
    there = unit(place + moved) if atlas.spherical else place + moved
    moved += in_gullies(courses, there, flat, lambda at: _at(at, ground, OCTAVES), cell)
    out = place + joined(courses, moved)
    return unit(out) if atlas.spherical else out


def _seen(flat: np.ndarray, white: np.ndarray, deep: np.ndarray, half: np.ndarray) -> np.ndarray:
    """How much is seen of rivers that lie `deep` (p,) metres in the ground, 0..1, float64 (p,); the others as in `banks`."""
    seen = np.maximum(np.minimum(TORRENT_SEEN + 2.0 * flat, 1.0), white)
    out: np.ndarray = seen * np.clip(2.0 - 2.0 * np.maximum(deep, 0.0) / (DEEPEST_M + DEEPEST_WIDE * half), 0.0, 1.0)
    return out


def _some(step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(some of the points, int (k,); which of those stands for each point, int (p,)). `step`: (p,), along their lines."""
    chosen = step % SOME == 0
    return np.flatnonzero(chosen), np.cumsum(chosen) - 1


def _drowned(place: np.ndarray, high: np.ndarray, ground: Ground) -> np.ndarray:
    """How far rivers at places (p, 3) are in lakes, 0..1, float64 (p,). `high`: (p,), of the ground, metres."""
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


def smooth_at(place: np.ndarray, ground: Ground) -> np.ndarray:
    """Metres above the sea, float64 (p,), of the smooth surface through the samples at places (p, 3), as `Atlas.place` has
    them."""
    return _at(place, ground, 0)


def _at(place: np.ndarray, ground: Ground, octaves: int) -> np.ndarray:
    face, u, v, _ = ground.atlas.invert(place)
    if ground.detail is None:
        return sample(ground.heights_m, face, u, v)
    return ground.detail.height(face, u, v, min(octaves, ground.detail.octaves))


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
