"""Who makes the pieces of a map: the threads of this process, worker processes of this machine, or a cluster."""

from __future__ import annotations

import os
from argparse import Namespace
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from ..export.block_places import check_address
from ..worlds.parameters import ParameterError

if TYPE_CHECKING:
    from ..export.block_store import BlockStore
    from ..mapping.local.engines import Engine


def check_engine(arguments: Namespace) -> None:
    """Raises ParameterError for options that name two engines, or a store that an engine cannot reach; and ExportError."""
    if arguments.workers and arguments.scheduler:
        raise ParameterError("--workers and --scheduler are not possible together: both say who makes the map")
    if arguments.blocks:
        check_address(arguments.blocks, "--workers" if arguments.workers else "--scheduler" if arguments.scheduler else "")


def engine_for(arguments: Namespace, keep: BlockStore) -> AbstractContextManager[Engine | None]:
    """The engine that the options name, whose pieces lie in `keep`; None for the threads of this process."""
    # Imports of each engine alone: they bring numba along.
    if arguments.scheduler:
        from ..export.workers.dask_cluster import DaskCluster

        return DaskCluster(arguments.scheduler, keep)
    if arguments.workers:
        from ..export.workers.process_pool import ProcessPool

        return ProcessPool(arguments.workers, keep)
    return nullcontext()


def threads_of(arguments: Namespace) -> int:
    """Threads of this process: as many as it has workers beside it, whose turn it is when these have none."""
    return min(arguments.workers or processors(), processors())


def processors() -> int:
    """The number that this process may use, counted as numba does, without importing numba."""
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(os.environ.get("NUMBA_NUM_THREADS", ours))
