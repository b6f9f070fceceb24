"""River beds: the segments of rivers that are cut into the ground, and which of them lie in a patch. Plain numpy."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..maths.vectors import lengths
from ..worlds.atlas import Atlas
from .river_strips import extents, part_of

if TYPE_CHECKING:
    from ..ground.rivers import Rivers

# A stretch of a river: `ends`, two places as `Atlas.place` has them; at both `half_m`, half the river's width, `level_m` of
# the water, `depth_m` below it, `reach_m`, how far from the water its banks are cut, and `bank`, the slope of these, the
# first below 0 where the bed begins: it is round there.
BED = np.dtype(
    [
        ("ends", np.float32, (2, 3)),
        ("half_m", np.float32, 2),
        ("level_m", np.float32, 2),
        ("depth_m", np.float32, 2),
        ("reach_m", np.float32, 2),
        ("bank", np.float32, 2),
    ]
)
# One of them in a tile, as in bed.vert: the box in the picture of tiles; ends in metres from the tile's middle with half the
# width; levels and depths; reaches, and metres of a texel of the tile and of one of the next coarser level; slopes of banks.
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
        ("bank", np.float32, 2),
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
# Tiles whose beds are looked for at once: of more, what is looked through takes megabytes.
TOGETHER = 16
# Room around a box for what is not flat in a tile: as a share of its edge, and in texels.
BULGE, ROOM = 0.03, 2.0
NOT_CUT = 1e9
# From the middle of a box to its corner, by the reach that it holds, where a tile is as slanted as any is.
CORNER = 2.1


@dataclass(frozen=True)
class RiverBeds:
    """Beds of a world's rivers, BED records, sorted by k parts, most of them stretches of one river: part j is `count[j]`
    from `first[j]` on, MOST at most. `within`: float32 (5, k), the middle of each part, the radius in which it lies around
    that, in radii or extents, and half the width of its widest river in metres.

    `around`: float32 (5, k, MOST), of each bed of each part the place of its middle, how far from there it is cut, in radii
    or extents, and half its width in metres; below 0 where a part has no more beds.
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
    begins = np.diff(segments, prepend=-9) > 1
    parts = PLANET_PARTS if atlas.spherical else TERRAIN_PARTS
    part = part_of(rivers.place[both].sum(axis=1), atlas, parts)
    order = np.argsort(part, kind="stable")
    both, part, begins = both[order], part[order], begins[order]
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
    found["bank"][begins, 0] *= -1.0
    # No farther than they are cut: wide banks would dig out the hillside beside a river that is hidden.
    found["reach_m"] = BY_GAP * (rivers.gap_m - uncut)[both] / rivers.bank[both] + BY_WIDTH * rivers.half_m[both] + LEAST_M
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
    return RiverBeds(found, within, _around(found, rivers.size_m, where, count), where, count)


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


def _around(segments: np.ndarray, size_m: float, first: np.ndarray, count: np.ndarray) -> np.ndarray:
    """`RiverBeds.around` of BED records (n,), of which part j has `count[j]` from `first[j]` on."""
    begin, end = segments["ends"][:, 0].astype(np.float64), segments["ends"][:, 1].astype(np.float64)
    out = np.empty((5, len(segments)), np.float32)
    out[:3] = 0.5 * (begin + end).T
    # To the corner of the box that is drawn around it, with room for rounding.
    cut_m = np.maximum(*(segments["half_m"] + segments["reach_m"]).T)
    out[3] = 1.01 * (0.5 * lengths(end - begin) + CORNER * cut_m / size_m) + 1e-6
    out[4] = np.maximum(*segments["half_m"].T)
    by_part = np.full((5, len(first), MOST), -1.0, np.float32)
    part = np.repeat(np.arange(len(first)), count)
    by_part[:, part, np.arange(len(segments)) - first[part]] = out
    return by_part


def cuts_in(beds: RiverBeds, tiles: np.ndarray, atlas: Atlas, size_m: float, texels: int) -> np.ndarray:
    """The beds in tiles, CUT (m,). `tiles`: TILE records (k,) with all fields; `texels`: along a tile's edge."""
    at = tiles["patch"].astype(np.float64)
    face, u, v, edge = at[:, 0].astype(np.intp), at[:, 1], at[:, 2], at[:, 3]
    # All in one call: it is made in the frame loop, for a few tiles at a time.
    aside = 0.5 * edge * np.array([[0, 1, -1, 0, 0], [0, 0, 0, 1, -1]])[:, :, None]
    middle, right, left, below, above = atlas.place(face, u + aside[0], v + aside[1])
    across, down = right - left, below - above
    radius = 0.6 * (lengths(across) + lengths(down))
    texel_m = atlas.edge * size_m * edge / texels
    axes = np.stack([across, down], axis=1) * (size_m / texels)
    found = []
    for begin in range(0, len(tiles), TOGETHER):
        some = slice(begin, begin + TOGETHER)
        tile, part = np.nonzero(_near(beds, middle[some], radius[some], texel_m[some]))
        index, of = _close(beds, begin + tile, part, middle, radius, texel_m)
        if len(index):
            found.append(_cuts(beds.segments[index], tiles, of, middle, axes, size_m, texel_m, texels))
    return np.concatenate(found) if found else np.zeros(0, CUT)


