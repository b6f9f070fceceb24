"""Worker: the one thread that grows worlds, and the only one that calls parallel kernels."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

from ..process.compiler import Compiler
from ..process.memory import trim_memory
from ..scenes.scenes import kernels_of, kernels_order
from ..tables.looks import others_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..tables.quality import Quality
    from .story import Story


# A piece of work that lasts longer leaves much in the heap, in small arrays. It goes back before the next one adds to it,
# which takes a millisecond.
LONG_S = 0.01


class Worker:
    """Serves the stories it is told of, first come first, always one small piece of work at a time."""

    def __init__(self, first_scene: str, quality: Quality, compiler: Compiler | None = None) -> None:
        """`quality`: what the renderer draws with, for compiling its shaders ahead; `compiler`: one that is at work
        already."""
        self._first_scene, self._quality = first_scene, quality
        self._condition = threading.Condition()
        self._stories: list[Story] = []
        self._stopping = False
        # Something large was let go of: what it leaves behind in the heap is given back.
        self._tidies = False
        self._compiler = compiler or Compiler(None)
        self._compiler.listen(self.nudge)
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
        self._thread.start()

    def serve(self, stories: list[Story], wanted: Story | None = None) -> None:
        """Work for these stories from now on, the first before the others; any other is cancelled.

        A story whose scene is not compiled yet holds up no other. `wanted`: the one that somebody waits for; its scene is
        compiled before all others.
        """
        with self._condition:
            for story in self._stories:
                story.cancelled |= story not in stories
                self._tidies |= story.cancelled
            self._stories = list(stories)
            self._condition.notify_all()
        missing = next((story for story in stories if self.is_compiling(story)), None)
        self._compiler.want(kernels_of(missing.scene) if missing else None, urgent=missing is wanted)

    def is_compiling(self, story: Story) -> bool:
        """Whether a story cannot be begun yet, because a child process compiles its scene or will."""
        return story.prepared is None and not self._compiler.is_ready(kernels_of(story.scene))

    def has_looks(self, story: Story) -> bool:
        """Whether a story can be drawn in other looks than the natural one without the driver's compiler in the way."""
        return self._compiler.is_ready(others_of(kernels_of(story.scene)))

    def tidy(self) -> None:
        """Give back what was let go of, between two pieces of work: that takes some milliseconds."""
        with self._condition:
            self._tidies = True
            self._condition.notify_all()

    def nudge(self) -> None:
        """Say that a buffer came back or a story needs something."""
        with self._condition:
            self._condition.notify_all()

    def wait_until(self, ready: Callable[[], bool]) -> None:
        """Block the calling thread until `ready()`, which is asked again after each piece of work."""
        with self._condition:
            while not ready() and not self._stopping:
                # What was asked for, or the buffers handed back in asking, may be the worker's next work.
                self._condition.notify_all()
                self._condition.wait()

    def stop(self) -> None:
        """End the thread after its present piece of work, and the compiling child at once; idempotent."""
        with self._condition:
            self._stopping = True
            for story in self._stories:
                story.cancelled = True
            self._condition.notify_all()
        self._compiler.stop()
        self._thread.join(timeout=5.0)

    def _run(self) -> None:
        self._begin()
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._stopping or self._tidies or self._job() is not None)
                story, tidies = self._job(), self._tidies
                self._tidies = False
                if self._stopping:
                    return
            if tidies:
                trim_memory()
            if story is None:
                continue
            try:
                self._work(story)
            except Exception as error:  # handed to the main thread, which says it in one line
                story.failure = error
            with self._condition:
                self._condition.notify_all()

    def _begin(self) -> None:
        order = kernels_order(self._first_scene)
        self._compiler.start_kernels(order)
        self._compiler.start_shaders(self._quality.name, [*order, *map(others_of, order)])
        if self._compiler.busy:
            # Meanwhile on this side: loading numba takes a good part of what compiling the first kernels takes.
            with contextlib.suppress(Exception):  # whatever is wrong with it is said by the story that needs it
                from ..worlds import kernels  # noqa: F401

    def _job(self) -> Story | None:
        return next((story for story in self._stories if story.wants_work() and not self.is_compiling(story)), None)

    def _work(self, story: Story) -> None:
        began = time.perf_counter()
        # What preparing took, and what the worlds and programs before it have left, as one world is soon to be two.
        if story.work() or time.perf_counter() - began > LONG_S:
            trim_memory()
