"""Worker: the one thread that grows worlds, and the only one that calls parallel kernels."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..process.compiler import Compiler
from ..scenes.scenes import kernels_of, kernels_order
from ..tables.quality import Quality
from .story import Story


class Worker:
    """Serves the stories it is told of, first come first, always one small piece of work at a time."""

    def __init__(self, first_scene: str, quality: Quality, compiler: Compiler | None = None) -> None:
        """`quality`: what the renderer draws with, for compiling its shaders ahead; `compiler`: one that is at work
        already."""
        self._first_scene, self._quality = first_scene, quality
        self._condition = threading.Condition()
        self._stories: list[Story] = []
        self._stopping = False
        self._compiler = compiler or Compiler(None)
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
        self._thread.start()

    def serve(self, stories: list[Story]) -> None:
        """Work for these stories from now on, the first before the others; any other is cancelled."""
        with self._condition:
            for story in self._stories:
                story.cancelled |= story not in stories
            self._stories = list(stories)
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
        order = kernels_order(self._first_scene)
        self._compiler.start_kernels(order)
        self._compiler.start_shaders(self._quality.name, order)
        if self._compiler.busy:
            # Meanwhile on this side: loading numba takes a good part of what compiling the first kernels takes.
            from ..worlds import kernels  # noqa: F401
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._stopping or self._job() is not None)
                story = self._job()
                if self._stopping or story is None:
                    return
            try:
                self._work(story)
            except Exception as error:  # handed to the main thread, which says it in one line
                story.failure = error
            with self._condition:
                self._condition.notify_all()

    def _job(self) -> Story | None:
        return next((story for story in self._stories if story.wants_work()), None)

    def _work(self, story: Story) -> None:
        if story.prepared is None:
            self._compiler.wait_for(kernels_of(story.scene))
            story.prepare()
        else:
            story.make_picture()
