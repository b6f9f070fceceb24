"""Simplex planet, 8 octaves on a cube of 6 x 257 x 257, on one thread: against the article's loop and other packages.

The packages are in benchmarks/requirements.txt; one that is not installed is named in a note and left out.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import llvmlite.binding as llvm
import numba
import numpy as np

from benchmarks.harness import Candidate, Clocked, Report, compile_cpp, format_seconds, interleave
from demo.catalogue.generators import generator
from demo.worlds.atlas import CUBE
from demo.worlds.kernels import OPTIONS
from demo.worlds.simplex.growth import permutation_table

CELLS = 256
OCTAVES = 8
SEED = 7
PLAIN = {"cells": CELLS, "octaves": OCTAVES, "detail": 0.0, "ridges": 0.0}
# A package that takes one point a call gets one of this many points.
SAMPLE = 64
WIDE_CHILD = """
import sys
sys.path.insert(0, sys.argv[1])
from benchmarks import simplex
simplex.wide_child()
"""


def run(report: Report) -> None:
    """All comparisons, then a whole default world with its sea level, and the memory it takes."""
    numba.set_num_threads(1)
    points = CUBE.positions(CELLS + 1).reshape(-1, 3).astype(np.float32)
    candidates: dict[str, Candidate] = {"ours": ours, "as printed": printed, "table kernel": table_kernel(points)}
    for name, make in (
        ("pyfastnoiselite", fastnoiselite),
        ("opensimplex", opensimplex),
        ("noise", noise_package),
        ("pyfastnoisesimd", fastnoisesimd),
    ):
        try:
            candidates[name] = make(points)
        except ImportError:
            report.note(f"{name} is not installed here.")
    program = compile_cpp("simplex.cpp")
    if program is not None:
        command = [str(program), str(CELLS), "1", str(SEED)]
        candidates["article in C++"] = Clocked(lambda: float(_output(command).split()[0]))
    times = interleave(candidates, report.rounds(15))
    rate = OCTAVES * len(points) / float(np.median(times["ours"])) / 1e6
    report.figure("octaves of points a second", f"{rate:.0f} million")
    bars = {"table kernel": 9, "pyfastnoiselite": 6, "opensimplex": 10}
    for name in candidates:
        if name not in ("ours", "as printed", "pyfastnoisesimd"):
            report.compare(f"8 octaves, {len(points):,} points", times, "ours", name, at_least=bars.get(name))
    if "article in C++" in candidates:
        report.compare("as printed", times, "as printed", "article in C++")
    if "pyfastnoisesimd" in candidates:
        _wide(report, times)
    _world(report)
    report.note("One thread each. opensimplex has no octaves and takes a grid: 8 calls of noise3array on as many points.")
    report.note(f"noise takes one point a call: {len(points) // SAMPLE:,} points, extrapolated.")


def ours() -> np.ndarray:
    """Our plain octaves, float32 (6, n, n)."""
    growth = generator("simplex").grow(SEED, PLAIN)
    growth.advance(growth.total)
    return growth.heights


def printed() -> np.ndarray:
    """Our `method=as-printed`."""
    growth = generator("simplex").grow(SEED, {"cells": CELLS, "octaves": OCTAVES, "method": "as-printed"})
    growth.advance(growth.total)
    return growth.heights


def fastnoiselite(points: np.ndarray) -> Callable[[], object]:
    """OpenSimplex2, the package's only gradient noise on a simplex lattice, as a fractal sum."""
    package = importlib.import_module("pyfastnoiselite.pyfastnoiselite")
    source = package.FastNoiseLite(SEED)
    source.noise_type = package.NoiseType.NoiseType_OpenSimplex2
    source.fractal_type = package.FractalType.FractalType_FBm
    source.fractal_octaves, source.fractal_gain, source.frequency = OCTAVES, 0.6, 1.0
    columns = np.ascontiguousarray(points.T)
    return lambda: source.gen_from_coords(columns)


def fastnoisesimd(points: np.ndarray) -> Callable[[], object]:
    """SimplexFractal with one worker."""
    package = importlib.import_module("pyfastnoisesimd")
    source = package.Noise(seed=SEED, numWorkers=1)
    source.noiseType, source.frequency = package.NoiseType.SimplexFractal, 1.0
    source.fractal.octaves, source.fractal.gain = OCTAVES, 0.6
    columns = package.empty_coords(len(points))
    columns[:, : len(points)] = points.T
    return lambda: source.genFromCoords(columns)


def opensimplex(points: np.ndarray) -> Callable[[], object]:
    """noise3array on a grid of about as many points."""
    package = importlib.import_module("opensimplex")
    package.seed(SEED)
    side, depth = 128, round(len(points) / 128**2)
    line, layers = np.linspace(-1, 1, side), np.linspace(-1, 1, depth)
    share = len(points) / (side * side * depth)

    def octaves() -> float:
        start = time.perf_counter()
        for k in range(OCTAVES):
            package.noise3array(line * 2.0**k, line * 2.0**k, layers * 2.0**k)
        return (time.perf_counter() - start) * share

    return Clocked(octaves)


def noise_package(points: np.ndarray) -> Callable[[], object]:
    """snoise3, in C, one point a call."""
    snoise3 = importlib.import_module("noise").snoise3
    some = points[::SAMPLE].tolist()

    def octaves() -> float:
        start = time.perf_counter()
        for x, y, z in some:
            snoise3(x, y, z, OCTAVES, 0.6)
        return (time.perf_counter() - start) * len(points) / len(some)

    return Clocked(octaves)


def table_kernel(points: np.ndarray) -> Callable[[], object]:
    """The usual scalar kernel with branches and a permutation table, as one would port it to numba."""
    table = permutation_table(SEED).astype(np.int64)
    out = np.empty(len(points), np.float32)
    return lambda: _table_octaves(points, table, out)


