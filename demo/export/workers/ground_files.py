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
    temporary = store / temporary_name(folder.stem)
    shared = stage.shared()
    with explaining(folder), removed_on_failure(temporary):
        temporary.mkdir()
        for name, values in shared.arrays.items():
            np.save(temporary / f"{name}.npy", np.ascontiguousarray(values), allow_pickle=False)
        facts = {"kind": stage.kind, "arrays": sorted(shared.arrays), "facts": shared.facts}
        (temporary / FACTS).write_text(json.dumps(facts), encoding="utf-8")
        remove(folder)
        os.replace(temporary, folder)
    return folder


class _Ground(NamedTuple):
    """A stage, and the files into which its arrays are mapped."""

    stage: Stage
    files: list[mmap.mmap]


def stage_in(folder: Path) -> Stage:
    """The stage whose ground `written` has written there. Raises OSError, and ValueError for files that are damaged."""
    return _ground_in(folder).stage


def let_go(folder: Path) -> None:
    """Has the system take back the memory of the stage's arrays. They are read again from their files when they are used.

    A piece uses what is around it. Without this a worker would hold all that its pieces have used.
    """
    if hasattr(mmap, "MADV_DONTNEED"):
        for file in _ground_in(folder).files:
            file.madvise(mmap.MADV_DONTNEED)


@lru_cache(maxsize=1)
def _ground_in(folder: Path) -> _Ground:
    # Imports numba.
    from ...mapping.local.stages import STAGES

    told = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    # Copied on write, though nobody writes: numba would compile all kernels again for arrays that cannot be written.
    mapped = {name: np.load(folder / f"{name}.npy", mmap_mode="c", allow_pickle=False) for name in told["arrays"]}
    arrays = {name: values.view(np.ndarray) for name, values in mapped.items()}
    return _Ground(STAGES[told["kind"]](Shared(arrays, told["facts"])), [values._mmap for values in mapped.values()])
