"""The ways of rivers between the samples: they wind, keep to gullies on steep ground, and meet where their courses meet."""

from __future__ import annotations

import numpy as np

from ..maths.easing import smoothstep
from ..maths.vectors import crosses, unit
from ..worlds.carving.river_ways import RIVER, Courses
from ..worlds.hashing import bits
from ..worlds.heightfield import sample
from .detail import CHUNK
from .ground import Ground
from .lattice_noise import simplex
from .meanders import MOST_TURN, bends, evened, joined
from .river_forms import gone
from .torrents import in_gullies

STREAM = 131
# Rivers wind about the way that the samples tell: by so many cells, in bends of so many cells.
WINDING = ((0.090, 2.9), (0.020, 0.9))
# Bends of fewer widths than this are so much smaller: wide water does not wriggle.
WIDTHS = 11.0
# The slope of noise by which they wind turns so many times as sharply as a wave as long as a step of its lattice.
SHARP = 8.0
# Below this share of the highest land, and over the last so many points, they wind less and less.
SHORE, LAST = 0.003, 24
# They do not wind up to ground that is so many metres higher.
CLIMB_M = 12.0
# That, and how level the ground is, is judged over so many points to either side.
CLIMBING = 16
# One of so many points is asked for that.
SOME = 5
# Octaves of the detail that a river's ground is told with: shorter ones its bed is cut through.
OCTAVES = 3


def wound(courses: Courses, ground: Ground, flat: np.ndarray, half: np.ndarray, seed: int) -> np.ndarray:
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
    freely = flat * softened(np.minimum(high, smoothstep(np.minimum(left / LAST, 1.0))), courses)
    moved = bends(courses, place, half / ground.size_m, np.minimum(flat, freely), seed)
    apart = np.gradient(gone(courses, place)) if len(place) > 1 else np.ones(1)
    apart = np.maximum(evened(np.maximum(apart, 0.0), courses, SOME), 1e-15)
    for number, (far, bend) in enumerate(WINDING):
        found = np.empty((len(place), 4))
        simplex(np.ascontiguousarray(place / (bend * cell)), np.uint64(bits(seed, STREAM, number) & 0xFFFFFFFF), found)
        # Across its slope, noise moves places without crowding them.
        wave = bend * cell
        # As in `bends`, no two points turn by more than MOST_TURN.
        most = MOST_TURN * wave**2 / (4.0 * np.pi**2 * apart * SHARP)
        across = freely * np.minimum(far * cell * np.minimum(wave * ground.size_m / (2.0 * WIDTHS * half), 1.0), most)
        moved += across[:, None] * crosses(up, found[:, 1:])
    some, near = some_of(courses.step)
    there = place[some] + moved[some]
    higher = (smooth_at(unit(there) if atlas.spherical else there, ground) - smooth_at(place[some], ground))[near]
    moved *= softened(np.clip(2.0 - higher / CLIMB_M, 0.0, 1.0), courses)[:, None]
    there = unit(place + moved) if atlas.spherical else place + moved
    moved += in_gullies(courses, there, flat, lambda at: height_at(at, ground, OCTAVES), cell)
    out = place + joined(courses, moved)
    return unit(out) if atlas.spherical else out


def softened(values: np.ndarray, courses: Courses) -> np.ndarray:
    """Values (p,) evened over CLIMBING points to either side, twice: a mean alone begins and ends with a bend, at which a
    river would have an angle."""
    return evened(evened(values, courses, CLIMBING), courses, CLIMBING)


def some_of(step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(some of the points, int (k,); which of those stands for each point, int (p,)). `step`: (p,), along their lines."""
    chosen = step % SOME == 0
    return np.flatnonzero(chosen), np.cumsum(chosen) - 1


def smooth_at(place: np.ndarray, ground: Ground) -> np.ndarray:
    """Metres above the sea, float64 (p,), of the smooth surface through the samples at places (p, 3), as `Atlas.place` has
    them."""
    return height_at(place, ground, 0)


def height_at(place: np.ndarray, ground: Ground, octaves: int) -> np.ndarray:
    """Metres above the sea, float64 (p,), of the ground with so many of its octaves at places (p, 3), as `smooth_at`."""
    found = np.empty(len(place))
    for start in range(0, len(place), CHUNK):
        chunk = slice(start, start + CHUNK)
        face, u, v, _ = ground.atlas.invert(place[chunk])
        if ground.detail is None:
            found[chunk] = sample(ground.heights_m, face, u, v)
        else:
            found[chunk] = ground.detail.height(face, u, v, min(octaves, ground.detail.octaves))
    return found
