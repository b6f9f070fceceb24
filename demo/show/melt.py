"""Melts: how long one world takes to turn into the next, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..maths.vectors import length

if TYPE_CHECKING:
    from ..story.story import Story

# How long one picture melts into another: at the end of a story, and when a person asked for the next one.
MELT_S, ASKED_MELT_S = 3.0, 2.0
# The same where the land of one world flows into that of the other.
FLOW_S, ASKED_FLOW_S = 5.0, 3.5
# From nearer to its centre than this many radii a planet does not flow: the camera would be flung into space.
FLOWS_FROM = 1.04


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


def can_flow(old: Story, new: Story) -> bool:
    """Whether the heights of one world can flow into those of the other, and the camera is far enough away for it."""
    a, b = old.prepared, new.prepared
    if a is None or b is None or a.atlas is not b.atlas or a.samples != b.samples or old.scene.cone or new.scene.cone:
        return False
    return not a.atlas.spherical or length(a.flight.pose(old.t).position) > FLOWS_FROM * old.scene.size_m
