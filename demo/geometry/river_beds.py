"""River beds: the segments of rivers that are cut into the ground, and which of them lie in a tile."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..maths.vectors import lengths
from ..worlds.atlas import Atlas
from .bed_heads import steepness
from .bed_search import FIELDS, WRITTEN, cuts_of
from .river_strips import extents, part_of

if TYPE_CHECKING:
    from ..ground.rivers import Rivers

# A stretch of a river: `ends`, two places as `Atlas.place` has them; at both `half_m`, half the river's width, `level_m` of
# the water, `depth_m` below it, `reach_m`, how far from the water its banks are cut, and `bank`, the slope of these; the
# cut rises upstream of it by the slope `behind`.
BED = np.dtype(
    [
        ("ends", np.float32, (2, 3)),
        ("half_m", np.float32, 2),
        ("level_m", np.float32, 2),
        ("depth_m", np.float32, 2),
        ("reach_m", np.float32, 2),
        ("bank", np.float32, 2),
        ("behind", np.float32),
    ]
)
# One of them in a tile, as in bed.vert: the box in the picture of tiles; ends in metres from the tile's middle with half the
# width; levels and depths; reaches, and metres of a texel of the tile and of one of the next coarser level; slopes of banks
# and the one behind the bed.
CUT = np.dtype(
    [
        ("patch", np.float32, 4),
        ("place", np.float32, 4),
        ("direction", np.float32, 3),
        ("box", np.float32, 4),
        ("begin", np.float32, 4),
        ("end", np.float32, 4),
        ("depths", np.float32, 4),
        ("reach", np.float32, 4),
        ("bank", np.float32, 3),
    ]
)
# Banks of slope 1 are cut over so many times what the ground stands above the water, and all of them over so many half
# widths and over these metres more.
BY_GAP, BY_WIDTH, LEAST_M = 1.8, 2.5, 8.0
# Where water falls more than so many times as far as it goes on, it falls freely.
SHEER = 1.5
# Points of a bed are at least so many half widths apart, but for those where it falls so many times as far as it goes on.
CLOSEST, EDGE = 1.5, 0.5
# Beds come in where half their width is between so many texels.
SEEN_FROM, SEEN_TO = 0.35, 1.0
# Rivers of which so much is seen lie in beds that are cut down to them.
CUT_FROM = 0.35
# Parts along the edge of a face of a cube around the world, and along that of a terrain.
PLANET_PARTS, TERRAIN_PARTS = 8, 12
# Beds in a part at most: near the flight a river has hundreds of times the points that it has elsewhere. All of a part are
# looked at where it is near, so large parts cost as much as many.
MOST = 8
# Room around a box for what is not flat in a tile: as a share of its edge, and in texels.
BULGE, ROOM = 0.03, 2.0
# From the middle of a box to its corner, by the reach that it holds, where a tile is as slanted as any is.
CORNER = 2.1
# Fields of a cut that are its tile's own.
OF_TILE = ("patch", "place", "direction")


@dataclass(frozen=True)
class RiverBeds:
    """Beds of a world's rivers, BED records, sorted by k parts, most of them stretches of one river: part j is `count[j]`
    from `first[j]` on, MOST at most. `within`: float32 (5, k), the middle of each part, the radius in which it lies around
    that, in radii or extents, and half the width of its widest river in metres.

    `around`: float32 (5, n), of each bed the place of its middle, how far from there it is cut, in radii or extents, and
    half its width in metres.
    """

    segments: np.ndarray
    within: np.ndarray
    around: np.ndarray
    first: np.ndarray
    count: np.ndarray


def river_beds(rivers: Rivers, atlas: Atlas) -> RiverBeds:
    """The beds of rivers; those under the sea are none."""
    kept = _kept(rivers)
    segments = np.delete(np.arange(len(kept)), np.searchsorted(kept, rivers.first[1:] - 1))
    both = np.stack([kept[segments], kept[segments + 1]], axis=1)
    seen = (rivers.shown[both] > 0.0).any(axis=1)
    segments, both = segments[seen], both[seen]
    parts = PLANET_PARTS if atlas.spherical else TERRAIN_PARTS
    part = part_of(rivers.place[both].sum(axis=1), atlas, parts)
    order = np.argsort(part, kind="stable")
    segments, both, part = segments[order], both[order], part[order]
    found = np.zeros(len(both), BED)
    found["ends"] = rivers.place[both]
    found["half_m"], found["level_m"], found["depth_m"] = rivers.half_m[both], rivers.level_m[both], rivers.depth_m[both]
    # Where a river is not seen, land stands in its way that it has not cut through: a bed would be a slot.
    uncut = np.clip(1.0 - rivers.shown / CUT_FROM, 0.0, 1.0) * rivers.gap_m
    found["level_m"] += uncut[both]
    # Behind a fall stands a cliff: a slope in its place would pierce the water.
    long_m = lengths(rivers.place[both[:, 1]] - rivers.place[both[:, 0]]) * rivers.size_m
    fall = found["level_m"][:, 0] - found["level_m"][:, 1] > SHEER * long_m
    found["level_m"][fall, 0] = found["level_m"][fall, 1]
    found["bank"] = rivers.bank[both]
    # No farther than they are cut: wide banks would dig out the hillside beside a river that is hidden.
    found["reach_m"] = BY_GAP * (rivers.gap_m - uncut)[both] / rivers.bank[both] + BY_WIDTH * rivers.half_m[both] + LEAST_M
    water_m, first = (rivers.level_m + uncut)[kept], np.searchsorted(kept, rivers.first[:-1])
    found["behind"] = steepness(
        rivers.place[kept].astype(np.float64),
        water_m,
        np.repeat(first, np.diff(np.append(first, len(kept)))),
        segments,
        found["level_m"][:, 0],
        found["half_m"][:, 0],
        found["reach_m"].max(axis=1),
        rivers.size_m,
    )
    where = _starts(part)
    middle, radius = extents(rivers.place[both[:, 0]], where)
    # A segment ends beyond the point where it begins, and its banks lie beside it.
    long = lengths(rivers.place[both[:, 1]] - rivers.place[both[:, 0]])
    more = long + found["reach_m"].max(axis=1) / rivers.size_m
    if len(where):
        radius = radius + np.maximum.reduceat(more, where)
    widest = np.maximum.reduceat(found["half_m"].max(axis=1), where) if len(where) else np.zeros(0)
    # With room for rounding.
    within = np.stack([*middle.T, 1.0001 * radius + 1e-6, widest]).astype(np.float32)
    count = np.diff(np.append(where, len(both)))
    beds = RiverBeds(found, within, _around(found, rivers.size_m), where.astype(np.int64), count.astype(np.int64))
    # The search is loaded here, on the worker, so that no frame waits for it.
    nothing = np.zeros(0)
    _search(beds, np.zeros((0, 3)), nothing, nothing, np.zeros((0, 3, 2)), np.zeros((0, 2)), rivers.size_m, 1)
    return beds


def _kept(rivers: Rivers) -> np.ndarray:
    """The points between which beds are cut, int (k,): no closer than a share of the river's width, but for those at falls,
    at which the bed has edges, and at the ends of rivers."""
    long_m = np.zeros(len(rivers.place))
    long_m[1:] = lengths(np.diff(rivers.place, axis=0)) * rivers.size_m
    number = np.floor(np.cumsum(long_m / (CLOSEST * np.maximum(rivers.half_m, 1.0))))
    kept = np.diff(number, prepend=-1.0) > 0.0
    drop = np.append(rivers.level_m[:-1] - rivers.level_m[1:], 0.0)
    falls = drop > EDGE * np.append(long_m[1:], 1.0)
    kept |= falls
    kept[1:] |= falls[:-1]
    kept[rivers.first[:-1]] = kept[rivers.first[1:] - 1] = True
    return np.flatnonzero(kept)


def _starts(part: np.ndarray) -> np.ndarray:
    """Where parts begin, int (k,), among beds sorted by the part of the world that they lie in, int (n,)."""
    ends = np.append(np.flatnonzero(np.diff(part, prepend=-1)), len(part))
    pieces = [np.arange(low, high, MOST) for low, high in pairwise(ends)]
    return np.concatenate(pieces) if pieces else np.zeros(0, np.intp)


def _around(segments: np.ndarray, size_m: float) -> np.ndarray:
    """`RiverBeds.around` of BED records (n,)."""
    begin, end = segments["ends"][:, 0].astype(np.float64), segments["ends"][:, 1].astype(np.float64)
    out = np.empty((5, len(segments)), np.float32)
    out[:3] = 0.5 * (begin + end).T
    # To the corner of the box that is drawn around it, with room for rounding.
    cut_m = np.maximum(*(segments["half_m"] + segments["reach_m"]).T)
    out[3] = 1.01 * (0.5 * lengths(end - begin) + CORNER * cut_m / size_m) + 1e-6
    out[4] = np.maximum(*segments["half_m"].T)
    return out


def cuts_in(beds: RiverBeds, tiles: np.ndarray, atlas: Atlas, size_m: float, texels: int) -> np.ndarray:
    """The beds in tiles, CUT (m,). `tiles`: TILE records (k,) with all fields; `texels`: along a tile's edge."""
    at = tiles["patch"].astype(np.float64)
    face, u, v, edge = at[:, 0].astype(np.int64), at[:, 1], at[:, 2], at[:, 3]
    # All in one call: it is made in the frame loop, for a few tiles at a time.
    aside = 0.5 * edge * np.array([[0, 1, -1, 0, 0], [0, 0, 0, 1, -1]])[:, :, None]
    middle, right, left, below, above = atlas.place(face, u + aside[0], v + aside[1])
    across, down = right - left, below - above
    # To the corners of a tile and its rim, however slanted.
    radius = 0.72 * (lengths(across) + lengths(down))
    plane = _plane_of(np.stack([across, down], axis=1) * (size_m / texels))
    texel_m = atlas.edge * size_m * edge / texels
    of, fields = _search(beds, middle, radius, texel_m, plane, tiles["place"][:, :2] + 1.0, size_m, texels)
    out = np.zeros(len(of), CUT)
    for name in OF_TILE:
        out[name] = tiles[name][of]
    out.view(np.float32).reshape(len(of), CUT.itemsize // 4)[:, -WRITTEN:] = fields
    return out


def _search(
    beds: RiverBeds,
    middle: np.ndarray,
    radius: np.ndarray,
    texel_m: np.ndarray,
    plane: np.ndarray,
    corner: np.ndarray,
    size_m: float,
    texels: int,
) -> tuple[np.ndarray, np.ndarray]:
    """What `cuts_of` finds in tiles, all by tile as in `search`."""
    # Of one type and layout, or numba would compile it anew.
    by_tile = (np.ascontiguousarray(some, np.float64) for some in (middle, radius, texel_m, plane, corner))
    numbers = float(size_m), float(texels), SEEN_FROM, ROOM, BULGE
    segments = beds.segments.view(np.float32).reshape(-1, FIELDS)
    return cuts_of(beds.within, beds.around, beds.first, beds.count, segments, *by_tile, *numbers)


def _plane_of(axes: np.ndarray) -> np.ndarray:
    """The pseudoinverses, (k, 3, 2), of pairs of axes (k, 2, 3)."""
    a, b = axes[:, 0], axes[:, 1]
    aa, ab, bb = ((p * q).sum(axis=1)[:, None] for p, q in ((a, a), (a, b), (b, b)))
    return np.stack([bb * a - ab * b, aa * b - ab * a], axis=2) / (aa * bb - ab * ab)[..., None]
