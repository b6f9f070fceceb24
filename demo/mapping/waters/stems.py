"""Main stems of the global mesh: which river goes on where several meet or lakes lie on the way, and where rivers end."""

from __future__ import annotations

import numpy as np

from ...worlds import drainage
from .hydrology import NONE, Hydrology


def running(waters: Hydrology) -> np.ndarray:
    """Points, ascending, from which a river runs on to the receiver.

    Within a lake there is no river, nor at its outlet where all its water evaporates.
    """
    receiver, lake = waters.receiver_of_point, waters.lake_of_point
    runs = np.flatnonzero((waters.order_of_point > 0) & (receiver >= 0))
    leaves = (lake[runs] >= 0) & (lake[runs] != lake[receiver[runs]]) & (waters.passed_m3_s[runs] > 0.0)
    return runs[(lake[runs] < 0) | leaves]


def largest_feeders(waters: Hydrology) -> np.ndarray:
    """The river point that brings each point most water, int64 (points,), or NONE; of equal ones the lowest number."""
    return drainage.largest_feeders(waters.receiver_of_point, waters.passed_m3_s, running(waters))


def river_ends(waters: Hydrology) -> np.ndarray:
    """The last point of each river, int64, the one with most water first.

    There a river leaves the land, meets a larger river, or runs dry. It goes on through confluences where it brings most
    water. A lake ends it.
    """
    receiver, lake, flow = waters.receiver_of_point, waters.lake_of_point, waters.passed_m3_s
    runs = running(waters)
    to = receiver[runs]
    on = (waters.landmasses.landmass_of_point[to] >= 0) & (lake[to] < 0) & (largest_feeders(waters)[to] == runs)
    bottoms = np.flatnonzero((waters.order_of_point > 0) & (receiver < 0) & (lake < 0))
    ends = np.concatenate([runs[~on], bottoms])
    return ends[np.lexsort((ends, -flow[ends]))]


def stem_of_end(waters: Hydrology) -> dict[int, int]:
    """The last point of the stem that each river is a part of, by the river's own last point (`river_ends`).

    A stem goes on through lakes: the river that brings a lake most water, and what runs out of it, are parts of one.
    """
    receiver, lake, ends = waters.receiver_of_point, waters.lake_of_point, river_ends(waters).tolist()
    last, beyond = set(ends), dict[int, int]()
    for exit_point in running(waters).tolist():
        if lake[exit_point] >= 0:
            point = exit_point
            while point not in last:
                point = int(receiver[point])
            beyond[int(lake[exit_point])] = point
    onward, fed = dict[int, int](), set[int]()
    for end in ends:
        into = int(lake[receiver[end]]) if receiver[end] >= 0 else NONE
        if into != NONE and into not in fed:
            fed.add(into)
            onward[end] = beyond.get(into, end)
    return {end: _followed(onward, end) for end in ends}


def _followed(onward: dict[int, int], end: int) -> int:
    while onward.get(end, end) != end:
        end = onward[end]
    return end
