"""Worker: the one thread that grows worlds, and the only one that calls parallel kernels.

On a first run kernels and shaders are compiled by child processes, because a compiler in this one would hold the
interpreter's lock, or the main thread, and make the picture stutter. The children fill the caches of numba and of the
graphics driver, the scene that is shown first comes first, and this process then only loads what they have compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from demo.scenes import ROTATION, SCENES
from demo.story import Story

# Whose kernels light every terrain.
PLAIN_SCENE = "plasma"
ROOT = Path(__file__).resolve().parents[1]


class Worker:
    """Serves the stories it is told of, first come first, always one small piece of work at a time."""

    def __init__(self, first_scene: str, patch: int, fine: bool) -> None:
        """`patch`, `fine`: what the renderer draws with, for compiling its shaders ahead."""
        self._first_scene = first_scene
        self._condition = threading.Condition()
        self._stories: list[Story] = []
        self._stopping = False
        self._compiler = Compiler(patch, fine)
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
        # A height map has no kernels of its own.
        first = PLAIN_SCENE if SCENES[self._first_scene].needs_file else self._first_scene
        names = [first, *(name for name in ROTATION if name != first)]
        self._compiler.start(names)
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._stopping or self._job() is not None)
                if self._stopping:
                    return
                story = self._job()
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
            self._compiler.wait_for(PLAIN_SCENE if story.scene.needs_file else story.scene.name)
            story.prepare()
        else:
            story.make_picture()


class Compiler:
    """The child processes that compile ahead, unless a stamp says that this very code has been compiled before."""

    def __init__(self, patch: int, fine: bool) -> None:
        self._words = [str(patch), "1" if fine else "0"]
        self._children: dict[str, subprocess.Popen] = {}
        self._done: set[str] = set()
        self._stamp: Path | None = None
        self._stopped = False

    def start(self, names: list[str]) -> None:
        """Begin to compile for the scenes `names`, in that order, where needed."""
        cache = os.environ.get("NUMBA_CACHE_DIR")
        if not cache or os.environ.get("NUMBA_DISABLE_JIT") or self._stopped:
            return
        stamp = Path(cache) / f"compiled-{_fingerprint()}-{'-'.join(self._words)}"
        if stamp.exists():
            return
        self._stamp = stamp
        for what, words in (("kernels", names), ("shaders", self._words)):
            with contextlib.suppress(OSError):
                self._children[what] = subprocess.Popen(
                    [sys.executable, "-m", "demo.warm", what, *words],
                    cwd=ROOT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                )
        if self._stopped:  # while they were being started
            self.stop()
        # Meanwhile on this side: loading numba takes a good part of what compiling the first kernels takes.
        import demo.worlds.kernels  # noqa: F401

    def wait_for(self, name: str) -> None:
        """Return when the kernels of a scene and the shaders are compiled, or the children have ended in whatever way."""
        self._read("kernels", name)
        self._read("shaders", "shaders")
        self._finish()

    def _read(self, what: str, wanted: str) -> None:
        while what in self._children and wanted not in self._done:
            line = self._children[what].stdout.readline()
            if not line:
                del self._children[what]
            self._done.add(line.strip())

    def _finish(self) -> None:
        """Write the stamp when everything has been compiled."""
        if self._stamp and {*ROTATION, "shaders"} <= self._done:
            with contextlib.suppress(OSError):
                self._stamp.touch()
            self._stamp = None

    def stop(self) -> None:
        """End the children that are left."""
        self._stopped = True
        for child in list(self._children.values()):
            child.kill()
            child.wait()


def _fingerprint() -> str:
    """Changes with the code that holds kernels and shaders, with numba, and with the interpreter."""
    digest = hashlib.sha256()
    for path in sorted([*(ROOT / "demo").rglob("*.py"), *(ROOT / "assets" / "shaders").glob("*")]):
        stat = path.stat()
        digest.update(f"{path.relative_to(ROOT)} {stat.st_size} {stat.st_mtime_ns}".encode())
    digest.update(f"{version('numba')} {sys.version} {os.environ.get('NUMBA_CPU_NAME', '')}".encode())
    return digest.hexdigest()[:16]
