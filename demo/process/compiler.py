"""Compiler: child processes that compile kernels and shaders ahead, but for scenes whose stamps say that it is done already.

A compiler in the show's own process would hold the interpreter's lock, or the main thread, and the picture would stutter.
The children fill the caches of numba and of the graphics driver, beginning with the first scene; the show then only loads
what they have compiled. This module imports very little, so that the children start before anything else.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path

from .assets import PACKAGE_FOLDER, assets
from .scene_compiler import SceneCompiler

# The folder from which the package is imported.
ROOT = PACKAGE_FOLDER.parent


class Compiler:
    """Runs the child processes. Any method may be called from any thread, and only `stop` waits for anything."""

    def __init__(self, program: str | None) -> None:
        """`program`: the module that the children run; None: nothing is compiled ahead."""
        self._program = program
        self._at_work: dict[str, SceneCompiler] = {}
        self._begun: set[str] = set()
        self._wanted: tuple[str | None, bool] = (None, False)
        self._listener: Callable[[], None] | None = None
        self._stopped = False

    def listen(self, changed: Callable[[], None]) -> None:
        """Have `changed` called, by another thread, whenever a scene is ready or nothing is compiled any more."""
        self._listener = changed

    def start_kernels(self, scenes: list[str]) -> None:
        """Starts compiling the kernels of these scenes, in that order, unless that was done or started before."""
        self._start("kernels", [], scenes, "kernels")

    def start_shaders(self, quality: str, scenes: list[str]) -> None:
        """Starts compiling the shaders of these scenes, in that order, for the quality of that name."""
        self._start("shaders", [quality], scenes, f"shaders-{quality}")

    def _start(self, what: str, words: list[str], scenes: list[str], stamp: str) -> None:
        cache = os.environ.get("NUMBA_CACHE_DIR")
        if not self._program or not cache or os.environ.get("NUMBA_DISABLE_JIT") or self._stopped or what in self._begun:
            return
        self._begun.add(what)
        # Compiling ahead is a help and no more: without it, what is needed is compiled when it is needed.
        with contextlib.suppress(OSError):
            stamps = Stamps(Path(cache), stamp)
            scene, urgent = self._wanted
            wanted = sorted(scenes, key=lambda name: name != scene)
            left = [name for name in wanted if not stamps.has(name)]
            if not left:
                return
            command = [sys.executable, "-m", self._program, what, *words]
            waited_for = left[0] == wanted[0]
            self._at_work[what] = SceneCompiler(command, ROOT, left, waited_for, stamps.add, self._changed)
            if self._wanted != (scene, urgent):  # by another thread, meanwhile
                self.want(*self._wanted)
        if self._stopped:  # by another thread, while the child was being started
            self.stop()

    def _changed(self) -> None:
        if self._listener:
            self._listener()

    @property
    def busy(self) -> bool:
        """Whether a child may still be compiling."""
        return not all(compiling.over for compiling in list(self._at_work.values()))

    def left(self) -> list[str]:
        """The scenes whose kernels or shaders children have been told to compile and have not; one may be there twice."""
        return [scene for compiling in list(self._at_work.values()) for scene in compiling.left]

    def is_ready(self, scene: str) -> bool:
        """Whether a scene's kernels and shaders are compiled, or are not going to be by a child."""
        return all(compiling.is_ready(scene) for compiling in list(self._at_work.values()))

    def want(self, scene: str | None, urgent: bool) -> None:
        """Compile for this scene next; `urgent`: at once, because somebody waits for it. None: nobody waits for anything."""
        self._wanted = scene, urgent
        for compiling in list(self._at_work.values()):
            compiling.want(scene, urgent)

    def stop(self) -> None:
        """Ends the children that are left. Idempotent."""
        self._stopped = True
        for compiling in list(self._at_work.values()):
            compiling.stop()


class Stamps:
    """Empty files that say for which scenes something has been compiled by this code."""

    def __init__(self, folder: Path, what: str) -> None:
        """Raises OSError where a source cannot be read."""
        self._folder, self._what, self._code = folder, what, _fingerprint()

    def has(self, scene: str) -> bool:
        """Whether it is compiled for a scene."""
        return self._path(scene).exists()

    def add(self, scene: str) -> None:
        """Say that it is. Where that cannot be written, the next start looks for itself."""
        with contextlib.suppress(OSError):
            self._path(scene).touch()

    def _path(self, scene: str) -> Path:
        return self._folder / f"{self._what}-{scene.replace(' ', '-')}-{self._code}"


def _fingerprint() -> str:
    """A checksum that changes with the code of the kernels and shaders, with numba, and with the interpreter."""
    digest = hashlib.sha256()
    numba = importlib.util.find_spec("numba")
    paths = [
        *PACKAGE_FOLDER.rglob("*.py"),
        *(assets() / "shaders").glob("*"),
        *([Path(numba.origin)] if numba and numba.origin else []),
    ]
    for path in sorted(paths):
        stat = path.stat()
        digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}".encode())
    digest.update(f"{sys.version} {os.environ.get('NUMBA_CPU_NAME', '')}".encode())
    return digest.hexdigest()[:16]
