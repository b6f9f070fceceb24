"""River strips: the triangle strips of a world's rivers, made on the worker. Plain numpy.

Strips lie in parts of the world, each of which may be out of sight, and rivers of like width lie together, so that narrow
ones are left out from afar. Parts are small, because a software renderer works through every point on one thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..maths.lines import chunks, evened
from ..maths.vectors import length, lengths, unit
from ..worlds.atlas import CUBE, Atlas
from .strip_parts import FACES, shares, strip_parts

if TYPE_CHECKING:
    from ..ground.rivers import Rivers

# Whole numbers stand for shares of the greatest one of their type, so that points take little. `along`: downstream, and in
# FACES parts of 1 the number of the face, from 1, below 0 on side -1. `at`: u and v among the samples. `water`: level and
# ground in metres above the sea, the way from the source in half widths. `form`: half the width in metres; half the width by
# the radius of the bend, above 0 where its inside is on side 1; its fall; how far it parts into threads, 0..1. `kind`: how
# much is shown, the share of carving after which it is there, how far it is frozen, how white a fall has left it, all 0..1.
RIVER_POINT = np.dtype(
    [
        ("place", np.float32, 3),
        ("along", np.int16, 4),
        ("at", np.uint16, 2),
        ("water", np.float32, 3),
        ("form", np.float16, 4),
        ("kind", np.uint8, 4),
    ]
)
# What is beyond is as good as this, and a half float holds no more than twice as much.
MOST_FORM = 32_768.0
# Parts along the edge of a face of a cube around the world, and along that of a terrain.
PLANET_PARTS, TERRAIN_PARTS = 160, 40
# Half widths in metres between which rivers lie together, as shares of the widest.
CLASSES = 0.12, 0.3
# Of its copies, each has every so manyth point of a river.
EVERY = 1, 3, 10, 40
# A coarser copy is drawn where most of its chords, this share of them, are at most so many pixels beside the river, or above
# or below it: falls and gorges are too steep for any.
BESIDE, MOST = 0.8, 0.9
# Radians that a pixel of a large screen spans, when it is told where a flight needs the finest copy.
FINE_PIXEL = 0.0004
# Rivers narrower than this many pixels, counted on half their width, are not seen; as in river.vert.
FAINT = 0.03
# Rivers are drawn at most so far above or below their water's level, as a share of the highest land: on the ground as it is
# drawn there, while carving comes to it.
BEYOND = 0.1
UP = np.array([0.0, 1.0, 0.0])
# Bends are evened and slopes told over so many points to either side.
BEND_POINTS, STEEP_POINTS = 3, 8
# The share of carving after which the largest river's mouth is there, and the sources of the smallest.
FIRST, LAST = 0.12, 0.9


@dataclass(frozen=True)
class RiverStrips:
    """Triangle strips of rivers, in p parts, each of which is there in c copies, the finest first.

    `points`: RIVER_POINT records; copy i of part j is the `count[k]` points from `first[k]` on, k = i p + j. The part lies
    within `radius[j]` of `middle[j]` (p, 3), in radii or extents. `half_m`: float64 (p,), half the width of its widest
    river. The copy's chords are mostly at most `beside_m[i, j]` beside the river; float64 (c, p), 0 for the finest, and
    coarser copies have no less. `spherical`: on a planet.
    """

    points: np.ndarray
    first: np.ndarray
    count: np.ndarray
    middle: np.ndarray
    radius: np.ndarray
    half_m: np.ndarray
    beside_m: np.ndarray
    spherical: bool

    def without_points(self) -> RiverStrips:
        """The same parts with no `points`, which take 5 to 10 MB."""
        return self if not len(self.points) else replace(self, points=np.zeros(0, RIVER_POINT))


def river_strips(rivers: Rivers, atlas: Atlas, eyes: np.ndarray) -> RiverStrips:
    """The strips of rivers in all copies, for a flight by `eyes`, (m, 3) metres in the world.

    Where that never comes near enough to need the finest copy, the next one stands for it.
    """
    part, run, seen = _parts(rivers, atlas), _run(rivers, atlas), _seen(rivers)
    copies = [_copy(rivers, part, seen, every) for every in EVERY]
    count = len(copies[0].first)
    middle, radius = extents(_lifted(rivers, atlas)[copies[0].passed], copies[0].begins)
    half = rivers.half_m.astype(np.float64)[copies[0].passed]
    widest = np.maximum.reduceat(half, copies[0].begins) if count else np.zeros(0)
    from_m = np.full(count, np.inf)
    for eye in eyes:
        np.minimum(from_m, lengths(middle * rivers.size_m - eye), out=from_m)
    is_near = copies[1].beside_m > BESIDE * FINE_PIXEL * (from_m - radius * rivers.size_m)
    copies[0] = copies[0].only(is_near)
    before = np.cumsum([0, *(len(copy.corner) for copy in copies)])
    # Each copy is made in its place: it would be there twice otherwise, and they take more than all that they are made from.
    points = np.empty(before[-1], RIVER_POINT)
    for copy, begin, end in zip(copies, before[:-1], before[1:], strict=True):
        copy.fill(points[begin:end], rivers, run, atlas)
    firsts = [start + copy.first for start, copy in zip(before[:-1], copies, strict=True)]
    counts = [copy.count for copy in copies]
    firsts[0], counts[0] = (np.where(is_near, near, far) for near, far in (firsts[:2], counts[:2]))
    return RiverStrips(
        points,
        np.concatenate(firsts),
        np.concatenate(counts),
        middle,
        radius,
        widest,
        np.maximum.accumulate([copy.beside_m for copy in copies]),
        atlas.spherical,
    )


def _lifted(rivers: Rivers, atlas: Atlas) -> np.ndarray:
    """The places of the rivers' points at the height of their water: float64 (n, 3)."""
    high = rivers.level_m[:, None] / rivers.size_m
    return rivers.place * (1.0 + high) if atlas.spherical else rivers.place + high * UP


