"""The process environment that must be set before numba, pygame and OpenGL are imported.

A user's own setting always wins. This module is the first that every start pays for, so modules that most starts do without
are imported inside the functions that need them.
"""

from __future__ import annotations

import functools
import os
import stat
import sys
import time
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path

from . import standard_streams
from .memory import return_memory

# The files that hold kernels, or constants and functions that are compiled into them.
KERNEL_SOURCES = ("maths/*.py", "worlds/**/*.py", "ground/*.py", "mapping/**/*.py", "geometry/*.py")
STALE_AFTER_S = 30 * 86_400.0
MOST_THREADS = 4096


def prepare() -> None:
    """Mends the standard streams and sets the defaults below. Later calls change nothing."""
    # First of all, because everything after it may open files.
    standard_streams.mend()
    # The compiling children are modules of the folder in which they are started.
    os.environ.pop("PYTHONSAFEPATH", None)
    # Spinning OpenMP barriers turn a 0.1 ms kernel into 8 ms when a software renderer keeps the cores busy.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    # What Mesa's EGL cannot do is said by us, in one line.
    os.environ.setdefault("EGL_LOG_LEVEL", "fatal")
    _choose_cache(os.environ.pop("NUMBA_CACHE_DIR", ""))
    _check_threads()
    # With a traceback numba would warn of its variables that it cannot read; it takes their defaults.
    warnings.filterwarnings("ignore", "Environment variable 'NUMBA_", RuntimeWarning)
    return_memory()


def _choose_cache(named: str) -> None:
    """Sets NUMBA_CACHE_DIR: to the folder that the user has named, unless that is not safe, else to one of our own."""
    refused = bool(named) and others_can_write(Path(named))
    if named and not refused:
        os.environ["NUMBA_CACHE_DIR"] = named
        return
    folder = kernel_cache()
    if folder is not None:
        os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if folder is None:
        os.environ.setdefault("MESA_SHADER_CACHE_DISABLE", "true")
    elif not folder.is_relative_to(_caches_of_mesa()):
        # Mesa keeps its shaders in the user's folder of caches, and would complain on stderr that it cannot.
        os.environ.setdefault("MESA_SHADER_CACHE_DIR", str(folder))
    if refused:
        # Here and below: a start that goes well needs none of these modules, and comes sooner.
        from .stderr import say

        instead = f"{folder} is used instead" if folder else "nothing is cached"
        say(f"others can write NUMBA_CACHE_DIR={named}, which holds code: {instead}")


def _check_threads() -> None:
    """Removes a NUMBA_NUM_THREADS that is no number of threads: numba would end with the first parallel kernel."""
    named = os.environ.get("NUMBA_NUM_THREADS")
    digits = (named or "").strip()
    if named is None or (digits.isascii() and digits.isdigit() and 0 < int(digits[:9]) <= MOST_THREADS):
        return
    del os.environ["NUMBA_NUM_THREADS"]
    if named:
        from .stderr import say

        say(f"NUMBA_NUM_THREADS={named} is no number of threads: as many are used as there are cores")


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
        return Path(os.environ.get("LOCALAPPDATA") or home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    # XDG Base Directory Specification: a relative path is invalid and must be ignored.
    return Path(given) if os.path.isabs(given) else home() / ".cache"


def _caches_of_mesa() -> Path:
    """Mesa's folder for caches: it goes by the user's account, and not by HOME."""
    given = os.environ.get("XDG_CACHE_HOME")
    if given or sys.platform == "win32":
        return Path(given) if given else cache_home()
    # Here: Windows has no such module.
    import pwd

    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir) / ".cache"
    except KeyError:
        return cache_home()


def kernel_fingerprint() -> int:
    """A checksum of KERNEL_SOURCES, their paths and their contents: it names the cache's folder.

    numba notices a change in the file of the kernel that it looks up, but not in other files whose kernels are compiled
    into that one.
    """
    return _checksum(KERNEL_SOURCES)


@functools.cache
def _checksum(patterns: tuple[str, ...]) -> int:
    root = Path(__file__).resolve().parents[1]
    total = 0
    for pattern in patterns:
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


def others_can_write(folder: Path) -> bool:
    """Whether everybody can write a folder, or it belongs to somebody who is neither this user nor the administrator."""
    try:
        status = folder.stat()
    except OSError:
        return False
    return hasattr(os, "getuid") and (bool(status.st_mode & 0o002) or status.st_uid not in (0, os.getuid()))


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


def home() -> Path:
    """The home folder. A user without one gets a path that not even root can make, so temporary files are used instead."""
    try:
        home = Path.home()
    except RuntimeError:
        home = Path()
    # A relative HOME would mean another folder to the compiling children.
    return home if home.is_absolute() else Path(os.devnull, "home")
