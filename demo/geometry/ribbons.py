"""Ribbons: the triangle strips of a map's lines, made on the worker. Plain numpy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..maths.vectors import length, unit
from ..worlds.atlas import DOUBLE_CONE
from .strip_parts import FACES, shares, strip_parts

if TYPE_CHECKING:
    # Imports numba.
    from ..mapping.shown.streams import Streams

# Whole numbers stand for shares of the greatest one of their type, so that points take little. `along`: the direction of the
# line, and in FACES parts of 1 the number of the face, from 1, below 0 on side -1. `width`: the least half width in pixels,
# half the width in metres, how far rivers have run when it is shown, and how much it is shown, the last two 0..1.
RIBBON_POINT = np.dtype([("place", np.float32, 3), ("along", np.int16, 4), ("height", np.float32), ("width", np.float16, 4)])
# A river's half width in metres is this times the root of its discharge in m^3/s. That is wider than on Earth, so that
# rivers can be seen from some kilometres above on a planet a tenth of its size.
HALF_WIDTH = 0.9
# The least half width in pixels of a river of 1,000 m^3/s, and the power of the discharge that it follows.
PIXELS, PIXEL_POWER = 0.36, 0.42
LEAST_PIXELS, MOST_PIXELS = 0.12, 1.9
DIVIDE_PIXELS, DIVIDE_LIFT_M = 0.30, 150.0
# A river reaches its full width this many points below its spring.
SPRING = 8
# Lines are drawn in parts, each of which may be out of view: PARTS along an edge of a face. From afar every FAR_EVERY-th
# point is enough.
PARTS, FAR_EVERY = 4, 4


@dataclass(frozen=True)
class Ribbons:
    """The triangle strips of lines, in p parts.

    `points`: RIBBON_POINT records; part k is the `count[k]` points from `first[k]` on, (p,) each. It lies within `radius[k]`
    (p,), radians, of `middle[k]` (p, 3), unit.
    """

    points: np.ndarray
    first: np.ndarray
    count: np.ndarray
    middle: np.ndarray
    radius: np.ndarray

    def without_points(self) -> Ribbons:
        """The same parts with no `points`, which take 1 to 3 MB."""
        return self if not len(self.points) else replace(self, points=np.zeros(0, RIBBON_POINT))


def river_ribbons(streams: Streams, height_m: np.ndarray, every: int = 1) -> Ribbons:
    """The ribbons of all rivers at heights `height_m` (n,) of their points: every `every`-th point of a line, and its last.

    A point has two corners, which neighbouring segments share.
    """
    last = np.zeros(len(streams.place), bool)
    last[streams.first[1:] - 1] = True
    step = np.arange(len(last)) - np.repeat(streams.first[:-1], np.diff(streams.first))
    kept = np.flatnonzero((step % every == 0) | last)
    at, last, begins = streams.place[kept], last[kept], step[kept] == 0
    flow, run = streams.flow_m3_s[kept], streams.run[kept]
    before, after = np.arange(len(at)) - ~begins, np.arange(len(at)) + ~last
    pixels = np.clip(PIXELS * (flow / 1000.0) ** PIXEL_POWER, LEAST_PIXELS, MOST_PIXELS)
    # A river is narrow at its spring, but at once at full width where it leaves a lake.
    spring = np.repeat(streams.shown[streams.first[:-1]] >= 1.0, np.diff(streams.first))
    narrow = np.where(spring, np.minimum((step + 1.0) / SPRING, 1.0), 1.0)[kept]
    width = np.column_stack([pixels * narrow, HALF_WIDTH * np.sqrt(flow) * narrow, run / streams.run.max(initial=1e-9)])
    points = _points(at, at[after] - at[before], height_m[kept], streams.shown[kept], width)
    return _strips(points, np.flatnonzero(~last), at)


def divide_ribbons(divides: np.ndarray) -> Ribbons:
    """The ribbons of segments `divides`, unit float64 (k, 2, 3); one that begins where the last ends continues it."""
    goes_on = np.zeros(len(divides), bool)
    goes_on[1:] = (np.abs(divides[1:, 0] - divides[:-1, 1]) < 1e-9).all(axis=1)
    # The first point of each line, and the end of each segment.
    kept = np.stack([~goes_on, np.ones(len(divides), bool)], axis=1).reshape(-1)
    at = divides.reshape(-1, 3)[kept]
    segment = np.cumsum(kept)[1::2] - 2
    along = np.zeros_like(at)
    way = divides[:, 1] - divides[:, 0]
    along[segment + 1] += way
    along[segment] += way
    width = np.tile([DIVIDE_PIXELS, 0.0, 0.0], (len(at), 1))
    return _strips(_points(at, along, np.full(len(at), DIVIDE_LIFT_M), 1.0, width), segment, at)


def visible_parts(ribbons: Ribbons, eye: np.ndarray, planes: np.ndarray, size_m: float, relief_m: float) -> np.ndarray:
    """Which parts are in the frustum and not beyond the horizon of a planet: bool (k,).

    `eye`: (3,) metres from the planet's centre; `planes`: (n, 4), those of `frustum_planes`; `size_m`: the planet's radius;
    `relief_m`: its highest land above the sea.
    """
    away = length(eye)
    horizon = np.arccos(min(size_m / away, 1.0)) + np.arccos(size_m / (size_m + relief_m))
    apart = np.arccos(np.clip(ribbons.middle @ (eye / away), -1.0, 1.0))
    centre = ribbons.middle * size_m - eye
    radius = ribbons.radius * size_m + relief_m
    inside = (centre @ planes[:, :3].T + planes[:, 3] > -radius[:, None]).all(axis=1)
    return inside & (apart < horizon + ribbons.radius)


def _points(
    at: np.ndarray, along: np.ndarray, height_m: np.ndarray, shown: np.ndarray | float, width: np.ndarray
) -> np.ndarray:
    """RIBBON_POINT records of points (k, 3), with the directions `along` (k, 3) of their lines."""
    out = np.zeros(len(at), RIBBON_POINT)
    along = along - (along * at).sum(axis=1, keepdims=True) * at
    out["place"], out["height"] = at, height_m
    along /= np.maximum(np.sqrt((along * along).sum(axis=1, keepdims=True)), 1e-12)
    out["along"][:, :3] = shares(along, np.int16)
    out["width"][:, :3], out["width"][:, 3] = width, shown
    return out


def _strips(points: np.ndarray, segments: np.ndarray, at: np.ndarray) -> Ribbons:
    """Triangle strips along the segments from points[k] to points[k + 1], for k in `segments`, ascending.

    A segment belongs to the quarter and the part of its middle. Where a line ends or goes on into another part the strip
    begins anew, by triangles without area.
    """
    middle = at[segments] + at[segments + 1]
    face, u, v, _ = DOUBLE_CONE.invert(middle)
    part = (face * PARTS + np.minimum((v * PARTS).astype(np.intp), PARTS - 1)) * PARTS
    part += np.minimum((u * PARTS).astype(np.intp), PARTS - 1)
    found = strip_parts(segments, part)
    out = points[found.point]
    out["along"][:, 3] = shares((face[found.segment] + 1.0) / FACES, np.int16) * found.side.astype(np.int16)
    return Ribbons(out, found.first, found.count, *_extents(at[found.passed], found.begins))


def _extents(at: np.ndarray, where: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The middle (p, 3) and the angular radius (p,) of the runs of unit vectors `at` (k, 3) that begin at `where` (p,)."""
    if not len(at):
        return np.zeros((0, 3)), np.zeros(0)
    middle = np.add.reduceat(at, where, axis=0)
    middle = unit(middle)
    cosine = (at * np.repeat(middle, np.diff(np.append(where, len(at))), axis=0)).sum(axis=1)
    return middle, np.arccos(np.clip(np.minimum.reduceat(cosine, where), -1.0, 1.0))
