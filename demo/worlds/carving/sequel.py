"""Sequel: a growth that goes on where another one ends."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from ..growth import RELIEF, Growth, Marks


class Sequel(Growth):
    """A growth whose first steps are those of its source; what follows is its own, on the same atlas and under one sea."""

    def __init__(self, source: Growth, steps: int) -> None:
        """`source`: at step 0. `steps`: how many follow its last one."""
        self._source = source
        self.atlas, self.unit, self.size, self.seed, self.n = source.atlas, source.unit, source.size, source.seed, source.n
        self.printed_relief = source.printed_relief
        self.total = source.total + steps
        self.done = 0
        # Of a step after the source's last one.
        self._later: np.ndarray | None = None

    @property
    def heights(self) -> np.ndarray:  # type: ignore[override]
        return self._source.heights if self._later is None else self._later

    @property
    def stages(self) -> dict[str, int]:
        return {**self._source.stages, "grown": self._source.total, "end": self.total}

    @property
    def sea_level(self) -> float:
        return self._source.sea_level

    @property
    def highest(self) -> float | None:
        grown = self._source.highest
        return None if grown is None else max(grown, float(self.heights.max()))

    @property
    def sinking(self) -> float:
        return self._source.sinking

    def marks(self, first: int, last: int, relief: float = RELIEF) -> Marks:
        grown = self._source.total
        return self._source.marks(min(first, grown), min(last, grown), relief)

    def _advance(self, to: int) -> None:
        source = self._source
        if self.done < source.total:
            source.advance(min(to, source.total))
        if to > source.total:
            self._go_on(max(self.done - source.total, 0), to - source.total)

    @abstractmethod
    def _go_on(self, done: int, to: int) -> None:
        """Bring `heights` from `done` to `to` steps after the source's last one; `done` < `to`."""
