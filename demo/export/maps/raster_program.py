"""Writes `relief.tif` in a process of its own, for a map whose pieces lie in a store.

    python -m demo.export.maps.raster_program

It reads one line of JSON from its standard input, as `raster_process` sends it. It prints JSON lines: [PART, share of the
file] now and then; at last [DONE], or [FAILED, number of the system's error or null, words]. It ends at once when its
standard input closes, and when its parent dies.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...process import environment
from ...process.memory import reuse_memory
from ...process.parent import die_with_parent

PART, DONE, FAILED = "part", "done", "failed"
# The least share of the file between two lines.
TOLD = 0.005


def main() -> None:
    """Writes the file that is asked for; then it ends the process."""
    # Ctrl-C reaches all processes of a terminal: the parent ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    environment.prepare()
    reuse_memory()
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(*words: object) -> None:
        print(json.dumps(words), file=answers, flush=True)

    try:
        asked = json.loads(sys.stdin.readline())
        threading.Thread(target=_end_with_input, daemon=True).start()
        _write(asked, say)
        say(DONE)
    except BaseException as error:  # whatever it is, the parent says it
        while error.__cause__ is not None:
            error = error.__cause__
        words = getattr(error, "strerror", None) or str(error) or type(error).__name__
        say(FAILED, getattr(error, "errno", None), words)
        os._exit(1)
    os._exit(0)


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(1)


def _write(asked: dict[str, Any], say: Callable[..., None]) -> None:
    # Import numba.
    from ...mapping.local.relief_ground import ReliefGround
    from ...mapping.objects.records import RiverPixels
    from ...mapping.region import Region
    from ..block_store import BlockStore, Elsewhere
    from ..workers.ground_files import shared_in
    from .geotiff import Raster, write_raster

    folder, told = Path(asked["ground"]), 0.0
    shared = shared_in(folder)
    keep = BlockStore(folder.parent, asked["elsewhere"] and Elsewhere(*asked["elsewhere"]))
    relief, pixels = ReliefGround.of(shared).relief(keep), shared.parts("pixels", RiverPixels)

    def tell(part: float) -> None:
        nonlocal told
        if part - told >= TOLD:
            told = part
            say(PART, part)

    raster = Raster(asked["code"], asked["radius_m"], Region(*asked["pixels"]), relief, pixels)
    write_raster(Path(asked["path"]), raster, tell, asked["threads"])


if __name__ == "__main__":
    main()
