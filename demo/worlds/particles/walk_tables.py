"""Exact integer tables for particles: where a walk stands after many ticks, drawn with one table look-up.

A tick moves a particle by -1, 0 or +1 along an axis; axes and ticks are independent. So the displacement after k ticks has a
known distribution, and so has the number of ticks after which a particle has first sunk by m. Both are computed here in
integers, so that no rounding differs between machines, and cut to multiples of 2^-21. They are laid out as alias tables
(Walker 1977, Vose 1991), which need one draw of 21 random bits. `jump_tables` are for a given number of ticks, `fall_tables`
for a given depth.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

MOVE_BITS = 21
COLUMN_BITS = 8
# The choice of a window: one draw of 30 bits.
WINDOW_BITS = 30
WINDOW_COLUMN_BITS = 10
# How many ticks are taken at once, up to the cells of a coarse tile of the kernels. A finer spacing was no faster.
JUMPS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
# Falls: the depths taken at once, the columns of their tables, the longest fall in ticks, the middle of a table of strays.
FALLS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
FALL_BITS = 9
LONGEST = 639
CENTRE = 1 << (COLUMN_BITS - 1)
_SCALE = 1 << 52


def apportion(weights: list[int], total: int) -> list[int]:
    """Whole numbers of sum `total` in proportion to `weights`, by largest remainders (the first wins a tie)."""
    whole = sum(weights)
    shares = [w * total // whole for w in weights]
    order = sorted(range(len(weights)), key=lambda i: (-(weights[i] * total % whole), i))
    for i in order[: total - sum(shares)]:
        shares[i] += 1
    return shares


def alias_table(weights: list[int], bits: int, column_bits: int) -> np.ndarray:
    """uint32 (2^column_bits,): an alias table for one draw of `bits` random bits.

    The draw's upper `column_bits` choose a column; its other `depth` bits decide whether the answer is the column or its
    alias. An entry is (2^depth - threshold) << column_bits + 1 | alias - column + 2^column_bits, so that the decision is the
    carry of an addition. Compilers turn a comparison into a branch, and no processor could predict this one. There are at
    most 2^column_bits weights; their proportions are kept to 2^-bits.
    """
    columns = 1 << column_bits
    depth = 1 << (bits - column_bits)
    left = apportion(weights, columns * depth) + [0] * (columns - len(weights))
    table = [(depth, i) for i in range(columns)]
    low = [i for i in range(columns) if left[i] < depth]
    high = [i for i in range(columns) if left[i] > depth]
    while low:
        i, j = low.pop(), high[-1]
        table[i] = (left[i], j)
        left[j] -= depth - left[i]
        if left[j] <= depth:
            high.pop()
            if left[j] < depth:
                low.append(j)
    entries = [
        (depth - threshold) << (column_bits + 1) | (alias - column + columns)
        for column, (threshold, alias) in enumerate(table)
    ]
    return np.array(entries, np.uint32)


def walk(lower: int, stay: int, upper: int, ticks: int) -> list[int]:
    """Weights of the displacements -ticks..ticks after `ticks` moves of -1, 0, +1 with the given weights, exactly."""
    weights = [1]
    for _ in range(ticks):
        padded = [0, 0, *weights, 0, 0]
        weights = [lower * padded[i + 2] + stay * padded[i + 1] + upper * padded[i] for i in range(len(weights) + 2)]
    return weights


@lru_cache(maxsize=8)
def jump_tables(lower: int, stay: int, upper: int) -> np.ndarray:
    """uint32 (len(JUMPS) * 256,): alias tables of displacement + ticks, one after the other for each number in JUMPS."""
    tables = []
    weights, done = [1], 0
    for ticks in JUMPS:
        weights, done = _convolve(weights, walk(lower, stay, upper, ticks - done)), ticks
        tables.append(alias_table(weights, MOVE_BITS, COLUMN_BITS))
    return np.concatenate(tables)


def jump_of_ticks() -> np.ndarray:
    """int64 (JUMPS[-1] + 1,): at k the longest jump of at most k ticks (at 0: one tick), as its table's offset | ticks."""
    jumps = [max(j for j in JUMPS if j <= max(k, 1)) for k in range(JUMPS[-1] + 1)]
    return np.array([JUMPS.index(j) << COLUMN_BITS | j for j in jumps])


