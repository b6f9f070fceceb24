"""Meetings: a river that winds into another one ends there.

Courses are led and wound one by one, so the way of a tributary may cross that of its river and come to it from the other
side, farther down. Water does not cross water.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..maths.vectors import crosses, lengths
from ..worlds.carving.river_ways import RIVER, Courses
from .fine_bends import Winding

# Segments are looked through in runs of so many.
RUN = 16
# Runs, and pairs of runs, are worked through so many at a time, or they would take 50 MB.
SOME = 64
# A tributary's last so many segments may touch the river that they lead to, so many points about the one they come to.
LAST, ABOUT = 3, 6


def without_crossings(wide: Winding, spherical: bool) -> tuple[Winding, np.ndarray]:
    """(the same rivers, none of which crosses another with more water; which of the points of `wide` each of theirs is, int
    (q,)).

    A river ends at the first point at which it meets such a one. What joined it below goes on along the rest of its way.
    Rivers with deltas keep all of theirs, and so do their arms. `spherical`: on a planet.
    """
    met = _crossings(wide.courses, wide.place, spherical)
    if not met:
        return wide, np.arange(len(wide.place))
    return _ended(wide, met)


def _ended(wide: Winding, met: dict[int, list[int]]) -> tuple[Winding, np.ndarray]:
    """`met`: segments that each segment crosses, both by the point that they begin at."""
    courses = wide.courses
    first, joined, end = courses.first.tolist(), courses.joined.tolist(), courses.end.copy()
    line, on_delta = courses.of_point.tolist(), courses.on_delta.tolist()
    # Which river goes through a point now.
    owner = np.full(len(wide.place), -1)
    paths: list[np.ndarray] = []
    joins: list[int] = []
    # What a river joins comes after it.
    for k in reversed(range(len(courses))):
        path, join, to = np.arange(first[k], first[k + 1]), joined[k], k
        # The rest of a river that ends elsewhere now.
        rest: list[int] = []
        while join >= 0 and owner[join] < 0:
            to = line[join]
            # Its last point is that at which it joins another one.
            after = join + 1 if join + 1 < first[to + 1] - (joined[to] >= 0) else joined[to]
            if after >= 0:
                rest.append(after)
            join = after
        path, end[k] = np.append(path, np.array(rest, np.intp)), end[to]
        if not on_delta[k]:
            ends = _first_meeting(path, join, met, owner, line)
            if ends is not None:
                path, join = ends
                end[k] = RIVER
        owner[path[:-1] if join >= 0 else path] = k
        paths.append(path)
        joins.append(join)
    return _along(wide, paths[::-1], joins[::-1], end)


def _first_meeting(
    path: np.ndarray, join: int, met: dict[int, list[int]], owner: np.ndarray, line: list[int]
) -> tuple[np.ndarray, int] | None:
    """(the part of a path to the first river that it crosses, the point of that to which it comes), None without.

    `join`: the point that the path leads to, or -1; `owner`: the rivers that go through points; `line`: the one that each
    point belonged to.
    """
    for number in np.flatnonzero(np.isin(path[:-1], list(met))).tolist():
        here = int(path[number])
        for other in met[here]:
            # Both of its ends are still there, and it is no part of this path.
            if owner[other] < 0 or owner[other] != owner[other + 1] or line[other] == line[here]:
                continue
            if join >= 0 and number >= len(path) - 1 - LAST and abs(other - join) <= ABOUT:
                continue
            return np.append(path[: number + 1], other + 1), other + 1
    return None


def _along(wide: Winding, paths: list[np.ndarray], joins: list[int], end: np.ndarray) -> tuple[Winding, np.ndarray]:
    """Rivers along paths, which are points of `wide`, to their joints with others, and their ends."""
    courses = wide.courses
    kept = np.concatenate(paths)
    first = np.concatenate([[0], np.cumsum([len(path) for path in paths])])
    # A river's own points have its water, and so has what it takes over of others.
    of = np.repeat(np.arange(len(paths)), np.diff(first))
    foreign = courses.of_point[kept] != of
    own = np.maximum.accumulate(np.where(foreign, 0, np.arange(len(kept))))
    flow, half_m = courses.flow_m3_s[kept[own]], np.minimum(wide.half_m[kept], wide.half_m[kept[own]])
    # At a joint two rivers have the same point: it is that of the one which goes on.
    through = np.ones(len(kept), bool)
    through[first[1:][np.array(joins) >= 0] - 1] = False
    number = np.full(len(wide.place), -1)
    number[kept[through]] = np.flatnonzero(through)
    parted = np.where(courses.parted >= 0, number[courses.parted], -1)
    joined = np.array([number[point] if point >= 0 else -1 for point in joins])
    # What takes in another one has no less water from there on.
    for k in np.flatnonzero(joined >= 0).tolist():
        below = slice(int(joined[k]), int(first[of[joined[k]] + 1]))
        more = np.maximum(flow[below], flow[first[k + 1] - 1])
        half_m[below] *= np.sqrt(more / flow[below])
        flow[below] = more
    ended = replace(
        courses,
        place=wide.place[kept],
        flow_m3_s=flow,
        lake_m=courses.lake_m[kept],
        first=first,
        end=end,
        joined=joined,
        parted=parted,
    )
    return Winding(ended, wide.place[kept], half_m, wide.flat[kept]), kept


def _crossings(courses: Courses, place: np.ndarray, spherical: bool) -> dict[int, list[int]]:
    """The segments of other rivers that each segment crosses, both by the point that they begin at."""
    begin, end, of = _runs(courses)
    met: dict[int, list[int]] = {}
    for one, other in _near(place, begin, end, of):
        a, b = (np.minimum(begin[run][:, None] + np.arange(RUN), end[run][:, None] - 1) for run in (one, other))
        a, b = (np.broadcast_to(x, (len(one), RUN, RUN)).reshape(-1) for x in (a[:, :, None], b[:, None, :]))
        up = place[a] if spherical else np.broadcast_to([0.0, 1.0, 0.0], (len(a), 3))
        found = _crosses(place[a], place[a + 1], place[b], place[b + 1], up)
        for i, j in set(zip(a[found].tolist(), b[found].tolist(), strict=True)):
            met.setdefault(i, []).append(j)
            met.setdefault(j, []).append(i)
    return {i: sorted(found) for i, found in met.items()}


def _runs(courses: Courses) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The first and the last point of each run of segments, and its line, int (r,) each."""
    last = courses.first[1:] - 1
    is_last = np.zeros(len(courses.place), bool)
    is_last[last] = True
    begin = np.flatnonzero((courses.step % RUN == 0) & ~is_last)
    of = courses.of_point[begin]
    return begin, np.minimum(begin + RUN, last[of]), of


