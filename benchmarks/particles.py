"""Particle deposition against the article's own loop, in pure Python and compiled by numba; one thread each.

The rivals follow the thirteen steps as printed: a particle at a time, a tick at a time, with a test of box and ground at
each. They take the same windows, chances, slides and footprints, so that the land they make is the same but for luck.
"""

from __future__ import annotations

import random
import statistics
import time

import numba
import numpy as np

from benchmarks.harness import Clocked, Report, format_seconds, interleave
from demo.catalogue.generators import GENERATORS
from demo.worlds.kernels import OPTIONS
from demo.worlds.particles.growth import Particles
from demo.worlds.particles.rain import rain_of

GENERATOR = GENERATORS["particles"]
LARGE = {"cells": 1024, "particles": 1_000_000}
SEED = 1
# The loops' time is in proportion to the count of particles: they do a share of them.
PYTHON_SHARE, PORT_SHARE = 2000, 4
GOLDEN, M1, M2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def run(report: Report) -> None:
    """All comparisons; --quick repeats less."""
    for what, given, bars in (("default world", {}, (None, None)), ("1025 x 1025, 10^6 particles", LARGE, (200, 3))):
        _against_the_loop(report, what, given, *bars)
    times = interleave({"large": lambda: _grow(LARGE)}, report.rounds(9))["large"]
    best = min(times)
    report.figure(
        "1025 x 1025, 10^6 particles", f"{format_seconds(statistics.median(times))}, best {best:.3g} s", "0.5 s", best < 0.5
    )
    _last_tenth(report)
    _same_land(report)
    report.note(
        "One thread each; ours from seed to normalised heights. The loops' time is scaled from a share of the particles."
    )


def _against_the_loop(report: Report, what: str, given: dict, python_bar: float | None, port_bar: float | None) -> None:
    candidates = {
        "ours": lambda: _grow(given),
        "the loop in Python": Clocked(lambda: _loop_seconds(given, PYTHON_SHARE, "Python")),
        "the loop in numba": Clocked(lambda: _loop_seconds(given, PORT_SHARE, "numba")),
    }
    times = interleave(candidates, report.rounds(6))
    report.compare(what, times, "ours", "the loop in Python", at_least=python_bar)
    report.compare(what, times, "ours", "the loop in numba", at_least=port_bar)


def _last_tenth(report: Report) -> None:
    """The cost of a particle at the end of a run against that at its beginning."""
    ratios = []
    for seed in range(report.rounds(15)):
        growth, tenth = GENERATOR.grow(seed, LARGE), LARGE["particles"] // 10
        seconds = []
        for part in range(10):
            start = time.perf_counter()
            growth.advance((part + 1) * tenth)
            seconds.append(time.perf_counter() - start)
        ratios.append(seconds[-1] / seconds[0])
    ratio = statistics.median(ratios)
    report.figure("last tenth of a run against the first", f"{ratio:.3g}x", "at most 1.1x", ratio <= 1.1)


def _same_land(report: Report) -> None:
    """Both lands, averaged over squares of 32 cells: how alike, and the volume piled up."""
    given = {"cells": 255, "particles": 100_000}
    growth = _grow(given)
    ours, theirs = growth.ground, _loop(given, 1, "numba")[1]
    squares = [land.reshape(8, 32, 8, 32).mean(axis=(1, 3)).ravel() for land in (ours, theirs)]
    alike = float(np.corrcoef(*squares)[0, 1])
    volume = float(ours.sum(dtype=np.float64) / theirs.sum(dtype=np.float64))
    report.figure(
        "land against the loop's",
        f"correlation {alike:.4f}, volume {volume:.3f}x",
        "0.995, 1 %",
        alike > 0.995 and abs(volume - 1) < 0.01,
    )


def _grow(given: dict) -> Particles:
    growth = GENERATOR.grow(SEED, given)
    growth.advance(growth.total)
    return growth


def _loop_seconds(given: dict, share: int, of: str) -> float:
    return _loop(given, share, of)[0] * share


