"""The process environment that must stand before numba, pygame and OpenGL are imported.

Everything is set by `setdefault`, so that a user's own setting wins. Standard library only, and light: it is the first
thing a start pays for.
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

# Every folder that holds kernels, or what kernels take as constants.
KERNEL_SOURCES = ("worlds/**/*.py", "ground/*.py", "mapping/**/*.py", "geometry/*.py", "render/selection.py")
STALE_AFTER_S = 30 * 86_400.0


def prepare() -> None:
    """Set the defaults below, once; later calls change nothing."""
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

    numba's cache is a pickle, that is, code: a folder that others can write would let them run theirs. A read-only home
    is served by the folder for temporary files, and a name taken there by somebody else by one that dies with the process.
    """
    name = f"numba-{sys.implementation.cache_tag}-{kernel_fingerprint():08x}"
    for base in _bases():
        if _private(base) and _private(base / name):
            _prune(base, name)
            return base / name
    return _throwaway()


def _bases() -> Iterator[Path]:
    yield cache_home() / "landfall"
    import tempfile  # here and below: the usual start does without it and what it brings along

    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    try:
        yield Path(tempfile.gettempdir()) / f"landfall-{user}"
    except OSError:
        return


def cache_home() -> Path:
    """The user's folder for caches, by the custom of the system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    # The base directory specification: a relative path is invalid and to be ignored.
    return Path(given) if os.path.isabs(given) else _home() / ".cache"


def kernel_fingerprint() -> int:
    """A checksum of all sources that hold kernels.

    numba notices a change only in the file of the kernel it looks up, not in the kernels of other files compiled into it,
    so a changed source must mean another folder.
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
    # Windows has no such owner and mode; what lies under LOCALAPPDATA is the user's own there.
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


def _private(folder: Path) -> bool:
    """Make `folder` (0700) if need be; True when it is private and can be written."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return False
    return is_private(folder) and os.access(folder, os.W_OK | os.X_OK)


def _prune(base: Path, name: str) -> None:
    """Mark `name` as used today, and drop what earlier versions of the sources left and nobody used for a month."""
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
    """The home folder; the folder for temporary files where the system knows no home for this user."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/nonexistent")
