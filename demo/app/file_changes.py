"""Changes of files in a user's folders: thought out in full first, then shown as a patch or carried out."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

BACKUP = ".before-landfall"


@dataclass(frozen=True)
class Change:
    """One file as it is and as it is to be: bytes, None where there is none. `mode`: its permissions when it is new."""

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int = 0o644


@dataclass(frozen=True)
class OwnFile:
    """A file that is Landfall's alone."""

    path: Path
    content: bytes
    mode: int = 0o644

    def present(self) -> bool:
        """Whether it is there."""
        return self.path.exists()

    def installing(self) -> Iterator[Change]:
        """Writes it, and mends it where it is another version's."""
        yield Change(self.path, content_of(self.path), self.content, self.mode)

    def removing(self) -> Iterator[Change]:
        """Removes it."""
        yield Change(self.path, content_of(self.path), None)


@dataclass(frozen=True)
class UsersFile:
    """A file of the user's in which Landfall has an entry.

    `add(content)` has the entry in it; its argument is None where there is no file. `remove(content)` is without it, and the
    same where there is none. The file as it was is kept beside it, and comes back when nobody else has changed it.
    """

    path: Path
    add: Callable[[bytes | None], bytes]
    remove: Callable[[bytes], bytes]

    @property
    def _backup(self) -> Path:
        return self.path.with_name(self.path.name + BACKUP)

    def present(self) -> bool:
        """Whether the entry is there."""
        now = content_of(self.path)
        return now is not None and self.remove(now) != now

    def installing(self) -> Iterator[Change]:
        """Adds the entry once, and keeps the file as it was."""
        if self.present():
            return
        now = content_of(self.path)
        if now is not None:
            yield Change(self._backup, content_of(self._backup), now, stat.S_IMODE(self.path.stat().st_mode))
        yield Change(self.path, now, self.add(now))

    def removing(self) -> Iterator[Change]:
        """Takes the entry out, or brings the file back as it was."""
        now, before = content_of(self.path), content_of(self._backup)
        if now is not None and self.present():
            without = self.remove(now)
            yield Change(self.path, now, before if without == self.remove(self.add(before)) else without)
        yield Change(self._backup, before, None)


def content_of(path: Path) -> bytes | None:
    """The bytes of a file; None where there is none. Raises OSError for one that cannot be read."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def real(changes: Iterator[Change]) -> list[Change]:
    """Those that change anything."""
    return [change for change in changes if change.before != change.after]


def patch(change: Change) -> bytes:
    """The change as a patch that `git apply` and `patch` take, byte for byte."""
    path = os.fsencode(change.path)
    head = [b"diff --git %s %s\n" % (path, path)]
    if change.before is None:
        head.append(b"new file mode 100%o\n" % change.mode)
    if change.after is None:
        head.append(b"deleted file mode 100%o\n" % change.mode)
    old, new = (_lines(side) for side in (change.before, change.after))
    names = (b"/dev/null" if side is None else path for side in (change.before, change.after))
    ends = (line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n" for line in _diff(old, new, *names))
    return b"".join([*head, *ends])


def _lines(content: bytes | None) -> list[bytes]:
    """Lines with their ends, by \\n alone: a carriage return is part of a line."""
    return [line for line in re.split(rb"(?<=\n)", content or b"") if line]


def _diff(old: list[bytes], new: list[bytes], old_name: bytes, new_name: bytes) -> Iterator[bytes]:
    return difflib.diff_bytes(difflib.unified_diff, old, new, old_name, new_name)


def carry_out(change: Change) -> None:
    """Writes or removes the file, whole or not at all; a link stays a link. Raises OSError."""
    path = Path(os.path.realpath(change.path))
    if change.after is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = change.mode if change.before is None else stat.S_IMODE(path.stat().st_mode) | change.mode & 0o111
    unfinished = path.with_name(f".{path.name}-landfall-{os.getpid()}")
    try:
        unfinished.write_bytes(change.after)
        unfinished.chmod(mode)
        os.replace(unfinished, path)
    except OSError:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise


def remove_empty(folder: Path, base: Path) -> None:
    """Removes the folder and those above it as long as they are empty, below `base`."""
    with contextlib.suppress(OSError):
        while folder != base and base in folder.parents:
            folder.rmdir()
            folder = folder.parent
