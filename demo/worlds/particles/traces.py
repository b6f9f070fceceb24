"""Traces: where particles that are let go later would be in the air by now, to be drawn."""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS
from .kernels import FLYING, STATUS, WEIGHT, fly, muster, release

# Ticks from one beat to the next. Whatever is flown is flown in whole beats, so that every picture shows the same ways.
BEAT = 8


@numba.njit(**OPTIONS)
def trace(seed_key, numbers, flown, emitter, group, ground, bounds, moves, out):
    """Where the particles `numbers` int64 (k,) are after `flown` float64 (k,) ticks each, if no ground is near.

    `group`: of one particle, scratch. Writes x, z, y, weight of those that live into the rows of `out` float64 (k, 4) and
    returns how many. Between beats the particles move in straight lines, so that a moment later each is seen a little lower
    and not somewhere else.
    """
    state = group.state
    before = np.zeros(3)
    found = 0
    for k in range(numbers.shape[0]):
        release(seed_key, numbers[k], 1, emitter, moves.box, group)
        beat = np.int64(flown[k]) // BEAT * BEAT
        for until in range(BEAT, beat + 1, BEAT):
            fly(group, muster(group, 1), until, ground, bounds, moves)
        for axis in range(3):
            before[axis] = state[axis, 0]
        fly(group, muster(group, 1), beat + BEAT, ground, bounds, moves)
        rest = (flown[k] - beat) / BEAT
        if state[STATUS, 0] == FLYING:
            for axis in range(3):
                out[found, axis] = before[axis] + (state[axis, 0] - before[axis]) * rest
            out[found, 3] = state[WEIGHT, 0]
            found += 1
    return found
