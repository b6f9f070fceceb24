"""A small log for screensavers, whose stderr nobody reads: the same lines, with their times, in the user's state folder.

It has a limit. When it is full it becomes `log.1`, in the place of the one before.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from . import stderr
from .user_folders import state_home

FULL_BYTES = 64 * 1024


def log_file() -> Path:
    """Where the log is; it need not exist."""
    return state_home() / "landfall" / "log"


def begin(words: str) -> None:
    """Has all that is said from now on logged as well, `words` first."""
    _append(words)
    stderr.listeners.append(_append)


def end() -> None:
    """Has nothing logged any more."""
    stderr.listeners[:] = [listener for listener in stderr.listeners if listener is not _append]


def last_lines(count: int) -> list[str]:
    """The newest lines of the log, at most `count`."""
    try:
        return log_file().read_text(encoding="utf-8", errors="replace").splitlines()[-count:]
    except OSError:
        return []


def _append(words: str) -> None:
    """One line. A log that cannot be written is none; the show goes on."""
    path = log_file()
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {os.getpid()} {stderr.one_line(words)}\n"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Several processes, one for each monitor, may write at once: each line is one write at the end of the file.
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            full = os.fstat(number).st_size + len(line) > FULL_BYTES
            if not full:
                os.write(number, line.encode())
        finally:
            os.close(number)
        if full:
            os.replace(path, path.with_name("log.1"))
            _append(words)
    except OSError:
        return
