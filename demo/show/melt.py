"""Melts: how long one world takes to turn into the next, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass

# How long one picture melts into another: at the end of a story, and when a person asked for the next one.
MELT_S, ASKED_MELT_S = 3.0, 2.0
# The same where the land of one world flows into that of the other.
FLOW_S, ASKED_FLOW_S = 5.0, 3.5


@dataclass(frozen=True)
class Melt:
    """One story turns into the next.

    `start_s`: on the show's clock; `length_s`: in seconds; `flows`: the land of one flows into that of the other, instead of
    picture into picture.
    """

    start_s: float
    length_s: float
    flows: bool

    def share(self, clock: float) -> float:
        """How far it is at a time of the show's clock, 0..1."""
        return min(max((clock - self.start_s) / self.length_s, 0.0), 1.0)
