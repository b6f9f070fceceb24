"""The process environment that must be set before numba, pygame and OpenGL are imported.

A user's own setting always wins. This module is the first that every start pays for, so modules that most starts do without
are imported inside the functions that need them.
"""

from __future__ import annotations

import os
import stat
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

from .memory import return_memory

# The files that hold kernels, or constants and functions that are compiled into them.
KERNEL_SOURCES = ("maths/*.py", "worlds/**/*.py", "ground/*.py", "mapping/**/*.py", "geometry/*.py")
STALE_AFTER_S = 30 * 86_400.0


def prepare() -> None:
    """Sets the defaults below. Later calls change nothing."""
    # Spinning OpenMP barriers turn a 0.1 ms kernel into 8 ms when a software renderer keeps the cores busy.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if "NUMBA_CACHE_DIR" not in os.environ:
        folder = kernel_cache()
        if folder is not None:
            os.environ["NUMBA_CACHE_DIR"] = str(folder)
    return_memory()


def kernel_cache() -> Path | None:
    """A folder for compiled kernels that this user alone can write; None where no folder at all can be written.

    numba's cache is a pickle, that is, code: whoever can write the folder can run code as this user. Where the home folder
    is read-only, the folder lies among the temporary files. Where somebody else has taken its name there, it is a new one
    that is removed when the process ends.
    """
    name = f"numba-{sys.implementation.cache_tag}-{kernel_fingerprint():08x}"
    for base in _bases():
        if _private(base) and _private(base / name):
            _prune(base, name)
            return base / name
    return _throwaway()


def _bases() -> Iterator[Path]:
    yield cache_home() / "landfall"
    import tempfile

    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    try:
        yield Path(tempfile.gettempdir()) / f"landfall-{user}"
    except OSError:
        return


def cache_home() -> Path:
    """The user's folder for caches, where the system expects it."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    # XDG Base Directory Specification: a relative path is invalid and must be ignored.
    return Path(given) if os.path.isabs(given) else _home() / ".cache"


def kernel_fingerprint() -> int:
    """A checksum of KERNEL_SOURCES, their paths and their contents: it names the cache's folder.

    numba notices a change in the file of the kernel that it looks up, but not in other files whose kernels are compiled
    into that one.
    """
    root = Path(__file__).resolve().parents[1]
    total = 0
    for pattern in KERNEL_SOURCES:
        for path in sorted(root.glob(pattern)):
            total = zlib.crc32(path.read_bytes(), zlib.crc32(path.relative_to(root).as_posix().encode(), total))
    return total


def is_private(folder: Path) -> bool:
    """True for a real folder that belongs to this user and that nobody else can write."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    # Windows has no such owner and mode. There LOCALAPPDATA belongs to the user.
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


def _private(folder: Path) -> bool:
    """Makes `folder` (0700) if need be. True when it is private and can be written."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return False
    return is_private(folder) and os.access(folder, os.W_OK | os.X_OK)


def _prune(base: Path, name: str) -> None:
    """Marks `name` as used today, and removes the folders of other versions that nobody has used for a month."""
    try:
        os.utime(base / name)
        old = [folder for folder in base.glob("numba-*") if time.time() - folder.lstat().st_mtime > STALE_AFTER_S]
    except OSError:
        return
    for folder in filter(is_private, old):
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def _throwaway() -> Path | None:
    import atexit
    import shutil
    import tempfile

    try:
        folder = Path(tempfile.mkdtemp(prefix="landfall-"))
    except OSError:
        return None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _home() -> Path:
    """The home folder. A user without one gets a path that cannot be made, so that temporary files are used instead."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/nonexistent")
