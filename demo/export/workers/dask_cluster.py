"""DaskCluster: the engine of a Dask cluster's workers, which share a folder with this process."""

from __future__ import annotations

import importlib.util
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from functools import partial
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any

from ...mapping.local.engines import Numbers, Stage
from ...mapping.local.kept_parts import Arrays
from ...process.installation import how_to_get
from ...worlds.parameters import ParameterError
from ..block_store import BlockStore
from ..files import ExportError
from . import cluster_task
from .ground_files import written

INSTALL = how_to_get("requirements-cluster.txt", ["distributed"])
# Tasks are named by their modules, so a cluster imports Landfall under the name that it has here.
PACKAGE = __name__.split(".")[0]
IN_TREE = "start it in the folder of Landfall, as in 'PYTHONPATH=. dask ...'"
START = "install it there" if PACKAGE == "landfall" else IN_TREE
LOGGERS = "distributed", "asyncio", "tornado"
# How long a scheduler is waited for, and how long a cluster may be without any worker.
ANSWER_S, WORKERS_S, LOOK_S = 10.0, 60.0, 1.0


class DaskCluster:
    """A context manager: this process is a client of the scheduler from its entry to its exit."""

    def __init__(self, address: str, keep: BlockStore) -> None:
        self._address, self._keep = address, keep
        self._client: Any = None

    def __enter__(self) -> DaskCluster:
        """Raises ExportError without the library, and ParameterError for a cluster that does not answer or does not fit."""
        if importlib.util.find_spec("distributed") is None:
            raise ExportError(f"distributed is missing, which --scheduler needs: {INSTALL}")
        import distributed

        # What goes wrong is said here, in one line. Some of its loggers have levels of their own.
        for name in (*LOGGERS, *logging.root.manager.loggerDict):
            if name.split(".")[0] in LOGGERS:
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            self._client = distributed.Client(self._address, timeout=ANSWER_S, set_as_default=False)
        except (OSError, ValueError, ImportError) as error:
            why = " ".join(str(error).split())[:120] or type(error).__name__
            raise ParameterError(f"no Dask scheduler answers at {self._address} ({why})") from None
        try:
            self._check()
        except BaseException:
            self._client.close()
            raise
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        # Tasks that are left are not begun.
        self._client.close()

    def _check(self) -> None:
        """Raises ParameterError where the scheduler or workers have another Landfall, or where there are no workers."""
        self._await_workers()
        ours = cluster_task.identity()
        for who, theirs in self._identities():
            if isinstance(theirs, BaseException):
                raise ParameterError(f"{who} cannot import {PACKAGE} ({theirs}): {START}")
            if theirs != ours:
                raise ParameterError(f"{who} has Landfall {theirs}: here it is {ours}")

    def _identities(self) -> Iterator[tuple[str, str | BaseException]]:
        """What tasks would find, or what keeps them from it: at the scheduler, which reads them too, and at each worker."""
        scheduler: str | BaseException
        try:
            scheduler = self._client.run_on_scheduler(cluster_task.identity)
        except Exception as error:  # as it was raised there, or what Dask makes of it
            scheduler = error
        yield f"the Dask scheduler at {self._address}", scheduler
        for worker, theirs in self._client.run(cluster_task.identity, on_error="return").items():
            yield f"the worker {worker} of the cluster", theirs

    def _await_workers(self) -> None:
        begun = time.monotonic()
        while not self._client.scheduler_info()["workers"]:
            if time.monotonic() - begun > ANSWER_S:
                raise ParameterError(f"the Dask scheduler at {self._address} has no workers: start some")
            time.sleep(0.1)

    def made(self, stage: Stage, pieces: Sequence[Numbers], tell: Callable[[int], None]) -> list[Arrays]:
        """As `Engine` has it. Raises ExportError where the store has no room for what they are made from."""
        if not pieces:
            return []
        folder, found, events = written(self._keep.folder, stage), dict[int, Arrays](), SimpleQueue[tuple[int, Any]]()
        # A plain tuple: what the scheduler reads names no more of Landfall than it has to.
        kept = self._keep.elsewhere
        elsewhere = (kept.address, kept.mark) if kept else None
        futures = self._client.map(partial(cluster_task.make, str(folder), elsewhere), pieces, pure=False)
        for k, future in enumerate(futures):
            future.add_done_callback(lambda future, k=k: events.put((k, future)))
        while len(found) < len(pieces):
            k, future = self._next(events)
            self._examine(future)
            found[k] = stage.piece(pieces[k], self._keep)
            tell(len(found))
        return [found[k] for k in range(len(pieces))]

    def _next(self, events: SimpleQueue[tuple[int, Any]]) -> tuple[int, Any]:
        """The next piece that is done. Raises RuntimeError where the cluster has gone."""
        idle = time.monotonic()
        while True:
            try:
                return events.get(timeout=LOOK_S)
            except Empty:
                if self._client.status != "running":
                    raise RuntimeError(self._gone()) from None
            if self._client.scheduler_info()["workers"]:
                idle = time.monotonic()
            elif time.monotonic() - idle > WORKERS_S:
                raise RuntimeError(f"all workers of the Dask scheduler at {self._address} have gone: start some")

    def _gone(self) -> str:
        return f"the Dask scheduler at {self._address} has gone: start it, and make the map again"

    def _examine(self, future: Any) -> None:
        """Raises what a piece has come to, if that is not its end."""
        if future.status == "finished":
            try:
                said = future.result()
            except (OSError, CancelledError):  # the scheduler has gone since
                raise RuntimeError(self._gone()) from None
            if said:
                raise RuntimeError(said)
            return
        if future.cancelled():
            raise RuntimeError(self._gone())
        error = future.exception() if future.status == "error" else None
        if isinstance(error, MemoryError):
            raise error
        if type(error).__name__ == "KilledWorker":
            raise RuntimeError("workers of the cluster have died over one piece of the map, as they do without memory")
        raise RuntimeError(f"a worker of the cluster cannot go on ({error or f'the piece was {future.status}'})")