@numba.njit(inline="always", **OPTIONS)
def _table_corner(g, x, y, z):
    t = np.float32(0.6) - x * x - y * y - z * z
    if t < 0:
        return np.float32(0.0)
    t *= t
    u = x if g < 8 else y
    v = y if g < 4 else z
    return t * t * ((u if g & 1 == 0 else -u) + (v if g & 2 == 0 else -v))


@numba.njit(**OPTIONS)
def _table_noise(x, y, z, perm):
    third, sixth, half = np.float32(1 / 3), np.float32(1 / 6), np.float32(0.5)
    s = (x + y + z) * third
    i, j, k = int(np.floor(x + s)), int(np.floor(y + s)), int(np.floor(z + s))
    t = np.float32(i + j + k) * sixth
    x, y, z = x - (np.float32(i) - t), y - (np.float32(j) - t), z - (np.float32(k) - t)
    if x >= y:
        if y >= z:
            i1, j1, k1, i2, j2, k2 = 1, 0, 0, 1, 1, 0
        elif x >= z:
            i1, j1, k1, i2, j2, k2 = 1, 0, 0, 1, 0, 1
        else:
            i1, j1, k1, i2, j2, k2 = 0, 0, 1, 1, 0, 1
    elif y < z:
        i1, j1, k1, i2, j2, k2 = 0, 0, 1, 0, 1, 1
    elif x < z:
        i1, j1, k1, i2, j2, k2 = 0, 1, 0, 0, 1, 1
    else:
        i1, j1, k1, i2, j2, k2 = 0, 1, 0, 1, 1, 0
    a, b, c = i & 255, j & 255, k & 255
    total = _table_corner(perm[a + perm[b + perm[c]]] % 12, x, y, z)
    g = perm[a + i1 + perm[b + j1 + perm[c + k1]]] % 12
    total += _table_corner(g, x - np.float32(i1) + sixth, y - np.float32(j1) + sixth, z - np.float32(k1) + sixth)
    g = perm[a + i2 + perm[b + j2 + perm[c + k2]]] % 12
    total += _table_corner(g, x - np.float32(i2) + third, y - np.float32(j2) + third, z - np.float32(k2) + third)
    g = perm[a + 1 + perm[b + 1 + perm[c + 1]]] % 12
    return np.float32(32.0) * (total + _table_corner(g, x - half, y - half, z - half))


@numba.njit(**OPTIONS)
def _table_octaves(points, perm, out):
    for p in range(out.size):
        total, frequency, amplitude = np.float32(0.0), np.float32(1.0), np.float32(1.0)
        for _ in range(OCTAVES):
            x, y, z = points[p, 0] * frequency, points[p, 1] * frequency, points[p, 2] * frequency
            total += amplitude * _table_noise(x, y, z, perm)
            frequency *= np.float32(2.0)
            amplitude *= np.float32(0.6)
        out[p] = total


def _wide(report: Report, times: dict[str, list[float]]) -> None:
    """Against a library of intrinsics. The terms are equal only where LLVM may use the widest vectors too."""
    features = llvm.get_host_cpu_features()
    if not features.get("avx512f"):
        report.compare("8 octaves, 256-bit vectors", times, "ours", "pyfastnoisesimd", at_least=0.75)
        return
    report.compare("8 octaves, 256-bit vectors", times, "ours", "pyfastnoisesimd")
    given = ",".join(("+" if on and name != "prefer-256-bit" else "-") + name for name, on in features.items())
    env = {**os.environ, "NUMBA_CPU_FEATURES": given, "NUMBA_NUM_THREADS": "1"}
    told = _output([sys.executable, "-c", WIDE_CHILD, str(Path(__file__).resolve().parents[1])], env)
    value, mine, theirs, checksum = (float(word) for word in told.split()[-4:])
    figure = f"ours {format_seconds(mine)}, pyfastnoisesimd {format_seconds(theirs)}: **{value:.3g}x**"
    report.figure("8 octaves, 512-bit vectors", figure, "at least 0.75x", value >= 0.75)
    same = checksum == float(ours().astype(np.float64).sum())
    report.figure("bits with 512-bit vectors", "the same" if same else "others", "the same", same)


def wide_child() -> None:
    """Prints what `_wide` compares. It runs in its own process, because numba reads NUMBA_CPU_FEATURES on import."""
    points = CUBE.positions(CELLS + 1).reshape(-1, 3).astype(np.float32)
    times = interleave({"ours": ours, "theirs": fastnoisesimd(points)}, 15)
    ratios = np.median(np.array(times["theirs"]) / np.array(times["ours"]))
    checksum = ours().astype(np.float64).sum()
    print(ratios, np.median(times["ours"]), np.median(times["theirs"]), repr(float(checksum)))


def _world(report: Report) -> None:
    """The default world with everything on, and its sea level."""

    def whole() -> None:
        growth = generator("simplex").grow(SEED)
        growth.advance(growth.total)
        assert np.isfinite(growth.sea_level)

    seconds = float(np.median(interleave({"world": whole}, report.rounds(9))["world"]))
    report.figure("default world with its sea level", format_seconds(seconds), "at most 1 s", seconds <= 1.0)
    tracemalloc.start()
    growth = generator("simplex").grow(SEED, {"cells": 1024})
    growth.advance(growth.total)
    level = growth.sea_level
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    limit = 3 * growth.heights.nbytes + 150e6
    figure = f"{peak / growth.heights.nbytes:.2f} x the heights"
    report.figure("peak memory, 6 x 1025 x 1025", figure, "3 x + 150 MB", peak <= limit and np.isfinite(level))


def _output(command: list[str], env: dict[str, str] | None = None) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout
