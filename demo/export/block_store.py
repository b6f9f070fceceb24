"""A store of finished pieces of work, so that a map whose process was killed goes on where it was.

It is a folder in the map's own one, unless it has an address. A piece is an object named by its key. It holds a checksum and
plain arrays, in which nothing can be code. Pieces go when their map is written, or has failed, or was ended.
What others have put into a store with an address stays: names of own pieces are noted in the map's folder.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from ..process.stderr import say
from .block_places import Bytes, Folder, folder_of, place_of, shown, why
from .files import ExportError, check_adding, explaining, removed_on_failure, undone_on_failure
from .leftovers import remove, remove_leftovers
from .packed_arrays import Arrays, packed, unpacked

FOLDER, ENDING = ".blocks", ".block"
# How long a map that has failed, or was ended, goes on removing its pieces from a store that answers slowly.
UNDO_S = 10.0
# After so many failures in a row a store with an address is left alone: each may take long to fail.
MOST_FAILURES = 3


class Elsewhere(NamedTuple):
    """A store with an address; `mark`: the name of an object in it, by which workers know it again."""

    address: str
    mark: str


class BlockStore:
    """Pieces in `folder` or `elsewhere`, for any processes at once. `folder` takes what they are made from in any case.

    A full disk costs nothing but the pieces that find no room on it. `refused`: why a piece has found none, "" so far.
    """

    def __init__(self, folder: Path, elsewhere: Elsewhere | None = None) -> None:
        self.folder, self.elsewhere, self.refused = folder, elsewhere, ""
        self._place = place_of(elsewhere.address) if elsewhere else Folder(folder)
        self._told = self._begun = self._closed = False
        self._failures = 0

    @property
    def where(self) -> str:
        """The place of its pieces, for messages."""
        return shown(self.elsewhere.address) if self.elsewhere else str(self.folder)

    @property
    def complaint(self) -> str:
        """What is to be said of a piece that was refused."""
        return f"cannot write {self.where}" + (f" ({self.refused})" if self.elsewhere else ": free some space")

    def __call__(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a key, kept or made now. Any threads may call it at once."""
        name = f"{key}{ENDING}"
        kept = self._read(name)
        if kept is None:
            kept = make()
            self._write(name, kept)
        return kept

    def begin(self) -> None:
        """Puts the mark into a store with an address. Raises ExportError where it does not come out again."""
        if not self.elsewhere:
            return
        with explaining(self.folder):
            self._noted.mkdir(exist_ok=True)
        self._place.prepare()
        try:
            self._put(self.elsewhere.mark, [self.elsewhere.mark.encode()])
            self.check_seen()
        except OSError as error:
            words = f"cannot keep blocks in {self.where} ({why(error)}): check the address and who may write there"
            raise ExportError(words) from None
        self._begun = True

    def check_seen(self) -> None:
        """Raises OSError where this process cannot read the mark of a store with an address."""
        if not self.elsewhere:
            return
        with self._place.open(self.elsewhere.mark) as file:
            if file.read() != self.elsewhere.mark.encode():
                raise OSError("what is put there comes out changed")

    def clear(self, within_s: float | None = None) -> None:
        """Removes what this map has put into a store with an address, its killed process included.

        `within_s`: the map has failed. No more is said, and what has not gone after this time stays.
        """
        if not self.elsewhere:
            return
        self._closed = True
        names = os.listdir(self._noted) if self._noted.exists() else []
        if within_s is None:
            self._remove(names, say)
            return
        # The store may no longer answer.
        thread = Thread(target=self._remove, args=(names, lambda words: None), daemon=True)
        thread.start()
        thread.join(within_s)

    def _remove(self, names: Sequence[str], tell: Callable[[str], None]) -> None:
        try:
            self._place.remove(names)
        except OSError as error:
            tell(f"blocks of this map stay in {self.where} ({why(error)}): remove them")

    @property
    def _noted(self) -> Path:
        """The folder with a file for each object that this map has put elsewhere. Each address has its own."""
        assert self.elsewhere
        address = self.elsewhere.address.encode(errors="surrogateescape")
        return self.folder / f"put-{hashlib.sha256(address).hexdigest()[:16]}"

    @property
    def _left_alone(self) -> bool:
        return self.elsewhere is not None and self._failures >= MOST_FAILURES

    def _read(self, name: str) -> Arrays | None:
        if self._left_alone:
            return None
        try:
            with self._place.open(name) as file:
                data = file.read()
        except FileNotFoundError:
            self._failures = 0
            return None
        except OSError:
            self._failures += 1
            return None
        self._failures = 0
        found = unpacked(data)
        if found is None and not self._told:
            self._told = True
            say(f"a block in {self.where} is damaged: it is computed again")
        return found

    def _write(self, name: str, arrays: Arrays) -> None:
        if self._left_alone:
            return
        parts = packed(arrays)
        try:
            self._put(name, parts)
            self._failures = 0
        except OSError as error:
            self._failures += 1
            if self._begun and not self.refused:
                say(f"a block cannot be kept in {self.where} ({why(error)}): the map goes on without")
            self.refused = why(error)

    def _put(self, name: str, parts: Sequence[Bytes]) -> None:
        """Raises OSError."""
        if self._closed:
            return
        if self.elsewhere:
            # First, so that no object is there whose name is not.
            (self._noted / name).touch()
        self._place.put(name, parts)


@contextmanager
def store_in(out: Path, address: str | None = None) -> Iterator[BlockStore]:
    """The store of the map in a folder, with what a killed process has left there. Raises ExportError.

    `out` is made when it does not exist, and removed again when the block fails. The pieces go in any case. `address`: as
    `check_address` lets it through; None for a folder in `out`.
    """
    check_adding(out)
    with explaining(out):
        made = not out.exists()
        folder = out.absolute() / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
    with removed_on_failure(folder):
        with removed_on_failure(folder.parent) if made else nullcontext():
            remove_leftovers(folder)
            store = BlockStore(folder, _elsewhere(address, folder))
            with undone_on_failure(partial(store.clear, UNDO_S)):
                store.begin()
                yield store
        # What is written stays, whatever happens from here.
        with undone_on_failure(partial(store.clear, UNDO_S)):
            store.clear()
        remove(folder)


def _elsewhere(address: str | None, folder: Path) -> Elsewhere | None:
    """None where an address names the folder in which blocks lie without one."""
    local = folder_of(address) if address else folder
    if not address or local == folder:
        return None
    # Workers have other current folders.
    return Elsewhere(address if local is None else str(local), f"landfall-{secrets.token_hex(16)}.mark")
