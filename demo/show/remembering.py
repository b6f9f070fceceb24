"""Remembering: which of the worlds that are shown go into the history, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import ReferenceType, ref

if TYPE_CHECKING:
    from ..story.story import Story

# A world is remembered when its flight has lasted so long: what is skipped at once is not.
SEEN_S = 4.0


@dataclass(frozen=True)
class Memory:
    """A world for the history: its code, and whether somebody wants to keep it."""

    code: str
    kept: bool


class Remembering:
    """Remembers each world once, and again when somebody wants to keep it."""

    def __init__(self) -> None:
        # Not kept alive: a world takes a lot of memory.
        self._last: ReferenceType[Story] | None = None
        self._wanted: Memory | None = None

    def see(self, story: Story | None) -> None:
        """`story` is the one that is shown."""
        last = self._last and self._last()
        if story is None or story is last or story.prepared is None or story.t < story.scene.birth_s + SEEN_S:
            return
        self._last, self._wanted = ref(story), Memory(story.prepared.code, kept=False)

    def keep(self, story: Story | None) -> bool:
        """Keep the world that is shown; whether there is one."""
        if story is None or story.prepared is None:
            return False
        self._last, self._wanted = ref(story), Memory(story.prepared.code, kept=True)
        return True

    def take(self) -> Memory | None:
        """What is to be remembered now, once; None for nothing."""
        wanted, self._wanted = self._wanted, None
        return wanted
