"""A progress bar with the time left on a terminal, and silence anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TextIO, TypeVar

from ..process import standard_streams

WIDTH = 32
# Sooner than this the time left is a guess, and work that ends sooner needs none.
SETTLED_S = 2.0
Item = TypeVar("Item")


class Progress:
    """`label [#####.....]  42 %  1:05 left`, redrawn in place. A context manager, so that the line is always ended."""

    def __init__(
        self,
        label: str,
        total: int,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        settles: tuple[int, ...] = (1,),
    ) -> None:
        """`settles`: what is done where the work gets another pace, ascending; the first one is where it has a pace at all.

        Before that, and a little still until the last one, kernels are compiled, which takes its time once.
        """
        self._label, self._settles = label, settles
        self._total = max(total, 1)
        self._stream = sys.stderr if stream is None else stream
        self.visible = self._stream.isatty()
        self._shown = ""
        self._clock = clock
        # When the present pace began, and what was done then.
        self._pace: tuple[float, int] | None = None

    def to(self, done: int) -> None:
        """Shows that `done` of the total is done."""
        if not self.visible:
            return
        percent = min(100, 100 * done // self._total)
        words = f"{percent:3d} %{self._left(done):<14}"
        if words != self._shown:
            self._shown = words
            bar = "#" * (WIDTH * percent // 100)
            self._show(f"\r{self._label} [{bar:.<{WIDTH}}] {words}")

    def _left(self, done: int) -> str:
        """The time left at the present pace, as '  1:05 left'."""
        now = self._clock()
        if self._settles and done >= self._settles[0]:
            self._settles = tuple(mark for mark in self._settles if mark > done)
            self._pace = now, done
        if self._pace is None:
            return ""
        began, first = self._pace
        if not first < done < self._total or now - began < SETTLED_S:
            return ""
        minutes, seconds = divmod(round((now - began) * (self._total - done) / (done - first)), 60)
        return f"  {minutes}:{seconds:02d} left"

    def over(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items themselves. Each counts as done when the next one is asked for."""
        for done, item in enumerate(items, 1):
            yield item
            self.to(done)

    def __enter__(self) -> Progress:
        self.to(0)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.visible:
            self._show("\n")

    def _show(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            # The terminal has been closed; the work goes on.
            self.visible = False
            standard_streams.silence(self._stream)
