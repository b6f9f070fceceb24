"""Carved growth: any growth, and then uplift and rain at work upon its land.

Rivers cut by stream power (dh/dt = U - K A^m |grad h|, m = 7/16), solved implicitly in one sweep a step (Braun and Willett
2013). Depressions are full of water that runs off over their lowest rim. What rivers cut they lay down again where they
grow flat (after Yuan et al. 2019), in lakes, and at their mouths; slopes creep, and slide where they are too steep. Land
rises in part evenly and in part as its own mountains stand, so that the carved world stays the grown one.

Work goes from coarse lattices to the full one: large valleys exist first. A coarse lattice changes the heights by what it
has carved, interpolated; so going to a finer lattice changes nothing by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np

from ..growth import Growth
from ..parameters import Value
from .carved_runoff import runoff_from
from .lattice import CarvingOptions, Lattice, pyramid
from .record import CarvingRecord, RecordedGrowth
from .sequel import Sequel

# The coarsest lattice has at least this many cells along a face's edge.
COARSEST = 128
# Steps on the full lattice, the one with half its cells, and so on; coarser ones have as many as the last.
STEPS = (12, 16, 16)
# What share of the whole time passes on the full lattice and on the next one; coarser ones share what is left evenly.
TIMES = (0.25, 0.3)
# How long the whole time is, at age=1.
YEARS = 1e6


def carved(source: Growth, parameters: Mapping[str, Value]) -> Growth:
    """`source`, at step 0, with carving after its last step; `parameters` as CARVING in GENERATORS has them."""
    names = ("carve", "age", "rain", "hardness", "ice")
    return CarvedGrowth(source, CarvingOptions(**{name: float(parameters[name]) for name in names}))


class CarvedGrowth(Sequel):
    """A growth that goes on with carving after the last step of its source."""

    def __init__(self, source: Growth, options: CarvingOptions) -> None:
        """`source`: at step 0."""
        cells = lattices(source.n - 1)
        counts = [STEPS[min(k, len(STEPS) - 1)] for k in range(len(cells))]
        super().__init__(source, sum(counts))
        self._options = options
        # Cells and steps of the lattices, the coarsest first.
        self._steps = list(zip(reversed(cells), reversed(counts), strict=True))
        self._work: Lattice | None = None
        self._record: CarvingRecord | None = None
        # Sediment and hardness, once all is carved.
        self._ground: tuple[np.ndarray, np.ndarray] | None = None

    def again(self, grow: Callable[[], Growth], steps: Collection[int]) -> Growth:
        """The same world at step 0. It shows what this one carves from now on, and carves nothing itself.

        It can only stand at those of carving's steps that are among `steps`, and at the last.
        """
        grown = self._source.total
        self._record = CarvingRecord({step - grown - 1 for step in steps if grown < step < self.total})
        fresh = grow()
        assert isinstance(fresh, CarvedGrowth)
        return RecordedGrowth(self._source.again(lambda: fresh._source, steps), self.total - grown, self._record)

    @property
    def heights(self) -> np.ndarray:  # type: ignore[override]
        """Those of the present step. While land is carved they are worked out when somebody asks for them: nobody does where
        a record shows it, and on coarse lattices they take longer than a step."""
        if self._work is not None and self._later is None:
            self._later = self._work.shown()
        return super().heights

    @property
    def sediment(self) -> np.ndarray | None:
        return self._ground[0] if self._ground else self._work.sediment() if self._work and self.keeps_ground else None

    @property
    def hardness(self) -> np.ndarray | None:
        return self._ground[1] if self._ground else self._work.hardness() if self._work and self.keeps_ground else None

    @property
    def years(self) -> np.ndarray:
        level = [time / count for (_, count), time in zip(self._steps, times(len(self._steps)), strict=True)]
        passed = np.cumsum(np.repeat(level, [count for _, count in self._steps]))
        return np.concatenate([[0.0], passed * self._options.age * YEARS])

    def _go_on(self, done: int, to: int) -> None:
        for number in range(done, to):
            self._carve(number)
        assert self._work is not None
        self._later = None
        if to == self.total - self._source.total:
            self._work.rest()
            self._later = self._work.shown()
            if self.keeps_ground:
                self._ground = self._work.sediment(), self._work.hardness()
            # The carver alone goes on: it is two thirds of the lattice.
            carver, self._work = self._work.carver, None
            if self._record:
                self._record.final = self._later
                self.runoff = runoff_from(carver, self._source)

    def _carve(self, number: int) -> None:
        """Carving's step `number`, from 0."""
        counts = np.cumsum([count for _, count in self._steps])
        level = int(np.searchsorted(counts, number, side="right"))
        cells, count = self._steps[level]
        if self._work is None:
            self._work = Lattice.first(self._source, pyramid(self._source.heights, len(self._steps)), self._options)
            if self.keeps_ground:
                self._work.keep_sediment()
        elif self._work.cells != cells:
            make, self._work = self._work.finer(), None
            self._work = make()
            # With it goes what the coarser lattice has left.
            del make
        self._work.step(number, times(len(self._steps))[level] / count)
        if self._record and number in self._record.wanted:
            self._record.keep(number, self._work.change(), self._work.drowned())


def lattices(cells: int) -> list[int]:
    """Cells along a face's edge of the full lattice and of the coarser ones, each with half as many."""
    found = [cells]
    while found[-1] % 2 == 0 and found[-1] // 2 >= COARSEST:
        found.append(found[-1] // 2)
    return found


def times(count: int) -> list[float]:
    """The share of the whole time that passes on each of `count` lattices, the coarsest first."""
    fine = list(TIMES[: max(count - 1, 0)])
    coarse = count - len(fine)
    return [(1.0 - sum(fine)) / coarse] * coarse + fine[::-1]
