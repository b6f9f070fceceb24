"""Programs of others that an export runs: none outlives it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

_running: set[subprocess.Popen[str]] = set()


def run(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end, and returns its status and what it said. It is killed when an exception ends the wait."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace") as child:
        _running.add(child)
        try:
            said, complained = child.communicate()
        except BaseException:
            child.kill()
            raise
        finally:
            _running.discard(child)
    return subprocess.CompletedProcess(words, child.returncode, said, complained)


def kill_all() -> None:
    """Kills those that run, and waits for their end: a signal has come, and they would go on writing."""
    for child in list(_running):
        child.kill()
        if hasattr(os, "waitid"):
            # Not `child.wait`: the signal may have come in the midst of that.
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
