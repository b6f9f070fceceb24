"""What the pieces of a stage are made from, as files in a map's store: one .npy for each array, and the facts as JSON.

Workers map the files into their memory, so those of one machine share the pages. No file can hold code. Each run writes them
anew: what a killed process has left is never read.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path

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


@lru_cache(maxsize=1)
def stage_in(folder: Path) -> Stage:
    """The stage whose ground `written` has written there. Raises OSError, and ValueError for files that are damaged."""
    # Imports numba.
    from ...mapping.local.stages import STAGES

    told = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    arrays = {name: _mapped(folder / f"{name}.npy") for name in told["arrays"]}
    return STAGES[told["kind"]](Shared(arrays, told["facts"]))


def _mapped(path: Path) -> np.ndarray:
    """An array of a file. Pages are read when they are used.

    Copied on write, though nobody writes: numba would compile all kernels again for arrays that cannot be written.
    """
    return np.load(path, mmap_mode="c", allow_pickle=False).view(np.ndarray)
