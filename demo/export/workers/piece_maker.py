"""A worker of this machine: a process that makes pieces of a map, as its parent asks for them.

    python -m demo.export.workers.piece_maker STORE

It reads JSON from its standard input: a line that says where the pieces lie, null for STORE, and then a line for each piece,
with the folder of its stage and its numbers. It prints a line when the piece lies there. It ends at once when its standard
input closes, and when its parent dies.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from ...process import environment
from ...process.memory import reuse_memory
from ...process.parent import die_with_parent

READY, DONE, FAILED, MEMORY = "ready", "done", "failed", "memory"


def main() -> None:
    """Makes pieces until the standard input closes; then it ends the process."""
    # Ctrl-C reaches all processes of a terminal: the parent ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    environment.prepare()
    reuse_memory()
    asked: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        # Import numba.
        from ..block_places import why
        from ..block_store import BlockStore, Elsewhere
        from .ground_files import let_go, stage_in

        elsewhere = asked.get()
        keep = BlockStore(Path(sys.argv[1]), elsewhere and Elsewhere(*elsewhere))
        try:
            keep.check_seen()
        except OSError as error:
            raise OSError(f"it cannot read {keep.where}: {why(error)}") from None
        answer: tuple[str, str] = (READY, "")
        while True:
            print(json.dumps(answer), file=answers, flush=True)
            piece = asked.get()
            folder = Path(piece["stage"])
            stage_in(folder).piece(tuple(piece["numbers"]), keep)
            let_go(folder)
            if keep.refused:
                # Its parent would have to make the piece again.
                raise OSError(f"it {keep.complaint}")
            answer = (DONE, "")
    except BaseException as error:  # whatever it is, the parent says it
        told = MEMORY if isinstance(error, MemoryError) else FAILED
        print(json.dumps((told, str(error).strip() or type(error).__name__)), file=answers, flush=True)
        os._exit(1)


def _listen(asked: SimpleQueue[Any]) -> None:
    for line in sys.stdin:
        asked.put(json.loads(line))
    os._exit(0)


if __name__ == "__main__":
    main()
