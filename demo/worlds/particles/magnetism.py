"""Magnetism: particles that merge in flight into super-particles, and part again; and particles to look at.

Apart from the kernels of a rain without magnetism, so that nobody compiles what he does not use.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS, uniform64
from .kernels import (
    FLYING,
    LANDED,
    LEADER,
    LID,
    MERGED,
    NEVER,
    SPENT,
    STATUS,
    TICK,
    WEIGHT,
    WINDOW,
    X,
    Y,
    Z,
    fly,
    pile,
    raise_bounds,
    release,
    slide,
)

# Ticks from one beat to the next: between them particles fly freely, on a beat they feel each other.
BEAT = 8
_BREAKS = 1 << 42


@numba.njit(**OPTIONS)
def part(state, keys, count, breakup):
    """Each super-particle parts by the chance `breakup` into its members; those never merge again."""
    for m in range(count):
        if state[STATUS, m] != FLYING or state[WEIGHT, m] == 1:
            continue
        if uniform64(keys[m], _BREAKS + state[TICK, m]) >= breakup:
            continue
        state[WEIGHT, m], state[SPENT, m] = 1, 1
        for q in range(count):
            root = q
            while state[LEADER, root] >= 0:
                root = state[LEADER, root]
            if q != m and root == m:
                for row in (X, Z, Y, TICK, LID):
                    state[row, q] = state[row, m]
                state[STATUS, q], state[WEIGHT, q], state[SPENT, q] = FLYING, 1, 1
        for q in range(count):
            if state[STATUS, q] == FLYING:
                state[LEADER, q] = -1


@numba.njit(**OPTIONS)
def attract(state, count, reach, unit, heads, nexts, sums):
    """In order of index, each joins the nearest earlier one within `reach` cells that joined no other; then each new
    super-particle stands at its members' centre of mass. A particle that parted once joins none.

    `heads` int64 (2^b,) and `nexts` int64 (group,): lists of the particles per square of `reach` cells; `sums` int64
    (4, group). `unit`: cells a unit of height.
    """
    heads[:] = -1
    mask = heads.shape[0] - 1
    for m in range(count):
        if state[STATUS, m] != FLYING or state[SPENT, m]:
            continue
        x, z, y, weight = state[X, m], state[Z, m], state[Y, m], state[WEIGHT, m]
        i, j = x // reach, z // reach
        nearest, chosen = float(reach * reach), -1
        for dj in range(-1, 2):
            for di in range(-1, 2):
                q = heads[((i + di) * 73_856_093 ^ (j + dj) * 19_349_663) & mask]
                while q >= 0:
                    away_x, away_z, away_y = x - state[X, q], z - state[Z, q], (y - state[Y, q]) * unit
                    away = away_x * away_x + away_z * away_z + away_y * away_y
                    # Two squares may share a list: which of equally near ones is met first must not matter.
                    if away < nearest or (away == nearest and (chosen < 0 or q < chosen)):
                        nearest, chosen = away, q
                    q = nexts[q]
        if chosen >= 0:
            state[STATUS, m], state[LEADER, m] = MERGED, chosen
            sums[0, chosen] += weight * x
            sums[1, chosen] += weight * z
            sums[2, chosen] += weight * y
            sums[3, chosen] += weight
            continue
        sums[0, m], sums[1, m], sums[2, m], sums[3, m] = weight * x, weight * z, weight * y, weight
        slot = (i * 73_856_093 ^ j * 19_349_663) & mask
        nexts[m] = heads[slot]
        heads[slot] = m
    for m in range(count):
        if state[STATUS, m] == FLYING and not state[SPENT, m] and sums[3, m] > state[WEIGHT, m]:
            weight = sums[3, m]
            state[X, m], state[Z, m], state[Y, m] = sums[0, m] // weight, sums[1, m] // weight, sums[2, m] // weight
            state[WEIGHT, m] = weight


@numba.njit(**OPTIONS)
def fly_together(
    state, keys, live, count, until, magnetism, breakup, unit, heads, nexts, sums, ground, bounds, sides, box, step,
    across, fall, jumps, falls, stray, of_gap, far,
):  # fmt: skip
    """`fly`, beat by beat, until a beat `until` or until none flies."""
    beat, flying = 0, True
    while flying and beat < until:
        beat += BEAT
        fly(state, keys, live, count, beat, ground, bounds, sides, box, step, across, fall, jumps, falls, stray, of_gap, far)
        if magnetism > 0:
            if breakup > 0.0:
                part(state, keys, count, breakup)
            attract(state, count, magnetism, unit, heads, nexts, sums)
        flying = False
        for m in range(count):
            flying |= state[STATUS, m] == FLYING


@numba.njit(**OPTIONS)
def pile_super(x, z, weight, radius, mass, shape, ground):
    """The footprint of a super-particle, of radius r weight^(1/4), which holds the volume of its members' footprints.

    `shape`: 0 paraboloid, 1 cone, 2 disc; `mass` in units of height. Returns (highest height, reach).
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


