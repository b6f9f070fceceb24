"""Files that are whole or not there: written beside their place under a temporary name, and renamed at the end.

What a killed process has left is removed when the next file is written beside it (`leftovers`).
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from types import FrameType

from . import child_programs
from .late_signals import put_off, undisturbed
from .leftovers import remove, remove_leftovers, temporary_name

NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

# What undoes each thing that is unfinished, in the order in which they were begun.
_unfinished: dict[int, Callable[[], object]] = {}


class ExportError(RuntimeError):
    """A file could not be written. The message names the file, the reason and a remedy (exit status 1)."""


def check_place(path: Path) -> None:
    """Raises ExportError when no file can be written to `path`. Called before a long computation, not after it."""
    with explaining(path):
        folder = Path(os.path.realpath(path)).parent
        if not folder.is_dir():
            raise ExportError(f"cannot write {path} (there is no folder {folder}): make it first")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise ExportError(f"cannot write {path} (the folder {folder} is read-only): choose another place")
        if path.exists() and not path.is_file():
            raise ExportError(f"cannot write {path} (it is no ordinary file): choose another name")


def check_folder(path: Path, ours: bool = False) -> None:
    """Raises ExportError when no folder can be made at `path`, or a full one is there that is not `ours` to replace."""
    check_adding(path)
    with explaining(path):
        if path.is_dir() and not ours:
            remove_leftovers(path)
            if any(path.iterdir()):
                raise ExportError(f"cannot write the folder {path} (it is not empty): choose another name")


def check_adding(path: Path) -> None:
    """Raises ExportError when files cannot be added to the folder `path`, or when it cannot be made."""
    with explaining(path):
        if path.exists() and not path.is_dir():
            raise ExportError(f"cannot write the folder {path} (it is a file): choose another name")
        folder = path if path.exists() else Path(os.path.abspath(path)).parent
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
    with replacing_all((path,)) as (temporary,):
        yield temporary


@contextmanager
def replacing_all(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """`replacing` for files that belong together: all of them are replaced or none. Errors name the first path."""
    for path in paths:
        check_place(path)
    targets = [Path(os.path.realpath(path)) for path in paths]
    with explaining(paths[0]), ExitStack() as unfinished:
        temporaries = []
        for target in targets:
            temporaries.append(_new_file(target))
            unfinished.enter_context(removed_on_failure(temporaries[-1]))
        yield temporaries
        for temporary in temporaries:
            _settle(temporary)
        _take_places(list(zip(temporaries, targets, strict=True)))


@contextmanager
def replacing_folder(path: Path, ours: bool = False) -> Iterator[Path]:
    """A new folder whose entries are those of the folder `path` when the block ends without an error.

    `path` must not exist or must be an empty folder, unless it is `ours` to replace. A folder that is there stays the same
    one: it may be the current folder, or a file system of its own. When the block fails, nothing has changed. Raises
    ExportError.
    """
    check_folder(path, ours)
    with explaining(path):
        path = Path(os.path.abspath(path))
        there = path.is_dir()
        temporary = _new_folder(path if there else path.parent, path.name)
        with removed_on_failure(temporary):
            old = sorted(entry for entry in path.iterdir() if entry != temporary) if there else []
            yield temporary
            if there:
                _move_up(temporary, path, old)
            else:
                os.replace(temporary, path)


@contextmanager
def adding_to_folder(path: Path) -> Iterator[Path]:
    """A new folder inside the folder `path`; its entries move up into `path` when the block ends without an error.

    Entries of the same names are replaced, and others stay. `path` is made when it does not exist. When the block fails,
    nothing in `path` has changed, and a folder that was made for this is removed. Raises ExportError.
    """
    check_adding(path)
    with explaining(path):
        path = Path(os.path.abspath(path))
        made = not path.exists()
        path.mkdir(exist_ok=True)
        with removed_on_failure(path) if made else nullcontext():
            temporary = _new_folder(path, "unfinished")
            with removed_on_failure(temporary):
                yield temporary
                _move_up(temporary, path)


def explained(error: OSError, path: Path) -> ExportError:
    """An error of the operating system in writing `path`, as one line."""
    return ExportError(f"cannot write {path} ({error.strerror or error}): {remedy(error)}")


def remedy(error: BaseException) -> str:
    """What to do about an error in writing a file. Libraries that give no number mostly mean a full disk."""
    number = getattr(error, "errno", None)
    return "free some space or choose another place" if number is None or number in NO_SPACE else "choose another place"


def install_signal_handler() -> None:
    """Makes SIGTERM and SIGHUP remove unfinished files before they end the process; the exit status is the signal's."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _tidy_and_die)


def _tidy_and_die(number: int, frame: FrameType | None) -> None:
    if put_off(number):
        return
    child_programs.kill_all()
    for undo in reversed(list(_unfinished.values())):
        undo()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


@contextmanager
def explaining(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise explained(error, path) from None


def removed_on_failure(temporary: Path) -> AbstractContextManager[None]:
    """A file or folder goes when the block fails, and when a signal ends the process."""
    return undone_on_failure(partial(remove, temporary))


@contextmanager
def undone_on_failure(undo: Callable[[], object]) -> Iterator[None]:
    """`undo`, which must raise nothing, is called when the block fails, and when a signal ends the process."""
    _unfinished[id(undo)] = undo
    try:
        yield
    except BaseException:
        undo()
        raise
    finally:
        _unfinished.pop(id(undo), None)


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


def _move_up(temporary: Path, path: Path, old: Sequence[Path] = ()) -> None:
    """Moves all entries of one folder into another and removes the empty one. The `old` entries go, or those of the same
    names.
    """
    mode = temporary.stat().st_mode & 0o666
    for file in filter(Path.is_file, temporary.rglob("*")):
        _settle(file)
        # Some libraries make files that the user's group may not write, whatever the umask.
        os.chmod(file, mode)
    _take_places([(entry, path / entry.name) for entry in sorted(temporary.iterdir())], old)
    temporary.rmdir()


def _take_places(pairs: Sequence[tuple[Path, Path]], old: Sequence[Path] = ()) -> None:
    """Renames each (new entry, its place), and removes what was there and what is `old`. All of it happens or nothing."""
    if len(pairs) == 1 and not old and not pairs[0][1].is_dir():
        os.replace(*pairs[0])
        return
    replaced = dict.fromkeys([*old, *(place for _, place in pairs if os.path.lexists(place))])
    moves = [(entry, entry.with_name(temporary_name(entry.stem, entry.suffix))) for entry in replaced]
    with undisturbed(), ExitStack() as undo:
        for source, target in [*moves, *pairs]:
            # Before the move itself, because Ctrl-C may come between the two.
            undo.callback(_move_back, source, target)
            os.replace(source, target)
        undo.pop_all()
    for _, aside in moves:
        if aside.is_symlink():
            aside.unlink()
        remove(aside)


def _move_back(source: Path, target: Path) -> None:
    if not os.path.lexists(source):
        os.replace(target, source)


def _settle(path: Path) -> None:
    """Waits until the file is on the disk; otherwise a full disk may show only after the renaming."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
