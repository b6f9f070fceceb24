"""Compiler: child processes that compile kernels and shaders ahead, unless a stamp says that this code is compiled already.

A compiler in the show's own process would hold the interpreter's lock, or the main thread, and the picture would stutter.
The children fill the caches of numba and of the graphics driver, beginning with the first scene; the show then only loads
what they have compiled. This module imports very little, so that the children start before anything else.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

from .assets import PACKAGE_FOLDER, assets

# The folder from which the package is imported.
ROOT = PACKAGE_FOLDER.parent


class Compiler:
    """Runs the child processes. Any method may be called from any thread."""

    def __init__(self, program: str | None) -> None:
        """`program`: the module that the children run; None: nothing is compiled ahead."""
        self._program = program
        self._children: dict[str, subprocess.Popen[str]] = {}
        self._said: dict[str, IO[str]] = {}
        self._begun: set[str] = set()
        self._done: set[tuple[str, str]] = set()
        self._stopped = False

    def start_kernels(self, scenes: list[str]) -> None:
        """Starts compiling the kernels of these scenes, in that order, unless that was done or started before."""
        self._start("kernels", scenes, "kernels")

    def start_shaders(self, quality: str, scenes: list[str]) -> None:
        """Starts compiling the shaders of these scenes, in that order, for the quality of that name."""
        self._start("shaders", [quality, *scenes], f"shaders-{quality}")

    def _start(self, what: str, words: list[str], stamp: str) -> None:
        cache = os.environ.get("NUMBA_CACHE_DIR")
        if not self._program or not cache or os.environ.get("NUMBA_DISABLE_JIT") or self._stopped or what in self._begun:
            return
        self._begun.add(what)
        path = Path(cache) / f"{stamp}-{_fingerprint()}"
        if path.exists():
            return
        # Only a first start needs it.
        import tempfile

        with contextlib.suppress(OSError):
            # A file, not a pipe: nobody reads while the child works, and a full pipe would stop it.
            said = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  # closed when the child has ended
            self._said[what] = said
            self._children[what] = subprocess.Popen(
                [sys.executable, "-m", self._program, what, str(path), *words],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
            )
        if self._stopped:  # by another thread, while the child was being started
            self.stop()

    @property
    def busy(self) -> bool:
        """Whether a child may still be compiling."""
        return bool(self._children)

    def wait_for(self, scene: str) -> None:
        """Returns when a scene's kernels and shaders are compiled, or when the children have ended for whatever reason."""
        for what in ("kernels", "shaders"):
            self._read(what, scene)

    def _read(self, what: str, wanted: str) -> None:
        while what in self._children and (what, wanted) not in self._done:
            output = self._children[what].stdout
            line = output.readline() if output else ""
            if not line:
                self._ended(what)
            self._done.add((what, line.strip()))

    def _ended(self, what: str) -> None:
        """Pass on what a child that failed has said last."""
        child, said = self._children.pop(what), self._said.pop(what)
        failed = child.wait() != 0 and not self._stopped
        with said:
            said.seek(0)
            lines = said.read().splitlines() if failed else []
        if lines:
            print(lines[-1], file=sys.stderr)

    def stop(self) -> None:
        """Ends the children that are left. Idempotent."""
        self._stopped = True
        for child in list(self._children.values()):
            child.kill()
            child.wait()


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
