"""A case of the fuzzer, and what came of it: plain records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random


@dataclass
class Case:
    """One run of the program.

    `words`: what stands after `python main.py`. `lay`: lays files into the case's folder before. `variables`: changes of the
    environment, None: unset. `fresh`: whether it is a process of its own and not a fork. `stop`: whether it ends where the
    work begins, at the first world or picture. `can_fail`: whether something outside of the program may fail it, with the
    status 1. `script`: the events of each frame for a show in a window; None: no window. `closed`: streams that are closed,
    of 0, 1 and 2. `check`: says what is wrong with the folder after a status of 0.
    """

    words: list[str]
    lay: Callable[[Path], None] | None = None
    variables: dict[str, str | None] = field(default_factory=dict)
    fresh: bool = False
    stop: bool = False
    can_fail: bool = False
    script: list[list[tuple[str, dict]]] | None = None
    closed: tuple[int, ...] = ()
    check: Callable[[Path], str | None] | None = None


@dataclass(frozen=True)
class Kind:
    """One row of the table of kinds: `make` draws a case from random numbers; `weight`: its share among all kinds."""

    make: Callable[[Random], Case]
    weight: int
    help: str


@dataclass(frozen=True)
class Outcome:
    """What a case came to. `status`: negative for a signal, None where it was too slow. `made`: whether it grew or drew."""

    kind: str
    seed: int
    case: Case
    status: int | None
    said: str
    seconds: float
    made: bool
    faults: tuple[str, ...]
