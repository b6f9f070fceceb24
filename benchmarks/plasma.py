"""Plasma against the article's recursion, in plain Python and compiled, and against diamond-square in numpy by levels.

The references are complete, and tests use them too: `recursion_python` and `compiled_recursion` give the same bits as
`method=as-printed`, and `levels_numpy` the same as the default.
"""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Callable
from functools import cache

import numba
import numpy as np

from benchmarks.harness import Clocked, Report, interleave
from demo.catalogue.generators import generator
from demo.worlds.hashing import stream_key
from demo.worlds.kernels import OPTIONS, hash32
from demo.worlds.plasma.growth import DOME, Plasma

CELLS = 4096
PYTHON_CELLS = 256
SEED = 7


def run(report: Report) -> None:
    """All comparisons at 4097 x 4097."""
    scale = (CELLS / PYTHON_CELLS) ** 2
    times = interleave(
        {
            "default": lambda: grown("default", CELLS),
            "as printed": lambda: grown("as-printed", CELLS),
            "article in Python": Clocked(lambda: _clock(lambda: article_python(PYTHON_CELLS)) * scale),
            "corrected in Python": Clocked(lambda: _clock(lambda: corrected_python(PYTHON_CELLS)) * scale),
            "numpy by level": lambda: levels_numpy(SEED, CELLS),
            "compiled recursion": Clocked(_clock_compiled_recursion),
        },
        report.rounds(7),
    )
    report.compare("4097 x 4097, default", times, "default", "corrected in Python", at_least=500)
    report.compare("4097 x 4097, default", times, "default", "article in Python")
    report.compare("4097 x 4097, default", times, "default", "numpy by level", at_least=5)
    report.compare("4097 x 4097, as printed", times, "as printed", "article in Python", at_least=500)
    report.compare("4097 x 4097, as printed", times, "as printed", "compiled recursion", at_least=5)
    same = np.array_equal(grown("as-printed", 512), compiled_recursion(SEED, 512))
    report.figure(
        "as printed, against the recursion's bits at 513 x 513", "the same" if same else "others", "the same", same
    )
    _memory(report)
    size = PYTHON_CELLS + 1
    report.note(
        f"In Python: plain recursions, run at {size} x {size} and extrapolated by the number of cells. The article's takes "
        "Python's random numbers. The corrected one also displaces side points, all by position, so that neighbours agree."
    )
    report.note(
        "The default runs its last levels on all threads, everything else runs on one. "
        "The compiled recursion takes our hash."
    )


def grown(method: str, cells: int, seed: int = SEED) -> np.ndarray:
    """Our heights, float32 (n, n), fully grown."""
    growth = generator("plasma").grow(seed, {"cells": cells, "method": method})
    growth.advance(growth.total)
    return growth.heights[0]


def article_python(cells: int, rng: random.Random | None = None) -> list[list[int]]:
    """The article's recursion as one would write it in Python: rows of numbers 0..255."""
    rng = rng or random.Random(SEED)
    field = [[0] * (cells + 1) for _ in range(cells + 1)]
    for y, x in ((0, 0), (0, cells), (cells, 0), (cells, cells)):
        field[y][x] = rng.randrange(64)

    def displacement(x: int, y: int, reach: int) -> int:
        size = round(rng.randrange(reach) * 0.5)
        return size if rng.random() < 0.5 else -size

    _divide(field, 0, 0, cells, cells, displacement)
    return field


def corrected_python(cells: int, roughness: float = 0.8) -> list[list[float]]:
    """A recursion that does the default's work: real values, side points displaced too, and alike from both sides."""
    field = [[0.0] * (cells + 1) for _ in range(cells + 1)]
    key, fall = stream_key(SEED, 1), 2.0**-roughness

    def displaced(mean: float, x: int, y: int, level: int, size: float) -> float:
        return mean + size * ((hash32_python(key, level, x, y) >> 8) - (1 << 23)) * 2.0**-23

    def divide(x1: int, y1: int, x2: int, y2: int, level: int, size: float) -> None:
        if x2 - x1 < 2:
            return
        a, b, c, d = field[y1][x1], field[y1][x2], field[y2][x1], field[y2][x2]
        x, y = (x1 + x2) // 2, (y1 + y2) // 2
        field[y1][x] = displaced((a + b) * 0.5, x, y1, level, size)
        field[y2][x] = displaced((c + d) * 0.5, x, y2, level, size)
        field[y][x1] = displaced((a + c) * 0.5, x1, y, level, size)
        field[y][x2] = displaced((b + d) * 0.5, x2, y, level, size)
        field[y][x] = displaced((a + b + c + d) * 0.25, x, y, level, size)
        size *= fall
        divide(x1, y1, x, y, level + 1, size)
        divide(x, y1, x2, y, level + 1, size)
        divide(x1, y, x, y2, level + 1, size)
        divide(x, y, x2, y2, level + 1, size)

    divide(0, 0, cells, cells, 0, 0.05)
    return field