def _near(place: np.ndarray, begin: np.ndarray, end: np.ndarray, of: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of runs of two rivers that may touch, some at a time: int (k,) each."""
    middle = place[(begin + end) // 2]
    # No point is farther from the middle than the way along the run.
    steps = np.append(lengths(np.diff(place, axis=0)), 0.0)
    gone = np.concatenate([[0.0], np.cumsum(steps)])
    reach = gone[end] - gone[begin]
    order = np.argsort(middle[:, 0], kind="stable")
    along = middle[order, 0]
    until = np.searchsorted(along, along + reach[order] + reach.max(initial=0.0), side="right")
    for few in range(0, len(order), SOME):
        number = np.arange(few, min(few + SOME, len(order)))
        counts = until[number] - number - 1
        one = np.repeat(number, counts)
        other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts, counts)
        one, other = order[one], order[other]
        touch = (of[one] != of[other]) & (lengths(middle[one] - middle[other]) <= reach[one] + reach[other])
        one, other = one[touch], other[touch]
        for part in range(0, len(one), SOME):
            yield one[part : part + SOME], other[part : part + SOME]


def _crosses(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Whether the ways from a to b and from c to d cross, seen from above, bool (k,); all (k, 3)."""

    def side(begin: np.ndarray, end: np.ndarray, point: np.ndarray) -> np.ndarray:
        found: np.ndarray = (crosses(end - begin, point - begin) * up).sum(axis=1)
        return found

    return (side(a, b, c) * side(a, b, d) < 0.0) & (side(c, d, a) * side(c, d, b) < 0.0)
