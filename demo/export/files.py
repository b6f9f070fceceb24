"""Files that are whole or not there: written beside their place under a temporary name, and renamed at the end.

What a killed process has left is removed when the next file is written beside it (`leftovers`).
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType

from .leftovers import remove, remove_leftovers, temporary_name

_unfinished: set[Path] = set()


class ExportError(RuntimeError):
    """A file could not be written. The message names the file, the reason and a remedy (exit status 1)."""


def check_place(path: Path) -> None:
    """Raises ExportError when no file can be written to `path`. Called before a long computation, not after it."""
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise ExportError(f"cannot write {path} (there is no folder {folder}): make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ExportError(f"cannot write {path} (the folder {folder} is read-only): choose another place")
    if path.exists() and not path.is_file():
        raise ExportError(f"cannot write {path} (it is no ordinary file): choose another name")


def check_folder(path: Path, ours: bool = False) -> None:
    """Raises ExportError when no folder can be made at `path`, or a full one is there that is not `ours` to replace."""
    if path.is_dir():
        if not ours and any(path.iterdir()):
            raise ExportError(f"cannot write the folder {path} (it is not empty): choose another name")
    elif path.exists():
        raise ExportError(f"cannot write the folder {path} (it is a file): choose another name")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise ExportError(f"cannot write {path} (no folder {path.parent} that can be written): choose another place")


def check_adding(path: Path) -> None:
    """Raises ExportError when files cannot be added to the folder `path`, or when it cannot be made."""
    if path.exists() and not path.is_dir():
        raise ExportError(f"cannot write the folder {path} (it is a file): choose another name")
    folder = path if path.exists() else path.parent
    if not folder.is_dir():
        raise ExportError(f"cannot write the folder {path} (there is no folder {folder}): make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ExportError(f"cannot write the folder {path} ({folder} is read-only): choose another place")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new file in the same folder and with the same ending; it replaces `path` when the block ends without an error.

    When the block fails, or SIGTERM arrives, the new file is removed and an earlier file stays as it was. Raises
    ExportError in the place of OSError.
    """
    check_place(path)
    target = Path(os.path.realpath(path))
    with _explaining(path):
        temporary = _new_file(target)
        with _removed_on_failure(temporary):
            yield temporary
            _settle(temporary)
            os.replace(temporary, target)


@contextmanager
def replacing_folder(path: Path, ours: bool = False) -> Iterator[Path]:
    """A new folder beside `path` that takes its place when the block ends without an error.

    `path` must not exist or must be an empty folder, unless it is `ours` to replace. Raises ExportError.
    """
    path = Path(os.path.abspath(path))
    check_folder(path, ours)
    with _explaining(path):
        temporary = _new_folder(path.parent, path.name)
        with _removed_on_failure(temporary):
            yield temporary
            if path.is_dir():
                (shutil.rmtree if ours else os.rmdir)(path)
            os.replace(temporary, path)


@contextmanager
def adding_to_folder(path: Path) -> Iterator[Path]:
    """A new folder inside the folder `path`; its entries move up into `path` when the block ends without an error.

    Entries of the same names are replaced, and others stay. `path` is made when it does not exist. When the block fails,
    nothing in `path` has changed, and a folder that was made for this is removed. Raises ExportError.
    """
    path = Path(os.path.abspath(path))
    check_adding(path)
    made = not path.exists()
    with _explaining(path):
        path.mkdir(exist_ok=True)
        with _removed_on_failure(path) if made else nullcontext():
            temporary = _new_folder(path, "unfinished")
            with _removed_on_failure(temporary):
                yield temporary
                _move_up(temporary, path)


def explained(error: OSError, path: Path) -> ExportError:
    """An error of the operating system in writing `path`, as one line."""
    return ExportError(f"cannot write {path} ({error.strerror or error}): free some space or choose another place")


def install_signal_handler() -> None:
    """Makes SIGTERM and SIGHUP remove unfinished files before they end the process; the exit status is the signal's."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _tidy_and_die)


def _tidy_and_die(number: int, frame: FrameType | None) -> None:
    for path in list(_unfinished):
        remove(path)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


@contextmanager
def _explaining(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise explained(error, path) from None


@contextmanager
def _removed_on_failure(temporary: Path) -> Iterator[None]:
    _unfinished.add(temporary)
    try:
        yield
    except BaseException:
        remove(temporary)
        raise
    finally:
        _unfinished.discard(temporary)


def _new_file(target: Path) -> Path:
    """An empty file beside `target`. Its mode is what the umask leaves: setting the umask to read it is not thread-safe."""
    remove_leftovers(target.parent)
    temporary = target.with_name(temporary_name(target.stem, target.suffix))
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    return temporary


def _new_folder(parent: Path, name: str) -> Path:
    remove_leftovers(parent)
    temporary = parent / temporary_name(name)
    temporary.mkdir()
    return temporary


def _move_up(temporary: Path, path: Path) -> None:
    """Moves all entries of one folder into another, and removes the empty one."""
    mode = temporary.stat().st_mode & 0o666
    for file in filter(Path.is_file, temporary.rglob("*")):
        _settle(file)
        # Some libraries make files that the user's group may not write, whatever the umask.
        os.chmod(file, mode)
    for entry in sorted(temporary.iterdir()):
        target = path / entry.name
        # A folder cannot be renamed onto a full one.
        if target.is_dir():
            shutil.rmtree(target)
        os.replace(entry, target)
    temporary.rmdir()


def _settle(path: Path) -> None:
    """Waits until the file is on the disk; otherwise a full disk may show only after the renaming."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
