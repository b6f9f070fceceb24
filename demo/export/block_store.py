"""A store of finished pieces of work in a map's folder, so that a map whose process was killed goes on where it was.

A piece is a file named by its key. It holds a checksum and then a .npz of plain arrays, in which nothing can be code. It
takes its place when it is whole. The store goes when its map is written, or has failed, or was ended.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..process.stderr import say
from .files import check_adding, explaining, removed_on_failure
from .leftovers import remove, remove_leftovers, temporary_name

FOLDER = ".blocks"
SUM_BYTES = hashlib.sha256().digest_size
Arrays = dict[str, np.ndarray]


class BlockStore:
    """Pieces in `folder`, for any processes at once. A full disk costs nothing but the pieces that find no room on it.

    `took_all`: whether all of them have found room so far.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self._told = folder, False
        self.took_all = True

    def __call__(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a key, kept or made now. Any threads may call it at once."""
        path = self.folder / f"{key}.npz"
        kept = self._read(path)
        if kept is None:
            kept = make()
            self._write(path, kept)
        return kept

    def _read(self, path: Path) -> Arrays | None:
        try:
            with path.open("rb") as file:
                told, data = file.read(SUM_BYTES), file.read()
        except OSError:
            return None
        if hashlib.sha256(data).digest() == told:
            with suppress(ValueError, OSError, zipfile.BadZipFile), np.load(io.BytesIO(data)) as file:
                return {name: file[name] for name in file.files}
        if not self._told:
            self._told = True
            say(f"a block in {self.folder} is damaged: it is computed again")
        return None

    def _write(self, path: Path, arrays: Arrays) -> None:
        held, named = io.BytesIO(), dict[str, Any](arrays)
        np.savez(held, **named)
        data = held.getbuffer()
        temporary = self.folder / temporary_name(path.stem, path.suffix)
        try:
            with temporary.open("wb") as file:
                file.write(hashlib.sha256(data).digest())
                file.write(data)
            os.replace(temporary, path)
        except OSError:
            self.took_all = False
            with suppress(OSError):
                temporary.unlink()


@contextmanager
def store_in(out: Path) -> Iterator[BlockStore]:
    """The store of the map in a folder, with what a killed process has left there. Raises ExportError.

    `out` is made when it does not exist, and removed again when the block fails. The store goes in any case.
    """
    check_adding(out)
    with explaining(out):
        made = not out.exists()
        folder = out.absolute() / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
    with removed_on_failure(folder.parent) if made else nullcontext(), removed_on_failure(folder):
        remove_leftovers(folder)
        yield BlockStore(folder)
        remove(folder)
