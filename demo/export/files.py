"""Files that are whole or not there: written beside their place under another name, and renamed when they are done."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

_unfinished: set[Path] = set()


class ExportError(RuntimeError):
    """A file could not be written; the message says which, why and what to do (exit status 1)."""


def check_place(path: Path) -> None:
    """Raises ExportError when `path` cannot become a file: said before the work of a minute, not after it."""
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise ExportError(f"cannot write {path} (there is no folder {folder}): make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ExportError(f"cannot write {path} (the folder {folder} is read-only): choose another place")
    if path.exists() and not path.is_file():
        raise ExportError(f"cannot write {path} (it is no ordinary file): choose another name")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path in the same folder, with the same ending, that takes the place of `path` when the block ends well.

    On any failure, and when SIGTERM comes, it is removed and an earlier file stays as it was. Raises ExportError.
    """
    check_place(path)
    target = Path(os.path.realpath(path))
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem[:40]}-", suffix=target.suffix)
    except OSError as error:
        raise explained(error, path) from None
    os.close(handle)
    temporary = Path(name)
    with _removed_on_failure(temporary):
        try:
            yield temporary
            _settle(temporary)
            os.replace(temporary, target)
        except OSError as error:
            raise explained(error, path) from None


@contextmanager
def replacing_folder(path: Path, ours: bool = False) -> Iterator[Path]:
    """A new folder beside `path` that takes its place when the block ends well.

    `path` must not exist, or be an empty folder, unless it is `ours` to replace. Raises ExportError.
    """
    path = Path(os.path.abspath(path))
    check_folder(path, ours)
    try:
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name[:40]}-"))
    except OSError as error:
        raise explained(error, path) from None
    with _removed_on_failure(temporary):
        try:
            yield temporary
            os.chmod(temporary, 0o777 & ~_umask())
            if path.is_dir():
                (shutil.rmtree if ours else os.rmdir)(path)
            os.replace(temporary, path)
        except OSError as error:
            raise explained(error, path) from None


@contextmanager
def adding_to_folder(path: Path) -> Iterator[Path]:
    """A new folder within the folder `path`, made if need be, whose entries move up into `path` when the block ends well.

    Entries of the same names are replaced, others stay. On any failure nothing in `path` has changed, and a folder that was
    made for this is gone again. Raises ExportError.
    """
    path = Path(os.path.abspath(path))
    check_adding(path)
    made = not path.exists()
    try:
        path.mkdir(exist_ok=True)
        with _removed_on_failure(path) if made else nullcontext():
            temporary = Path(tempfile.mkdtemp(dir=path, prefix=".unfinished-"))
            with _removed_on_failure(temporary):
                yield temporary
                for file in filter(Path.is_file, temporary.rglob("*")):
                    _settle(file)
                for entry in sorted(temporary.iterdir()):
                    _replace(entry, path / entry.name)
                temporary.rmdir()
    except OSError as error:
        raise explained(error, path) from None


def check_adding(path: Path) -> None:
    """Raises ExportError when files cannot be added to a folder `path`, or it cannot be made."""
    if path.exists() and not path.is_dir():
        raise ExportError(f"cannot write the folder {path} (it is a file): choose another name")
    folder = path if path.exists() else path.parent
    if not folder.is_dir():
        raise ExportError(f"cannot write the folder {path} (there is no folder {folder}): make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ExportError(f"cannot write the folder {path} ({folder} is read-only): choose another place")


def _replace(entry: Path, target: Path) -> None:
    """A folder cannot be renamed onto a full one, so that one goes first."""
    if target.is_dir():
        shutil.rmtree(target)
    if entry.is_dir():
        os.chmod(entry, 0o777 & ~_umask())
    os.replace(entry, target)


def check_folder(path: Path, ours: bool = False) -> None:
    """Raises ExportError when `path` cannot become a folder of frames."""
    if path.is_dir():
        if not ours and any(path.iterdir()):
            raise ExportError(f"cannot write the folder {path} (it is not empty): choose another name")
    elif path.exists():
        raise ExportError(f"cannot write the folder {path} (it is a file): choose another name")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise ExportError(f"cannot write {path} (no folder {path.parent} that can be written): choose another place")


def explained(error: OSError, path: Path) -> ExportError:
    """The operating system's error in writing `path`, as one line."""
    return ExportError(f"cannot write {path} ({error.strerror or error}): free some space or choose another place")


def install_signal_handler() -> None:
    """Let SIGTERM (and SIGHUP) end the process by that signal, but not leave an unfinished file behind."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _tidy_and_die)


def _tidy_and_die(number: int, frame: Any) -> None:
    for path in list(_unfinished):
        _remove(path)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


@contextmanager
def _removed_on_failure(temporary: Path) -> Iterator[None]:
    _unfinished.add(temporary)
    try:
        yield
    except BaseException:
        _remove(temporary)
        raise
    finally:
        _unfinished.discard(temporary)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def _settle(path: Path) -> None:
    """On the disk before it is renamed, or a full disk shows only later; readable as far as the user's umask says."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
    os.chmod(path, 0o666 & ~_umask())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
