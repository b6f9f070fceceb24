"""Places in which finished blocks are kept: a local folder, or whatever fsspec reaches by an address.

A local folder needs no fsspec. Whatever goes wrong in a place is an OSError.
"""

from __future__ import annotations

import errno
import importlib.util
import io
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Protocol
from urllib.request import url2pathname

from ..process.installation import how_to_get
from ..worlds.parameters import ParameterError
from .files import ExportError, check_adding, explaining
from .leftovers import remove_leftovers, temporary_name

INSTALL = how_to_get("requirements-map.txt", ["fsspec"])
LOCAL, IN_PROCESS = ("file", "local"), ("memory",)
# Objects that one request removes: S3 takes no more.
BATCH = 1000
LONGEST_REASON = 200
Bytes = bytes | memoryview


class Place(Protocol):
    """Named objects. Any threads may use it at once."""

    def prepare(self) -> None:
        """Has it take objects. Raises ExportError where that is not possible."""

    def open(self, name: str) -> BinaryIO:
        """An object, from its beginning. Raises FileNotFoundError where there is none."""

    def put(self, name: str, parts: Sequence[Bytes]) -> None:
        """An object of these bytes takes its place when it is whole."""

    def remove(self, names: Sequence[str]) -> None:
        """Removes objects, of which some may have gone."""


def place_of(address: str) -> Place:
    """The place of an address that `check_address` has let through."""
    folder = folder_of(address)
    return Reached(address) if folder is None else Folder(folder)


def folder_of(address: str) -> Path | None:
    """The local folder that an address names, absolute; None where it takes fsspec to reach it."""
    protocol, url, rest = address.partition("://")
    if url and protocol not in LOCAL:
        return None
    return Path(os.path.abspath(url2pathname(rest) if url else address))


def shown(address: str) -> str:
    """An address without the user and the password that it may hold."""
    return re.sub(r"(?<=://)[^/]*@", "", address)


def why(error: BaseException) -> str:
    """The reason of an error, in a few words."""
    told = getattr(error, "strerror", None) or " ".join(str(error).split())
    if isinstance(error, FileNotFoundError):
        # Filesystems give the path alone.
        told = os.strerror(errno.ENOENT)
    return told[:LONGEST_REASON] or type(error).__name__


def check_address(address: str, by_others: str = "") -> None:
    """Raises ParameterError for an address that nothing can reach, and ExportError where a package for it is missing.

    `by_others`: the option by which other processes are to reach it too.
    """
    if folder_of(address) is not None:
        return
    protocol, given = address.partition("://")[0], f"--blocks={shown(address)}"
    if by_others and protocol in IN_PROCESS:
        raise ParameterError(f"{given} and {by_others} are not possible together: no other process sees this one's memory")
    if importlib.util.find_spec("fsspec") is None:
        raise ExportError(f"fsspec is missing, which {given} needs: {INSTALL}")
    import fsspec

    try:
        fsspec.get_filesystem_class(protocol)
    except ValueError:
        raise ParameterError(f"{given} is not possible (fsspec knows no {protocol}://): give another address") from None
    except Exception as error:  # whatever its packages raise while they are imported
        raise ExportError(f"{given} cannot be reached ({why(error)}): install what is missing") from None


class Folder:
    """A local folder. It is made when it does not exist, and goes with its last object when it was made here."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._made = folder, False

    def prepare(self) -> None:
        """As in `Place`."""
        check_adding(self._folder)
        with explaining(self._folder):
            self._made = not self._folder.exists()
            self._folder.mkdir(exist_ok=True)
        remove_leftovers(self._folder)

    def open(self, name: str) -> BinaryIO:
        """As in `Place`."""
        return (self._folder / name).open("rb")

    def put(self, name: str, parts: Sequence[Bytes]) -> None:
        """As in `Place`."""
        path = self._folder / name
        temporary = self._folder / temporary_name(path.stem, path.suffix)
        try:
            with temporary.open("wb") as file:
                for part in parts:
                    file.write(part)
            os.replace(temporary, path)
        except OSError:
            with suppress(OSError):
                temporary.unlink()
            raise

    def remove(self, names: Sequence[str]) -> None:
        """As in `Place`; also what killed workers have left."""
        for name in names:
            (self._folder / name).unlink(missing_ok=True)
        remove_leftovers(self._folder)
        if self._made:
            # Another map may have put something there.
            with suppress(OSError):
                self._folder.rmdir()


class Reached:
    """What fsspec reaches by an address. An object is put in one go; whether it is whole is for its reader to find out."""

    def __init__(self, address: str) -> None:
        self._address = address

    def prepare(self) -> None:
        """As in `Place`."""

    def open(self, name: str) -> BinaryIO:
        """As in `Place`."""
        with _as_os_errors():
            files, root = self._files()
            return io.BytesIO(files.cat_file(f"{root}/{name}"))

    def put(self, name: str, parts: Sequence[Bytes]) -> None:
        """As in `Place`. A folder that does not exist is made; a bucket is not."""
        data = b"".join(parts)
        with _as_os_errors():
            files, root = self._files()
            try:
                files.pipe_file(f"{root}/{name}", data)
            except FileNotFoundError:
                if not files._parent(root):
                    raise
                files.mkdir(root, create_parents=False)
                files.pipe_file(f"{root}/{name}", data)

    def remove(self, names: Sequence[str]) -> None:
        """As in `Place`."""
        with _as_os_errors():
            files, root = self._files()
            for k in range(0, len(names), BATCH):
                some = [f"{root}/{name}" for name in names[k : k + BATCH]]
                try:
                    files.rm(some)
                except Exception:  # one that has gone may keep others from being removed
                    for path in some:
                        with suppress(FileNotFoundError):
                            files.rm_file(path)

    def _files(self) -> tuple[Any, str]:
        """(the filesystem, the path in it). Each thread has its own where connections take one thread at a time."""
        import fsspec

        files, root = fsspec.url_to_fs(self._address)
        return files, root.rstrip("/")


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """Each filesystem raises the errors of the library that it is made with."""
    try:
        yield
    except (OSError, MemoryError):
        raise
    except Exception as error:
        raise OSError(why(error)) from None
