"""Ribbons: the strips of a map's lines, made on the worker. Plain numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    # Brings numba along.
    from demo.mapping.streams import Streams

INK = np.dtype([("place", np.float32, 3), ("along", np.float32, 3), ("line", np.float32, 4), ("width", np.float32, 3)])
RIVER, DIVIDE = 0, 1
# A river's half width in metres is this times the root of its discharge: more than on the Earth by as much as it takes to
# be seen on a planet a tenth of its size, from some kilometres above.
HALF_WIDTH = 0.9
# Least half width in pixels of a river of 1,000 m^3/s, and how it follows the discharge.
PIXELS, PIXEL_POWER = 0.36, 0.42
LEAST_PIXELS, MOST_PIXELS = 0.12, 1.9
DIVIDE_PIXELS, DIVIDE_LIFT_M = 0.30, 150.0


def river_ribbons(streams: Streams, height_m: np.ndarray) -> np.ndarray:
    """One strip of all rivers, INK, at heights (p,) in the show's metres; two corners a point, so that nothing is drawn or
    worked out twice."""
    at = streams.place
    inside = np.ones(len(at), bool)
    inside[streams.first[1:] - 1] = False
    before = np.arange(len(at)) - 1
    before[streams.first[:-1]] += 1
    after = np.arange(len(at)) + 1
    after[streams.first[1:] - 1] -= 1
    pixels = np.clip(PIXELS * (streams.flow_m3_s / 1000.0) ** PIXEL_POWER, LEAST_PIXELS, MOST_PIXELS)
    width = np.column_stack([pixels, HALF_WIDTH * np.sqrt(streams.flow_m3_s), streams.run / streams.run.max(initial=1e-9)])
    points = _points(at, at[after] - at[before], height_m, RIVER, width)
    return _strip(points, np.flatnonzero(inside), at)


def divide_ribbons(divides: np.ndarray) -> np.ndarray:
    """One strip of all lines between catchments, float64 (k, 2, 3), INK."""
    along = divides[:, 1] - divides[:, 0]
    width = np.tile([DIVIDE_PIXELS, 0.0, 0.0], (len(divides), 1))
    ends = [_points(divides[:, k], along, np.full(len(divides), DIVIDE_LIFT_M), DIVIDE, width) for k in (0, 1)]
    points = np.stack(ends, axis=1).reshape(-1)
    return _strip(points, 2 * np.arange(len(divides)), divides.reshape(-1, 3))


def _points(at: np.ndarray, along: np.ndarray, height_m: np.ndarray, kind: int, width: np.ndarray) -> np.ndarray:
    out = np.zeros(len(at), INK)
    along = along - (along * at).sum(axis=1, keepdims=True) * at
    out["place"] = at
    out["along"] = along / np.maximum(np.sqrt((along * along).sum(axis=1, keepdims=True)), 1e-12)
    out["line"][:, 0], out["line"][:, 3] = height_m, kind
    out["width"] = width
    return out


def _strip(points: np.ndarray, segments: np.ndarray, at: np.ndarray) -> np.ndarray:
    """A triangle strip along the segments from points[k] to points[k + 1], k in `segments`, ascending.

    Both ends of a segment belong to the quarter that its middle lies in: where a line goes on into another one, and where
    it ends, the strip begins anew, by triangles without area.
    """
    middle = at[segments] + at[segments + 1]
    face = np.floor(np.arctan2(middle[:, 2], middle[:, 0]) / (0.5 * np.pi)) % 4.0
    begins = np.ones(len(segments), bool)
    begins[1:] = (np.diff(segments) != 1) | (np.diff(face) != 0.0)
    ends = np.append(begins[1:], True)[: len(segments)]
    # Every segment gives its first point, the last one before a new beginning its second one too.
    index = np.insert(segments, np.flatnonzero(ends) + 1, segments[ends] + 1)
    quarter = np.insert(face, np.flatnonzero(ends) + 1, face[ends])
    first = np.insert(begins, np.flatnonzero(ends) + 1, False)
    last = np.insert(np.zeros(len(segments), bool), np.flatnonzero(ends) + 1, True)
    out = np.repeat(points[index], 2 + first + last)
    out["line"][:, 1] = np.repeat(quarter, 2 + first + last)
    start = np.cumsum(2 + first + last) - (2 + first + last)
    out["line"][:, 2] = 1.0
    # The left corner, and before it its copy where the strip begins.
    out["line"][start + first, 2] = -1.0
    out["line"][start[first], 2] = -1.0
    return out