@dataclass(frozen=True)
class _Copy:
    """One copy of all strips, in the same p parts as every other: `first`, `count`, and `beside_m`, how far beside the river
    its chords are in each part; the rivers' points `passed`, of which those of part k begin at `begins[k]`. It is drawn
    through the rivers' points `kept` (k,), with the number of one of these at each `corner` (n,) and its `side`.
    """

    kept: np.ndarray
    corner: np.ndarray
    side: np.ndarray
    first: np.ndarray
    count: np.ndarray
    beside_m: np.ndarray
    passed: np.ndarray
    begins: np.ndarray

    def only(self, chosen: np.ndarray) -> _Copy:
        """The same with nothing but the parts that are `chosen`, bool (p,); none of the others has a corner."""
        counts = np.where(chosen, self.count, 0)
        left = np.repeat(chosen, self.count)
        return replace(self, corner=self.corner[left], side=self.side[left], first=np.cumsum(counts) - counts, count=counts)

    def fill(self, out: np.ndarray, rivers: Rivers, run: _Run, atlas: Atlas) -> None:
        """Fill `out`, RIVER_POINT (n,), with its corners."""
        # With another mode numpy takes them into an array of its own first.
        np.take(_points(rivers, run, atlas, self.kept), self.corner, out=out, mode="clip")
        out["along"][:, 3] *= self.side.astype(np.int16)


def _parts(rivers: Rivers, atlas: Atlas) -> np.ndarray:
    """The number of the part in which the segment behind each point lies: int (n,)."""
    at, half = rivers.place, rivers.half_m.astype(np.float64)
    after = np.minimum(np.arange(len(at)) + 1, len(at) - 1)
    part = part_of(at + at[after], atlas, PLANET_PARTS if atlas.spherical else TERRAIN_PARTS)
    widest = max(float(half.max(initial=0.0)), 1e-9)
    # The widest first: a tributary's water lies on the banks of what it joins.
    found: np.ndarray = part * (len(CLASSES) + 1) + len(CLASSES) - np.searchsorted(CLASSES, half[after] / widest)
    return found


@dataclass(frozen=True)
class _Run:
    """How rivers run, told by all of their points, so that copies which meet agree; float64 (n,) each.

    `bend`: as RIVER_POINT's `form` has it; `steep`: fall by length; `way`: from the source, in half widths.
    """

    bend: np.ndarray
    steep: np.ndarray
    way: np.ndarray