def _loop(given: dict, share: int, of: str) -> tuple[float, np.ndarray]:
    """(seconds, map) of a loop with the windows, footprint and rules of our growth; `of`: "Python" or "numba"."""
    values = GENERATOR.complete(given)
    growth = Particles(SEED, values)
    windows = np.array([(w.x, w.z, w.half_x) for w in growth.windows]) * values["cells"]
    weights = np.cumsum([w.weight for w in growth.windows])
    chances = 10 * values["sideways"], 20 * values["sideways"], 10 * values["up"], 10 * values["down"]
    rain = rain_of(SEED, values, growth.windows, growth.ground)
    reach, footprint, viscosity = rain.landing[:3]
    arrays = [windows.ravel(), weights / weights[-1], growth.ground.ravel(), rain.emitter.tops, footprint.ravel()]
    if of == "Python":
        arrays = [array.tolist() for array in arrays]
    count, run_loop = growth.total // share, python_loop if of == "Python" else numba_loop
    start = time.perf_counter()
    run_loop(count, growth.n, rain.emitter.lift, int(rain.moves.box[4]), reach, viscosity, *chances, *arrays)
    return time.perf_counter() - start, np.array(arrays[2]).reshape(growth.n, growth.n)


def make_loop(dice, fraction):
    """The article's loop over its own random numbers: three of 0..999 by `dice`, one of 0..1 by `fraction`."""

    def loop(
        count, n, lift, ceiling, reach, viscosity, left, right, up, down, windows, weights, ground, tops, footprint
    ):  # fmt: skip
        state = np.uint64(SEED)
        for _ in range(count):
            state, share = fraction(state)
            w = 0
            while weights[w] < share:
                w += 1
            away = 2.0
            while away > 1.0:
                state, a = fraction(state)
                state, b = fraction(state)
                a, b = 2.0 * a - 1.0, 2.0 * b - 1.0
                away = a * a + b * b
            x = int(windows[3 * w] + a * windows[3 * w + 2] + 0.5)
            z = int(windows[3 * w + 1] + b * windows[3 * w + 2] + 0.5)
            y = tops[w]
            lid = y + ceiling
            touched = False
            while not touched and 0 <= x < n and 0 <= z < n and 0 <= y <= lid:
                state, move_x, move_y, move_z = dice(state)
                if move_x < left:
                    x -= 1
                elif move_x < right:
                    x += 1
                if move_y < up:
                    y += 1
                elif move_y >= 1000 - down:
                    y -= 1
                if move_z < left:
                    z -= 1
                elif move_z < right:
                    z += 1
                touched = 0 <= x < n and 0 <= z < n and y <= ground[z * n + x]
            if not touched:
                continue
            sliding = True
            while sliding:
                here = ground[z * n + x]
                best, to_x, to_z = 0.0, x, z
                for j in range(max(z - 1, 0), min(z + 2, n)):
                    for i in range(max(x - 1, 0), min(x + 2, n)):
                        drop = here - ground[j * n + i]
                        if i != x and j != z:
                            drop *= 0.7071067811865476
                        if drop > best:
                            best, to_x, to_z = drop, i, j
                state, share = fraction(state)
                sliding = best * (1.0 - viscosity) > viscosity * share
                if sliding:
                    x, z = to_x, to_z
            for j in range(max(z - reach, 0), min(z + reach + 1, n)):
                for i in range(max(x - reach, 0), min(x + reach + 1, n)):
                    ground[j * n + i] += footprint[(j - z + reach) * (2 * reach + 1) + i - x + reach]
            tops[w] = max(tops[w], int(ground[z * n + x]) + lift)

    return loop


def _python_dice(state):
    return state, random.randrange(1000), random.randrange(1000), random.randrange(1000)


def _python_fraction(state):
    return state, random.random()


@numba.njit(inline="always", **OPTIONS)
def _hash_dice(state):
    """The cheapest good numbers: one hash a tick, three times 21 of its bits."""
    state += GOLDEN
    h = (state ^ (state >> np.uint64(30))) * M1
    h = (h ^ (h >> np.uint64(27))) * M2
    h ^= h >> np.uint64(31)
    a, b, c = h & np.uint64(0x1FFFFF), (h >> np.uint64(21)) & np.uint64(0x1FFFFF), h >> np.uint64(43)
    return (
        state,
        np.int64(a * np.uint64(1000) >> np.uint64(21)),
        np.int64(b * np.uint64(1000) >> np.uint64(21)),
        np.int64(c * np.uint64(1000) >> np.uint64(21)),
    )


@numba.njit(inline="always", **OPTIONS)
def _hash_fraction(state):
    state += GOLDEN
    h = (state ^ (state >> np.uint64(30))) * M1
    h = (h ^ (h >> np.uint64(27))) * M2
    return state, np.float64((h ^ (h >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53


python_loop = make_loop(_python_dice, _python_fraction)
# No cache: numba would keep closures of one function apart by nothing.
numba_loop = numba.njit(nogil=True, error_model="numpy")(make_loop(_hash_dice, _hash_fraction))
