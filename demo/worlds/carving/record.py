"""Carving kept as it happens, so that a world which is grown a second time need not be carved again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Set

import numpy as np

from ..growth import Growth
from .lattice import with_change
from .sequel import Sequel

# A change is kept in so many steps from its least to its greatest.
_STEPS = 65_535


class CarvingRecord:
    """What has been carved after some steps: small for coarse lattices, two bytes a sample for the full one.

    `wanted`: the steps that are to be kept, from 0. `final`: the carved heights, float32 (faces, n, n); None until carving
    is over.
    """

    def __init__(self, wanted: Set[int]) -> None:
        self.wanted = wanted
        self._changes: dict[int, tuple[np.ndarray, float, float, np.ndarray | None]] = {}
        self.final: np.ndarray | None = None

    def keep(self, number: int, change: np.ndarray, drowned: np.ndarray | None) -> None:
        """Keep the `change`, float32 (faces, m, m), of the heights after a step, to one in 65,535 of its range, and where
        land is `drowned`, bool in that shape or None."""
        low, high = float(change.min()), float(change.max())
        step = max(high - low, 1e-30) / _STEPS
        # A bit a sample.
        bits = None if drowned is None else np.packbits(drowned)
        self._changes[number] = (np.round((change - low) / step).astype(np.uint16), low, step, bits)

    def change(self, number: int) -> tuple[np.ndarray, np.ndarray | None]:
        """The change after step `number`, from 0, as float32 (faces, m, m), and where land is drowned, as bool or None.

        Raises ValueError for a step that is not kept.
        """
        if number not in self._changes:
            raise ValueError(f"step {number} of carving is not kept")
        kept, low, step, bits = self._changes[number]
        drowned = None if bits is None else np.unpackbits(bits, count=kept.size).view(bool).reshape(kept.shape)
        return np.float32(low) + np.float32(step) * kept.astype(np.float32), drowned


class RecordedGrowth(Sequel):
    """A growth that goes on with carving which is kept in a record."""

    def __init__(self, source: Growth, steps: int, record: CarvingRecord) -> None:
        """`source`: at step 0. `steps`: those of carving; it may still be at work."""
        super().__init__(source, steps)
        self._record = record

    def again(self, grow: Callable[[], Growth], steps: Collection[int]) -> Growth:
        fresh = grow()
        assert isinstance(fresh, Sequel)
        source = self._source.again(lambda: fresh._source, steps)
        return RecordedGrowth(source, self.total - self._source.total, self._record)

    def goes_back(self, to: int) -> bool:
        if to <= self._source.total:
            return False
        self._go_on(0, to - self._source.total)
        self.done = to
        return True

    def _go_on(self, done: int, to: int) -> None:
        """Raises ValueError for a step that is not carved yet."""
        if to == self.total - self._source.total and self._record.final is not None:
            self.heights = self._record.final
            return
        change, drowned = self._record.change(to - 1)
        if self.heights is self._source.heights or self.heights is self._record.final:
            self.heights = np.empty_like(self._source.heights)
        with_change(self._source.heights, change, float(self._source.sea_level), self.heights, drowned)