def recursion_python(seed: int, cells: int) -> np.ndarray:
    """The article's recursion with our random numbers, float32 (n, n)."""
    field, key = _corners(seed, cells).tolist(), stream_key(seed, 2)

    def displacement(x: int, y: int, reach: int) -> int:
        h = hash32_python(key, x, y, 0)
        size = round((h * reach >> 32) * 0.5)
        return -size if h & 1 else size

    _divide(field, 0, 0, cells, cells, displacement)
    return np.array(field, np.float32)


def _divide(field: list, x1: int, y1: int, x2: int, y2: int, displacement: Callable[[int, int, int], int]) -> None:
    if x2 - x1 < 2 and y2 - y1 < 2:
        return
    a, b, c, d = field[y1][x1], field[y1][x2], field[y2][x1], field[y2][x2]
    x, y = round((x1 + x2) / 2), round((y1 + y2) / 2)
    top, bottom = (a + b) // 2, (c + d) // 2
    field[y1][x], field[y2][x] = top, bottom
    field[y][x1], field[y][x2] = (a + c) // 2, (b + d) // 2
    centre = (top + bottom) // 2 + displacement(x, y, x2 - x1 + y2 - y1)
    field[y][x] = min(max(centre, 0), 255)
    _divide(field, x1, y1, x, y, displacement)
    _divide(field, x, y1, x2, y, displacement)
    _divide(field, x1, y, x, y2, displacement)
    _divide(field, x, y, x2, y2, displacement)


def hash32_python(key: int, x: int, y: int, z: int) -> int:
    """`kernels.hash32` in plain integers."""
    mask = 0xFFFFFFFF
    h = (key ^ x * 0x9E3779B1 ^ y * 0x85EBCA77 ^ z * 0xC2B2AE3D) & mask
    h = ((h ^ h >> 15) * 0x2C1B3C6D) & mask
    h = ((h ^ h >> 12) * 0x297A2D39) & mask
    return h ^ h >> 15


def compiled_recursion(seed: int, cells: int) -> np.ndarray:
    """The article's recursion compiled by numba, with our random numbers: bytes (n, n)."""
    field = _corners(seed, cells).astype(np.uint8)
    _compiled()(field, np.uint32(stream_key(seed, 2) & 0xFFFFFFFF), 0, 0, cells, cells)
    return field


def levels_numpy(seed: int, cells: int, edges: str = "low", roughness: float = 0.8) -> np.ndarray:
    """The default method by whole-array numpy operations, level by level: float32 (n, n)."""
    growth = Plasma(seed, 1, roughness, edges, 0.5)
    lattice = growth.heights[0].copy()
    for level in range(cells.bit_length() - 1):
        lattice = _level_numpy(lattice, stream_key(seed, 1), level, growth.amplitude(level), roughness, edges)
    return lattice


def _level_numpy(coarse: np.ndarray, key: int, level: int, size: float, roughness: float, edges: str) -> np.ndarray:
    m = coarse.shape[0] - 1
    centre, side = np.float32(size), np.float32(size * 2.0 ** (-0.5 * roughness))
    odd, even = np.arange(1, 2 * m, 2), np.arange(0, 2 * m + 1, 2)
    if edges == "tile":
        even = even % (2 * m)
    quarter, half = np.float32(0.25), np.float32(0.5)
    pad = "wrap" if edges == "tile" else "edge"

    def squares(a: np.ndarray) -> np.ndarray:
        return ((a[:-1, :-1] + a[:-1, 1:]) + (a[1:, :-1] + a[1:, 1:])) * quarter

    centres = squares(coarse) + centre * _noise(key, level, odd, odd)
    framed = np.pad(centres, 1, mode=pad)
    corners = (coarse + squares(framed)) * half + side * _noise(key, level, even, even)
    across = ((corners[:, :-1] + corners[:, 1:]) + (framed[:-1, 1:-1] + framed[1:, 1:-1])) * quarter
    across += side * _noise(key, level, odd, even)
    down = ((corners[:-1] + corners[1:]) + (framed[1:-1, :-1] + framed[1:-1, 1:])) * quarter
    down += side * _noise(key, level, even, odd)
    wide, tall = np.pad(across, ((0, 0), (1, 1)), mode=pad), np.pad(down, ((1, 1), (0, 0)), mode=pad)
    fine = np.empty((2 * m + 1, 2 * m + 1), np.float32)
    fine[::2, 1::2], fine[1::2, ::2] = across, down
    fine[::2, ::2] = (corners + ((wide[:, :-1] + wide[:, 1:]) + (tall[:-1] + tall[1:])) * quarter) * half
    fine[1::2, 1::2] = (centres + ((across[:-1] + across[1:]) + (down[:, :-1] + down[:, 1:])) * quarter) * half
    if edges == "low":
        if level < len(DOME):
            fine += np.float32(DOME[level]) * _dome_numpy(2 * m + 1)
        fine[[0, -1], :] = fine[:, [0, -1]] = 0.0
    return fine


