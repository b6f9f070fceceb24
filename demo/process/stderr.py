"""Stderr, kept free of what C libraries print to it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Two threads at once would each keep the other's silence, and the last one would restore it for good.
_LOCK = threading.RLock()


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