def _near(beds: RiverBeds, middle: np.ndarray, radius: np.ndarray, texel_m: np.ndarray) -> np.ndarray:
    """Which of the parts may reach tiles and are wide enough for them, bool (tiles, parts); by tile as for `_close`."""
    # In place, as below.
    square = np.zeros((len(middle), len(beds.first)), np.float32)
    for parts, tiles in zip(beds.within[:3], middle.T.astype(np.float32), strict=True):
        offset = parts - tiles[:, None]
        offset *= offset
        square += offset
    reach = beds.within[3] + radius.astype(np.float32)[:, None]
    reach *= reach
    near = square < reach
    near &= beds.within[4] > (SEEN_FROM * texel_m).astype(np.float32)[:, None]
    return near


def _close(
    beds: RiverBeds, tile: np.ndarray, part: np.ndarray, middle: np.ndarray, radius: np.ndarray, texel_m: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Of pairs of a tile and a part (p,): the numbers of the beds that are wide enough for the tile and may reach it, which
    few of them do, and the tile of each, int (m,) both. `middle`, `radius`, `texel_m`: by tile."""
    around = beds.around[:, part]
    # In place: it is made in the frame loop, and of numbers by the thousand.
    offset, reach, half_m = around[:3], around[3], around[4]
    offset -= middle.T.astype(np.float32)[:, tile, None]
    offset *= offset
    offset[0] += offset[1]
    offset[0] += offset[2]
    reach += (1.2 * radius).astype(np.float32)[tile, None]
    reach *= reach
    near = offset[0] < reach
    near &= half_m > (0.999 * SEEN_FROM * texel_m)[tile, None]
    pair, number = np.nonzero(near)
    return beds.first[part[pair]] + number, tile[pair]


def _plane_of(axes: np.ndarray) -> np.ndarray:
    """The pseudoinverses, (k, 3, 2), of pairs of axes (k, 2, 3)."""
    a, b = axes[:, 0], axes[:, 1]
    aa, ab, bb = ((p * q).sum(axis=1)[:, None] for p, q in ((a, a), (a, b), (b, b)))
    return np.stack([bb * a - ab * b, aa * b - ab * a], axis=2) / (aa * bb - ab * ab)[..., None]


def _cuts(
    segments: np.ndarray,
    tiles: np.ndarray,
    of: np.ndarray,
    middle: np.ndarray,
    axes: np.ndarray,
    size_m: float,
    texel_m: np.ndarray,
    texels: int,
) -> np.ndarray:
    """Those of the segments (m,) that are seen in their tiles, whose numbers are `of` (m,).

    By tile: `middle` (k, 3); `axes` (k, 2, 3), metres along a texel across and down; `texel_m` (k,).
    """
    ends = (segments["ends"].astype(np.float64) - middle[of][:, None]) * size_m
    half, texel = segments["half_m"], texel_m[of]
    # Texels by metres: a point's place in the tile's plane.
    plane = _plane_of(axes)
    at = ends @ plane[of] + 0.5 * texels
    reach = (half + segments["reach_m"]).max(axis=1)[:, None] * np.sqrt((plane**2).sum(axis=1))[of]
    reach += ROOM + BULGE * texels
    low, high = at.min(axis=1) - reach, at.max(axis=1) + reach
    # A rim of one texel is around the tile's own.
    low, high = np.maximum(np.floor(low), -1.0), np.minimum(np.ceil(high), texels + 2.0)
    seen = (low < high).all(axis=1) & (half.max(axis=1) > SEEN_FROM * texel)
    segments, of, ends, low, high, texel = (some[seen] for some in (segments, of, ends, low, high, texel))
    out = np.zeros(len(segments), CUT)
    for name in ("patch", "place", "direction"):
        out[name] = tiles[name][of]
    corner = out["place"][:, :2] + 1.0
    out["box"][:, :2], out["box"][:, 2:] = low + corner, high + corner
    for name, side in (("begin", 0), ("end", 1)):
        out[name][:, :3], out[name][:, 3] = ends[:, side], segments["half_m"][:, side]
    out["depths"][:, :2], out["depths"][:, 2:] = segments["level_m"], segments["depth_m"]
    out["bank"] = segments["bank"]
    out["reach"][:, :2], out["reach"][:, 2], out["reach"][:, 3] = segments["reach_m"], texel, 2.0 * texel
    return out
