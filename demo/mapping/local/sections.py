"""Sections of a whole planet's local mesh: runs of belts, and parts of these along the rings where whole rings are too long.

A section is made from the global mesh alone, with a margin around it, and has the bits that it has in any other division. So
the points that are in memory at once are bounded, however fine the local mesh is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from . import catchments, courses, lake_beds, peaks, shores
from .blocks import GROUND, KINDS, block_ground, block_parts, chains_in, joined_chains, window_around
from .engines import Numbers
from .fine_mesh import FineMesh, Strip, strip_of
from .kept_parts import Arrays, Keeper, flat, key_of, unflat
from .memory_plan import PART_BELTS, PART_STEPS
from .mesh_relief import Piece
from .shared_arrays import Shared, arrays_of, mesh_from, shared_mesh
from .strip_rows import Rows, rows_of, whole_rows
from .strips import joined

# Belts kept on either side of a run of whole belts.
MARGIN = 1
# A run is divided into so many parts at least: the window of a wider part would have whole rings.
LEAST_PARTS = 4


class Section(NamedTuple):
    """The belts first .. last - 1, or the part `part` of `parts` equal ones of each of them, from longitude 0 eastwards."""

    first: int
    last: int
    part: int
    parts: int

    def triangles(self, mesh: FineMesh) -> np.ndarray:
        """The numbers of its triangles, int64, ascending."""
        begin = mesh.triangles.first[self.first : self.last]
        count = np.diff(mesh.triangles.first[self.first : self.last + 1])
        low, high = count * self.part // self.parts, count * (self.part + 1) // self.parts
        return np.concatenate([np.arange(b + x, b + y) for b, x, y in zip(begin, low, high, strict=True)])

    def numbers(self) -> np.ndarray:
        """What tells it from other sections, int64 (4,)."""
        return np.array(self, np.int64)


def sections_of(cells: int, steps: int, points: int, belts: int) -> list[Section]:
    """The sections of a mesh of `cells`, with `steps` local ones each, from north to south and from longitude 0 eastwards.

    With its margin each has about `points` local points at most, where that is possible. `belts`: how many a run of whole
    belts has at most.
    """
    most, side = points // (steps * steps), max(math.isqrt(points // (steps * steps)) - PART_STEPS, 1)
    found, first = list[Section](), 0
    while first < 2 * cells:
        run = belts
        while run > 1 and rhombi_of(cells, Section(first, min(first + run, 2 * cells), 0, 1)) > most:
            run //= 2
        whole = Section(first, min(first + run, 2 * cells), 0, 1)
        if rhombi_of(cells, whole) <= most:
            found.append(whole)
        else:
            last = min(first + side, 2 * cells)
            parts = max(-(-widest(cells, first, last) // side), LEAST_PARTS)
            found += [Section(first, last, part, parts) for part in range(parts)]
        first = found[-1].last
    return found


def rhombi_of(cells: int, section: Section) -> int:
    """About how many rhombi a section has in memory, with its margin: a belt has one to each global step."""
    first, last, _, parts = section
    around = widest(cells, max(first - MARGIN, 0), min(last + MARGIN, 2 * cells))
    if parts == 1:
        return (last - first + 2 * MARGIN) * around
    steps = -(-around // parts) + PART_STEPS
    return (last - first + PART_BELTS) * (steps if 2 * steps < around else around)


def widest(cells: int, first: int, last: int) -> int:
    """Global steps of the longest of the rings first .. last."""
    return 4 * (cells if first <= cells <= last else min(last, 2 * cells - first))


@dataclass(frozen=True)
class Groundwork:
    """The stage of sections: all that those of a planet are made from. A piece is a section's lines.

    `lakes`: counts of seas and lakes, the radius in metres. `digest`: as `kept_parts.digest_of` returns it.
    """

    mesh: FineMesh
    network: courses.Network
    summits: peaks.Summits
    lakes: tuple[int, int, float]
    digest: str = ""

    kind: ClassVar[str] = "sections"

    def shared(self) -> Shared:
        """As in `Stage`."""
        mesh = shared_mesh(self.mesh)
        own = arrays_of("network", self.network) | arrays_of("summits", self.summits)
        return Shared(mesh.arrays | own, mesh.facts | {"counts": self.lakes, "digest": self.digest})

    @classmethod
    def of(cls, shared: Shared) -> Groundwork:
        """The stage whose `shared` has returned this."""
        network, summits = shared.parts("network", courses.Network), shared.parts("summits", peaks.Summits)
        seas, lakes, radius_m = shared.facts["counts"]
        return cls(mesh_from(shared), network, summits, (seas, lakes, radius_m), shared.facts["digest"])

    def piece(self, numbers: Numbers, keep: Keeper) -> Arrays:
        """What the section of these numbers has of lines, for `lines_of`; `keep` keeps it, and its ground too."""
        section = Section(*numbers)

        def make() -> Arrays:
            lines, heights_m = section_parts(self, section)
            keep(key_of(self.digest, GROUND, section.numbers()), lambda: {GROUND: heights_m})
            return flat(lines)

        return keep(lines_key(self.digest, section), make)


Lines = tuple[shores.Arcs, catchments.Borders, courses.Chains, peaks.Tops, lake_beds.LakeBeds]


def lines_of(arrays: Arrays) -> Lines:
    """Shores, borders, courses, tops and lake beds, from a piece of a `Groundwork`."""
    arcs, borders, chains, tops, beds = unflat(KINDS, arrays)
    return arcs, borders, chains, tops, beds


def lines_key(digest: str, section: Section) -> str:
    """The key by which the lines of a section are kept, once its ground is kept."""
    return key_of(digest, "lines", section.numbers())


def kept_ground(digest: str, mesh: FineMesh, network: courses.Network, section: Section, keep: Keeper) -> Piece:
    """The final heights of a section, true in its own triangles."""

    def make() -> Arrays:
        if section.parts > 1:
            return {GROUND: block_ground(mesh, network, section.triangles(mesh))}
        strip = _run(mesh, section)
        owner = courses.owners_of(mesh, network, strip)
        courses.chains_of(mesh, network, strip, owner, section.first, section.last + 1)
        return {GROUND: _heights(mesh, strip, section)}

    heights_m = keep(key_of(digest, GROUND, section.numbers()), make)[GROUND]
    return Piece(_rows(mesh, section), heights_m, mesh.steps)


def joined_lines(parts: Sequence[Lines]) -> Lines:
    """The lines of all sections of a planet together; those of parts of belts may have chains and tops in common."""
    arcs, borders, chains, tops, beds = zip(*parts, strict=True)
    lines = joined(arcs, "vertices"), joined(borders, "vertices"), joined_chains(chains)
    return *lines, peaks.distinct_tops(tops), lake_beds.joined_beds(beds)


def section_parts(work: Groundwork, section: Section, asked: np.ndarray | None = None) -> tuple[Lines, np.ndarray]:
    """(its lines, the final heights).

    `asked`: bool by triangle, those of which the shores, borders and beds of whole belts are wanted; None for all.
    """
    mesh, network, summits, lakes = work.mesh, work.network, work.summits, work.lakes
    if section.parts > 1:
        one = block_parts(mesh, network, summits, lakes, section.triangles(mesh))
        return (one.arcs, one.borders, one.chains, one.tops, one.beds), one.heights_m
    first, last = section.first, section.last
    strip = _run(mesh, section)
    if asked is not None:
        strip = replace(strip, asked=asked[strip.triangle])
    owner = courses.owners_of(mesh, network, strip)
    arcs = shores.arcs_of(mesh, network, strip, owner, first, last)
    borders = catchments.borders_of(mesh, network, strip, owner, first, last)
    beds = lake_beds.beds_of(mesh, strip, *lakes, first, last)
    # The last ring, a pole, has no belt of its own.
    beyond = last + (last == 2 * mesh.cells)
    # Before valleys are cut: those of the cells beyond the strip are not known.
    tops = peaks.tops_of(mesh, strip, owner, summits, first, beyond)
    # The cells of the ring below the last belt lower its ground.
    chains = courses.chains_of(mesh, network, strip, owner, first, last + 1)
    starts, own = meshes.ring_starts(mesh.cells), np.zeros(len(mesh.body), bool)
    own[starts[first] : starts[beyond]] = True
    return (arcs, borders, chains_in(mesh, network, chains, own), tops, beds), _heights(mesh, strip, section)


def _run(mesh: FineMesh, section: Section) -> Strip:
    """The belts of a section and those beside them."""
    return strip_of(mesh, max(section.first - MARGIN, 0), min(section.last + MARGIN, 2 * mesh.cells))


def _heights(mesh: FineMesh, strip: Strip, section: Section) -> np.ndarray:
    """The heights of a section's own rings, a new array."""
    starts = meshes.ring_starts(mesh.fine_cells)
    begin, end = starts[[section.first * mesh.steps, section.last * mesh.steps + 1]] - strip.base
    return strip.heights_m[begin:end].copy()


def _rows(mesh: FineMesh, section: Section) -> Rows:
    """Where the heights of a section's points are."""
    if section.parts == 1:
        return whole_rows(mesh.fine_cells, section.first * mesh.steps)
    return rows_of(window_around(mesh, section.triangles(mesh)))
