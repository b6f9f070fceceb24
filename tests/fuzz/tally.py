"""The tally of a run: how many cases of each kind there were, how they ended, and what was wrong."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, field

from .case import Outcome

HEAD = ("kind", "cases", "grew or drew", "status 0", "1", "2", "stopped at the work", "slowest", "faults")


@dataclass
class Tally:
    """Counts by kind; `faults`: how many cases had one."""

    cases: Counter = field(default_factory=Counter)
    slowest: dict[str, float] = field(default_factory=dict)
    faults: int = 0

    def add(self, outcome: Outcome) -> None:
        """Counts one outcome."""
        status = "stopped" if outcome.status not in (0, 1, 2) else str(outcome.status)
        self.cases.update((outcome.kind, what) for what in ("all", status))
        if outcome.made:
            self.cases[outcome.kind, "made"] += 1
        if outcome.faults:
            self.cases[outcome.kind, "faults"] += 1
            self.faults += 1
        self.slowest[outcome.kind] = max(self.slowest.get(outcome.kind, 0.0), outcome.seconds)

    def count(self, what: str, kind: str | None = None) -> int:
        """How many cases of a kind, or of all kinds, were `what`: all, made, faults, 0, 1, 2 or stopped."""
        return sum(number for (name, which), number in self.cases.items() if which == what and kind in (None, name))

    def rows(self) -> list[tuple[str, ...]]:
        """One row of text for each kind, and one for all of them, under HEAD."""
        kinds = sorted(self.slowest)
        return [self._row(kind, kind) for kind in kinds] + ([self._row("all", None)] if len(kinds) > 1 else [])

    def _row(self, name: str, kind: str | None) -> tuple[str, ...]:
        counts = [f"{self.count(what, kind):,}" for what in ("all", "made", "0", "1", "2", "stopped")]
        slowest = self.slowest[kind] if kind else max(self.slowest.values())
        return (name, *counts, f"{slowest:.1f} s", f"{self.count('faults', kind):,}")

    def table(self) -> str:
        """The rows as Markdown."""
        lines = [HEAD, tuple("---" for _ in HEAD), *self.rows()]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def in_words(outcome: Outcome) -> str:
    """A case that had faults: what they are, what was run and said, and how it is run again."""
    case = outcome.case
    changed = " ".join(
        f"{name}={'<unset>' if value is None else shlex.quote(value)}" for name, value in case.variables.items()
    )
    lines = [
        f"FAULT {outcome.kind} {outcome.seed}: {'; '.join(outcome.faults)}",
        f"  again:  python -m tests.fuzz {outcome.kind} 1 {outcome.seed} --keep FOLDER",
        f"  run:    {changed} main.py {shlex.join(case.words)}{''.join(f' {number}>&-' for number in case.closed)}",
        f"  status: {'too slow' if outcome.status is None else outcome.status} after {outcome.seconds:.1f} s",
        *(f"  stderr: {line}" for line in outcome.said.splitlines()[-6:]),
    ]
    # Odd characters must not reach the terminal here either.
    return "\n".join(line.encode("unicode_escape", "surrogateescape").decode() for line in lines)


def summary(outcome: Outcome) -> str:
    """A case without faults, in one line."""
    text = f"{outcome.kind} {outcome.seed}: {outcome.status} after {outcome.seconds:.2f} s  {outcome.said.strip()}"
    return text.encode("unicode_escape", "surrogateescape").decode()
