"""Priority: a screensaver gives way to whatever else the machine does while nobody sits at it."""

from __future__ import annotations

import contextlib
import os

NICER_BY = 5


def give_way() -> None:
    """Lowers the priority of this process, its threads from now on, and its children; once and for all."""
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICER_BY)
