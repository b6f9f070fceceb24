"""Blocks of the local mesh: what a block of rhombi has of shores, borders, courses, tops, lake beds and heights.

A block is made from the global mesh alone, with a margin around it, and has the bits of the whole planet's strips. So blocks
can be made in any order, and only those that somebody asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.global_relief import RingWindow
from ...worlds.doublecone.ring_spans import spans_of, window_of
from ..degrees import steps_of, turn_of
from ..region import Region
from . import catchments, courses, lake_beds, peaks, shores
from .fine_mesh import FineMesh, Strip, window_strip
from .strip_rows import Rows, rows_of
from .strips import joined

# A block and its margin, MARGIN rhombi in all each way, have at most this many local points, where that is possible.
BLOCK_POINTS, MARGIN, MOST_SIDE = 12_000_000, 5, 64
# What a block is kept as.
KINDS, GROUND = (shores.Arcs, catchments.Borders, courses.Chains, peaks.Tops, lake_beds.LakeBeds), "ground"


@dataclass(frozen=True)
class BlockParts:
    """What a block has.

    `chains` are those of all cells with a corner of its triangles; `tops` likewise. `rows`, `heights_m`, float32 (m,): the
    final relief, true in its own triangles.
    """

    arcs: shores.Arcs
    borders: catchments.Borders
    chains: courses.Chains
    tops: peaks.Tops
    beds: lake_beds.LakeBeds
    rows: Rows
    heights_m: np.ndarray


def side_of(ln: int) -> int:
    """Rhombi along a side of a block, a power of two."""
    side = MOST_SIDE
    while side > 1 and (side + MARGIN) ** 2 * 4**ln > BLOCK_POINTS:
        side //= 2
    return side


def triangles_in(mesh: FineMesh, region: Region) -> np.ndarray:
    """The numbers of the global triangles that a region needs, int64: those that touch it, and all beside these."""
    cells, corner = mesh.cells, mesh.triangles.corner
    starts, counts = meshes.ring_starts(cells), meshes.ring_counts(cells)
    ring = np.searchsorted(starts, corner, side="right") - 1
    rows = (90.0 - steps_of(np.array([region.north, region.south]), mesh.planet.atlas)) * (cells / 90.0)
    touched = (ring.max(axis=1) >= rows[0]) & (ring.min(axis=1) <= rows[1])
    if region.columns < region.width:
        off = (corner - starts[ring]) / counts[ring] - turn_of(0.5 * (region.west + region.east))
        off -= np.rint(off)
        low, high, half = off.min(axis=1), off.max(axis=1), 0.5 * region.columns / region.width
        # A pole has every longitude. On the far side of the planet a triangle seems to go all the way round.
        polar = (counts[ring] == 1).any(axis=1)
        touched &= polar | ((low <= half) & (high >= -half) & (high - low < 0.5))
    return np.flatnonzero(around(mesh, corners_of(mesh, np.flatnonzero(touched))))


def corners_of(mesh: FineMesh, triangle: np.ndarray) -> np.ndarray:
    """The corners of triangles: bool (points,)."""
    found = np.zeros(len(mesh.body), bool)
    found[mesh.triangles.corner[triangle]] = True
    return found


def around(mesh: FineMesh, points: np.ndarray) -> np.ndarray:
    """The triangles that have one of the `points`, bool (points,), as a corner: bool (t,)."""
    found: np.ndarray = points[mesh.triangles.corner].any(axis=1)
    return found


def blocks_of(mesh: FineMesh, triangle: np.ndarray) -> list[np.ndarray]:
    """Triangles by the blocks in which they lie, block after block."""
    side, place = side_of(mesh.ln), mesh.triangles.place[triangle]
    across = -(-mesh.cells // side)
    number = (place[:, 0].astype(np.int64) * across + place[:, 1] // side) * across + place[:, 2] // side
    return [triangle[number == one] for one in np.unique(number)]


def needed_by(mesh: FineMesh, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(cells, triangles) that triangles need, by their numbers `asked`: bool (points,), and numbers, int64.

    Courses of the cells beside theirs lower their ground, and a cell takes all triangles around its point.
    """
    cells = corners_of(mesh, np.flatnonzero(around(mesh, corners_of(mesh, asked))))
    return cells, np.flatnonzero(around(mesh, cells))


