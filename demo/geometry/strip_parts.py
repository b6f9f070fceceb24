"""Strip parts: lines as triangle strips, in parts of the world each of which may be out of sight. Plain numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Numbers of faces are kept in so many parts of 1; as in river.vert and map_lines.vert.
FACES = 8


def shares(values: np.ndarray, kind: type[np.integer]) -> np.ndarray:
    """Values as whole numbers of a type whose greatest stands for 1; what is beyond 1 and -1, or 0, is as good as those."""
    most = np.iinfo(kind).max
    return np.rint(np.clip(values, -1.0 if np.iinfo(kind).min else 0.0, 1.0) * most).astype(kind)


@dataclass(frozen=True)
class StripParts:
    """The corners of triangle strips along segments, (m,) each, in p parts.

    `point`: the number of the point at a corner; `segment`: which of the given segments it belongs to; `side`: -1 or 1. Part
    k is the `count[k]` corners from `first[k]` on. `passed`: the points along the strips without their copies, (r,), of
    which those of part k begin at `begins[k]`.
    """

    point: np.ndarray
    segment: np.ndarray
    side: np.ndarray
    first: np.ndarray
    count: np.ndarray
    passed: np.ndarray
    begins: np.ndarray


def strip_parts(segments: np.ndarray, part: np.ndarray) -> StripParts:
    """Strips along the segments from point k to point k + 1, for k in `segments` (s,), ascending, by their `part` (s,).

    Where a line ends or goes on into another part the strip begins anew, by triangles without area. A point has two
    corners, which neighbouring segments share.
    """
    order = np.argsort(part, kind="stable")
    segments, part = segments[order], part[order]
    opens = np.ones(len(segments), bool)
    opens[1:] = (np.diff(segments) != 1) | (np.diff(part) != 0)
    closes = np.append(opens[1:], True)[: len(segments)]
    # A segment gives its first point; the last one of a strip gives its second too.
    after = np.flatnonzero(closes) + 1
    passed, part, order = (
        np.insert(x, after, y[closes]) for x, y in ((segments, segments + 1), (part, part), (order, order))
    )
    begin, end = np.insert(opens, after, False), np.insert(np.zeros(len(segments), bool), after, True)
    # Where strips meet, a point is there twice: triangles without area lie between.
    copies = 2 + begin + end
    start = np.cumsum(copies) - copies
    side = np.ones(int(copies.sum()), np.float32)
    side[start + begin] = -1.0
    side[start[begin]] = -1.0
    where = np.flatnonzero(np.diff(part, prepend=-1))
    bounds = np.append(start, len(side))[np.append(where, len(part))]
    return StripParts(np.repeat(passed, copies), np.repeat(order, copies), side, bounds[:-1], np.diff(bounds), passed, where)
