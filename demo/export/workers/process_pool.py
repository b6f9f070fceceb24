"""ProcessPool: the engine of worker processes of this machine.

A worker that is killed costs the piece in its hands: another one takes its place, and the piece is given out again.
"""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType

from ...mapping.local.engines import Numbers, Stage
from ...mapping.local.kept_parts import Arrays
from ...process.compiler import ROOT
from .. import child_programs
from ..block_store import BlockStore
from .ground_files import written
from .piece_maker import DONE, FAILED, MEMORY, READY

PROGRAM = f"{__package__}.piece_maker"
# How often a piece is begun, and how often workers may die before they are ready.
MOST_TRIES = 3
GONE = "gone"


class ProcessPool:
    """A context manager: its workers are processes from its entry to its exit, and outlive neither it nor this process."""

    def __init__(self, workers: int, keep: BlockStore) -> None:
        self._count, self._keep = workers, keep
        self._workers: set[_Worker] = set()
        self._events: SimpleQueue[tuple[_Worker, str, str]] = SimpleQueue()
        self._stillborn = 0

    def __enter__(self) -> ProcessPool:
        # They load their kernels while this process settles the planet.
        for _ in range(self._count):
            self._begin()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def made(self, stage: Stage, pieces: Sequence[Numbers], tell: Callable[[int], None]) -> list[Arrays]:
        """As `Engine` has it. Raises ExportError where the store has no room for what they are made from."""
        if not pieces:
            return []
        todo = _Todo(pieces, str(written(self._keep.folder, stage)))
        while len(todo.found) < len(pieces):
            for worker in self._workers:
                todo.give(worker)
            worker, word, said = self._events.get()
            piece, worker.piece = worker.piece, None
            worker.ready |= word in (READY, DONE)
            if word == MEMORY:
                raise MemoryError(said)
            if word == FAILED:
                raise RuntimeError(f"a worker cannot go on ({said})")
            if word == GONE:
                self._replace(worker)
                if piece is not None:
                    todo.again(piece)
            elif piece is not None:
                # The worker goes on while this process reads.
                todo.give(worker)
                todo.found[piece] = stage.piece(pieces[piece], self._keep)
                tell(len(todo.found))
        return [todo.found[k] for k in range(len(pieces))]

    def _begin(self) -> None:
        self._workers.add(_Worker(self._keep, self._events))

    def _replace(self, worker: _Worker) -> None:
        """Another worker in the place of one that has died."""
        self._workers.discard(worker)
        worker.end()
        self._stillborn += not worker.ready
        if self._stillborn >= MOST_TRIES:
            raise RuntimeError(
                f"workers have died {MOST_TRIES} times before they could begin: make the map without --workers"
            )
        self._begin()


class _Todo:
    """The pieces of a stage that workers have still to make; `found`: those that are made, by their places."""

    def __init__(self, pieces: Sequence[Numbers], folder: str) -> None:
        self._pieces, self._folder = pieces, folder
        self._left, self._tries = deque(range(len(pieces))), Counter[int]()
        self.found = dict[int, Arrays]()

    def give(self, worker: _Worker) -> None:
        """The next piece to a worker that has none."""
        if worker.ready and worker.piece is None and self._left:
            worker.piece = self._left.popleft()
            worker.tell({"stage": self._folder, "numbers": self._pieces[worker.piece]})

    def again(self, piece: int) -> None:
        """A piece whose worker has died comes next."""
        self._tries[piece] += 1
        if self._tries[piece] >= MOST_TRIES:
            raise RuntimeError(
                f"{MOST_TRIES} workers have died over one piece of the map, as they do without memory: take fewer --workers"
            )
        self._left.appendleft(piece)


class _Worker:
    """A process. `piece`: the place of what it makes, or None; `ready`: whether it has loaded what it needs."""

    def __init__(self, keep: BlockStore, events: SimpleQueue[tuple[_Worker, str, str]]) -> None:
        """`keep`: takes its pieces. `events`: takes what it says, and at last that it is GONE."""
        self.piece: int | None = None
        self.ready = False
        self._child = child_programs.begin([sys.executable, "-m", PROGRAM, str(keep.folder)], ROOT)
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()
        # Not among its arguments, which all users of the machine see: an address may hold a password.
        self._send(keep.elsewhere)

    def tell(self, words: dict[str, object]) -> None:
        """Ask it for a piece."""
        self._send(words)

    def _send(self, told: object) -> None:
        """That it has died is noticed by what it no longer says."""
        with suppress(OSError):
            assert self._child.stdin is not None
            self._child.stdin.write(f"{json.dumps(told)}\n")
            self._child.stdin.flush()

    def end(self) -> None:
        """Kill it, and return when it has ended."""
        child_programs.end(self._child)

    def _listen(self, events: SimpleQueue[tuple[_Worker, str, str]]) -> None:
        for line in self._child.stdout or ():
            # A worker that was killed may have begun a line.
            with suppress(ValueError):
                word, said = json.loads(line)
                events.put((self, word, said))
        events.put((self, GONE, ""))
