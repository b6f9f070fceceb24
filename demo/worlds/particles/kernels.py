"""Particles that fall until they touch the ground: the compiled part of `particles`, with `landing_kernels`.

On the lattice x and z are in cells of the map (column, row), and y is in units of one downward move, as heights are.

A particle that can reach neither the ground nor a wall while it sinks m takes all ticks of that fall at once: their number
is drawn, and then how far it strayed meanwhile. Nearer to the ground, and where particles feel each other, it takes k ticks
at once if it can touch nothing within k ticks. Both follow exact distributions (`walk_tables`). Only next to the ground or
to a wall does a particle move tick by tick. `Bounds` tell how near the ground is: for square tiles of two sizes they hold an
upper bound of the heights in a tile and its eight neighbours. The named tuples are those of `rain_parts`.

Random numbers are hashes of (particle's key, tick); a particle's key is a hash of (seed's key, particle index). Indices that
cannot be negative are unsigned, or loops run over slices, which spares numba's check for negative ones.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import INLINED, OPTIONS, hash64
from .landing_kernels import COARSE, FINE, land
from .walk_tables import CENTRE, COLUMN_BITS, FALL_BITS, LONGEST, MOVE_BITS, WINDOW_BITS, WINDOW_COLUMN_BITS

FLYING, LANDED, DEAD, MERGED = 0, 1, 2, 3
DISC, RECTANGLE, RING = 0, 1, 2
# The rows of a group's state, int64 (STATES, group).
X, Z, Y, TICK, LID, WINDOW, STATUS, WEIGHT, NEXT, LAST = range(10)
STATES = 10
# The entries of a crowd's course, int64 (COURSE,): particles on its list, let go, and in the air; the tick at which this
# round ends; the place on the list of the first that may still have to pile up; places in the group that nobody has.
LISTED, RELEASED, AIRBORNE, CLOCK, AT, FREE = range(6)
COURSE = 6
# The entries of a group's turn, int64 (TURN,): members on its list that fly, those that the last turn brought down and how
# many of them have piled up, and all particles of the rain that have landed or died.
ALOFT, DOWN, PILED, SETTLED = range(4)
TURN = 4
NEVER = 1 << 40
# Draws of a particle by index: the window, places in it, one for each tick at which it hops.
_TRIES = 64
_FALLS = 1 << 43
_U = np.uint64
_DEPTH_BITS = np.uint64(MOVE_BITS - COLUMN_BITS)
_DEPTH_MASK = np.uint64((1 << (MOVE_BITS - COLUMN_BITS)) - 1)
_OFFSET_MASK = np.uint64(~((1 << COLUMN_BITS) - 1) & 0xFFFFFFFF)
_ALIAS_MASK = np.uint64((1 << (COLUMN_BITS + 1)) - 1)
_MOVE_MASK = np.uint64((1 << MOVE_BITS) - 1)
_Z_BITS, _Y_BITS = np.uint64(MOVE_BITS), np.uint64(2 * MOVE_BITS)
_FALL_DEPTH = np.uint64(MOVE_BITS - FALL_BITS)
_FALL_MASK = np.uint64((1 << (MOVE_BITS - FALL_BITS)) - 1)
_FALL_ALIAS_MASK = np.uint64((2 << FALL_BITS) - 1)
# Where in `stray` the tables of 0..15 ticks begin.
_SHORT = (LONGEST + 1) // 16
_WINDOW_SHIFT = np.uint64(64 - WINDOW_COLUMN_BITS)
_WINDOW_MASK = np.uint64((1 << (WINDOW_BITS - WINDOW_COLUMN_BITS)) - 1)


@numba.njit(**INLINED)
def drawn(table, offset, bits):
    """The answer to 21 random bits of the alias table at `offset` in the flat `table`."""
    column = bits >> _DEPTH_BITS
    entry = _U(table[offset | column])
    beyond = ((bits & _DEPTH_MASK) + (entry >> _U(COLUMN_BITS + 1))) >> _DEPTH_BITS
    return np.int64(column) + np.int64(beyond) * (np.int64(entry & _ALIAS_MASK) - (1 << COLUMN_BITS))


@numba.njit(**INLINED)
def _drawn_ticks(table, offset, bits):
    """As `drawn`, of the longer tables of falls."""
    column = bits >> _FALL_DEPTH
    entry = _U(table[offset | column])
    beyond = ((bits & _FALL_MASK) + (entry >> _U(FALL_BITS + 1))) >> _FALL_DEPTH
    return np.int64(column) + np.int64(beyond) * (np.int64(entry & _FALL_ALIAS_MASK) - (1 << FALL_BITS))


@numba.njit(**OPTIONS)
def emit(key, emitter):
    """(x, z, window) of a new particle: a window drawn by its weight, and a place in it."""
    shapes, places, choice = emitter.shapes, emitter.places, emitter.choice
    bits = hash64(key, 0)
    w = np.int64(bits >> _WINDOW_SHIFT)
    entry = np.int64(choice[w])
    if np.int64(bits >> _U(32) & _WINDOW_MASK) + (entry >> (WINDOW_COLUMN_BITS + 1)) > np.int64(_WINDOW_MASK):
        w += (entry & ((2 << WINDOW_COLUMN_BITS) - 1)) - (1 << WINDOW_COLUMN_BITS)
    shape = shapes[w]
    inner = places[w, 4] * places[w, 4]
    a, b = 0.0, 0.0
    for draw in range(1, _TRIES):
        bits = hash64(key, draw)
        a = np.float64(bits >> _U(32)) * 2.0**-31 - 1.0
        b = np.float64(bits & _U(0xFFFFFFFF)) * 2.0**-31 - 1.0
        away = a * a + b * b
        if shape == RECTANGLE or (away <= 1.0 and (shape == DISC or away >= inner)):
            break
    x = np.int64(np.floor(places[w, 0] + a * places[w, 2] + 0.5))
    z = np.int64(np.floor(places[w, 1] + b * places[w, 3] + 0.5))
    return x, z, w


@numba.njit(**OPTIONS)
def let_go(seed_key, p, m, clock, emitter, box, group):
    """Let particle number `p` go at tick `clock`, as number `m` of `group`. Returns whether it is in the box and lives."""
    state = group.state
    key = hash64(seed_key, p)
    x, z, w = emit(key, emitter)
    group.keys[m] = key
    inside = box[0] <= x <= box[1] and box[2] <= z <= box[3]
    top = emitter.tops[w]
    state[X, m], state[Z, m], state[Y, m], state[TICK, m] = x, z, top, clock
    state[LID, m], state[WINDOW, m], state[WEIGHT, m] = top + box[4], w, 1
    state[STATUS, m] = FLYING if inside else DEAD
    state[NEXT, m], state[LAST, m] = -1, m
    return inside


@numba.njit(**OPTIONS)
def release(seed_key, first, count, emitter, box, group):
    """Let `count` particles go, from number `first` on, into `group`."""
    for m in range(count):
        let_go(seed_key, first + m, m, 0, emitter, box, group)


@numba.njit(**OPTIONS)
def muster(group, count):
    """Put all that fly among the first `count` on the list of `fly`. Returns how many."""
    status, live = group.state[STATUS], group.live
    flying = 0
    for m in range(count):
        if status[m] == FLYING:
            live[flying] = m
            flying += 1
    return flying


@numba.njit(**OPTIONS)
def fly(group, flying, until, ground, bounds, moves):
    """Move the first `flying` on the list `group.live` until each of them lands, dies or has reached tick `until`."""
    while flying:
        flying, _ = hop(group, flying, until, ground, bounds, moves)


@numba.njit(inline="always", **OPTIONS)
def hop(group, flying, until, ground, bounds, moves):
    """Move the first `flying` on the list `group.live` by one hop each. Returns how many of them stay on it, and how many
    land, which `group.down` then lists.

    They take turns: while one waits for memory or for a chain of operations, the processor works on the next.
    """
    state, keys, live, down = group.state, group.keys, group.live, group.down
    near, sides = bounds.near, bounds.sides
    box, step, across, fall, jumps = moves.box, moves.step, moves.across, moves.fall, moves.jumps
    falls, stray, of_gap, far = moves.falls, moves.stray, moves.of_gap, moves.far
    xs, zs, ys, ticks, lids, status = state[X], state[Z], state[Y], state[TICK], state[LID], state[STATUS]
    n = ground.shape[0]
    flat = ground.ravel()
    margin = max(-box[0], 0)
    fine, coarse = _U(sides[0]), _U(sides[1])
    base = fine * fine
    most_fine, most_coarse = (1 << FINE) // step, (1 << COARSE) // step
    deepest = of_gap.shape[0] - 1
    kept, fallen = _U(0), _U(0)
    for a in range(_U(flying)):
        m = _U(live[a])
        x, z, y, tick = xs[m], zs[m], ys[m], ticks[m]
        i, j = _U(x + margin), _U(z + margin)
        gap = y - 1 - near[base + (j >> _U(COARSE)) * coarse + (i >> _U(COARSE))]
        bits = hash64(keys[m], _TRIES + tick)
        if gap > 0 and deepest > 0 and lids[m] - y >= far and until - tick > LONGEST:
            entry = of_gap[_U(min(gap, deepest))]
            depth = entry & ((1 << FALL_BITS) - 1)
            taken = depth + _drawn_ticks(falls, _U(entry - depth), bits & _MOVE_MASK)
            more = hash64(keys[m], _FALLS + tick)
            long, short = _U(taken >> 4) << _U(COLUMN_BITS), _U(_SHORT + (taken & 15)) << _U(COLUMN_BITS)
            east = drawn(stray, long, (bits >> _Z_BITS) & _MOVE_MASK) + drawn(stray, short, more & _MOVE_MASK)
            south = drawn(stray, long, (bits >> _Y_BITS) & _MOVE_MASK)
            south += drawn(stray, short, (more >> _Z_BITS) & _MOVE_MASK)
            xs[m], zs[m] = x + step * (east - 2 * CENTRE), z + step * (south - 2 * CENTRE)
            ys[m], ticks[m] = y - depth, tick + taken
            live[kept] = np.int64(m)
            kept += _U(1)
            continue
        k = min(y - 1 - near[(j >> _U(FINE)) * fine + (i >> _U(FINE))], most_fine)
        k = max(k, min(gap, most_coarse))
        k = min(min(k, lids[m] - y), until - tick)
        jump = jumps[_U(max(k, 0))]
        taken, offset = jump & ((1 << COLUMN_BITS) - 1), _U(jump) & _OFFSET_MASK
        x += step * (drawn(across, offset, bits & _MOVE_MASK) - taken)
        z += step * (drawn(across, offset, (bits >> _Z_BITS) & _MOVE_MASK) - taken)
        y += drawn(fall, offset, (bits >> _Y_BITS) & _MOVE_MASK) - taken
        tick += taken
        xs[m], zs[m], ys[m], ticks[m] = x, z, y, tick
        if k < 1:
            # This was a single tick that might have gone too far.
            if x < box[0] or x > box[1] or z < box[2] or z > box[3] or y < 0 or y > lids[m]:
                status[m] = DEAD
                continue
            if 0 <= x < n and 0 <= z < n and y <= flat[_U(z) * _U(n) + _U(x)]:
                status[m] = LANDED
                down[fallen] = np.int64(m)
                fallen += _U(1)
                continue
        if tick < until:
            live[kept] = np.int64(m)
            kept += _U(1)
    return np.int64(kept), np.int64(fallen)


@numba.njit(**OPTIONS)
def grow(seed_key, to, total, emitter, group, ground, bounds, moves, landing):
    """Let particles fall, group after group, until at least `to` of them have landed or died.

    The members of a group hop in turn, and those that touch the land pile up before the next turn: the others meet what
    they left. `group` outlives the call, so a call may end in the middle of a turn.
    """
    state, keys, down, turn = group.state, group.keys, group.down, group.turn
    size = keys.shape[0]
    margin = max(-moves.box[0], 0)
    while turn[SETTLED] < to:
        if turn[PILED] < turn[DOWN]:
            m = down[turn[PILED]]
            land(keys[m], state[X, m], state[Z, m], state[WINDOW, m], emitter, ground, bounds, margin, landing)
            turn[PILED] += 1
            turn[SETTLED] += 1
            continue
        flying = turn[ALOFT]
        if flying == 0:
            # All that were let go have settled.
            flying = min(size, total - turn[SETTLED])
            release(seed_key, turn[SETTLED], flying, emitter, moves.box, group)
            turn[ALOFT], turn[DOWN] = muster(group, flying), 0
        else:
            turn[ALOFT], turn[DOWN] = hop(group, flying, NEVER, ground, bounds, moves)
        turn[SETTLED] += flying - turn[ALOFT] - turn[DOWN]
        turn[PILED] = 0
