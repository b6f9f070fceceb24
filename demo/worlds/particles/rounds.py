"""Rounds: the article's steps 4 to 12 with many groups in the air together, for rains that merge and rains as printed.

A round lets one group go (step 4), moves all that are in the air (5) and lets those that touch the ground slide and pile up
at once (6 to 10); then comes the next round (11, 12). As printed a round is one move of each; otherwise it is some moves,
within which each particle hops on its own.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS
from .kernels import (
    AIRBORNE,
    AT,
    CLOCK,
    FLYING,
    FREE,
    LANDED,
    LISTED,
    NEXT,
    RELEASED,
    STATUS,
    WEIGHT,
    WINDOW,
    X,
    Z,
    fly,
    let_go,
)
from .landing_kernels import land, raise_bounds, slide
from .magnetism import attract, part, pile_super


@numba.njit(**OPTIONS)
def next_round(seed_key, total, emitter, group, moves, landing, crowd):
    """What happens between two rounds: those in the air merge and part, and the next group is let go."""
    state, course, air = group.state, crowd.course, crowd.air
    flying = 0
    for a in range(course[LISTED]):
        if state[STATUS, air[a]] == FLYING:
            air[flying] = air[a]
            flying += 1
    course[LISTED] = flying
    if crowd.reach > 0:
        attract(group, crowd, landing.viscosity, landing.unit)
        part(group, crowd, landing.viscosity)
    count = min(crowd.together, total - course[RELEASED])
    # A group for which there is no room waits.
    for _ in range(count if count <= course[FREE] else 0):
        m = crowd.free[course[FREE] - 1]
        if let_go(seed_key, course[RELEASED], m, course[CLOCK], emitter, moves.box, group):
            course[FREE] -= 1
            air[course[LISTED]] = m
            course[LISTED] += 1
            course[AIRBORNE] += 1
        course[RELEASED] += 1
    course[CLOCK] += crowd.beat
    course[AT] = 0


@numba.njit(**OPTIONS)
def land_super(m, emitter, group, ground, bounds, margin, landing, crowd):
    """`landing_kernels.land` for a super-particle."""
    state = group.state
    x, z, w = state[X, m], state[Z, m], state[WINDOW, m]
    if landing.viscosity < 1.0 or landing.listing:
        x, z = slide(group.keys[m], x, z, ground, landing.viscosity, landing.listing, landing.unit)
    top, wide = pile_super(x, z, state[WEIGHT, m], landing.reach, crowd.mass, crowd.shape, ground)
    emitter.tops[w] = max(emitter.tops[w], np.int64(ground[z, x]) + emitter.lift)
    raise_bounds(x, z, wide, top, ground.shape[0], margin, bounds)


@numba.njit(**OPTIONS)
def grow_in_rounds(seed_key, to, total, emitter, group, ground, bounds, moves, landing, crowd):
    """Let particles fall round by round until at least `to` of them have landed or died; a super-particle counts for each
    of its members. `group` and `crowd` outlive the call."""
    state, course, air, free = group.state, crowd.course, crowd.air, crowd.free
    margin = max(-moves.box[0], 0)
    while course[RELEASED] - course[AIRBORNE] < to:
        if course[AT] == course[LISTED]:
            next_round(seed_key, total, emitter, group, moves, landing, crowd)
            flying = course[LISTED]
            group.live[:flying] = air[:flying]
            fly(group, flying, course[CLOCK], ground, bounds, moves)
            continue
        m = air[course[AT]]
        course[AT] += 1
        if state[STATUS, m] == FLYING:
            continue
        if state[STATUS, m] == LANDED and state[WEIGHT, m] == 1:
            land(group.keys[m], state[X, m], state[Z, m], state[WINDOW, m], emitter, ground, bounds, margin, landing)
        elif state[STATUS, m] == LANDED:
            land_super(m, emitter, group, ground, bounds, margin, landing, crowd)
        course[AIRBORNE] -= state[WEIGHT, m]
        while m >= 0:
            free[course[FREE]] = m
            course[FREE] += 1
            m = state[NEXT, m]
