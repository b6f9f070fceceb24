"""The folder of compiled kernels: which files in it are Landfall's, which of them are damaged, and how they are removed.

A folder that the user has named may hold the kernels of other programs too. They are left alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
from pathlib import Path

from .assets import PACKAGE_FOLDER
from .checked_files import DAMAGED, is_whole

# Empty files that say for which scenes what has been compiled, by the names that `compiler` gives them.
STAMP = re.compile(r"(kernels|shaders-[a-z]+)-[a-z0-9-]+-[0-9a-f]{16}")
KERNELS = ("*.nbi", "*.nbc")


def kernels() -> list[Path]:
    """The files of compiled kernels, in order."""
    return _found(KERNELS)


def damaged() -> list[Path]:
    """Those of `kernels` that are not what was written. Reads all of them."""
    return [path for path in kernels() if not is_whole(str(path))]


def set_aside() -> list[Path]:
    """The damaged files that have been replaced."""
    return _found(tuple(pattern + DAMAGED for pattern in KERNELS))


def clear() -> int:
    """Removes all of it, what is left of unfinished files as well; the number of files. Raises OSError."""
    forget_stamps()
    paths = _found(tuple(f"{pattern}{ending}" for pattern in KERNELS for ending in ("", DAMAGED, ".tmp.*")))
    for path in paths:
        path.unlink(missing_ok=True)
    return len(paths)


def forget_stamps() -> None:
    """Has the next start compile ahead whatever is missing."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    with contextlib.suppress(OSError):
        for path in Path(folder).iterdir() if folder else ():
            if STAMP.fullmatch(path.name) and not path.stat().st_size:
                path.unlink()


def _found(patterns: tuple[str, ...]) -> list[Path]:
    return sorted(path for folder in _folders() for pattern in patterns for path in folder.glob(pattern))


def _folders() -> list[Path]:
    """Those that numba makes for the kernels of the package: a folder for each folder of sources, named by its path."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if not named:
        return []
    found = set()
    # The package may have been imported by way of a link.
    for package in {PACKAGE_FOLDER, Path(os.path.abspath(sys.modules[__package__.rpartition(".")[0]].__path__[0]))}:
        for source in {path.parent for path in package.rglob("*.py")}:
            found.add(Path(named) / f"{source.name}_{hashlib.sha1(str(source).encode()).hexdigest()}")
    return sorted(folder for folder in found if folder.is_dir())
