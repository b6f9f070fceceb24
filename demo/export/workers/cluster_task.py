"""What workers of a cluster run: each call makes one piece of a map. It is named by its module, so a cluster needs Landfall.

What does not work comes back as words. Python's own errors would come with a traceback.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ... import __version__
from ...process import environment
from ...process.memory import reuse_memory


def identity() -> str:
    """What has to be the same here and on a cluster for pieces of the same bits: the code, and what it computes with."""
    from importlib.metadata import version

    code = f"{__version__} ({environment.kernel_fingerprint():08x})"
    return f"{code}, Python {sys.version_info[0]}.{sys.version_info[1]}, numpy {version('numpy')}, numba {version('numba')}"


def make(stage: str, elsewhere: tuple[str, str] | None, numbers: tuple[int, ...]) -> str:
    """Makes a piece of the stage in a folder of a map's store; "" or what is wrong. MemoryError is raised.

    `elsewhere`: as a `BlockStore` takes it.
    """
    # Before numba is imported.
    environment.prepare()
    reuse_memory()
    from ..block_places import why
    from ..block_store import BlockStore, Elsewhere
    from .ground_files import let_go, stage_in

    folder = Path(stage)
    try:
        found = stage_in(folder)
    except (OSError, ValueError):
        return f"a worker of the cluster cannot read {folder}: OUTDIR must lie where all workers see it at the same path"
    keep = BlockStore(folder.parent, elsewhere and Elsewhere(*elsewhere))
    try:
        keep.check_seen()
    except OSError as error:
        return f"a worker of the cluster cannot read {keep.where} ({why(error)}): --blocks must be one place for all workers"
    found.piece(numbers, keep)
    let_go(folder)
    return f"a worker of the cluster {keep.complaint}, or may not write there" if keep.refused else ""
