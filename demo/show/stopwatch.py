"""Stopwatch: times how long live pictures take to draw, from which the pace learns."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..render.gl import gl_context
from ..render.gl.timer import Timer

if TYPE_CHECKING:
    from .pace import Pace


class Stopwatch:
    """Times pictures for a pace. Main thread only; needs a current OpenGL context."""

    def __init__(self, pace: Pace, software: bool) -> None:
        """`software`: nothing but the processor draws, and its clock tells what that costs; a GPU is asked for its own."""
        self._pace = pace
        self._timer = None if software else Timer()
        self._began_s = 0.0

    def begin(self) -> None:
        """A picture is drawn from here on."""
        self._began_s = time.perf_counter()
        if self._timer:
            for seconds in self._timer.begin():
                self._pace.measured(seconds)

    def end(self) -> None:
        """All of it has been handed to the driver."""
        if self._timer:
            self._timer.end()
        else:
            # Without a GPU there is nothing to overlap with: waiting here costs nothing.
            gl_context.finish()
            self._pace.measured(time.perf_counter() - self._began_s)

    def free(self) -> None:
        """Free everything; idempotent."""
        if self._timer:
            self._timer.free()
