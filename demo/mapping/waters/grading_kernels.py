"""Kernels over a drained mesh: they turn basins around, grade the relief, gather water, and find orders and mouths."""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import OPTIONS


@numba.njit(**OPTIONS)
def turn(receiver, inner, outer):
    """Make basins run off over their passes: reverse, in place, the way from each `inner` end down to its pit."""
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
    """Change `surface`, in place, so that it never rises from a point to its receiver; lakes and the sea keep their levels.

    First, downstream, every point higher than one that flows to it is cut. Then, upstream, every point still lower than its
    receiver, which is a lake or the sea, is filled.
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
def settle(neighbour, receiver, lake, land, surface):
    """Lower the bottoms of dry basins, in place, where a valley beside them has been cut deeper."""
    for p in range(land):
        if receiver[p] == p and lake[p] < 0:
            for k in range(neighbour.shape[1]):
                surface[p] = min(surface[p], surface[neighbour[p, k]])


@numba.njit(**OPTIONS)
def breached(neighbour, lake, surface, level, outlet):
    """Whether a lake meets another or would run off elsewhere: its rim is below its level, or its outlet is above it."""
    bad = np.zeros(level.size, np.bool_)
    for p in range(lake.size):
        if lake[p] < 0:
            continue
        for k in range(neighbour.shape[1]):
            q = neighbour[p, k]
            if lake[q] != lake[p] and (surface[q] < level[lake[p]] or lake[q] >= 0):
                bad[lake[p]] = True
    for k in range(level.size):
        if outlet[k] >= 0 and surface[outlet[k]] != level[k]:
            bad[k] = True
    return bad


@numba.njit(**OPTIONS)
def gather(order, receiver, land, lake, loss, has_outlet, runoff, discharge, inflow, outflow):
    """Fill `discharge` of every place, float64 m^3/s: its own runoff and all that flows to it.

    What leaves a lake is what reached it less its `loss`, but never less than nothing. Fills `inflow` and `outflow`, by
    lake, as well.
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
def strahler(order, receiver, land, discharge, threshold, leaves):
    """Strahler's order, uint8: 0 where less than `threshold` flows, 1 at sources, n + 1 where two rivers of order n meet.

    `leaves`: bool, where water leaves a lake. What leaves a lake is a river down to its mouth, however little it is.
    """
    rank, twice = np.zeros(receiver.size, np.uint8), np.zeros(receiver.size, np.bool_)
    fed = np.zeros(receiver.size, np.bool_)
    for p in order:
        fed[p] |= leaves[p]
        if fed[p]:
            fed[receiver[p]] = True
        if p >= land or (discharge[p] < threshold and not fed[p]):
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
    """The last land place on the way downstream from each place: int32 (m,). A place in the sea is its own mouth."""
    mouth = np.empty(receiver.size, np.int32)
    for k in range(order.size - 1, -1, -1):
        p = order[k]
        r = receiver[p]
        mouth[p] = p if r == p or r >= land else mouth[r]
    return mouth
