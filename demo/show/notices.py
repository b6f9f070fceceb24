"""Notices: the small line that answers what a person asked for, that is what is being prepared and where a still was saved.

Pure: times are those of the show's clock, in seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..story.story import Story

# An answer is there for this long, and comes and goes in these times.
TOLD_S, IN_S, OUT_S = 6.0, 0.3, 1.5
# Who waits for no longer than this is told nothing.
PATIENCE_S = 1.0
# Compiling may take minutes: the line comes and goes with this period, so that it burns into no screen.
BREATH_S, FAINTEST, BRIGHTEST = 6.0, 0.15, 0.85


@dataclass(frozen=True)
class Notice:
    """What is said at a moment: its lines, and how opaque they are, 0..1."""

    lines: tuple[str, ...]
    alpha: float


class Notices:
    """What there is to say. The answer to a key comes before what is being prepared."""

    def __init__(self) -> None:
        self._told: tuple[str, ...] = ()
        self._told_s = -math.inf
        self._awaited: Story | None = None
        self._since_s = 0.0
        self._compiles = False

    def tell(self, lines: tuple[str, ...], clock: float) -> None:
        """Say these lines from now on, for a while."""
        self._told, self._told_s = lines, clock

    def wait(self, story: Story | None, compiles: bool, clock: float) -> None:
        """Somebody waits for this story now, or for none; `compiles`: what it needs is compiled first."""
        if story is not self._awaited:
            self._awaited, self._since_s = story, clock
        self._compiles = compiles

    def at(self, clock: float) -> Notice | None:
        """What is said now."""
        told_s = clock - self._told_s
        if self._told and 0.0 <= told_s < TOLD_S:
            return Notice(self._told, min(told_s / IN_S, (TOLD_S - told_s) / OUT_S, 1.0) * BRIGHTEST)
        waited_s = clock - self._since_s - PATIENCE_S
        if self._awaited is None or waited_s < 0.0:
            return None
        lines = [f"preparing {self._awaited.scene.title}"]
        if self._compiles:
            lines.append("the first time takes longer")
        return Notice(tuple(lines), _breath(waited_s))


def _breath(seconds: float) -> float:
    """The opacity of a line that has breathed for that long: it begins at 0, and after that it never quite goes."""
    wave = 0.5 - 0.5 * math.cos(2.0 * math.pi * seconds / BREATH_S)
    low = FAINTEST if seconds > 0.5 * BREATH_S else 0.0
    return low + (BRIGHTEST - low) * wave
