"""Particles that fall, land, slide and pile up: the compiled part of `particles`.

On the lattice x and z are in cells of the map (column, row), and y is in units of one downward move, as heights are.

A particle that can reach neither the ground nor a wall while it sinks m takes all ticks of that fall at once: their number
is drawn, and then how far it strayed meanwhile. Nearer to the ground, and where particles feel each other, it takes k ticks
at once if it can touch nothing within k ticks. Both follow exact distributions (`walk_tables`). Only next to the ground or
to a wall does a particle move tick by tick. `Bounds` tell how near the ground is: for square tiles of two sizes they hold an
upper bound of the heights in a tile and its eight neighbours. The named tuples are those of `rain`.

Random numbers are hashes of (particle's key, tick); a particle's key is a hash of (seed's key, particle index). Indices that
cannot be negative are unsigned, or loops run over slices, which spares numba's check for negative ones.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS, hash64, uniform64
from .walk_tables import CENTRE, COLUMN_BITS, FALL_BITS, LONGEST, MOVE_BITS, WINDOW_BITS, WINDOW_COLUMN_BITS

FLYING, LANDED, DEAD, MERGED = 0, 1, 2, 3
DISC, RECTANGLE, RING = 0, 1, 2
# The rows of a group's state, int64 (STATES, group).
X, Z, Y, TICK, LID, WINDOW, STATUS, WEIGHT, LEADER, SPENT = range(10)
STATES = 10
# Tiles have 8 and 64 cells. A third size between them saved no time, nor did smaller tiles.
FINE, COARSE = 3, 6
NEVER = 1 << 40
# A wall is ground that a particle never clears, so that near it the particle moves tick by tick.
WALL = 1 << 40
# Draws of a particle by index: the window, places in it, one for each tick at which it hops; far above them its slides.
_TRIES = 64
_SLIDES = 1 << 41
_FALLS = 1 << 43
# The eight neighbours, and one over their distance.
_EAST = np.array([1, 1, 0, -1, -1, -1, 0, 1])
_SOUTH = np.array([0, 1, 1, 1, 0, -1, -1, -1])
_PER_WAY = np.array([1.0, 0.5**0.5] * 4)
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


@numba.njit(inline="always", **OPTIONS)
def drawn(table, offset, bits):
    """The answer to 21 random bits of the alias table at `offset` in the flat `table`."""
    column = bits >> _DEPTH_BITS
    entry = _U(table[offset | column])
    beyond = ((bits & _DEPTH_MASK) + (entry >> _U(COLUMN_BITS + 1))) >> _DEPTH_BITS
    return np.int64(column) + np.int64(beyond) * (np.int64(entry & _ALIAS_MASK) - (1 << COLUMN_BITS))


@numba.njit(inline="always", **OPTIONS)
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
def release(seed_key, first, count, emitter, box, group):
    """Let `count` particles go, from number `first` on, into `group`; those outside the box die."""
    state, keys, tops = group.state, group.keys, emitter.tops
    for m in range(count):
        key = hash64(seed_key, first + m)
        x, z, w = emit(key, emitter)
        keys[m] = key
        inside = box[0] <= x <= box[1] and box[2] <= z <= box[3]
        state[X, m], state[Z, m], state[Y, m], state[TICK, m] = x, z, tops[w], 0
        state[LID, m], state[WINDOW, m], state[WEIGHT, m] = tops[w] + box[4], w, 1
        state[STATUS, m] = FLYING if inside else DEAD
        state[LEADER, m], state[SPENT, m] = -1, 0


@numba.njit(**OPTIONS)
def fly(group, count, until, ground, bounds, moves):
    """Move all that fly among the first `count` until they land, die or have flown `until` ticks.

    They take turns, hop by hop: while one waits for memory or for a chain of operations, the processor works on the next.
    """
    state, keys, live = group.state, group.keys, group.live
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
    kept = _U(0)
    for m in range(count):
        if status[m] == FLYING:
            live[kept] = m
            kept += _U(1)
    while kept:
        alive, kept = kept, _U(0)
        for a in range(alive):
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
                    continue
            if tick < until:
                live[kept] = np.int64(m)
                kept += _U(1)


@numba.njit(**OPTIONS)
def slide(key, x, z, ground, viscosity, listing, unit):
    """Where a particle that touched the ground at (x, z) comes to rest. `unit`: cells a unit of height.

    By default it goes to the steepest lower neighbour, with the chance drop * (1 - viscosity) / viscosity, where `drop` is
    in cells a cell of way: always at viscosity 0, never at 1. By Listing 2 it goes to the first lower neighbour, scanned
    from one corner, with the chance elevation difference * viscosity, biased as printed.
    """
    n = ground.shape[0]
    flat = ground.ravel()
    draw = _SLIDES
    while True:
        here = flat[_U(z * n + x)]
        best, to_x, to_z = 0.0, x, z
        bits = hash64(key, draw)
        for d in range(8):
            if listing:
                e = d if d < 4 else d + 1
                i, j = x + e // 3 - 1, z + e % 3 - 1
            else:
                # Which of equally low neighbours comes first is drawn, or piles would lean to one side.
                e = (d + np.int64(bits)) & 7
                i, j = x + _EAST[_U(e)], z + _SOUTH[_U(e)]
            if i < 0 or j < 0 or i >= n or j >= n:
                continue
            there = flat[_U(j * n + i)]
            if there >= here:
                continue
            drop = (np.float64(here) - np.float64(there)) * unit
            if listing:
                draw += 1
                if np.floor(uniform64(key, draw) * 101.0) < drop * viscosity * 100.0:
                    to_x, to_z = i, j
                    break
            else:
                steep = drop * _PER_WAY[_U(e)]
                if steep > best:
                    best, to_x, to_z = steep, i, j
        if to_x == x and to_z == z:
            return x, z
        if not listing and best * (1.0 - viscosity) <= viscosity * (np.float64(bits >> _U(11)) * 2.0**-53):
            return x, z
        draw += 1
        x, z = to_x, to_z


@numba.njit(**OPTIONS)
def pile(x, z, reach, footprint, ground, bits):
    """Add the `footprint` float32 (2 reach + 1, 2 reach + 1) around (x, z), skipping what is off the map.

    Returns the greatest height under it, rounded down. `bits`: `ground` seen as int32. Floats that are not negative have the
    order of their bits, and a maximum of integers compiles to vector instructions while one of strict floats does not.
    """
    n = ground.shape[0]
    left, right = max(x - reach, 0), min(x + reach, n - 1)
    skip, wide = left - (x - reach), right - left + 1
    top = np.int32(0)
    for j in range(max(z - reach, 0), min(z + reach, n - 1) + 1):
        line = ground[j, left : left + wide]
        more = footprint[j - (z - reach), skip : skip + wide]
        seen = bits[j, left : left + wide]
        for i in range(wide):
            line[i] += more[i]
        for i in range(wide):
            top = max(top, seen[i])
    return np.int64(np.int32(top).view(np.float32))


@numba.njit(**OPTIONS)
def raise_bounds(x, z, reach, top, n, margin, bounds):
    """Raise the bounds to `top` for ground within `reach` of (x, z)."""
    tiles, near, sides = bounds.tiles, bounds.near, bounds.sides
    left, right = max(x - reach, 0) + margin, min(x + reach, n - 1) + margin
    upper, lower = max(z - reach, 0) + margin, min(z + reach, n - 1) + margin
    base = 0
    for level in range(2):
        shift, side = (FINE, COARSE)[level], sides[level]
        fresh = False
        for j in range(upper >> shift, (lower >> shift) + 1):
            for i in range(left >> shift, (right >> shift) + 1):
                if tiles[base + j * side + i] < top:
                    tiles[base + j * side + i] = top
                    fresh = True
        if not fresh:
            # The coarse tile around was raised together with its fine tiles.
            return
        for j in range(max((upper >> shift) - 1, 0), min((lower >> shift) + 1, side - 1) + 1):
            for i in range(max((left >> shift) - 1, 0), min((right >> shift) + 1, side - 1) + 1):
                near[base + j * side + i] = max(near[base + j * side + i], top)
        base += side * side


@numba.njit(**OPTIONS)
def grow(seed_key, first, to, total, emitter, group, ground, bounds, moves, landing):
    """Let the particles first..to - 1 fall: a group flies over the map as it stands, then its members pile up in order.

    `group` outlives the call, so a call may end in the middle of a group.
    """
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
            fly(group, count, NEVER, ground, bounds, moves)
        if state[STATUS, m] != LANDED:
            continue
        x, z, w = state[X, m], state[Z, m], state[WINDOW, m]
        if viscosity < 1.0 or listing:
            x, z = slide(keys[m], x, z, ground, viscosity, listing, unit)
        top = pile(x, z, reach, landing.footprint, ground, bits)
        tops[w] = max(tops[w], np.int64(ground[z, x]) + emitter.lift)
        raise_bounds(x, z, reach, top, n, margin, bounds)


@numba.njit(**OPTIONS)
def survey(ground, box, bounds):
    """Fill `bounds` from scratch; where a wall cuts a tile or a neighbour of it, the bound is WALL."""
    near, sides = bounds.near, bounds.sides
    n = ground.shape[0]
    margin = max(-box[0], 0)
    for z in range(n):
        for x in range(n):
            raise_bounds(x, z, 0, np.int64(ground[z, x]), n, margin, bounds)
    base = 0
    for level in range(2):
        shift, side = (FINE, COARSE)[level], sides[level]
        for j in range(side):
            for i in range(side):
                left, right = ((i - 1) << shift) - margin, ((i + 2) << shift) - 1 - margin
                upper, lower = ((j - 1) << shift) - margin, ((j + 2) << shift) - 1 - margin
                if left < box[0] or right > box[1] or upper < box[2] or lower > box[3]:
                    near[base + j * side + i] = WALL
        base += side * side


@numba.njit(**OPTIONS)
def normalise(ground, low, span, curve, share, out):
    """out = share * curve((ground - low) / span), `curve` float32 (c,) tabulated over 0..1 and linear in between."""
    last = curve.shape[0] - 1
    for j in range(ground.shape[0]):
        for i in range(ground.shape[1]):
            place = (ground[j, i] - low) / span * np.float32(last)
            k = min(np.int64(place), last - 1)
            rest = place - np.float32(k)
            out[j, i] = share * (curve[k] + (curve[k + 1] - curve[k]) * rest)
