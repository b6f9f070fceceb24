"""What a map's file shows, in one form for all formats, so that two files can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

PER_DEGREE = 1e7


@dataclass(frozen=True)
class Drawn:
    """One thing in a file.

    `thing`: as in `edits.edit`, or "stem" for a river's relation and "other" for what is worked out from the rest. `lines`:
    its points, lines or rings, float64 (k, 2) each. `facts`: its other columns or tags.
    """

    thing: str
    name: str
    lines: tuple[np.ndarray, ...]
    height_m: float | None = None
    facts: Mapping[str, str] = field(default_factory=dict)

    def same_place(self, other: Drawn) -> bool:
        """Whether both lie in the same place, to the precision of files."""
        return sorted(map(line_key, self.lines)) == sorted(map(line_key, other.lines))


@dataclass
class Drawings:
    """All that a file shows.

    `known`: by (thing, id) those with an id; `new`: the others. `coast`: the lines of all coasts. `absent`: things that the
    file has no place for, such as those of a layer that is not there.
    """

    known: dict[tuple[str, int], Drawn] = field(default_factory=dict)
    new: list[Drawn] = field(default_factory=list)
    coast: list[np.ndarray] = field(default_factory=list)
    absent: set[str] = field(default_factory=set)

    def add(self, thing: Drawn, number: int | None) -> None:
        """Add a thing; a second one of the same id is new, as is one without."""
        key = thing.thing, number if number is not None else -1
        if number is None or key in self.known:
            self.new.append(thing)
        else:
            self.known[key] = thing


def line_key(line: np.ndarray) -> bytes:
    """The same for equal lines, whatever file they were in."""
    return np.rint(np.asarray(line, np.float64) * PER_DEGREE).astype(np.int64).tobytes()
