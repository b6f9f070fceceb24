"""Memory: freed arrays go back to the system, or are used again, and so does code that has done its work; a start looks for
no garbage."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Iterator, Mapping

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
# LLVM is there twice without a GPU: numba loads kernels with its own, and Mesa makes shader programs with another.
COMPILERS = "llvm"
MADV_DONTNEED = 4  # mman.h


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


def let_go_of_compilers() -> None:
    """Lets go of the pages of LLVM's code and constants, up to 100 MB of this process.

    Kernels and programs run without it, and most of it has been run once. What is run again comes back from the system's
    cache of files, 16 pages at a time, which takes a microsecond each time.
    """
    if sys.platform.startswith("linux"):
        import ctypes  # of no use on other systems

        madvise = getattr(ctypes.CDLL(None), "madvise", None)
        if madvise is not None:
            for first, end in pages_of(COMPILERS):
                madvise(ctypes.c_void_p(first), ctypes.c_size_t(end - first), MADV_DONTNEED)


def pages_of(library: str) -> tuple[tuple[int, int], ...]:
    """First address and end of each part of libraries, whose file's name holds `library`, that is as it is in the file and
    can only be read; nothing where the system does not tell."""
    try:
        return _unwritten(library, tuple(_mappings(library, "maps")))
    except OSError:
        return ()


# Once they are loaded, libraries stay where they are. To ask for it takes longer than to find them.
@functools.lru_cache(maxsize=1)
def _unwritten(library: str, mappings: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Of `mappings`, as addresses, those of which no page has been written: a loader fills in some and then shuts them."""
    found, current = [], ""
    for row in _mappings(library, "smaps"):
        name, _, value = row.partition(":")
        if name == "Anonymous" and value.split()[0] == "0" and current in mappings:
            first, end = (int(address, 16) for address in current.split("-"))
            found.append((first, end))
        elif not value:
            current = row
    return tuple(found)


def _mappings(library: str, table: str) -> Iterator[str]:
    """The addresses of mappings of libraries that can only be read; each followed by the rows that the table has of it."""
    wanted = False
    with open(f"/proc/self/{table}") as rows:
        for row in rows:
            # Addresses, permissions, offset, device, inode, path; or the name of a figure.
            first, *rest = row.split(maxsplit=5)
            if not first.endswith(":"):
                wanted = len(rest) == 5 and library in os.path.basename(rest[4]).lower() and "w" not in rest[0]
                row = first
            if wanted:
                yield row
