"""Programs of others that an export runs: none outlives it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from .late_signals import undisturbed

_running: set[subprocess.Popen[str]] = set()


def run(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end, and returns its status and what it said. It is killed when an exception ends the wait."""
    # A signal that came before it is known to run would leave it behind.
    with undisturbed():
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        _running.add(child)
    with child:
        try:
            said, complained = child.communicate()
        except BaseException:
            child.kill()
            raise
        finally:
            _running.discard(child)
    return subprocess.CompletedProcess(words, child.returncode, said, complained)


def begin(words: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    """Starts a program in a folder, which reads lines and writes lines, and whose stderr is ours. `end` ends it."""
    pipe = subprocess.PIPE
    with undisturbed():
        child = subprocess.Popen(words, cwd=folder, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", errors="replace")
        _running.add(child)
    return child


def end(child: subprocess.Popen[str]) -> None:
    """Kills a program that `begin` has started, and waits for its end."""
    child.kill()
    child.wait()
    _running.discard(child)
    with suppress(OSError):
        if child.stdin:
            child.stdin.close()


def kill_all() -> None:
    """Kills those that run, and waits for their end: a signal has come, and they would go on writing."""
    for child in list(_running):
        child.kill()
        if hasattr(os, "waitid"):
            # Not `child.wait`: the signal may have come in the midst of that.
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