def _run(rivers: Rivers, atlas: Atlas) -> _Run:
    at, half, first = rivers.place, rivers.half_m.astype(np.float64), rivers.first
    point, count = np.arange(len(at)), np.diff(first)
    begin, last = np.repeat(first[:-1], count), np.repeat(first[1:] - 1, count)
    before, after = np.maximum(point - 1, begin), np.minimum(point + 1, last)
    along = at[after] - at[before]
    long = np.maximum(lengths(along), 1e-12)
    along /= long[:, None]
    turn, step = np.empty(len(at)), np.empty(len(at))
    for few in chunks(len(at)):
        bent = np.cross(at[few] if atlas.spherical else UP, along[few]) * (along[after[few]] - along[before[few]])
        turn[few], step[few] = bent.sum(axis=1), lengths(at[few] - at[before[few]])
    gone = np.cumsum(step * rivers.size_m / np.maximum(half, 1e-3))
    # From each source anew, or a float would not tell it.
    way = gone - gone[begin]
    low, up = np.maximum(point - STEEP_POINTS, begin), np.minimum(point + STEEP_POINTS, last)
    level, metres = rivers.level_m.astype(np.float64), np.cumsum(step) * rivers.size_m
    return _Run(
        evened(turn / long, first, BEND_POINTS) * half / rivers.size_m,
        (level[low] - level[up]) / np.maximum(metres[up] - metres[low], 1e-6),
        way,
    )


def _seen(rivers: Rivers) -> np.ndarray:
    """Whether anything of the segment behind each point is shown: bool (n,)."""
    seen = rivers.shown > 0.0
    seen[:-1] |= seen[1:]
    seen[rivers.first[1:] - 1] = False
    return seen


def _copy(rivers: Rivers, part: np.ndarray, seen: np.ndarray, every: int) -> _Copy:
    """Strips through every `every`-th point of a river, its last, and those where it comes into another part, so that no
    gap is left between two copies. `part`: of each point; `seen`: bool (n,), whether it has a segment behind it.
    """
    first = rivers.first
    step = np.arange(first[-1]) - np.repeat(first[:-1], np.diff(first))
    last = np.zeros(first[-1], bool)
    last[first[1:] - 1] = True
    comes = np.diff(part, prepend=-1) != 0
    kept = np.flatnonzero((step % every == 0) | last | comes)
    segments = np.flatnonzero(np.logical_or.reduceat(seen, kept))
    found = strip_parts(segments, part[kept[segments]])
    beside_m, passed = _beside_m(rivers, kept, part, seen), kept[found.passed]
    return _Copy(kept, found.point, found.side, found.first, found.count, beside_m, passed, found.begins)


