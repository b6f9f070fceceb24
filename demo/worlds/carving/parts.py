"""Work in parts: a generator that yields between its parts, for work that is done bit by bit ahead of its use."""

from __future__ import annotations

from collections.abc import Generator
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Parts(Generic[Result]):
    """Work whose parts are done one at a time. What it returns does not depend on when they are."""

    def __init__(self, work: Generator[None, None, Result]) -> None:
        self._work, self._found = work, list[Result]()

    def go_on(self) -> bool:
        """Do one more part, if there is one left; whether there may be another."""
        if not self._found:
            try:
                next(self._work)
            except StopIteration as end:
                self._found.append(end.value)
        return not self._found

    def result(self) -> Result:
        """What the work returns, after all parts that are left."""
        while self.go_on():
            pass
        return self._found[0]