def _convolve(a: list[int], b: list[int]) -> list[int]:
    out = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


@dataclass(frozen=True)
class Falls:
    """How many ticks a particle takes until it has first sunk by m, and how far it has strayed by then.

    `ticks`: uint32, alias tables of 2^FALL_BITS columns, of ticks - m. `stray`: uint32, alias tables of displacement +
    CENTRE after 0, 16, 32 .. ticks, then after 0 .. 15. `of_gap`: int64 (deepest fall + 1,), for each gap the longest fall
    that fits, as its offset in `ticks` | m; it has one entry where no fall may be taken. `lid`: the least distance of the
    lid, because a particle might rise to it before it sinks.
    """

    ticks: np.ndarray
    stray: np.ndarray
    of_gap: np.ndarray
    lid: int


NO_FALLS = Falls(np.zeros(1, np.uint32), np.zeros(1, np.uint32), np.zeros(1, np.int64), 0)


@lru_cache(maxsize=8)
def fall_tables(sideways: int, up: int, down: int, room: int) -> Falls:
    """Falls of particles with these chances (percent) that stray no farther than `room` moves.

    The chance that a particle first sinks by m in tick t is m / t times the chance that it is m deeper then (Kemperman
    1961). Falls that take longer, stray farther, or rise to the lid are left out where they are rarer than 2^-21.
    """
    depths = _walks(down, 100 - up - down, up)
    strays = _walks(sideways, 100 - 2 * sideways, sideways)
    beyond = _beyond(strays)
    tables: list[np.ndarray] = []
    of_gap, t = [0], np.arange(1, LONGEST + 1)
    for m in FALLS:
        chances = np.zeros(LONGEST + 1, np.int64)
        chances[1:] = m * depths[1:, LONGEST - m] // t
        missed = _SCALE - int(chances[m : m + (1 << FALL_BITS)].sum())
        strayed = int(((chances >> 26) * (beyond[:, min(room, LONGEST)] >> 26)).sum()) << 2
        if missed > _SCALE >> MOVE_BITS or strayed > _SCALE >> MOVE_BITS:
            break
        of_gap += [of_gap[-1]] * (m - len(of_gap))
        of_gap.append(len(tables) << FALL_BITS | m)
        tables.append(alias_table(chances[m : m + (1 << FALL_BITS)].tolist(), MOVE_BITS, FALL_BITS))
    half = slice(LONGEST - CENTRE, LONGEST + CENTRE)
    long, short = strays[::16, half].tolist(), strays[:16, half].tolist()
    stray = [alias_table(weights, MOVE_BITS, COLUMN_BITS) for weights in (*long, *short)]
    lid = next(k for k in range(1, 1 << 12) if up**k << MOVE_BITS < down**k) if tables else 0
    return Falls(np.concatenate(tables or [np.zeros(1, np.uint32)]), np.concatenate(stray), np.array(of_gap), lid)


def _walks(lower: int, stay: int, upper: int) -> np.ndarray:
    """int64 (LONGEST + 1, 2 LONGEST + 1): chances, times 2^52, of the displacements -LONGEST.. after each number of ticks.

    In integers, rounded down, so that every machine has the same sums.
    """
    rows = np.zeros((LONGEST + 1, 2 * LONGEST + 3), np.int64)
    rows[0, LONGEST + 1] = _SCALE
    for t in range(LONGEST):
        row = rows[t]
        rows[t + 1, 1:-1] = (lower * row[2:] + stay * row[1:-1] + upper * row[:-2]) // 100
    return rows[:, 1:-1]


def _beyond(strays: np.ndarray) -> np.ndarray:
    """int64 (LONGEST + 1, LONGEST + 1): at [t, r] the chance, times 2^52, of being farther off than r after t ticks."""
    far = strays[:, LONGEST:].copy()
    far[:, 1:] += strays[:, LONGEST - 1 :: -1]
    return far[:, ::-1].cumsum(axis=1)[:, ::-1] - far
