"""`relief.tif` written by a process of its own: Python lets only one thread of a process work at a time.

The process reads the heights of finished sections where this one does. If it is killed, another one writes the file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any

from ...mapping.local.relief_ground import ReliefGround
from ...mapping.local.shared_arrays import Shared, arrays_of
from ...mapping.objects.records import PlanetMap
from ...process.compiler import ROOT
from .. import child_programs
from ..block_store import BlockStore
from ..leftovers import remove
from ..workers.ground_files import write_shared
from .geotiff import pixels_of
from .raster_program import DONE, FAILED, PART

PROGRAM = f"{__package__}.raster_program"
# How often it is begun.
MOST_TRIES = 3


def stage_of(planet: PlanetMap) -> ReliefGround | None:
    """What another process has the relief of a map from; None where others cannot read its heights."""
    stage = getattr(planet.relief, "stage", None)
    return stage if isinstance(stage, ReliefGround) else None


def write(
    path: Path, planet: PlanetMap, progress: Callable[[float], None], store: BlockStore, stage: ReliefGround, threads: int
) -> None:
    """As `geotiff.write`. `store`: where the pieces of the map lie. Raises OSError, RuntimeError and ExportError."""
    ground = store.folder / f"{stage.digest}.raster"
    shared = stage.shared()
    write_shared(ground, Shared(shared.arrays | arrays_of("pixels", planet.river_pixels), shared.facts), "raster")
    asked = {
        "ground": str(ground),
        "elsewhere": store.elsewhere,
        "path": str(path),
        "code": planet.code,
        "radius_m": planet.radius_m,
        "pixels": astuple(pixels_of(planet)),
        "threads": threads,
    }
    for _ in range(MOST_TRIES):
        if _written(asked, progress):
            remove(ground)
            return
        path.unlink(missing_ok=True)
    raise RuntimeError(f"{MOST_TRIES} processes have died over it, as they do without memory")


def _written(asked: dict[str, Any], progress: Callable[[float], None]) -> bool:
    """Whether a process has written the file, and has not died over it."""
    child = child_programs.begin([sys.executable, "-m", PROGRAM], ROOT)
    try:
        assert child.stdin is not None
        # That it has died is noticed by what it no longer says.
        with suppress(OSError):
            child.stdin.write(f"{json.dumps(asked)}\n")
            child.stdin.flush()
        for line in child.stdout or ():
            word, *said = _heard(line)
            if word == PART:
                progress(said[0])
            elif word == DONE:
                return True
            elif word == FAILED:
                raise OSError(*said) if said[0] is not None else RuntimeError(said[1])
        return False
    finally:
        child_programs.end(child)


def _heard(line: str) -> list[Any]:
    """What a line says; a process that was killed may have begun it."""
    with suppress(ValueError):
        found = json.loads(line)
        if isinstance(found, list) and found:
            return found
    return [""]
