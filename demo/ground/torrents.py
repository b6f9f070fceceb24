"""Torrents: rivers on steep ground lie in its gullies, and fall from ledge to ledge with pools in between.

Where a river is steep its drop is not spread evenly: between cascades, reaches that are nearly level end at a lip, over
which the water falls into a pool (D. Montgomery and J. Buffington, "Channel-reach morphology in mountain drainage basins",
1997). A fall wears its lip back, so the reach below it is a gorge that is deepest at the foot.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..maths.vectors import crosses, lengths, unit
from ..worlds.carving.river_ways import Courses
from ..worlds.hashing import uniforms_at
from .meanders import evened
from .river_forms import gone

STREAM = 133
# A point every so many cells is led to the bottom of its gully, by ways of at most so many cells at a time; in between and
# at the end its neighbours draw it towards them.
EVERY, WAYS, DRAWN = 0.6, (0.34, 0.22, 0.14, 0.08), 0.5
# How level the ground is where rivers leave the ways of the samples for the gullies, and where they lie in them.
BEGIN, WHOLE = 0.72, 0.42
# Land that stands so many metres above what a river has come through is in its way, and begins to be at half of that. One
# of so many points is asked for that.
IN_THE_WAY_M, SOME = 60.0, 3
# Over so many points to either side the slope is judged, and the slope from which rivers fall.
JUDGED, STEEP = 9, 0.13
# Falls are at least and at most so high, metres, most of them low: on terrains, and on planets.
TERRAIN_FALLS_M, PLANET_FALLS_M = (6.0, 55.0), (16.0, 110.0)
# Reaches between them are at least so many half widths of the river long.
APART = 8.0
# The share of the reaches of a planet's rivers that end in a fall. They rush down the others, or their wide torrents would
# be staircases when seen from above.
PLANET_FALLING = 0.3
# The slope of the water between them, and how far from the lip the foot of a fall lies, in its heights.
POOL, ASIDE = 0.035, 0.22
# The first and the last of so many points of a river have no falls.
ENDS = 6
# Water stays white for so many heights of the fall below it, and for no more points.
WHITE, WHITE_POINTS = 1.3, 40

Ground = Callable[[np.ndarray], np.ndarray]


def in_gullies(courses: Courses, place: np.ndarray, flat: np.ndarray, ground: Ground, cell: float) -> np.ndarray:
    """By how far, float64 (p, 3), points at `place` (p, 3) move on steep ground to lie in its gullies.

    `flat`: (p,), 1 on level ground; `ground`: heights (k,) at places (k, 3); `cell`: of the samples, in radii or extents.
    """
    step = courses.step
    last = np.zeros(len(place), bool)
    last[courses.first[1:] - 1] = True
    number, points = _knots(courses, place, EVERY * cell)
    knots = np.flatnonzero((np.diff(number, prepend=-1) != 0) | (step == 0) | last)
    begins, ends = step[knots] == 0, last[knots]
    free = np.clip((BEGIN - flat[knots]) / (BEGIN - WHOLE), 0.0, 1.0)
    free = np.maximum(free, _in_the_way(courses, place, ground, knots)) * ~(begins | ends)
    at, inner = place[knots].copy(), np.flatnonzero(free > 0.0)
    if not len(inner):
        return np.zeros_like(place)
    spherical = abs(float(place[0] @ place[0]) - 1.0) < 1e-6
    for reach in WAYS:
        at[inner] += free[inner, None] * _to_bottom(at, inner, ground, reach * cell, spherical)
        middle = 0.5 * (at[inner - 1] + at[inner + 1])
        at[inner] += DRAWN * (middle - at[inner])
    moved = at - place[knots]
    count = np.arange(len(place))
    out = np.stack([np.interp(count, knots, moved[:, axis]) for axis in range(3)], axis=1)
    # Knots would be seen as angles.
    for axis in range(3):
        out[:, axis] = evened(evened(out[:, axis], courses, points), courses, points)
    left = np.repeat(courses.first[1:], np.diff(courses.first)) - count - 1
    out *= np.minimum(np.minimum(step, left) / (2.0 * points), 1.0)[:, None]
    return out


def _in_the_way(courses: Courses, place: np.ndarray, ground: Ground, knots: np.ndarray) -> np.ndarray:
    """How far land at the points `knots` (k,), or beside one, stands in a river's way, 0..1, float64 (k,)."""
    some = np.arange(0, len(place), SOME)
    high = np.interp(np.arange(len(place)), some, ground(place[some]))
    line = courses.of_point
    # All lines in one: each is lower than the one before it by more than the highest land.
    apart = (float(np.ptp(high)) + 1.0) * line
    above = high - apart - np.minimum.accumulate(high - apart)
    stands = np.clip(2.0 * above / IN_THE_WAY_M - 1.0, 0.0, 1.0)
    # What stands between a knot and the next counts for both.
    found: np.ndarray = np.maximum.reduceat(stands, knots)
    found[1:] = np.maximum(found[1:], found[:-1])
    return found


