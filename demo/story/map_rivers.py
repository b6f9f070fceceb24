"""What is prepared of a map's rivers where its flight sees them from near: beds in the ground, and water in them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..geometry.river_beds import RiverBeds, river_beds
from ..geometry.river_strips import RiverStrips, river_strips
from ..ground.river_bends import softened
from ..ground.rivers import river_parts
from ..maths.vectors import lengths, tangents, unit
from ..worlds.carving.river_ways import PIT, RIVER, SEA, Courses, curve
from ..worlds.heightfield import sample

if TYPE_CHECKING:
    from ..flight.paths import Flight
    from ..ground.ground import Ground
    from ..mapping.shown.streams import Streams

# Metres of width of a river of 1 m^3/s, by whose root it grows: a map's planet has the rain of the Earth, and is a tenth
# as wide.
WIDE = 3.2
# The surface through its samples, which lie far apart, rises more on the way of a river that falls: it is cut through.
DEEPEST_M = 100.0
# Rivers are drawn so far from the places that the flight passes, metres; those places are so many seconds apart.
NEAR_M, LOOKED_S = 260_000.0, 2.0
# Points by which lines are led on into water, over a cell, and directions in which that is looked for.
LED_ON, LOOKS = 4, 16
# Points between two points of the map's own lines.
STEPS = 9
# A lake may lose all of its water: its outlet is a brook at least.
LEAST_M3_S = 1.0
# A river that falls by so many metres a metre begins to be a torrent, and is one at twice that. From the flight it would be
# a scratch on the slope: with less than so much water it is not seen, nor what flows into it. With twice as much it is.
TORRENT, GREAT_M3_S = 0.12, 1500.0
# Points that are one place are no farther apart, radians.
SAME = 1e-7


def rivers_near(
    streams: Streams, ground: Ground, flight: Flight, begins_s: float, metres: float, seed: int
) -> Generator[None, None, tuple[RiverStrips | None, RiverBeds | None]]:
    """The strips and the beds of a map's rivers that the flight sees from near, with pauses; None without.

    `begins_s`: when the flight begins; `metres`: of the show in a metre of the planet; `seed`: the world's.
    """
    times = np.arange(begins_s, flight.seconds, LOOKED_S)
    eyes = np.stack([flight.pose(t).position for t in times])
    apart = np.arccos(np.clip((streams.place @ unit(eyes).T).max(axis=1), -1.0, 1.0)) * ground.size_m
    near = np.unique(streams.of_point[apart < NEAR_M])
    if not len(near):
        return None, None
    streams = reaching_water(streams, near, ground)
    courses, shown = courses_on(streams, np.arange(len(near)), metres, ground.size_m)
    yield
    rivers = yield from river_parts(courses, ground, seed, WIDE, shown, eyes, DEEPEST_M)
    yield
    strips = river_strips(rivers, ground.atlas, eyes)
    yield
    return strips, river_beds(rivers, ground.atlas)


def reaching_water(streams: Streams, lines: np.ndarray, ground: Ground) -> Streams:
    """Some of a map's lines, int (k,), led on into the lakes that they come out of and the waters that they end in.

    They end a little beyond the shore of the samples, and shores are drawn up to a cell from there. Raises ValueError for
    the ground of another world.
    """
    spans = [streams.line(k) for k in lines.tolist()]
    first, last = np.array([[span.start, span.stop - 1] for span in spans]).T
    lead = _above(streams.place[first], ground) <= 0.0
    tail = np.array([streams.mouth[k] in ("sea", "lake") for k in lines.tolist()])
    inner = last + 1 - first
    begins = np.concatenate([[0], np.cumsum(inner + LED_ON * (lead.astype(np.intp) + tail))])
    # Which point each one is a copy of; those beyond a shore get places of their own.
    reaches = zip(first - LED_ON * lead, last + LED_ON * tail, first, last, strict=True)
    point = np.concatenate([np.clip(np.arange(begin, end + 1), low, high) for begin, end, low, high in reaches])
    place = streams.place[point]
    share = np.arange(1, LED_ON + 1)[:, None] / LED_ON
    for which, ends, step in ((lead, begins[:-1] + LED_ON, -1), (tail, begins[1:] - 1 - LED_ON, 1)):
        at = ends[which]
        beyond = _deepest_beside(place[at], ground)
        for k, target in zip(at.tolist(), beyond, strict=True):
            rows = k + step * np.arange(1, LED_ON + 1)
            place[rows] = unit(place[k] + share * (target - place[k]))
    return replace(
        streams,
        place=place,
        first=begins,
        mouth=tuple(streams.mouth[k] for k in lines.tolist()),
        **{name: getattr(streams, name)[lines] for name in ("head", "end", "own")},
        **{name: getattr(streams, name)[point] for name in ("height_m", "flow_m3_s", "run", "shown")},
    )


def _deepest_beside(place: np.ndarray, ground: Ground) -> np.ndarray:
    """Of the places a cell away from each of (k, 3) the one that lies deepest under water, unit vectors (k, 3)."""
    x, z = tangents(place)
    turn = 2.0 * np.pi * np.arange(LOOKS)[:, None, None] / LOOKS
    around = unit(place + ground.cell_m / ground.size_m * (np.cos(turn) * x + np.sin(turn) * z))
    deep = _above(around.reshape(-1, 3), ground).reshape(around.shape[:2])
    return around[deep.argmin(axis=0), np.arange(len(place))]


def _above(place: np.ndarray, ground: Ground) -> np.ndarray:
    """How far a map's samples are above the water at places (k, 3): metres, float64 (k,); ValueError for other worlds."""
    if ground.above_m is None:
        raise ValueError("only a map's ground tells where water is")
    return sample(ground.above_m, *ground.atlas.invert(place)[:3])


