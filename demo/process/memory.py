"""Memory given back to the system: glibc keeps what large arrays have freed unless it is told not to."""

from __future__ import annotations

import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # malloc.h
MMAP_FROM_BYTES = 1 << 20


def return_memory() -> None:
    """Have glibc give large arrays back to the system when they are freed.

    By itself it raises the size from which it does so with every large array freed, and keeps 150 MB of dead worlds.
    """
    if sys.platform.startswith("linux"):
        import ctypes

        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(M_MMAP_THRESHOLD, MMAP_FROM_BYTES)
            mallopt(M_TRIM_THRESHOLD, MMAP_FROM_BYTES)
            # Threads that take turns need no heap each, with what is left over in it.
            mallopt(M_ARENA_MAX, 1)


def trim_memory() -> None:
    """Have glibc give back what many small objects have left, between the stages of a long piece of work."""
    if sys.platform.startswith("linux"):
        import ctypes

        malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if malloc_trim is not None:
            malloc_trim(0)
