"""What a crash leaves behind: where each thread was when a signal ended the process, in the user's state folder.

Only what is written in C crashes, such as a graphics driver. Python ends with it and says nothing, and stderr has one line
for whatever goes wrong, which is the shell's or the host's then.
"""

from __future__ import annotations

import faulthandler
import os
import time
from pathlib import Path

from .user_folders import state_home

FULL_BYTES = 64 * 1024


def crash_file() -> Path:
    """Where it is; it need not exist, and is empty as long as nothing has crashed."""
    return state_home() / "landfall" / "crash"


def watch() -> None:
    """Have crashes of this process told from now on, unless `PYTHONFAULTHANDLER` has them told elsewhere."""
    if faulthandler.is_enabled():
        return
    path = crash_file()
    # A crash that cannot be told is none the worse for that.
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), 0o600)
        if os.fstat(number).st_size > FULL_BYTES:
            os.ftruncate(number, 0)
    except OSError:
        return
    # It stays open for ever: in a process that crashes nothing can be opened any more.
    faulthandler.enable(number)


def last_lines(count: int) -> list[str]:
    """When the last crash was, and the newest lines that all have left, at most `count`; none where nothing has crashed."""
    try:
        lines = crash_file().read_text(encoding="utf-8", errors="replace").splitlines()
        when = time.gmtime(crash_file().stat().st_mtime)
    except OSError:
        return []
    return [time.strftime("%Y-%m-%dT%H:%M:%SZ", when), *lines[-count:]] if lines else []
