"""Programs with faults in the place of Landfall, each in a case of the fuzzer: run by `tests/whole/test_fuzz.py`.

    python -m tests.support.planted_faults

Ends with an error where the fuzzer does not see a fault, or sees one where there is none.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.fuzz import child, kinds
from tests.fuzz.case import Case, Kind, Outcome
from tests.fuzz.runner import Runner


def _traceback() -> int:
    raise ZeroDivisionError("nobody caught it")


def _says(text: str, status: int) -> int:
    print(text, file=sys.stderr)
    return status


def _writes(name: str, data: bytes, status: int) -> int:
    Path(name).write_bytes(data)
    return _says("landfall: it is written", status)


NOTE = "landfall: NUMBA_NUM_THREADS=abc is no number of threads: as many are used as there are cores"

# What each program does, and what the fuzzer must say of it.
PLANTED: dict[str, tuple[Callable[[], object], str]] = {
    "signal": (lambda: os.kill(os.getpid(), signal.SIGKILL), "it died by signal 9"),
    "traceback": (_traceback, "a traceback"),
    "endless": (lambda: time.sleep(600), "it ran for more than"),
    "status": (lambda: 3, "its status is 3"),
    "lines": (lambda: _says("landfall: one\nlandfall: two", 1), "2 lines on stderr"),
    "unexpected": (lambda: _says("landfall: KeyError ('x'): a fault of Landfall", 1), "an error that nobody expected"),
    "failed": (lambda: _says("landfall: it is broken: mend it", 1), "it failed, and nothing outside"),
    "silent": (lambda: 2, "an error without its line"),
    "colour": (lambda: _says("landfall: \x1b[31mred", 2), "control characters on stderr"),
    "unfinished": (lambda: _writes(".out-x.npz", b"half", 1), "it failed and changed '.out-x.npz'"),
    "hidden": (lambda: _writes(".out-x.json", b"{}", 0), "it left '.out-x.json'"),
    "broken": (lambda: _writes("out.npz", b"PK", 0), "'out.npz' is not whole"),
    "right": (lambda: _writes("out.json", b"{}", 0), ""),
    "noted": (lambda: _says(f"{NOTE}\nlandfall: no: do something else", 2), ""),
    "noted alone": (lambda: _says(NOTE, 2), "an error without its line"),
    "refused": (lambda: _says("landfall: no: do something else", 2), ""),
}


def main() -> None:
    """Runs every program once."""
    child.program = lambda: lambda words: PLANTED[words[0]][0]()
    for name in PLANTED:
        kinds.KINDS[name] = Kind(lambda random, name=name: Case([name], can_fail=name != "failed"), 1, "planted")
    found: dict[str, Outcome] = {}
    runner = Runner(jobs=4, patience_s=5.0)
    runner.run(((name, 1) for name in PLANTED), lambda outcome: found.update({outcome.kind: outcome}))
    runner.close()
    for name, (_, expected) in PLANTED.items():
        faults = "; ".join(found[name].faults)
        if expected not in faults or bool(expected) != bool(faults):
            sys.exit(f"{name}: the fuzzer says '{faults}' in place of '{expected}': {found[name]}")
    print(f"{len(PLANTED)} planted programs were judged rightly")


if __name__ == "__main__":
    main()
