"""Kernels over a drained mesh: turning basins around, grading the relief, gathering water, order of rivers, mouths."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import OPTIONS


@numba.njit(**OPTIONS)
def turn(receiver, inner, outer):
    """Make basins run off over passes: the way from `inner` down to its pit is turned around, in place."""
    for k in range(inner.size):
        p, ahead = inner[k], outer[k]
        while True:
            behind = receiver[p]
            receiver[p] = ahead
            if behind == p:
                break
            p, ahead = behind, p


@numba.njit(**OPTIONS)
def grade(order, receiver, lake, land, surface):
    """Make `surface` fall, or stay, along every receiver, in place; lakes and the sea keep their levels.

    First downstream: what is higher than what flows to it is cut. Then upstream: what is still lower than what it flows to
    (a lake, the sea) is filled up.
    """
    for p in order:
        r = receiver[p]
        if r < land and lake[r] < 0 and surface[r] > surface[p]:
            surface[r] = surface[p]
    for k in range(order.size - 1, -1, -1):
        p = order[k]
        if p < land and lake[p] < 0 and surface[p] < surface[receiver[p]]:
            surface[p] = surface[receiver[p]]


@numba.njit(**OPTIONS)
def breached(neighbour, lake, surface, level, outlet):
    """Whether each lake would run off elsewhere: a rim lower than its level, or an outlet that is higher."""
    bad = np.zeros(level.size, np.bool_)
    for p in range(lake.size):
        if lake[p] < 0:
            continue
        for k in range(neighbour.shape[1]):
            q = neighbour[p, k]
            if lake[q] != lake[p] and surface[q] < level[lake[p]]:
                bad[lake[p]] = True
    for k in range(level.size):
        if outlet[k] >= 0 and surface[outlet[k]] != level[k]:
            bad[k] = True
    return bad


@numba.njit(**OPTIONS)
def gather(order, receiver, land, lake, loss, has_outlet, runoff, discharge, inflow, outflow):
    """Discharge of every place, m^3/s: its own runoff and all that flows to it.

    Water that leaves a lake is what reached it, less `loss`, but not less than nothing. `inflow` and `outflow` by lake.
    """
    for p in range(discharge.size):
        discharge[p] = runoff[p] if p < land else 0.0
    for p in order:
        if p >= land:
            continue
        r, water, own = receiver[p], discharge[p], lake[p]
        if own >= 0 and (r == p or lake[r] != own):
            inflow[own] += water
            water = max(water - loss[own], 0.0) if has_outlet[own] else 0.0
            outflow[own] += water
        if r != p:
            discharge[r] += water


@numba.njit(**OPTIONS)
def strahler(order, receiver, land, discharge, threshold):
    """Strahler's order, uint8: 0 where less than `threshold` flows, 1 at sources, n + 1 where two of n meet."""
    rank, twice = np.zeros(receiver.size, np.uint8), np.zeros(receiver.size, np.bool_)
    for p in order:
        if p >= land or discharge[p] < threshold:
            rank[p] = 0
            continue
        rank[p] = max(rank[p], 1) + (1 if twice[p] else 0)
        r = receiver[p]
        if r == p or r >= land:
            continue
        if rank[p] > rank[r]:
            rank[r], twice[r] = rank[p], False
        elif rank[p] == rank[r]:
            twice[r] = True
    return rank


@numba.njit(**OPTIONS)
def mouths(order, receiver, land):
    """The last land place on the way of each place downstream; a sea place is its own: int32 (m,)."""
    mouth = np.empty(receiver.size, np.int32)
    for k in range(order.size - 1, -1, -1):
        p = order[k]
        r = receiver[p]
        mouth[p] = p if r == p or r >= land else mouth[r]
    return mouth