def _knots(courses: Courses, place: np.ndarray, every: float) -> tuple[np.ndarray, np.ndarray]:
    """The stretch of length `every` in which each point lies, counted from its source, and how many points of its line
    such a stretch has, int (p,) each."""
    along, counts = gone(courses, place), np.diff(courses.first)
    points = np.maximum(np.rint(counts * every / np.maximum(along[courses.first[1:] - 1], 1e-12)), 2.0)
    return (along / every).astype(np.int64), np.minimum(points, counts).astype(np.int64)[courses.of_point]


def _to_bottom(at: np.ndarray, inner: np.ndarray, ground: Ground, reach: float, spherical: bool) -> np.ndarray:
    """The way (k, 3) across the course from each of the points `inner` (k,) towards lower ground, no longer than `reach`."""
    up = unit(at[inner]) if spherical else np.broadcast_to([0.0, 1.0, 0.0], (len(inner), 3))
    across = crosses(up, at[inner + 1] - at[inner - 1])
    across *= reach / np.maximum(lengths(across), 1e-15)[:, None]
    left, middle, right = (ground(at[inner] + side * across) for side in (-1.0, 0.0, 1.0))
    bent, lean = left - 2.0 * middle + right, left - right
    bottom = np.where(bent > 0.0, np.clip(0.5 * lean / np.maximum(bent, 1e-9), -1.0, 1.0), np.sign(lean))
    return bottom[:, None] * across


