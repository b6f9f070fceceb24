"""The stage of what is asked of a planet's final relief: its ground, and the tops that points lead to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from .engines import Engine, Numbers
from .fine_relief import FineRelief
from .kept_parts import Arrays, Keeper, key_of
from .mesh_relief import Piece
from .peak_heights import Climbed, climbed
from .sections import Groundwork, Section, kept_ground
from .shared_arrays import Shared

# Points whose tops are found at once. Few sections are read for them, because their numbers ascend.
POINTS = 256
# Of the heights that a worker keeps while it climbs, in bytes: some sections beside each other.
CLIMBING = 1 << 24


@dataclass(frozen=True)
class ReliefGround:
    """`work`: what the planet's sections were made from, whose heights lie in a store. `sections`: all of them, int64
    (k, 4), in their order. `kept_bytes`: of heights that a relief keeps while they are read."""

    work: Groundwork
    sections: np.ndarray
    kept_bytes: int

    kind: ClassVar[str] = "relief"

    @property
    def digest(self) -> str:
        """As in `Stage`."""
        return self.work.digest

    def shared(self) -> Shared:
        """As in `Stage`."""
        work = self.work.shared()
        return Shared(work.arrays | {"sections": self.sections}, work.facts | {"kept_bytes": self.kept_bytes})

    @classmethod
    def of(cls, shared: Shared) -> ReliefGround:
        """The stage whose `shared` has returned this."""
        return cls(Groundwork.of(shared), shared.arrays["sections"], shared.facts["kept_bytes"])

    def relief(self, keep: Keeper, most_bytes: int | None = None) -> FineRelief:
        """The final relief, whose sections `keep` has kept; `most_bytes`: as `kept_bytes`, instead of these."""
        work, kept = self.work, self.kept_bytes if most_bytes is None else most_bytes

        def ground(one: Section) -> Piece:
            return kept_ground(work.digest, work.mesh, work.network, one, keep)

        return FineRelief(work.mesh, self._divided, ground, kept, self)

    @cached_property
    def _divided(self) -> list[Section]:
        return [Section(*numbers) for numbers in self.sections.tolist()]

    def piece(self, numbers: Numbers, keep: Keeper) -> Arrays:
        """The tops that local points of these numbers lead to: the fields of `Climbed`."""
        points = np.array(numbers, np.int64)

        def make() -> Arrays:
            return climbed(self.work.mesh, self.relief(keep, CLIMBING), points)._asdict()

        return keep(key_of(self.digest, "tops", points), make)


def climbed_by(engine: Engine, stage: ReliefGround, numbers: np.ndarray) -> Climbed:
    """As `peak_heights.climbed`, by those who make an engine's pieces; `numbers`: int64 (k,), at least one."""
    order = np.argsort(numbers, kind="stable")
    pieces = [tuple(numbers[order[k : k + POINTS]].tolist()) for k in range(0, len(order), POINTS)]
    made = engine.made(stage, pieces, lambda done: None)
    back = np.argsort(order, kind="stable")
    return Climbed(*(np.concatenate([one[name] for one in made])[back] for name in Climbed._fields))
