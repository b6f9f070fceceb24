"""Patience: when a show that must not end tries again after a world could not be grown. Pure arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..story.story import Story

FIRST_S, FACTOR, LONGEST_S = 2.0, 2.0, 300.0


class Patience:
    """Waits twice as long after each failure, until a world has been grown in full."""

    def __init__(self) -> None:
        self._failures = 0
        self._failed: Story | None = None
        self._again_s = 0.0
        # The scene and the seed of the last world that was grown in full: the story itself would be kept alive.
        self._grown: tuple[str, int] | None = None

    @property
    def tried(self) -> bool:
        """Whether no world has been grown in full since the last failure."""
        return self._failures > 0

    def fail(self, story: Story, clock: float) -> bool:
        """A story has failed at a time of the show's clock, in seconds. True for the first failure in a row.

        While another one waits for its turn nothing is noted.
        """
        if self._failed is not None:
            return False
        self._failed = story
        self._again_s = clock + min(FIRST_S * FACTOR**self._failures, LONGEST_S)
        self._failures += 1
        return self._failures == 1

    def due(self, clock: float) -> Story | None:
        """The story in whose place another one is to be tried now; it is returned once."""
        if self._failed is None or clock < self._again_s:
            return None
        failed, self._failed = self._failed, None
        return failed

    def relieve(self, story: Story) -> None:
        """A story has been grown in full; it counts once, however long it is shown."""
        world = story.scene.name, story.seed
        if self._failed is None and world != self._grown:
            self._grown, self._failures = world, 0
