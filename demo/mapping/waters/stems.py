"""Main stems: which of the waters that meet goes on as the river it is, and where rivers end. From the global mesh alone."""

from __future__ import annotations

import numpy as np

from .hydrology import NONE, Hydrology


def running(waters: Hydrology) -> np.ndarray:
    """Points, ascending, from which a river runs on to their receivers; within one lake there is none."""
    receiver, lake = waters.receiver_of_point, waters.lake_of_point
    runs = np.flatnonzero((waters.order_of_point > 0) & (receiver >= 0))
    return runs[(lake[runs] < 0) | (lake[runs] != lake[receiver[runs]])]


def largest_feeders(waters: Hydrology) -> np.ndarray:
    """For each point the river's point that brings it most water, int64, or NONE. Of those alike the lowest number."""
    runs = running(waters)
    rising = runs[np.lexsort((-runs, waters.passed_m3_s[runs]))]
    largest = np.full(len(waters.receiver_of_point), NONE, np.int64)
    largest[waters.receiver_of_point[rising]] = rising
    return largest


def river_ends(waters: Hydrology) -> np.ndarray:
    """The last point of each river, int64, that with most water first: where it leaves the land, meets a larger river, or
    runs dry. A river goes on through confluences where it brings most water; lakes end it."""
    receiver, lake, flow = waters.receiver_of_point, waters.lake_of_point, waters.passed_m3_s
    runs = running(waters)
    to = receiver[runs]
    on = (waters.landmasses.landmass_of_point[to] >= 0) & (lake[to] < 0) & (largest_feeders(waters)[to] == runs)
    bottoms = np.flatnonzero((waters.order_of_point > 0) & (receiver < 0) & (lake < 0))
    ends = np.concatenate([runs[~on], bottoms])
    return ends[np.lexsort((ends, -flow[ends]))]