def block_parts(
    mesh: FineMesh, network: courses.Network, summits: peaks.Summits, lakes: tuple[int, int, float], asked: np.ndarray
) -> BlockParts:
    """What the triangles `asked` for have, by their numbers; `lakes`: counts of seas and lakes, the radius in metres."""
    own, strip = corners_of(mesh, asked), _strip(mesh, asked)
    span = strip.first, strip.last
    owner = courses.owners_of(mesh, network, strip)
    arcs = shores.arcs_of(mesh, network, strip, owner, *span)
    borders = catchments.borders_of(mesh, network, strip, owner, *span)
    beds = lake_beds.beds_of(mesh, strip, *lakes, *span)
    # Before valleys are cut, as in strips.
    tops = peaks.tops_of(mesh, replace(strip, cells=own), owner, summits, *_everywhere(mesh))
    chains = courses.chains_of(mesh, network, strip, owner, *_everywhere(mesh))
    window = window_around(mesh, asked)
    ground = _heights(strip, window)
    return BlockParts(arcs, borders, chains_in(mesh, network, chains, own), tops, beds, rows_of(window), ground)


def block_ground(mesh: FineMesh, network: courses.Network, asked: np.ndarray) -> np.ndarray:
    """`heights_m` of `block_parts` alone."""
    strip = _strip(mesh, asked)
    courses.chains_of(mesh, network, strip, courses.owners_of(mesh, network, strip), *_everywhere(mesh))
    return _heights(strip, window_around(mesh, asked))


def _strip(mesh: FineMesh, asked: np.ndarray) -> Strip:
    """The local mesh over triangles that are asked for and all that these need."""
    cells, triangle = needed_by(mesh, asked)
    return replace(window_strip(mesh, triangle), asked=np.isin(triangle, asked), cells=cells)


def _everywhere(mesh: FineMesh) -> tuple[int, int]:
    """All rings."""
    return 0, 2 * mesh.cells + 1


def window_around(mesh: FineMesh, asked: np.ndarray) -> RingWindow:
    """The points around triangles."""
    t = mesh.triangles
    return window_of(spans_of(mesh.cells, t.place[asked, 1:].sum(axis=1), t.corner[asked]), mesh.cells, mesh.ln, 0)


def _heights(strip: Strip, window: RingWindow) -> np.ndarray:
    """The heights of a window that a strip holds, in the order of `rows_of`."""
    inner, outer, width = rows_of(window), strip.rows, np.diff(window.start)
    heights = np.empty(int(window.start[-1]), np.float32)
    for row, ring in enumerate(range(window.first, window.first + len(width))):
        # Places along the ring: the row's first points, and behind its gap the others.
        along = np.arange(window.start[row], window.start[row + 1]) - inner.shift[ring]
        along += np.where(along >= inner.cut[ring] - inner.gap[ring], inner.gap[ring], 0)
        at = outer.shift[ring] + along - np.where(along >= outer.cut[ring], outer.gap[ring], 0)
        heights[window.start[row] : window.start[row + 1]] = strip.heights_m[at]
    return heights


def chains_in(mesh: FineMesh, network: courses.Network, chains: courses.Chains, own: np.ndarray) -> courses.Chains:
    """The chains in the cells of the points `own`, bool (points,), and the gates between them and water."""
    to = np.maximum(mesh.receiver[chains.gate_of], 0)
    land = np.where(mesh.body[chains.gate_of] < 0, chains.gate_of, to)
    return courses.taken(chains, np.flatnonzero(own[network.cell[chains.cell]]), np.flatnonzero(own[land]))


def joined_chains(parts: Sequence[courses.Chains]) -> courses.Chains:
    """Chains of parts that may share cells, in the network's order; of a cell in several parts those of the first count."""
    every = joined(parts, "vertex")
    part = np.repeat(np.arange(len(parts)), [len(one.cell) for one in parts])
    order = np.lexsort((part, every.slot, every.cell))
    key = np.stack([every.cell[order], every.slot[order]])
    new = np.concatenate([[True], (np.diff(key, axis=1) != 0).any(axis=0)]) if len(order) else np.zeros(0, bool)
    _, gates = np.unique(every.gate_of, return_index=True)
    return courses.taken(every, order[new], gates)
