"""The parent of a child process: a child that would outlive it is of no use to anybody."""

from __future__ import annotations

import signal
import sys

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def die_with_parent() -> None:
    """Has the system kill this process when the thread that started it ends. On other systems than Linux: nothing.

    A parent that is killed closes its pipes only when its memory has been given back. Its last thread does that, which on
    Mesa is one of the lowest priority: beside children that work on, it took half a second.
    """
    if sys.platform.startswith("linux"):
        import ctypes  # of no use on other systems

        prctl = getattr(ctypes.CDLL(None), "prctl", None)
        if prctl is not None:
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
