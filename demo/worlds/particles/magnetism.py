"""Magnetism: particles that merge in flight into super-particles, part and merge again; viscosity has its part in both.

A super-particle is its leader and a list of members, who stand still until they part. These kernels have a module of their
own, so that a rain without magnetism does not compile them.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS, uniform64
from .kernels import FLYING, LAST, LID, LISTED, MERGED, NEXT, STATUS, TICK, WEIGHT, X, Y, Z

# Draws of a particle by index, far above those of its moves and slides.
_BREAKS, _MERGES = 1 << 42, 1 << 44


@numba.njit(**OPTIONS)
def part(group, crowd, viscosity):
    """Each super-particle parts with the chance breakup (1 - viscosity): its members fly on from where it is."""
    state, air, course = group.state, crowd.air, crowd.course
    chance = crowd.breakup * (1.0 - viscosity)
    for a in range(course[LISTED]):
        m = air[a]
        if state[WEIGHT, m] == 1 or uniform64(group.keys[m], _BREAKS + state[TICK, m]) >= chance:
            continue
        q = state[NEXT, m]
        state[WEIGHT, m], state[NEXT, m], state[LAST, m] = 1, -1, m
        while q >= 0:
            after = state[NEXT, q]
            for row in (X, Z, Y, TICK, LID):
                state[row, q] = state[row, m]
            state[STATUS, q], state[WEIGHT, q], state[NEXT, q], state[LAST, q] = FLYING, 1, -1, q
            air[course[LISTED]] = q
            course[LISTED] += 1
            q = after


@numba.njit(**OPTIONS)
def attract(group, crowd, viscosity, unit):
    """Merge those in the air: in order each joins, with the chance `viscosity`, the nearest earlier one within reach.

    It joins one that has itself joined no other, and each new super-particle then stands at its members' centre of mass.
    `crowd.heads` and `crowd.nexts` are lists of the particles in each square of `reach` cells. `unit`: cells a unit of
    height. `crowd.air` then lists those that still fly on their own.
    """
    state, air, course = group.state, crowd.air, crowd.course
    heads, nexts, sums, reach = crowd.heads, crowd.nexts, crowd.sums, crowd.reach
    mask = 1
    while mask < 2 * course[LISTED]:
        mask *= 2
    heads[:mask] = -1
    mask -= 1
    for a in range(course[LISTED]):
        m = air[a]
        x, z, y, weight = state[X, m], state[Z, m], state[Y, m], state[WEIGHT, m]
        i, j = x // reach, z // reach
        nearest, chosen = float(reach * reach), -1
        for dj in range(-1, 2):
            for di in range(-1, 2):
                q = heads[((i + di) * 73_856_093 ^ (j + dj) * 19_349_663) & mask]
                while q >= 0:
                    away_x, away_z, away_y = x - state[X, q], z - state[Z, q], (y - state[Y, q]) * unit
                    away = away_x * away_x + away_z * away_z + away_y * away_y
                    # Two squares may share a list, so the order in which equally near ones are met must not matter.
                    if away < nearest or (away == nearest and (chosen < 0 or q < chosen)):
                        nearest, chosen = away, q
                    q = nexts[q]
        if chosen >= 0 and uniform64(group.keys[m], _MERGES + state[TICK, m]) < viscosity:
            state[STATUS, m] = MERGED
            state[NEXT, state[LAST, chosen]] = m
            state[LAST, chosen] = state[LAST, m]
            sums[0, chosen] += weight * x
            sums[1, chosen] += weight * z
            sums[2, chosen] += weight * y
            sums[3, chosen] += weight
            continue
        sums[0, m], sums[1, m], sums[2, m], sums[3, m] = weight * x, weight * z, weight * y, weight
        slot = (i * 73_856_093 ^ j * 19_349_663) & mask
        nexts[m] = heads[slot]
        heads[slot] = m
    flying = 0
    for a in range(course[LISTED]):
        m = air[a]
        if state[STATUS, m] != FLYING:
            continue
        air[flying] = m
        flying += 1
        weight = sums[3, m]
        if weight > state[WEIGHT, m]:
            state[X, m], state[Z, m], state[Y, m] = sums[0, m] // weight, sums[1, m] // weight, sums[2, m] // weight
            state[WEIGHT, m] = weight
    course[LISTED] = flying


@numba.njit(**OPTIONS)
def pile_super(x, z, weight, radius, mass, shape, ground):
    """Add the footprint of a super-particle: its radius r weight^(1/4) gives it the volume of its members' footprints.

    `shape`: index into `rain.FOOTPRINTS`. `mass`: in units of height. Returns (greatest height under it, reach).
    """
    n = ground.shape[0]
    square = radius * radius * np.sqrt(float(weight))
    reach = np.int64(np.ceil(np.sqrt(square)))
    top = np.float32(0.0)
    for j in range(max(z - reach, 0), min(z + reach, n - 1) + 1):
        for i in range(max(x - reach, 0), min(x + reach, n - 1) + 1):
            away = float((i - x) * (i - x) + (j - z) * (j - z))
            if away < square:
                if shape == 0:
                    height = square - away
                elif shape == 1:
                    height = 1.5 * np.sqrt(square) * (np.sqrt(square) - np.sqrt(away))
                else:
                    height = 0.5 * square
                ground[j, i] += np.float32(mass * height)
                top = max(top, ground[j, i])
    return np.int64(top), reach
