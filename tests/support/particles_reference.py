"""Particle deposition in slow plain Python: the rules of `worlds/particles` again, one group after another.

`SlowRain` repeats the world bit for bit: the same hops, found by looking at all deposits so far instead of at kept bounds.
`walk_down` is the article's loop itself, tick by tick, with Python's own random numbers: for distributions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from demo.worlds.hashing import mix64, stream_key
from demo.worlds.particles.rain import rain_of
from demo.worlds.particles.walk_tables import (
    CENTRE,
    COLUMN_BITS,
    FALL_BITS,
    JUMPS,
    LONGEST,
    MOVE_BITS,
    WINDOW_BITS,
    WINDOW_COLUMN_BITS,
)

GOLDEN = 0x9E3779B97F4A7C15
PARTICLES_STREAM, TRIES, SLIDES, FALLS_DRAW = 32, 64, 1 << 41, 1 << 43
FLYING, DEAD = object(), object()
EAST, SOUTH = (1, 1, 0, -1, -1, -1, 0, 1), (0, 1, 1, 1, 0, -1, -1, -1)


def draw(key: int, index: int) -> int:
    return mix64(key + (index + 1) * GOLDEN)


def answer(table: np.ndarray, value: int, width: int, column_bits: int) -> int:
    """What an alias table answers to `value`, a draw of `width` bits."""
    depth = width - column_bits
    column = value >> depth
    entry = int(table[column])
    threshold = (1 << depth) - (entry >> (column_bits + 1))
    alias = column + (entry & ((2 << column_bits) - 1)) - (1 << column_bits)
    return column if value & ((1 << depth) - 1) < threshold else alias


class SlowRain:
    """The map `ground` when all particles of a growth at step 0 have fallen, with the tables and windows of its rain."""

    def __init__(self, growth, parameters: dict) -> None:
        rain = rain_of(growth.seed, parameters, growth.windows, growth.ground)
        self.p, self.total = parameters, growth.total
        self.deposits: list[tuple[int, int, int, int, int]] = []
        self.ground = growth.ground.copy()
        self.seed_key = stream_key(growth.seed, PARTICLES_STREAM)
        self.shapes, self.places, self.choice, tops, self.lift = rain.emitter
        self.tops = [int(top) for top in tops]
        self.box, self.step, self.across, self.fall, _, self.falls, self.stray, self.of_gap, self.far = rain.moves
        self.unit = float(parameters["fall"])
        self.reach, self.print = rain.landing.reach, rain.landing.footprint

    def grow(self) -> np.ndarray:
        """In each turn every particle of a group hops once, and those that touch the land pile up."""
        for first in range(0, self.total, self.p["group"]):
            group = [self.hops(p) for p in range(first, min(first + self.p["group"], self.total))]
            while group:
                turns = [(hops, next(hops, DEAD)) for hops in group]
                for _, landed in turns:
                    if landed is not FLYING and landed is not DEAD:
                        self.land(*landed)
                group = [hops for hops, landed in turns if landed is FLYING]
        return self.ground

    def emit(self, key: int) -> tuple[int, int, int]:
        value = draw(key, 0)
        w = answer(self.choice, (value >> 54) << 20 | (value >> 32) & 0xFFFFF, WINDOW_BITS, WINDOW_COLUMN_BITS)
        x, z, half_x, half_z, inner = (float(v) for v in self.places[w])
        for attempt in range(1, TRIES):
            value = draw(key, attempt)
            a, b = (value >> 32) / 2**31 - 1.0, (value & 0xFFFFFFFF) / 2**31 - 1.0
            away = a * a + b * b
            if self.shapes[w] == 1 or (away <= 1.0 and (self.shapes[w] == 0 or away >= inner * inner)):
                break
        return int(np.floor(x + a * half_x + 0.5)), int(np.floor(z + b * half_z + 0.5)), w

    def bound(self, x: int, z: int, shift: int) -> int:
        """No ground in the tile of (x, z) and its eight neighbours is higher: the highest top of the deposits there.

        Tiles count from the box's walls; near a wall nothing is high enough. A
        deposit counts in each tile that the square around it touches.
        """
        margin = max(-int(self.box[0]), 0)
        i, j = (x + margin) >> shift, (z + margin) >> shift
        low_x, high_x, low_z, high_z, _ = self.box
        near_x = ((i - 1) << shift) - margin < low_x or ((i + 2) << shift) - 1 - margin > high_x
        near_z = ((j - 1) << shift) - margin < low_z or ((j + 2) << shift) - 1 - margin > high_z
        if near_x or near_z:
            return 1 << 40
        top = 0
        for left, right, upper, lower, height in self.deposits:
            near_x = (left + margin) >> shift <= i + 1 and (right + margin) >> shift >= i - 1
            near_z = (upper + margin) >> shift <= j + 1 and (lower + margin) >> shift >= j - 1
            if near_x and near_z:
                top = max(top, height)
        return top

    def hops(self, p: int) -> Iterator[object]:
        """FLYING after each hop, then key, x, z, window of the landing, or nothing more where the particle dies."""
        key = draw(self.seed_key, p)
        x, z, w = self.emit(key)
        y, tick = self.tops[w], 0
        low_x, high_x, low_z, high_z, ceiling = (int(b) for b in self.box)
        lid = y + ceiling
        if not (low_x <= x <= high_x and low_z <= z <= high_z):
            return
        while True:
            gap = y - 1 - self.bound(x, z, 6)
            if gap > 0 and len(self.of_gap) > 1 and lid - y >= self.far:
                east, south, down, ticks = self.sink(key, tick, gap)
                x, z, y, tick = x + self.step * east, z + self.step * south, y - down, tick + ticks
                yield FLYING
                continue
            k = max(min(y - 1 - self.bound(x, z, s), (1 << s) // self.step) for s in (3, 6))
            k = min(k, lid - y)
            row = max(i for i, ticks in enumerate(JUMPS) if ticks <= max(k, 1))
            value, rows = draw(key, TRIES + tick), slice(row << COLUMN_BITS, (row + 1) << COLUMN_BITS)
            moves = []
            for table in (self.across, self.across, self.fall):
                moves.append(answer(table[rows], value & ((1 << MOVE_BITS) - 1), MOVE_BITS, COLUMN_BITS) - JUMPS[row])
                value >>= MOVE_BITS
            x, z, y, tick = x + self.step * moves[0], z + self.step * moves[1], y + moves[2], tick + JUMPS[row]
            if k < 1:
                if not (low_x <= x <= high_x and low_z <= z <= high_z and 0 <= y <= lid):
                    return
                if 0 <= x < len(self.ground) and 0 <= z < len(self.ground) and y <= self.ground[z, x]:
                    yield key, x, z, w
                    return
            yield FLYING

    def sink(self, key: int, tick: int, gap: int) -> tuple[int, int, int, int]:
        """(east, south, down, ticks) of the longest fall that fits into a gap."""
        entry = int(self.of_gap[min(gap, len(self.of_gap) - 1)])
        start, depth = entry >> FALL_BITS << FALL_BITS, entry % (1 << FALL_BITS)
        value, more, one = draw(key, TRIES + tick), draw(key, FALLS_DRAW + tick), (1 << MOVE_BITS) - 1
        ticks = depth + answer(self.falls[start : start + (1 << FALL_BITS)], value & one, MOVE_BITS, FALL_BITS)

        def strayed(table: int, bits: int) -> int:
            table <<= COLUMN_BITS
            return answer(self.stray[table : table + (1 << COLUMN_BITS)], bits & one, MOVE_BITS, COLUMN_BITS) - CENTRE

        long, short = ticks // 16, (LONGEST + 1) // 16 + ticks % 16
        east = strayed(long, value >> MOVE_BITS) + strayed(short, more)
        south = strayed(long, value >> 2 * MOVE_BITS) + strayed(short, more >> MOVE_BITS)
        return east, south, depth, ticks

    def land(self, key: int, x: int, z: int, w: int) -> None:
        x, z = self.slide(key, x, z)
        last = len(self.ground) - 1
        left, right = max(x - self.reach, 0), min(x + self.reach, last)
        upper, lower = max(z - self.reach, 0), min(z + self.reach, last)
        for j in range(upper, lower + 1):
            for i in range(left, right + 1):
                self.ground[j, i] += self.print[j - z + self.reach, i - x + self.reach]
        top = int(self.ground[upper : lower + 1, left : right + 1].max())
        self.deposits.append((left, right, upper, lower, top))
        self.tops[w] = max(self.tops[w], int(self.ground[z, x]) + self.lift)

    def slide(self, key: int, x: int, z: int) -> tuple[int, int]:
        viscosity, n, index = float(self.p["viscosity"]), len(self.ground), SLIDES
        while viscosity < 1.0:
            value, best, to = draw(key, index), 0.0, None
            for d in range(8):
                e = (d + value) & 7
                i, j = x + EAST[e], z + SOUTH[e]
                if 0 <= i < n and 0 <= j < n and self.ground[j, i] < self.ground[z, x]:
                    drop = (float(self.ground[z, x]) - float(self.ground[j, i])) * self.unit * (0.5**0.5 if e & 1 else 1.0)
                    if drop > best:
                        best, to = drop, (i, j)
            if to is None or best * (1.0 - viscosity) <= viscosity * ((value >> 11) * 2.0**-53):
                break
            (x, z), index = to, index + 1
        return x, z


class SlowRounds(SlowRain):
    """The article's steps 4 to 12 for method=as-printed: a group is let go, all move by one, those that touch pile up."""

    def grow(self) -> np.ndarray:
        """The map when all particles have landed or died."""
        low_x, high_x, low_z, high_z, ceiling = (int(b) for b in self.box)
        air: list[list[int]] = []
        to, released, clock = self.total, 0, 0
        while released < to or air:
            for p in range(released, min(released + self.p["group"], to)):
                key = draw(self.seed_key, p)
                x, z, w = self.emit(key)
                if low_x <= x <= high_x and low_z <= z <= high_z:
                    air.append([key, x, z, self.tops[w], self.tops[w] + ceiling, w])
            released = min(released + self.p["group"], to)
            flying, landed = [], []
            for one in air:
                self.move(one, clock)
                key, x, z, y, lid, w = one
                if not (low_x <= x <= high_x and low_z <= z <= high_z and 0 <= y <= lid):
                    continue
                inside = 0 <= x < len(self.ground) and 0 <= z < len(self.ground)
                (landed if inside and y <= self.ground[z, x] else flying).append(one)
            for key, x, z, _, _, w in landed:
                self.land(key, x, z, w)
            air, clock = flying, clock + 1
        return self.ground

    def move(self, one: list[int], clock: int) -> None:
        """Listing 1, with the thresholds of its code; its numbers in 0..999 are kept to 2^-21."""
        value = draw(one[0], TRIES + clock)
        for axis, table in ((1, self.across), (2, self.across), (3, self.fall)):
            bits = value & ((1 << MOVE_BITS) - 1)
            one[axis] += (self.step if axis < 3 else 1) * (
                answer(table[: 1 << COLUMN_BITS], bits, MOVE_BITS, COLUMN_BITS) - 1
            )
            value >>= MOVE_BITS

    def slide(self, key: int, x: int, z: int) -> tuple[int, int]:
        """Listing 2, again and again until the particle stays."""
        viscosity, index, n = float(self.p["viscosity"]), SLIDES, len(self.ground)
        while True:
            to = None
            for i, j in [(i, j) for i in (x - 1, x, x + 1) for j in (z - 1, z, z + 1)]:
                if not (0 <= i < n and 0 <= j < n) or self.ground[j, i] >= self.ground[z, x]:
                    continue
                index += 1
                elevation = (float(self.ground[z, x]) - float(self.ground[j, i])) * self.unit
                if int((draw(key, index) >> 11) * 2.0**-53 * 101.0) < elevation * viscosity * 100.0:
                    to = i, j
                    break
            if to is None:
                return x, z
            (x, z), index = to, index + 1


def walk_down(
    ground: np.ndarray, x: int, z: int, y: int, parameters: dict, dice: random.Random
) -> tuple[int, int, int] | None:
    """Where a particle let go at (x, z, y) touches `ground`, and after how many ticks; None when it sinks beside the map."""
    n, ticks, sideways = len(ground), 0, parameters["sideways"]
    while True:
        move_x, move_y, move_z = dice.randrange(100), dice.randrange(100), dice.randrange(100)
        x += (move_x < sideways) - (sideways <= move_x < 2 * sideways)
        z += (move_z < sideways) - (sideways <= move_z < 2 * sideways)
        y += (move_y < parameters["up"]) - (move_y >= 100 - parameters["down"])
        ticks += 1
        if y < 0:
            return None
        if 0 <= x < n and 0 <= z < n and y <= ground[z, x]:
            return x, z, ticks


def slow_footprint(radius: int, mass: float) -> float:
    """Volume of one paraboloid, cell by cell (Listing 3)."""
    return mass * sum(
        max(radius**2 - (i * i + j * j), 0) for i in range(-radius, radius + 1) for j in range(-radius, radius + 1)
    )
