"""The stage of a region's blocks: a piece is one of them, by its number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .blocks import GROUND, KINDS, BlockParts, block_parts, window_around
from .engines import Numbers
from .kept_parts import Arrays, Keeper, flat, key_of, unflat
from .sections import Groundwork
from .shared_arrays import Shared
from .strip_rows import rows_of

# The arrays of a `RegionBlocks` beside those of its `work`.
OWN = ("triangle", "begins")


@dataclass(frozen=True)
class RegionBlocks:
    """All that the blocks of a region are made from.

    `work`: as for sections. `triangle`: int64, the numbers of triangles, block after block; those of block k are
    begins[k] .. begins[k + 1] - 1.
    """

    work: Groundwork
    triangle: np.ndarray
    begins: np.ndarray

    kind: ClassVar[str] = "blocks"

    @classmethod
    def asked_for(cls, work: Groundwork, asked: Sequence[np.ndarray]) -> RegionBlocks:
        """Of blocks with these triangles, by their numbers."""
        return cls(work, np.concatenate(asked), np.cumsum([0, *map(len, asked)]))

    @property
    def digest(self) -> str:
        """As in `Stage`."""
        return self.work.digest

    def shared(self) -> Shared:
        """As in `Stage`."""
        work = self.work.shared()
        return Shared(work.arrays | {name: getattr(self, name) for name in OWN}, work.facts)

    @classmethod
    def of(cls, shared: Shared) -> RegionBlocks:
        """The stage whose `shared` has returned this."""
        return cls(Groundwork.of(shared), *(shared.arrays[name] for name in OWN))

    def pieces(self) -> list[Numbers]:
        """The numbers of all blocks."""
        return [(number,) for number in range(len(self.begins) - 1)]

    def asked(self, number: int) -> np.ndarray:
        """The triangles of a block, by their numbers."""
        return self.triangle[self.begins[number] : self.begins[number + 1]]

    def piece(self, numbers: Numbers, keep: Keeper) -> Arrays:
        """What a block has, for `parts_of`."""
        work, asked = self.work, self.asked(*numbers)

        def make() -> Arrays:
            made = block_parts(work.mesh, work.network, work.summits, work.lakes, asked)
            return {**flat([made.arcs, made.borders, made.chains, made.tops, made.beds]), GROUND: made.heights_m}

        return keep(key_of(self.digest, "block", asked), make)

    def parts_of(self, number: int, arrays: Arrays) -> BlockParts:
        """A block, from its piece."""
        arcs, borders, chains, tops, beds = unflat(KINDS, arrays)
        rows = rows_of(window_around(self.work.mesh, self.asked(number)))
        return BlockParts(arcs, borders, chains, tops, beds, rows, arrays[GROUND])
