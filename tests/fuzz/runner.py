"""The runner: starts cases, several at a time, waits for their ends, and says what was wrong with each."""

from __future__ import annotations

import codecs
import contextlib
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from . import child, kinds
from .case import Case, Outcome
from .checks import Tree, faults_of_end, faults_of_folder, tree_of

PATIENCE_S = 60.0
# Beyond this much address space a case gets a MemoryError, and no other program suffers.
MOST_BYTES = 8 << 30
MOST_FILE_BYTES = 1 << 30


@dataclass(frozen=True)
class _Run:
    """A case that is running in `home`: its working folder is `home/here`, its stderr goes to `home/said`."""

    kind: str
    seed: int
    case: Case
    home: Path
    pid: int
    handle: int
    began: float
    before: Tree


class Runner:
    """Runs cases, `jobs` at a time.

    `keep`: where the folders of cases with faults go; None: nowhere. `display`: the X server for windows.
    """

    def __init__(
        self, jobs: int = 1, patience_s: float = PATIENCE_S, keep: Path | None = None, display: str | None = None
    ) -> None:
        self._jobs, self._patience_s, self._keep, self._display = jobs, patience_s, keep, display
        self._home = Path(tempfile.mkdtemp(prefix="landfall-fuzz-"))

    def close(self) -> None:
        """Removes what the cases have left."""
        shutil.rmtree(self._home, ignore_errors=True)

    def run(self, wanted: Iterator[tuple[str, int]], told: Callable[[Outcome], None]) -> None:
        """Runs the cases of these kinds and seeds; `told` is called with the outcome of each, in the order of their ends."""
        running: list[_Run] = []
        try:
            for kind, seed in wanted:
                running.append(self._start(kind, seed))
                while len(running) >= self._jobs:
                    told(self._finish(running))
            while running:
                told(self._finish(running))
        finally:
            for run in running:
                _end(run.pid)

    def _start(self, kind: str, seed: int) -> _Run:
        case = kinds.KINDS[kind].make(Random(f"{kind} {seed}"))
        home = self._home / f"{kind}-{seed}"
        here = home / "here"
        here.mkdir(parents=True)
        if case.lay:
            case.lay(here)
        if case.script is not None:
            # PyOpenGL was imported for EGL.
            case.variables |= {"DISPLAY": self._display, "SDL_VIDEO_X11_FORCE_EGL": "1"}
        before = tree_of(here)
        sys.stdout.flush()
        began = time.monotonic()
        pid = os.fork()
        if pid == 0:
            _become(case, home)
        return _Run(kind, seed, case, home, pid, os.pidfd_open(pid), began, before)

    def _finish(self, running: list[_Run]) -> Outcome:
        """Waits for the end of one of the running cases, takes it out of the list, and judges it."""
        run, status = self._next_end(running)
        running.remove(run)
        os.close(run.handle)
        seconds = time.monotonic() - run.began
        said = _text((run.home / "said").read_bytes())
        faults = faults_of_end(status, said, self._patience_s, run.case.can_fail, 2 not in run.case.closed)
        here = run.home / "here"
        made = status == 0 and (bool(run.case.script) or tree_of(here) != run.before)
        if status in (0, 1, 2):
            faults += faults_of_folder(run.before, here, failed=status != 0, asked=run.case.words)
        if status == 0 and run.case.check and not faults:
            faults += [fault] if (fault := run.case.check(here)) else []
        if faults and self._keep:
            shutil.copytree(run.home, self._keep / run.home.name, symlinks=True, dirs_exist_ok=True, ignore=_special)
        shutil.rmtree(run.home, ignore_errors=True)
        return Outcome(run.kind, run.seed, run.case, status, said, seconds, made, tuple(faults))

    def _next_end(self, running: list[_Run]) -> tuple[_Run, int | None]:
        """(a case that has ended, its status); None where it ran too long and was ended."""
        poll = select.poll()
        for run in running:
            poll.register(run.handle, select.POLLIN)
        first = min(running, key=lambda run: run.began)
        left_s = first.began + self._patience_s - time.monotonic()
        ready = poll.poll(max(left_s, 0.0) * 1000.0)
        if not ready:
            _end(first.pid)
            os.waitpid(first.pid, 0)
            return first, None
        run = next(run for run in running if run.handle == ready[0][0])
        _, how = os.waitpid(run.pid, 0)
        # The children of a case must not outlive it.
        _end(run.pid)
        return run, os.waitstatus_to_exitcode(how)


def _text(said: bytes) -> str:
    """What a case has said, in UTF-8 or, where PYTHONIOENCODING asks for it, in UTF-16."""
    if said.startswith(codecs.BOM_UTF16):
        return said.decode("utf-16", errors="replace").replace("\ufeff", "")
    return said.decode(errors="surrogateescape")


def _end(pid: int) -> None:
    """Kills the group of processes that a case is, if it is there."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _become(case: Case, home: Path) -> None:
    """In the forked process: becomes the case, and never returns."""
    status = 70
    try:
        os.setsid()
        os.chdir(home / "here")
        _redirect(case, home)
        for what, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, MOST_FILE_BYTES)):
            resource.setrlimit(what, (most, most))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        # Python's own start ignores it; so does a child of this fork, but then a test of limits would be killed by it.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        for name, value in case.variables.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        status = child.drive(case)
    finally:
        os._exit(status)


def _redirect(case: Case, home: Path) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for number, name in ((1, "printed"), (2, "said")):
        os.dup2(os.open(home / name, os.O_WRONLY | os.O_CREAT, 0o600), number)
    for number in case.closed:
        os.close(number)


def _special(folder: str, names: list[str]) -> list[str]:
    """Entries that cannot be copied: pipes and the like."""
    paths = [Path(folder, name) for name in names]
    return [path.name for path in paths if path.exists() and not path.is_file() and not path.is_dir()]