def _dome_numpy(n: int) -> np.ndarray:
    """1 over the middle, 0 at the middles of the sides, below 0 in the corners: float32 (n, n)."""
    x = np.linspace(-1.0, 1.0, n)
    return np.clip(1.5 * (1.0 - x[:, None] ** 2 - x[None, :] ** 2), -0.75, 1.0).astype(np.float32)


def _noise(key: int, level: int, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`signed_unit32(hash32(key, level, x, y))` over a lattice, float32 (len(y), len(x))."""
    first = np.uint32((key ^ level * 0x9E3779B1) & 0xFFFFFFFF)
    h = first ^ (x.astype(np.uint32) * np.uint32(0x85EBCA77))[None, :]
    h = h ^ (y.astype(np.uint32) * np.uint32(0xC2B2AE3D))[:, None]
    h ^= h >> np.uint32(15)
    h *= np.uint32(0x2C1B3C6D)
    h ^= h >> np.uint32(12)
    h *= np.uint32(0x297A2D39)
    h ^= h >> np.uint32(15)
    h >>= np.uint32(8)
    return (h.astype(np.int32) - np.int32(1 << 23)).astype(np.float32) * np.float32(2.0**-23)


def _corners(seed: int, cells: int) -> np.ndarray:
    """A field (n, n) of zeros with our own corners of `method=as-printed`."""
    field = np.zeros((cells + 1, cells + 1), np.int64)
    corners = generator("plasma").grow(seed, {"cells": cells, "method": "as-printed"}).heights[0]
    field[::cells, ::cells] = corners[::cells, ::cells]
    return field


@cache
def _compiled() -> Callable:
    """The kernel, compiled at first use, because numba cannot cache a recursive one on disk."""

    @numba.njit(**{**OPTIONS, "cache": False})
    def divide(field, key, x1, y1, x2, y2):
        if x2 - x1 < 2 and y2 - y1 < 2:
            return
        a, b, c, d = np.int32(field[y1, x1]), np.int32(field[y1, x2]), np.int32(field[y2, x1]), np.int32(field[y2, x2])
        x, y = (x1 + x2) >> 1, (y1 + y2) >> 1
        top, bottom = (a + b) >> 1, (c + d) >> 1
        field[y1, x], field[y2, x] = top, bottom
        field[y, x1], field[y, x2] = (a + c) >> 1, (b + d) >> 1
        h = hash32(key, x, y, 0)
        draw = np.int32(np.uint64(h) * np.uint64(x2 - x1 + y2 - y1) >> np.uint64(32))
        size = (draw >> 1) + (draw & (draw >> 1) & 1)
        centre = ((top + bottom) >> 1) + (-size if h & np.uint32(1) else size)
        field[y, x] = min(max(centre, 0), 255)
        divide(field, key, x1, y1, x, y)
        divide(field, key, x, y1, x2, y)
        divide(field, key, x1, y, x, y2)
        divide(field, key, x, y, x2, y2)

    return divide


def _clock(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _clock_compiled_recursion() -> float:
    """Seconds of the recursion alone, in a field whose memory pages exist already."""
    field = _corners(SEED, CELLS).astype(np.uint8)
    divide, key = _compiled(), np.uint32(stream_key(SEED, 2) & 0xFFFFFFFF)
    return _clock(lambda: divide(field, key, 0, 0, CELLS, CELLS))


def _memory(report: Report) -> None:
    for method in ("default", "as-printed"):
        tracemalloc.start()
        heights = grown(method, CELLS)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        limit = 3 * heights.nbytes + 150e6
        report.figure(f"peak memory, {method}", f"{peak / heights.nbytes:.2f} x the heights", "3 x + 150 MB", peak <= limit)