class Falls:
    """The falls of a world's rivers, found river by river while their levels are told.

    `lips`: the points over which water falls to the next; `before`: float64 (p,), the levels without falls.
    """

    def __init__(
        self,
        courses: Courses,
        along_m: np.ndarray,
        half_m: np.ndarray,
        high_m: tuple[float, float],
        frozen: np.ndarray,
        seed: int,
        falling: float = 1.0,
    ) -> None:
        """`along_m`: (p,), metres from the source; `half_m`: (p,), half the width; `high_m`: the least and the greatest
        height of falls, of rivers narrow enough for them; `frozen`: bool (p,), where snow fills the beds of torrents;
        `falling`: the share of steep reaches that end in a fall."""
        self._courses, self._along_m, self._half_m, self._high_m, self._seed = courses, along_m, half_m, high_m, seed
        self._frozen, self._falling = frozen, falling
        self.lips: list[int] = []
        self.before = np.zeros(len(along_m))
        # Where another river comes in or leaves, nothing moves.
        self._fixed = np.zeros(len(along_m) + 1, bool)
        for others in (courses.joined, courses.parted):
            self._fixed[others[others >= 0]] = True

    def stepped(self, k: int, level: np.ndarray) -> None:
        """Lower the levels (m,) of river `k`, which never rise, from the foot of each fall to the next lip."""
        own = self._courses.line(k)
        self.before[own] = level
        if len(level) <= 4 * ENDS:
            return
        inside = slice(own.start + ENDS, own.stop - ENDS)
        along_m, half_m = self._along_m[inside], self._half_m[inside]
        free = ~self._frozen[inside]
        seed = self._seed + 7919 * k
        found = _lips(level[ENDS:-ENDS], along_m, half_m, self._high_m, free, self._falling, seed) + inside.start
        self.lips += [lip for lip in found.tolist() if not self._fixed[lip] and not self._fixed[lip + 1]]

    def drawn_in(self, place: np.ndarray, level: np.ndarray, size_m: float) -> np.ndarray:
        """Places (p, 3) with the point after each lip below it, so that water falls steeply; `level`: (p,), with falls."""
        out, lips = place.copy(), np.array(self.lips, np.intp)
        way = place[lips + 1] - place[lips]
        share = ASIDE * (level[lips] - level[lips + 1]) / np.maximum(lengths(way) * size_m, 1e-9)
        out[lips + 1] = place[lips] + np.minimum(share, 1.0)[:, None] * way
        return out

    def whiteness(self, level: np.ndarray) -> np.ndarray:
        """How white water is below falls, float64 (p,): 1 from a lip to its foot, less down the river."""
        out, line = np.zeros(len(level)), self._courses.of_point
        for lip in self.lips:
            foot, stop = lip + 1, int(self._courses.first[line[lip] + 1])
            below = slice(foot, min(foot + WHITE_POINTS, stop))
            far = (self._along_m[below] - self._along_m[foot]) / max(WHITE * (level[lip] - level[foot]), 1e-6)
            out[below] = np.maximum(out[below], np.exp(-far))
            out[lip] = 1.0
        return out


def _lips(
    level: np.ndarray,
    along_m: np.ndarray,
    half_m: np.ndarray,
    high_m: tuple[float, float],
    free: np.ndarray,
    falling: float,
    seed: int,
) -> np.ndarray:
    """The points of lips of one river, int (k,), where `free` (p,) is True; it lowers `level` (p,) below them.

    `falling`: the share of reaches that end in one.
    """
    count = np.arange(len(level))
    low, up = np.maximum(count - JUDGED, 0), np.minimum(count + JUDGED, len(level) - 1)
    slope = (level[low] - level[up]) / np.maximum(along_m[up] - along_m[low], 1e-6)
    steep = (slope > STEEP) & free
    # Wide rivers have fewer and higher ones.
    fewer = np.maximum(APART * half_m * slope / (0.5 * sum(high_m)), 1.0)
    drop = np.cumsum(np.where(steep[1:], (level[:-1] - level[1:]) / fewer[1:], 0.0))
    drop = np.concatenate([[0.0], drop])
    if drop[-1] < high_m[0]:
        return np.zeros(0, np.intp)
    number = np.arange(int(drop[-1] / high_m[0]) + 1)
    heights = high_m[0] + (high_m[1] - high_m[0]) * uniforms_at(seed, STREAM, number) ** 4
    lips = np.unique(np.searchsorted(drop, np.cumsum(heights)))
    lips = lips[(lips > 0) & (lips < len(level) - 1)]
    # A reach that is not steep to its end keeps its level.
    begin = np.concatenate([[0], lips[:-1] + 1]) if len(lips) else lips
    kept, falls = np.zeros(len(lips), bool), uniforms_at(seed, STREAM + 1000, np.arange(len(lips))) < falling
    for j, (first, lip) in enumerate(zip(begin.tolist(), lips.tolist(), strict=True)):
        level_here = level[lip] + POOL * (along_m[lip] - along_m[first : lip + 1])
        if falls[j] and first > 0 and steep[first : lip + 1].all():
            np.minimum(level[first : lip + 1], level_here, out=level[first : lip + 1])
            kept[j] = True
    tops: np.ndarray = begin[kept] - 1
    return tops