def courses_on(streams: Streams, lines: np.ndarray, metres: float, size_m: float) -> tuple[Courses, np.ndarray]:
    """(courses along some of a map's lines, on finer curves; how much of each point is shown, float64 (p,)).

    `lines`: int (k,). `metres`: of the show in a metre of the planet; `size_m`: its radius. Tributaries come first.
    """
    last = streams.first[lines + 1] - 1
    # A river has more water at its end than any that joins it has.
    lines = lines[np.argsort(streams.flow_m3_s[last - 1], kind="stable")]
    spans = [streams.line(k) for k in lines.tolist()]
    point = np.concatenate([np.arange(span.start, span.stop) for span in spans])
    counts = np.array([span.stop - span.start for span in spans])
    begin = np.concatenate([[0], np.cumsum(counts)])
    edge = np.delete(np.arange(len(point)), begin[1:] - 1)
    of_edge, part = np.repeat(edge, STEPS), np.tile(np.arange(STEPS) / STEPS, len(edge))
    begins, ends = np.isin(of_edge, begin[:-1]), np.isin(of_edge + 1, begin[1:] - 1)
    line = np.repeat(np.arange(len(lines)), counts - 1)
    start = STEPS * np.arange(len(edge)) + line
    where = np.repeat(start, STEPS) + np.tile(np.arange(STEPS), len(edge))
    first = STEPS * (begin - np.arange(len(begin))) + np.arange(len(begin))

    def along(values: np.ndarray) -> np.ndarray:
        out = np.empty(first[-1])
        out[where] = values[of_edge] + part * (values[of_edge + 1] - values[of_edge])
        out[first[1:] - 1] = values[begin[1:] - 1]
        return out

    at, place = streams.place[point], np.empty((first[-1], 3))
    place[where], place[first[1:] - 1] = curve(at, of_edge, begins, ends, part), at[begin[1:] - 1]
    kinds = {"sea": SEA, "river": RIVER}
    end = np.array([kinds.get(streams.mouth[k], PIT) for k in lines.tolist()])
    own = np.full(len(point), -1)
    own[edge] = start
    joined = _joined(at, own, begin, end)
    lake = np.full(first[-1], -np.inf, np.float32)
    stands = np.array([streams.mouth[k] == "lake" for k in lines.tolist()])
    lake[first[1:][stands] - 1] = streams.height_m[point[begin[1:][stands] - 1]] * metres
    flow = np.maximum(along(streams.flow_m3_s[point]), LEAST_M3_S)
    sources = np.full(len(end), -1)
    courses = Courses(unit(place), flow, lake, first, np.where(joined >= 0, RIVER, end), joined, sources)
    return courses, _below_torrents(courses, along(streams.height_m[point]) * metres, size_m)


def _below_torrents(courses: Courses, level: np.ndarray, size_m: float) -> np.ndarray:
    """How much is seen of rivers that are torrents, or flow into some, 0..1, float64 (p,). `level`: (p,), of the water."""
    away = np.maximum(lengths(np.diff(courses.place, axis=0)) * size_m, 1e-3)
    slope = np.append(np.maximum(level[:-1] - level[1:], 0.0) / away, 0.0)
    # A line's last point says nothing of its slope.
    slope[courses.first[1:] - 1] = 0.0
    seen = 1.0 - np.clip(slope / TORRENT - 1.0, 0.0, 1.0) * np.clip(2.0 - courses.flow_m3_s / GREAT_M3_S, 0.0, 1.0)
    seen = softened(seen, courses)
    first, joined = courses.first.tolist(), courses.joined.tolist()
    # The rivers that others join come last.
    for k in reversed(range(len(joined))):
        own = seen[first[k] : first[k + 1]]
        if joined[k] >= 0:
            own[-1] = min(own[-1], seen[joined[k]])
        own[:] = np.minimum.accumulate(own[::-1])[::-1]
    return seen


def _joined(at: np.ndarray, own: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The point of another line at which each line ends, -1 for none, int (lines,); the lines end in `end`.

    `at`: (p, 3); `own`: (p,), the number that each of these points has on the finer curves, -1 at the end of a line.
    """
    found = np.full(len(end), -1)
    place = [tuple(key) for key in np.round(at / SAME).astype(np.int64).tolist()]
    number = {key: own[k] for k, key in enumerate(place) if own[k] >= 0}
    for k in np.flatnonzero(end == RIVER).tolist():
        found[k] = number.get(place[begin[k + 1] - 1], -1)
        # Rivers come in the order of their water, but for those that lose some in a lake.
        if found[k] >= 0 and found[k] <= own[begin[k + 1] - 2]:
            found[k] = -1
    return found
