"""The levels of rivers: none rises on its way, into a lake or out of it; tributaries come down to what they join, and arms
begin at the level of what they leave."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..worlds.carving.river_ways import SEA, Courses
from .meanders import evened

# Ground along a course is evened over this many points to either side.
EVENED = 3
# Over this many points a tributary comes down to the river that it joins.
FALLING = 42


def levels_of(
    courses: Courses, high: np.ndarray, stepped: Callable[[int, np.ndarray], None] = lambda k, level: None
) -> np.ndarray:
    """The level of the water at each point, float64 (p,): nowhere above the evened ground, and never below the sea.

    `high`: (p,), of the ground; `stepped(k, level)` may lower the levels of line k where they fall, but not at its ends.
    """
    level = np.maximum(np.minimum(evened(high, courses, EVENED), high), 0.0)
    first = courses.first.tolist()
    joined, parted, end = courses.joined.tolist(), courses.parted.tolist(), courses.end.tolist()
    # Water stands above the bed of a lake, and does not climb on its way to one.
    held = _backwater(courses)
    level = np.maximum(level, held)
    # Tributaries come first, so all that flows into a river has been looked at before it.
    for k in range(len(joined)):
        own = level[first[k] : first[k + 1]]
        if end[k] == SEA:
            own[-1] = 0.0
        np.minimum.accumulate(own, out=own)
        if joined[k] >= 0:
            level[joined[k]] = min(level[joined[k]], own[-1])
    for k in reversed(range(len(joined))):
        own = level[first[k] : first[k + 1]]
        if joined[k] >= 0:
            falls = min(FALLING, len(own))
            # What is below the river's level here would climb into it.
            step = np.arange(1, falls + 1) / falls
            own[-falls:] = np.minimum.accumulate(own[-falls:] + step * (level[joined[k]] - own[-1]))
            np.maximum(own, held[first[k] : first[k + 1]], out=own)
        if parted[k] >= 0:
            np.minimum(own, level[parted[k]], out=own)
            own[0] = level[parted[k]]
        # After the river that it joins or leaves.
        stepped(k, own)
    return level


def _backwater(courses: Courses) -> np.ndarray:
    """The level of the highest lake downstream of each point, or at it, metres, float64 (p,); minus infinity for none."""
    water = courses.lake_m.astype(np.float64)
    first, joined = courses.first.tolist(), courses.joined.tolist()
    # The rivers that others join come last.
    for k in reversed(range(len(joined))):
        own = water[first[k] : first[k + 1]]
        if joined[k] >= 0:
            own[-1] = water[joined[k]]
        own[:] = np.maximum.accumulate(own[::-1])[::-1]
    return water
