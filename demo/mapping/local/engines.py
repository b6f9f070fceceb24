"""Engines: where the pieces of a stage are made. A stage says what they are made from, and an engine has each of them made.

Pieces depend on their stage and on their numbers alone. So they have the same bits whoever makes them, and in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from .kept_parts import Arrays, Keeper, unkept
from .shared_arrays import Shared

Numbers = tuple[int, ...]
"""What tells a piece from the others of its stage."""


class Stage(Protocol):
    """Pieces that are made from the same arrays."""

    @property
    def kind(self) -> str:
        """Its name in `objects.stages.STAGES`."""

    @property
    def digest(self) -> str:
        """A digest of all that its pieces are made from."""

    def shared(self) -> Shared:
        """All that its pieces are made from."""

    def piece(self, numbers: Numbers, keep: Keeper) -> Arrays:
        """One of its pieces, kept by `keep`. Any threads may call it at once."""


class Engine(Protocol):
    """Has pieces made. Its one method is called by one thread at a time."""

    def made(self, stage: Stage, pieces: Sequence[Numbers], tell: Callable[[int], None]) -> list[Arrays]:
        """The arrays of all pieces, in the order of their numbers. `tell` hears how many are done.

        Raises RuntimeError where those who make them cannot go on.
        """


class Threads:
    """The engine of this process: so many threads, or without any where that is one."""

    def __init__(self, threads: int = 1, keep: Keeper = unkept) -> None:
        self._threads, self._keep = threads, keep

    def made(self, stage: Stage, pieces: Sequence[Numbers], tell: Callable[[int], None]) -> list[Arrays]:
        """As `Engine` has it."""
        done = list[Arrays]()
        for arrays in self._each(stage, pieces):
            done.append(arrays)
            tell(len(done))
        return done

    def _each(self, stage: Stage, pieces: Sequence[Numbers]) -> Iterator[Arrays]:
        if self._threads == 1:
            yield from (stage.piece(numbers, self._keep) for numbers in pieces)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            yield from pool.map(lambda numbers: stage.piece(numbers, self._keep), pieces)
