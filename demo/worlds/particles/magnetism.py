"""Magnetism: particles that merge in flight into super-particles and part again; and particles in flight to be drawn.

These kernels have a module of their own, so that a rain without magnetism does not compile them.
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

# Ticks from one beat to the next. Between beats particles fly freely; on a beat they feel each other.
BEAT = 8
_BREAKS = 1 << 42


@numba.njit(**OPTIONS)
def part(state, keys, count, breakup):
    """Each super-particle parts into its members with the chance `breakup`; these never merge again."""
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
    """Merge particles. In order of index each joins the nearest earlier one within `reach` cells that joined no other.

    Each new super-particle then stands at its members' centre of mass. A particle that has parted joins none. `heads` int64
    (2^b,) and `nexts` int64 (group,) are lists of the particles in each square of `reach` cells; `sums`: int64 (4, group),
    scratch. `unit`: cells a unit of height.
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
                    # Two squares may share a list, so the order in which equally near ones are met must not matter.
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
def fly_together(group, count, until, ground, bounds, moves, magnetism, unit):
    """`fly`, beat by beat, until a beat `until` or until none flies."""
    state = group.state
    beat, flying = 0, True
    while flying and beat < until:
        beat += BEAT
        fly(group, count, beat, ground, bounds, moves)
        if magnetism.reach > 0:
            if magnetism.breakup > 0.0:
                part(state, group.keys, count, magnetism.breakup)
            attract(state, count, magnetism.reach, unit, magnetism.heads, magnetism.nexts, magnetism.sums)
        flying = False
        for m in range(count):
            flying |= state[STATUS, m] == FLYING


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


@numba.njit(**OPTIONS)
def grow_magnetic(seed_key, first, to, total, emitter, group, ground, bounds, moves, landing, magnetism):
    """`kernels.grow` with magnetism: a super-particle piles up in the turn of its first member."""
    state, keys, tops = group.state, group.keys, emitter.tops
    reach, viscosity, listing, unit = landing.reach, landing.viscosity, landing.listing, landing.unit
    n = ground.shape[0]
    bits = ground.view(np.int32)
    size = state.shape[1]
    margin = max(-moves.box[0], 0)
    for p in range(first, to):
        m = p % size
        if m == 0:
            count = min(size, total - p)
            release(seed_key, p, count, emitter, moves.box, group)
            fly_together(group, count, NEVER, ground, bounds, moves, magnetism, unit)
        if state[STATUS, m] != LANDED:
            continue
        x, z, w, weight = state[X, m], state[Z, m], state[WINDOW, m], state[WEIGHT, m]
        if viscosity < 1.0 or listing:
            x, z = slide(keys[m], x, z, ground, viscosity, listing, unit)
        if weight == 1:
            top, wide = pile(x, z, reach, landing.footprint, ground, bits), reach
        else:
            top, wide = pile_super(x, z, weight, reach, magnetism.mass, magnetism.shape, ground)
        tops[w] = max(tops[w], np.int64(ground[z, x]) + emitter.lift)
        raise_bounds(x, z, wide, top, n, margin, bounds)


@numba.njit(**OPTIONS)
def trace(seed_key, total, firsts, flown, emitter, group, ground, bounds, moves, magnetism, unit, out):
    """Where the groups that begin with the particles `firsts` are after `flown` float64 ticks each, if no ground is near.

    Writes x, z, y, weight into the rows of `out` float64 (k, 4) and returns how many rows. Between beats the particles move
    in straight lines, so that a moment later each is seen a little lower and not somewhere else.
    """
    state = group.state
    before = np.zeros((3, state.shape[1]))
    found = 0
    for g in range(firsts.shape[0]):
        count = min(state.shape[1], total - firsts[g])
        release(seed_key, firsts[g], count, emitter, moves.box, group)
        beat = np.int64(flown[g]) // BEAT * BEAT
        fly_together(group, count, beat, ground, bounds, moves, magnetism, unit)
        before[:] = state[:3]
        fly(group, count, beat + BEAT, ground, bounds, moves)
        rest = (flown[g] - beat) / BEAT
        for m in range(count):
            if state[STATUS, m] == FLYING and found < out.shape[0]:
                for row in range(3):
                    out[found, row] = before[row, m] + (state[row, m] - before[row, m]) * rest
                out[found, 3] = state[WEIGHT, m]
                found += 1
    return found