def _beside_m(rivers: Rivers, kept: np.ndarray, part: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Metres by which most of a river is beside, above or below the chords between its points `kept`, by part: (p,)."""
    chord = np.searchsorted(kept, np.arange(len(part)), side="right") - 1
    begin, end = kept[chord], kept[np.minimum(chord + 1, len(kept) - 1)]
    at, apart = rivers.place, np.empty(len(part))
    for few in chunks(len(part)):
        one, other = begin[few], end[few]
        along, here = at[other] - at[one], at[few] - at[one]
        share = np.clip((here * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-30), 0.0, 1.0)
        most = lengths(here - along * share[:, None]) * rivers.size_m
        for height in (rivers.level_m, rivers.ground_m):
            most = np.maximum(most, np.abs(height[few] - height[one] - (height[other] - height[one]) * share))
        apart[few] = most
    segments = np.flatnonzero(seen)
    order = segments[np.lexsort((apart[segments], part[segments]))]
    where = np.flatnonzero(np.diff(part[order], prepend=-1))
    count = np.diff(np.append(where, len(order)))
    found: np.ndarray = apart[order][where + (MOST * (count - 1)).astype(np.intp)]
    return found


def _points(rivers: Rivers, run: _Run, atlas: Atlas, kept: np.ndarray) -> np.ndarray:
    """RIVER_POINT records of the points `kept`, without their sides."""
    last, begins = np.isin(kept, rivers.first[1:] - 1), np.isin(kept, rivers.first[:-1])
    number = np.arange(len(kept))
    before, after = kept[number - ~begins], kept[number + ~last]
    flow = np.log(rivers.flow_m3_s[kept].astype(np.float64))
    low, high = flow.min(initial=np.log(1e9)), flow.max(initial=np.log(1e-9))
    late = LAST - (LAST - FIRST) * (flow - low) / max(high - low, 1e-9)
    out = np.zeros(len(kept), RIVER_POINT)
    # What is worked out on the way takes several times the memory of the result.
    for few in chunks(len(kept)):
        _fill(out[few], rivers, run, atlas, (before[few], kept[few], after[few]), late[few])
    return out


def _fill(
    out: np.ndarray,
    rivers: Rivers,
    run: _Run,
    atlas: Atlas,
    points: tuple[np.ndarray, np.ndarray, np.ndarray],
    late: np.ndarray,
) -> None:
    """Fill `out`, RIVER_POINT (k,). `points`: before each, itself, and after it, int (k,) each; `late`: (k,), when it is
    first shown."""
    before, here, after = points
    at = rivers.place[here]
    along = rivers.place[after] - rivers.place[before]
    out["place"] = at
    face, u, v, _ = atlas.invert(at)
    out["along"][:, :3] = shares(along / np.maximum(lengths(along), 1e-12)[:, None], np.int16)
    out["along"][:, 3] = shares((face + 1.0) / FACES, np.int16)
    out["at"] = shares(np.stack([u, v], axis=1), np.uint16)
    out["water"] = np.stack([rivers.level_m[here], rivers.ground_m[here], run.way[here]], axis=1)
    form = np.stack([rivers.half_m[here], run.bend[here], run.steep[here], rivers.braided[here]], axis=1)
    out["form"] = np.clip(form, -MOST_FORM, MOST_FORM)
    out["kind"] = shares(np.stack([rivers.shown[here], late, rivers.frozen[here], rivers.white[here]], axis=1), np.uint8)


def part_of(middle: np.ndarray, atlas: Atlas, parts: int) -> np.ndarray:
    """The number of the part of the world in which the mean of two places lies, twice which is `middle` (k, 3).

    `parts`: along the edge of a face of a cube around a planet, or along that of a terrain.
    """
    if atlas.spherical:
        face, u, v, _ = CUBE.invert(middle)
    else:
        face, u, v = np.zeros(len(middle), np.intp), 0.5 * middle[:, 0] + 0.5, 0.5 * middle[:, 2] + 0.5
    i, j = (np.clip((x * parts).astype(np.intp), 0, parts - 1) for x in (u, v))
    return (face * parts + j) * parts + i


def extents(at: np.ndarray, where: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The middle (p, 3) of the runs of places `at` (k, 3) that begin at `where` (p,), and their radius (p,) around it."""
    if not len(where):
        return np.zeros((0, 3)), np.zeros(0)
    counts = np.diff(np.append(where, len(at)))
    middle = np.add.reduceat(at, where, axis=0) / counts[:, None]
    return middle, np.maximum.reduceat(lengths(at - np.repeat(middle, counts, axis=0)), where)


def seen_strips(
    strips: RiverStrips, eye: np.ndarray, planes: np.ndarray, size_m: float, relief_m: float, pixel: float
) -> np.ndarray:
    """The copies of parts to draw, int (m,), as `RiverStrips` counts them: of each part in view one.

    `eye`: (3,) metres in the world; `planes`: (n, 4), those of `frustum_planes`; `size_m`: radius or extent; `relief_m`: of
    the highest land; `pixel`: radians that a pixel spans.
    """
    centre = strips.middle * size_m - eye
    far = lengths(centre)
    wide, beyond = strips.radius * size_m, BEYOND * relief_m
    # A river lies on other ground while that is carved, which is seen from far away.
    inside = (planes[:, :3] @ centre.T + planes[:, 3:]).min(axis=0, initial=np.inf) > -(wide + beyond)
    seen = np.flatnonzero(inside & (strips.half_m > FAINT * pixel * np.maximum(far - wide - beyond, 1.0)))
    # Most are gone by now: what takes longer is asked of the others alone.
    if strips.spherical:
        seen = seen[_before_horizon(strips.middle[seen], strips.radius[seen], eye, size_m, relief_m)]
    # The coarsest copy that is still good enough.
    most_m = BESIDE * pixel * np.maximum(far[seen] - wide[seen], 1.0)
    copy = (strips.beside_m[:, seen] <= most_m).sum(axis=0) - 1
    found: np.ndarray = np.sort(copy * len(strips.middle) + seen)
    return found


def _before_horizon(middle: np.ndarray, radius: np.ndarray, eye: np.ndarray, size_m: float, relief_m: float) -> np.ndarray:
    away = length(eye)
    horizon = np.arccos(min(size_m / away, 1.0)) + np.arccos(size_m / (size_m + relief_m))
    apart = np.arccos(np.clip(unit(middle) @ (eye / away), -1.0, 1.0))
    seen: np.ndarray = apart < horizon + 1.1 * radius
    return seen
