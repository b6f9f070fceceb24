"""Memory: freed arrays go back to the system, or are used again; a start looks for no garbage."""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # malloc.h
# Half of what a story holds are arrays of less than a megabyte. Taken from the heap, each would leave a hole among what the
# graphics driver keeps there. Carving and frames take as long as with a megabyte here.
MMAP_FROM_BYTES = 1 << 18
# A software renderer takes and frees 7 to 26 MB for the triangles of a picture, in small blocks at the heap's end: were they
# given back each time, their pages would be a third of the main thread's work.
KEPT_BYTES = 32 << 20
# The highest threshold that glibc takes, and what a process keeps that makes the pieces of a map: each frees arrays of 4 to
# 24 MB and takes them again.
REUSED_TO_BYTES, REUSED_BYTES = 1 << 25, 128 << 20


def return_memory() -> None:
    """Tells glibc to give large arrays back to the system as soon as they are freed.

    By itself it raises its threshold with every large array that is freed, and then keeps 150 MB of worlds long gone.
    """
    # Threads that take turns share one heap. Otherwise each has its own, with its own leftovers.
    _tell_glibc({M_MMAP_THRESHOLD: MMAP_FROM_BYTES, M_TRIM_THRESHOLD: KEPT_BYTES, M_ARENA_MAX: 1})


def reuse_memory() -> None:
    """Tells glibc to keep the memory of freed arrays for the next ones, in a process that makes piece after piece.

    Given back, each page is cleared by the system before it is used again: a quarter of the work on a section.
    """
    _tell_glibc({M_MMAP_THRESHOLD: REUSED_TO_BYTES, M_TRIM_THRESHOLD: REUSED_BYTES})


def _tell_glibc(options: Mapping[int, int]) -> None:
    if sys.platform.startswith("linux"):
        import ctypes  # of no use on other systems

        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            for option, value in options.items():
                mallopt(option, value)


def hold_collections() -> None:
    """Has Python look for no garbage in circles until `resume_collections`.

    A start makes some 200,000 objects and throws none away: looking through them again and again takes a tenth of it.
    """
    gc.disable()


def resume_collections() -> None:
    """Has Python look for garbage again, among what is made from now on: the modules are there to stay."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def trim_memory() -> None:
    """Tells glibc to give back what many small objects have left behind, between the stages of long work."""
    if sys.platform.startswith("linux"):
        import ctypes  # of no use on other systems

        malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if malloc_trim is not None:
            malloc_trim(0)
