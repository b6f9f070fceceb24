"""What the pieces of a stage are made from, as files in a map's store: one .npy for each array, and the facts as JSON.

Workers map the files into their memory, so those of one machine share the pages. No file can hold code. Each run writes them
anew: what a killed process has left is never read.
"""

from __future__ import annotations

import json
import mmap
import os
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...mapping.local.engines import Stage
from ...mapping.local.shared_arrays import Shared
from ..files import explaining, removed_on_failure
from ..leftovers import remove, temporary_name

FACTS = "facts.json"


def written(store: Path, stage: Stage) -> Path:
    """Writes what a stage shares, and returns the folder in which it lies. Raises ExportError."""
    folder = store / f"{stage.digest}.{stage.kind}"
    write_shared(folder, stage.shared(), stage.kind)
    return folder


def write_shared(folder: Path, shared: Shared, kind: str) -> None:
    """Writes arrays and facts of a kind into a folder in a store, in place of what is there. Raises ExportError."""
    temporary = folder.with_name(temporary_name(folder.stem))
    with explaining(folder), removed_on_failure(temporary):
        temporary.mkdir()
        for name, values in shared.arrays.items():
            np.save(temporary / f"{name}.npy", np.ascontiguousarray(values), allow_pickle=False)
        facts = {"kind": kind, "arrays": sorted(shared.arrays), "facts": shared.facts}
        (temporary / FACTS).write_text(json.dumps(facts), encoding="utf-8")
        remove(folder)
        os.replace(temporary, folder)


class _Ground(NamedTuple):
    """What a folder holds, and the files into which its arrays are mapped."""

    kind: str
    shared: Shared
    files: list[mmap.mmap]


@lru_cache(maxsize=1)
def stage_in(folder: Path) -> Stage:
    """The stage whose ground `written` has written there. Raises OSError, and ValueError for files that are damaged."""
    # Imports numba.
    from ...mapping.objects.stages import STAGES

    found = _ground_in(folder)
    return STAGES[found.kind](found.shared)


def shared_in(folder: Path) -> Shared:
    """What `write_shared` has written there; raises as `stage_in` does."""
    return _ground_in(folder).shared


def let_go(folder: Path) -> None:
    """Has the system take back the memory of the stage's arrays. They are read again from their files when they are used.

    A piece uses what is around it. Without this a worker would hold all that its pieces have used.
    """
    if hasattr(mmap, "MADV_DONTNEED"):
        for file in _ground_in(folder).files:
            file.madvise(mmap.MADV_DONTNEED)


@lru_cache(maxsize=1)
def _ground_in(folder: Path) -> _Ground:
    told = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    # Copied on write, though nobody writes: numba would compile all kernels again for arrays that cannot be written.
    mapped = {name: np.load(folder / f"{name}.npy", mmap_mode="c", allow_pickle=False) for name in told["arrays"]}
    arrays = {name: values.view(np.ndarray) for name, values in mapped.items()}
    return _Ground(told["kind"], Shared(arrays, told["facts"]), [values._mmap for values in mapped.values()])
