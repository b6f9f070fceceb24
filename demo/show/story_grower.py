"""StoryGrower: the show's side of the worker: which stories are grown, waiting for them, and what becomes of failures."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from ..process.stderr import say
from .patience import Patience

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..story.story import Story
    from ..story.worker import Worker
    from .programme import Decision, Programme


class ShowError(RuntimeError):
    """The show cannot go on; the message says why and what to do."""


class StoryGrower:
    """Has the stories of a programme grown. For the main thread alone."""

    def __init__(self, programme: Programme, hire: Callable[[], Worker], endures: bool) -> None:
        """`hire` makes the worker. `endures`: a story that fails is replaced in a while, and is no ShowError."""
        self._programme, self._hire = programme, hire
        self._patience = Patience() if endures else None
        self._worker: Worker | None = None

    def start(self) -> None:
        """Hire the worker, unless that was done."""
        if self._worker is None:
            self._worker = self._hire()
            self.serve(self._programme.stories)

    def serve(self, stories: tuple[Story, ...]) -> None:
        """Grow these stories from now on, the first before the others."""
        if self._worker:
            self._worker.serve(list(stories), self._programme.wanted)

    def grow_on(self, story: Story) -> None:
        """A story may want more pictures than before."""
        if self._worker and story.wants_work():
            self._worker.nudge()

    def tidy(self) -> None:
        """Have what was let go of given back to the system."""
        if self._worker:
            self._worker.tidy()

    def wait(self, ready: Callable[[], bool]) -> None:
        """Wait for the worker until something is ready; raises ShowError when a story has failed."""

        def done() -> bool:
            return any(story.failure for story in self._programme.stories) or ready()

        if self._worker:
            self._worker.wait_until(done)
        self._raise_failures()

    def look_after(self) -> Decision | None:
        """Raises ShowError for a story that has failed. A show that endures says so once instead, and tries another world
        in its time: what is to be done then is returned. What was grown of a world until then stays."""
        if self._patience is None:
            self._raise_failures()
            return None
        patience, clock, current = self._patience, self._programme.clock, self._programme.current
        for story in self._programme.stories:
            if story.failure and patience.fail(story, clock):
                with contextlib.suppress(OSError):
                    say(f"{_could_not_be_grown(story)}: it is tried again")
        failed = patience.due(clock)
        if failed and failed in self._programme.stories:
            failed.stand_still()
            failed.failure = None
            return self._programme.replace(failed)
        if current and not current.failure and current.t > current.scene.birth_s:
            patience.relieve(current)
        return None

    @property
    def troubled(self) -> bool:
        """Whether no world can be grown at present."""
        return self._patience is not None and self._patience.tried

    def is_compiling(self, story: Story) -> bool:
        """Whether a story cannot be begun yet, because its scene is being compiled."""
        return self._worker is not None and self._worker.is_compiling(story)

    def has_looks(self) -> bool:
        """Whether the driver has compiled all looks of what is shown: children do that, on a first run for some minutes."""
        worker = self._worker
        return worker is None or all(worker.has_looks(story) for story in self._programme.shown)

    def stop(self) -> None:
        """End the worker; idempotent."""
        if self._worker:
            self._worker.stop()

    def _raise_failures(self) -> None:
        for story in self._programme.stories:
            if story.failure:
                raise ShowError(_could_not_be_grown(story)) from story.failure


def _could_not_be_grown(story: Story) -> str:
    return f"{story.scene.title} could not be grown: {_in_one_line(story.failure)}"


def _in_one_line(error: Exception | None) -> str:
    """What went wrong; a compiler's messages go on for pages."""
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
