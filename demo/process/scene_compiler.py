"""SceneCompiler: a child process that compiles for one scene after another, and first for the one that is waited for.

A compiler cannot be interrupted, but it can be killed. It keeps every kernel and every shader as soon as that is done, and
so loses one at the most. This is how a scene that somebody waits for comes first, in a child that gives way to nobody.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from .stderr import say

# What nobody waits for gives way to the picture.
NICER_BY, NICEST = 10, 19


class SceneCompiler:
    """One child at a time, which is told a scene on its standard input and says its name when that scene is ready.

    Its standard input is closed when no scene is left; the child dies with this process. Any method may be called from any
    thread, and only `stop` waits for anything.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        scenes: Sequence[str],
        urgent: bool,
        ready: Callable[[str], None],
        changed: Callable[[], None],
    ) -> None:
        """Raises OSError when there can be no child.

        `command`: of the child, which works in `folder`. `scenes`: in the order in which they are compiled.
        `urgent`: whether somebody waits for the first one. Another thread calls `ready` with a scene when it is ready, and
        `changed` after that and when nothing is compiled any more.
        """
        self._command, self._folder, self._ready, self._changed = tuple(command), folder, ready, changed
        self._lock = threading.Lock()
        self._left = list(scenes)
        # Whether somebody waits for the first one that is left.
        self._urgent = urgent
        # `_again`: the child was killed, so that another one does what is urgent.
        self._again = self._over = self._stopped = False
        self._child: _Child | None = None
        self._begin()
        self._thread = threading.Thread(target=self._run, name="compiler", daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether nothing is compiled any more: all is ready, or the child has failed, or it was stopped."""
        with self._lock:
            return self._over

    @property
    def left(self) -> list[str]:
        """The scenes that are not compiled, in order."""
        with self._lock:
            return list(self._left)

    def is_ready(self, scene: str) -> bool:
        """Whether there is nothing to wait for: the scene is compiled, or it is not going to be."""
        with self._lock:
            return self._over or scene not in self._left

    def want(self, scene: str | None, urgent: bool) -> None:
        """Compile for this scene next; `urgent`: at once, because somebody waits for it.

        None, or a scene that is ready: nobody waits for anything.
        """
        with self._lock:
            known = scene is not None and scene in self._left
            self._urgent = urgent and known
            if scene is not None and known:
                self._left.remove(scene)
                self._left.insert(0, scene)
            child = self._child
            if child and self._urgent and (child.scene != scene or child.is_nice):
                self._again = True
                child.kill()
            elif child and not self._urgent:
                child.be_nice()

    def stop(self) -> None:
        """End the child, and return when it has ended. Idempotent."""
        with self._lock:
            self._stopped = True
            if self._child:
                self._child.kill()
        self._thread.join()

    def _begin(self) -> None:
        child = _Child(self._command, self._folder)
        with self._lock:
            self._child = child
            self._tell(child)
            if self._stopped:
                child.kill()

    def _tell(self, child: _Child) -> None:
        if not self._urgent:
            child.be_nice()
        child.tell(self._left[0] if self._left else None)

    # --- the thread that reads what the child says -----------------------------------------------------------------

    def _run(self) -> None:
        while self._child:
            self._follow(self._child)
        with self._lock:
            self._over = True
        self._changed()

    def _follow(self, child: _Child) -> None:
        """Read along until a child ends, and start another one if that is wanted."""
        for scene in child.ready():
            self._note(child, scene)
        complaint = child.ended()
        with self._lock:
            again = self._again and bool(self._left)
            silent, self._again, self._child = self._again or self._stopped, False, None
            again &= not self._stopped
        if complaint and not silent:
            say(complaint.removeprefix("landfall: "))
        if again:
            with contextlib.suppress(OSError):
                self._begin()

    def _note(self, child: _Child, scene: str) -> None:
        with self._lock:
            if scene != child.scene or scene not in self._left:
                return
            self._urgent &= scene != self._left[0]
            self._left.remove(scene)
            if not self._again:
                self._tell(child)
        self._ready(scene)
        self._changed()


class _Child:
    """A process. `scene`: what it was told last; `is_nice`: whether it gives way to others."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        """Raises OSError."""
        # Only a first start needs it.
        import tempfile

        # A file, not a pipe: nobody reads while the child works, and a full pipe would stop it.
        self._complaints = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  # closed by `ended`
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                command, cwd=folder, stdin=pipe, stdout=pipe, stderr=self._complaints, text=True
            )
        except OSError:
            self._complaints.close()
            raise
        self.scene: str | None = None
        self.is_nice = False

    def tell(self, scene: str | None) -> None:
        """Say what to compile next; None: nothing more."""
        self.scene = scene
        # That a child has died is noticed by what it no longer says.
        with contextlib.suppress(OSError):
            if self._process.stdin and scene is None:
                self._process.stdin.close()
            elif self._process.stdin:
                self._process.stdin.write(f"{scene}\n")
                self._process.stdin.flush()

    def ready(self) -> Iterator[str]:
        """The names that it says, until it ends."""
        for line in self._process.stdout or ():
            yield line.strip()

    def be_nice(self) -> None:
        """Let it give way to others from now on, once and for all: only an administrator could take that back."""
        if self.is_nice:
            return
        self.is_nice = True
        if hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):
                nice = os.getpriority(os.PRIO_PROCESS, self._process.pid)
                os.setpriority(os.PRIO_PROCESS, self._process.pid, min(nice + NICER_BY, NICEST))

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def ended(self) -> str:
        """Wait for its end; the last line that it complained of if it failed, else nothing."""
        failed = self._process.wait() != 0
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()
        with self._complaints as said:
            said.seek(0)
            lines = said.read().splitlines() if failed else []
        return lines[-1] if lines else ""
