"""A progress bar on a terminal, and silence anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TextIO, TypeVar

WIDTH = 32
Item = TypeVar("Item")


class Progress:
    """`label [#####.....]  42 %`, redrawn in place; a context manager, so that the line is always ended."""

    def __init__(self, label: str, total: int, stream: TextIO | None = None) -> None:
        self._label = label
        self._total = max(total, 1)
        self._stream = sys.stderr if stream is None else stream
        self.visible = self._stream.isatty()
        self._shown = -1

    def to(self, done: int) -> None:
        """`done` of the total is done."""
        percent = min(100, 100 * done // self._total)
        if self.visible and percent != self._shown:
            self._shown = percent
            bar = "#" * (WIDTH * percent // 100)
            self._stream.write(f"\r{self._label} [{bar:.<{WIDTH}}] {percent:3d} %")
            self._stream.flush()

    def over(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items themselves, each counted when the next is asked for."""
        for done, item in enumerate(items, 1):
            yield item
            self.to(done)

    def __enter__(self) -> Progress:
        self.to(0)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.visible:
            self._stream.write("\n")
            self._stream.flush()
