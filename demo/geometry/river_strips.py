"""River strips: the triangle strips of a world's rivers, made on the worker. Plain numpy.

Strips lie in parts of the world, each of which may be out of sight, and rivers of like width lie together, so that narrow
ones are left out from afar.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..maths.vectors import length, lengths, unit
from ..worlds.atlas import CUBE, Atlas
from .strip_parts import strip_parts

if TYPE_CHECKING:
    from ..ground.rivers import Rivers

# `at`: face, u and v among the samples. `water`: side (-1 or 1), level and ground in metres above the sea, half the width in
# metres. `kind`: how much is shown (0..1), the share of carving after which it is there, how far it is frozen, its fall.
# `form`: half the width by the radius of the bend, above 0 where its inside is on side 1; how far it parts into threads,
# 0..1; the way from the source in half widths; how white a fall has left it, 0..1.
RIVER_POINT = np.dtype(
    [
        ("place", np.float32, 3),
        ("along", np.float32, 3),
        ("at", np.float32, 3),
        ("water", np.float32, 4),
        ("kind", np.float32, 4),
        ("form", np.float32, 4),
    ]
)
# Parts along the edge of a face of a cube around the world, and along that of a terrain.
PLANET_PARTS, TERRAIN_PARTS = 8, 12
# Half widths in metres between which rivers lie together, as shares of the widest.
CLASSES = 0.12, 0.3
# From afar every so manyth point is enough.
FAR_EVERY = 14
# A chord of the coarse copy of a river is so many times as long as the river bends away from it.
BENT = 12.0
# Rivers narrower than this many pixels, counted on half their width, are not seen; as in river.vert.
FAINT = 0.03
# The share of carving after which the largest river's mouth is there, and the sources of the smallest.
FIRST, LAST = 0.12, 0.9


@dataclass(frozen=True)
class RiverStrips:
    """Triangle strips of rivers, in k parts.

    `points`: RIVER_POINT records; part j is the `count[j]` points from `first[j]` on. It lies within `radius[j]` of
    `middle[j]` (k, 3), in radii or extents. `half_m`: float64 (k,), half the width of its widest river. `far`: bool (k,),
    whether it is the coarse copy of a part, whose points are `coarse` radii or extents apart. `spherical`: on a planet.
    """

    points: np.ndarray
    first: np.ndarray
    count: np.ndarray
    middle: np.ndarray
    radius: np.ndarray
    half_m: np.ndarray
    far: np.ndarray
    coarse: float
    spherical: bool


def river_strips(rivers: Rivers, atlas: Atlas) -> RiverStrips:
    """The strips of rivers, near and far ones."""
    near, far = (_strips(rivers, atlas, every) for every in (1, FAR_EVERY))
    return RiverStrips(
        np.concatenate([near.points, far.points]),
        np.concatenate([near.first, len(near.points) + far.first]),
        np.concatenate([near.count, far.count]),
        np.concatenate([near.middle, far.middle]),
        np.concatenate([near.radius, far.radius]),
        np.concatenate([near.half_m, far.half_m]),
        np.repeat([False, True], [len(near.first), len(far.first)]),
        far.coarse,
        atlas.spherical,
    )


def _strips(rivers: Rivers, atlas: Atlas, every: int) -> RiverStrips:
    """Strips through every `every`-th point of a river, and its last."""
    first = rivers.first
    step = np.arange(first[-1]) - np.repeat(first[:-1], np.diff(first))
    last = np.zeros(first[-1], bool)
    last[first[1:] - 1] = True
    kept = np.flatnonzero((step % every == 0) | last)
    points, last = _points(rivers, atlas, kept, last[kept], step[kept] == 0), last[kept]
    segments = np.flatnonzero(~last)
    at = rivers.place[kept]
    half = rivers.half_m[kept].astype(np.float64)
    part = part_of(at[segments] + at[segments + 1], atlas)
    widest = max(float(half.max(initial=0.0)), 1e-9)
    part = part * (len(CLASSES) + 1) + np.searchsorted(CLASSES, half[segments + 1] / widest)
    found = strip_parts(segments, part)
    out = points[found.point]
    out["water"][:, 0] = found.side
    middle, radius = extents(at[found.passed], found.begins)
    widths = np.maximum.reduceat(half[found.passed], found.begins) if len(found.begins) else np.zeros(0)
    coarse = float(np.median(lengths(at[segments + 1] - at[segments]))) if len(segments) else 0.0
    none = np.zeros(len(widths), bool)
    return RiverStrips(out, found.first, found.count, middle, radius, widths, none, coarse, atlas.spherical)


def _points(rivers: Rivers, atlas: Atlas, kept: np.ndarray, last: np.ndarray, begins: np.ndarray) -> np.ndarray:
    """RIVER_POINT records of the points `kept`, without their sides."""
    at = rivers.place[kept]
    before, after = np.arange(len(at)) - ~begins, np.arange(len(at)) + ~last
    along = at[after] - at[before]
    out = np.zeros(len(at), RIVER_POINT)
    out["place"] = at
    way = lengths(along)
    out["along"] = along / np.maximum(way, 1e-12)[:, None]
    face, u, v, _ = atlas.invert(at)
    out["at"] = np.stack([face, u, v], axis=1)
    level = rivers.level_m[kept].astype(np.float64)
    out["water"][:, 1], out["water"][:, 2], out["water"][:, 3] = level, rivers.ground_m[kept], rivers.half_m[kept]
    flow = rivers.flow_m3_s[kept].astype(np.float64)
    low, high = np.log(flow.min(initial=1e9)), np.log(flow.max(initial=1e-9))
    late = LAST - (LAST - FIRST) * (np.log(flow) - low) / max(high - low, 1e-9)
    turn = np.cross(at if atlas.spherical else [0.0, 1.0, 0.0], out["along"]) * (out["along"][after] - out["along"][before])
    out["form"][:, 0] = turn.sum(axis=1) / np.maximum(way, 1e-12) * rivers.half_m[kept] / rivers.size_m
    step = np.zeros(len(at))
    step[1:] = lengths(np.diff(at, axis=0)) * rivers.size_m / np.maximum(rivers.half_m[kept][1:], 1e-3)
    gone = np.cumsum(np.where(begins, 0.0, step))
    # From each source anew, or a float would not tell it.
    out["form"][:, 2] = gone - np.maximum.accumulate(np.where(begins, gone, 0.0))
    out["form"][:, 1], out["form"][:, 3] = rivers.braided[kept], rivers.white[kept]
    steep = (level[before] - level[after]) / np.maximum(way * rivers.size_m, 1e-6)
    out["kind"] = np.stack([rivers.shown[kept], late, rivers.frozen[kept], steep], axis=1)
    return out


def part_of(middle: np.ndarray, atlas: Atlas) -> np.ndarray:
    """The number of the part of the world in which the mean of two places lies, twice which is `middle` (k, 3)."""
    if atlas.spherical:
        face, u, v, _ = CUBE.invert(middle)
        parts = PLANET_PARTS
    else:
        face, u, v, parts = np.zeros(len(middle), np.intp), 0.5 * middle[:, 0] + 0.5, 0.5 * middle[:, 2] + 0.5, TERRAIN_PARTS
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
    """Numbers of the parts to draw, int (m,).

    `eye`: (3,) metres in the world; `planes`: (n, 4), those of `frustum_planes`; `size_m`: radius or extent; `relief_m`: of
    the highest land; `pixel`: radians that a pixel spans.
    """
    centre = strips.middle * size_m - eye
    radius = strips.radius * size_m + relief_m
    away = np.maximum(lengths(centre) - radius, 1.0)
    inside = (centre @ planes[:, :3].T + planes[:, 3] > -radius[:, None]).all(axis=1)
    if strips.spherical:
        inside &= _before_horizon(strips, eye, size_m, relief_m)
    far = away * pixel * BENT > strips.coarse * size_m
    return np.flatnonzero(inside & (strips.half_m > FAINT * pixel * away) & (far == strips.far))


def _before_horizon(strips: RiverStrips, eye: np.ndarray, size_m: float, relief_m: float) -> np.ndarray:
    away = length(eye)
    horizon = np.arccos(min(size_m / away, 1.0)) + np.arccos(size_m / (size_m + relief_m))
    apart = np.arccos(np.clip(unit(strips.middle) @ (eye / away), -1.0, 1.0))
    seen: np.ndarray = apart < horizon + 1.1 * strips.radius
    return seen
