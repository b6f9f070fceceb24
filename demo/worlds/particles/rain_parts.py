"""The parts of a rain as the kernels take them: named tuples, which numba hands on like single arguments.

Heights and y are in units of one downward move, x and z in cells of the map.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Emitter(NamedTuple):
    """The windows that particles fall from.

    `shapes`: int64 (w,), indices into `windows.SHAPES`. `places`: float64 (w, 5), centre x and z, half sizes along x and
    z, and the inner share of a ring. `choice`: uint32 (2^b,), the alias table of the windows' weights. `tops`: int64 (w,),
    where each window hovers: `lift` above the highest ground that its own particles touched; it rises with the land.
    """

    shapes: np.ndarray
    places: np.ndarray
    choice: np.ndarray
    tops: np.ndarray
    lift: int


class Group(NamedTuple):
    """Particles that are in the air together, at most g of them.

    `state`: int64 (STATES, g), one row for each quantity that `kernels` names. `keys`: uint64 (g,), each particle's key
    of random numbers. `live`: int64 (g,), the list of those that are to move. `down`: int64 (g,), those that landed last.
    `turn`: int64 (TURN,), how far the group has come where one group falls after another.
    """

    state: np.ndarray
    keys: np.ndarray
    live: np.ndarray
    down: np.ndarray
    turn: np.ndarray


class Bounds(NamedTuple):
    """Upper bounds of the ground by square tile: the fine tiles row by row, then the coarse ones, t in all.

    `tiles`: int64 (t,), the bound of each tile alone. `near`: int64 (t,), that of a tile and its eight neighbours. `sides`:
    int64 (2,), the count of fine and of coarse tiles along an edge.
    """

    tiles: np.ndarray
    near: np.ndarray
    sides: np.ndarray


class Moves(NamedTuple):
    """How particles move in the air.

    `box`: int64 (5,), the lowest and highest x, the lowest and highest z, and how far above its window a particle may rise.
    `step`: width of a sideways move, in cells. `across`, `fall` and `jumps`: `walk_tables.jump_tables` along either axis of
    the map and downwards, and `jump_of_ticks`. `falls`, `stray`, `of_gap` and `far` are the parts of a `Falls`.
    """

    box: np.ndarray
    step: int
    across: np.ndarray
    fall: np.ndarray
    jumps: np.ndarray
    falls: np.ndarray
    stray: np.ndarray
    of_gap: np.ndarray
    far: int


class Landing(NamedTuple):
    """What particles do on the ground.

    `reach`: half the width of a footprint, in cells. `footprint`: float32 (2 reach + 1, 2 reach + 1), what one particle
    adds. `viscosity`: 0..1, how firmly a particle stays where it lands. `listing`: whether it slides by the printed rule.
    `unit`: cells a unit of height.
    """

    reach: int
    footprint: np.ndarray
    viscosity: float
    listing: bool
    unit: float


class Crowd(NamedTuple):
    """Many groups that are in the air together, and how they merge.

    `together`: particles of one group. `beat`: ticks of a round. `reach`: how near particles merge, in cells; 0: never.
    `breakup`: chance, 0..1, that merged ones of no viscosity part again in a round. `mass`: the factor of footprints, in
    units of height. `shape`: index into FOOTPRINTS. `air`: int64 (g,), those in the air, oldest first; `free`: int64 (g,),
    the places in the group that nobody has. `course`: int64 (c,), how far the rain has come, as `kernels` names its
    entries. `heads`: int64 (2^b,), `nexts`: int64 (g,) and `sums`: int64 (4, g), scratch.
    """

    together: int
    beat: int
    reach: int
    breakup: float
    mass: float
    shape: int
    air: np.ndarray
    free: np.ndarray
    course: np.ndarray
    heads: np.ndarray
    nexts: np.ndarray
    sums: np.ndarray
