"""Carving kept as it happens, so that a world which is grown a second time need not be carved again."""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from ..growth import RELIEF, Growth, Marks
from .lattice import with_change

# A change is kept in so many steps from its least to its greatest.
_STEPS = 65_535


class CarvingRecord:
    """What has been carved after some steps: small for coarse lattices, two bytes a sample for the full one.

    `wanted`: the steps that are to be kept, from 0. `final`: the carved heights, float32 (faces, n, n); None until carving
    is over.
    """

    def __init__(self, wanted: Set[int]) -> None:
        self.wanted = wanted
        self._changes: dict[int, tuple[np.ndarray, float, float]] = {}
        self.final: np.ndarray | None = None

    def keep(self, number: int, change: np.ndarray) -> None:
        """Keep the `change`, float32 (faces, m, m), of the heights after a step, to one in 65,535 of its range."""
        low, high = float(change.min()), float(change.max())
        step = max(high - low, 1e-30) / _STEPS
        self._changes[number] = (np.round((change - low) / step).astype(np.uint16), low, step)

    def change(self, number: int) -> np.ndarray:
        """The change after step `number`, from 0: float32 (faces, m, m). Raises ValueError for one that is not kept."""
        if number not in self._changes:
            raise ValueError(f"step {number} of carving is not kept")
        kept, low, step = self._changes[number]
        return np.float32(low) + np.float32(step) * kept.astype(np.float32)


class RecordedGrowth(Growth):
    """A growth that goes on with carving which is kept in a record."""

    def __init__(self, source: Growth, carved: Growth, record: CarvingRecord) -> None:
        """`source`: at step 0. `carved`: the growth whose carving is kept; it may still be at work."""
        self._source, self._record = source, record
        self.atlas, self.unit, self.size, self.seed, self.n = source.atlas, source.unit, source.size, source.seed, source.n
        self.printed_relief, self.total, self._stages = source.printed_relief, carved.total, carved.stages
        self.done = 0
        self.heights = source.heights

    @property
    def stages(self) -> dict[str, int]:
        return self._stages

    @property
    def sea_level(self) -> float:
        return self._source.sea_level

    @property
    def highest(self) -> float | None:
        return self._source.highest

    @property
    def sinking(self) -> float:
        return self._source.sinking

    def marks(self, first: int, last: int, relief: float = RELIEF) -> Marks:
        grown = self._source.total
        return self._source.marks(min(first, grown), min(last, grown), relief)

    def _advance(self, to: int) -> None:
        """Raises ValueError for a step that is not carved yet."""
        source = self._source
        if self.done < source.total:
            source.advance(min(to, source.total))
            self.heights = source.heights
        if to == self.total and self._record.final is not None:
            self.heights = self._record.final
        elif to > source.total:
            change = self._record.change(to - source.total - 1)
            if self.heights is source.heights:
                self.heights = np.empty_like(source.heights)
            with_change(source.heights, change, float(source.sea_level), self.heights)