@numba.njit(**OPTIONS)
def grow_magnetic(
    seed_key, first, to, total, shapes, places, choice, tops, lift, state, keys, live, ground, tiles, bounds, sides, box,
    step, across, fall, jumps, falls, stray, of_gap, far, reach, print_, viscosity, listing, unit,
    magnetism, breakup, heads, nexts, sums, mass, shape,
):  # fmt: skip
    """`particles_kernels.grow` with magnetism: a super-particle piles up in the turn of its first member."""
    n = ground.shape[0]
    bits = ground.view(np.int32)
    group = state.shape[1]
    margin = max(-box[0], 0)
    for p in range(first, to):
        m = p % group
        if m == 0:
            count = min(group, total - p)
            release(seed_key, p, count, shapes, places, choice, tops, box, state, keys)
            fly_together(
                state, keys, live, count, NEVER, magnetism, breakup, unit, heads, nexts, sums, ground, bounds, sides,
                box, step, across, fall, jumps, falls, stray, of_gap, far,
            )  # fmt: skip
        if state[STATUS, m] != LANDED:
            continue
        x, z, w, weight = state[X, m], state[Z, m], state[WINDOW, m], state[WEIGHT, m]
        if viscosity < 1.0 or listing:
            x, z = slide(keys[m], x, z, ground, viscosity, listing, unit)
        if weight == 1:
            top, wide = pile(x, z, reach, print_, ground, bits), reach
        else:
            top, wide = pile_super(x, z, weight, reach, mass, shape, ground)
        tops[w] = max(tops[w], np.int64(ground[z, x]) + lift)
        raise_bounds(x, z, wide, top, n, margin, tiles, bounds, sides)


@numba.njit(**OPTIONS)
def trace(
    seed_key, total, firsts, flown, shapes, places, choice, tops, state, keys, live, ground, bounds, sides, box, step,
    across, fall, jumps, falls, stray, of_gap, far, magnetism, breakup, unit, heads, nexts, sums, out,
):  # fmt: skip
    """Where the groups that begin with the particles `firsts` are after `flown` float64 ticks each, if no ground is near.

    Writes x, z, y, weight into the rows of `out` float64 (k, 4) and returns how many. From beat to beat they go straight,
    so that a moment later each is seen a little lower, and not somewhere else.
    """
    before = np.zeros((3, state.shape[1]))
    found = 0
    for g in range(firsts.shape[0]):
        count = min(state.shape[1], total - firsts[g])
        release(seed_key, firsts[g], count, shapes, places, choice, tops, box, state, keys)
        beat = np.int64(flown[g]) // BEAT * BEAT
        fly_together(
            state, keys, live, count, beat, magnetism, breakup, unit, heads, nexts, sums, ground, bounds, sides, box, step,
            across, fall, jumps, falls, stray, of_gap, far,
        )  # fmt: skip
        before[:] = state[:3]
        fly(
            state,
            keys,
            live,
            count,
            beat + BEAT,
            ground,
            bounds,
            sides,
            box,
            step,
            across,
            fall,
            jumps,
            falls,
            stray,
            of_gap,
            far,
        )
        rest = (flown[g] - beat) / BEAT
        for m in range(count):
            if state[STATUS, m] == FLYING and found < out.shape[0]:
                for row in range(3):
                    out[found, row] = before[row, m] + (state[row, m] - before[row, m]) * rest
                out[found, 3] = state[WEIGHT, m]
                found += 1
    return found
