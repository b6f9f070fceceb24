"""Stderr: the program's own lines, and nothing of what C libraries print to it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .standard_streams import silence

# Two threads at once would each keep the other's silence, and the last one would restore it for good.
_LOCK = threading.RLock()


listeners: list[Callable[[str], None]] = []
"""Are called with whatever is said, as one line."""


def say(words: object) -> None:
    """Prints `landfall: WORDS` in one line to stderr, as whatever kind of error or note; nobody may be left to read it."""
    for listener in listeners:
        listener(one_line(words))
    try:
        print(f"landfall: {one_line(words)}", file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def one_line(words: object) -> str:
    """`words` as one line: runs of white space become one space, and what cannot be printed is escaped as in Python.

    Messages quote command lines, environments and files. Their control characters must not reach the terminal, whose screen
    they could clear and whose title they could change.
    """
    line = " ".join(str(words).split())
    if line.isprintable():
        return line
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in line)


@contextmanager
def silent_stderr() -> Iterator[None]:
    """Hides what is printed to the process's stderr, by any thread, until the block ends.

    For libtiff: it returns the same as an error, and no setting of GDAL's or of Pillow's stops it from printing.
    """
    with _LOCK:
        try:
            kept = os.dup(2)
        except OSError:
            # Stderr is closed, so nothing can be printed to it.
            yield
            return
        if sys.stderr is not None:
            sys.stderr.flush()
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            os.close(nothing)
