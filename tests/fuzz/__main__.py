"""The fuzzer's own command line; see the package."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from .imports import begin, load

if TYPE_CHECKING:
    from .case import Outcome
    from .tally import Tally

COUNT, SEED = 200, 1


def main() -> int:
    """0 when nothing was found, 1 when something was, 2 for a wrong command line."""
    parser = _parser()
    given = parser.parse_args()
    begin()
    # These import the program.
    from .kinds import ALL, KINDS

    if given.kind is None:
        print("\n".join([*(f"{name:14} {row.help}" for name, row in KINDS.items()), f"{ALL:14} all of them in turn"]))
        return 0
    if given.kind not in (ALL, *KINDS):
        parser.error(f"there is no kind '{given.kind}': there are {', '.join((*KINDS, ALL))}")
    load()
    tally = fuzz(given)
    print(tally.table())
    return 1 if tally.faults else 0


def fuzz(given: argparse.Namespace) -> Tally:
    """Runs what the command line asks for, and prints each fault when it is found."""
    from .runner import Runner
    from .tally import Tally, in_words, summary

    tally = Tally()

    def told(outcome: Outcome) -> None:
        tally.add(outcome)
        if outcome.faults:
            print(in_words(outcome), flush=True)
        elif given.verbose:
            print(summary(outcome), flush=True)

    with ExitStack() as stack:
        display = stack.enter_context(_x_server()) if shutil.which("Xvfb") else None
        if display is None:
            print("Xvfb is not installed: there are no keys without a window", file=sys.stderr)
        runner = Runner(given.jobs, given.patience, given.keep, display)
        stack.callback(runner.close)
        runner.run(_wanted(given, display is not None), told)
    return tally


def _wanted(given: argparse.Namespace, windows: bool) -> Iterator[tuple[str, int]]:
    """The kinds and seeds of the cases, until there are enough, or the time is over."""
    from .kinds import in_turn

    count = given.count if given.count is not None else sys.maxsize if given.seconds else COUNT
    end = time.monotonic() + (given.seconds or float("inf"))
    for seed in range(given.seed, given.seed + count):
        if time.monotonic() > end:
            return
        kind = in_turn(given.kind, seed)
        if windows or kind != "keys":
            yield kind, seed


def _x_server():
    from tests.support.hosting import x_server

    return x_server()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Runs odd cases of the program.")
    parser.add_argument("kind", nargs="?", metavar="KIND", help="what is tried; without it the kinds are listed")
    parser.add_argument("count", nargs="?", type=int, metavar="COUNT", help=f"how many cases (default: {COUNT})")
    parser.add_argument("seed", nargs="?", type=int, default=SEED, metavar="SEED", help="of the first case (default: 1)")
    parser.add_argument("--seconds", type=float, metavar="S", help="start no case after this time")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="run N cases at a time")
    parser.add_argument("--patience", type=float, default=60.0, metavar="S", help="a case that takes longer is a fault")
    parser.add_argument("--keep", type=_folder, metavar="FOLDER", help="keep the folders of cases with faults there")
    parser.add_argument("--verbose", action="store_true", help="a line for every case")
    return parser


def _folder(text: str) -> Path:
    return Path(text).resolve()


if __name__ == "__main__":
    sys.exit(main())
