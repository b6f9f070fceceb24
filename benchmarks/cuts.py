"""Plane cuts against the article's own loop in C++ and against brute force compiled by numba, on one thread each."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

import numba
import numpy as np

from benchmarks.harness import Clocked, Report, compile_cpp, interleave
from demo.catalogue.generators import GENERATORS
from demo.worlds.cuts.growth import planes
from demo.worlds.growth import Growth
from demo.worlds.kernels import OPTIONS

CUTS = 10_000
GENERATOR = GENERATORS["cuts"]
LATLONG_500 = {"atlas": "latlong", "cells": 250, "land": "printed"}
LATLONG_2048 = {"atlas": "latlong", "cells": 1024, "land": "printed"}
CUBE_1024 = {"atlas": "cube", "cells": 1023, "land": "printed"}


def run(report: Report) -> None:
    """All comparisons; with --quick the slow side does a tenth of the cuts, and its time is scaled."""
    share = 10 if report.quick else 1
    _against_article(report, share)
    _against_brute_force(report, "2048 x 1024 and both poles", LATLONG_2048, 38, report.rounds(3), share)
    _against_brute_force(report, "cube, 6 x 1024^2", CUBE_1024, 24, 1, share)
    _growing(report)
    report.note("One thread each; ours from seed to heights, drawing the planes included.")
    report.note(
        "Brute force: float64 n.p > d for every vertex and cut, in blocks of cuts, vectorised by LLVM. "
        "One round on the cube."
    )
    if share > 1:
        report.note(f"Quick: the slow side does a {share}th of the cuts, and its time is scaled.")


def _against_article(report: Report, share: int) -> None:
    program = compile_cpp("cuts_article.cpp")
    if program is None:
        report.note("No C++ compiler here: the article's loop was not measured.")
        return

    def article() -> float:
        done = subprocess.run([program, "500", str(CUTS // share)], check=True, capture_output=True, text=True)
        return float(done.stdout.split()[0]) * share

    candidates = {"ours": lambda: _grow(LATLONG_500), "the article's loop, C++ -O3": Clocked(article)}
    _grow(LATLONG_500)
    times = interleave(candidates, report.rounds(3), warm_up=False)
    report.compare("500 x 250, 10,000 cuts", times, *candidates, at_least=900)


def _against_brute_force(report: Report, what: str, parameters: dict, bar: float, rounds: int, share: int) -> None:
    some = CUTS // share
    brute = brute_force(parameters, some)
    brute_heights = np.zeros(0, np.float32)

    def slow() -> float:
        nonlocal brute_heights
        seconds, brute_heights = brute()
        return seconds * share

    _grow(parameters)
    candidates = {"ours": lambda: _grow(parameters), "brute force, numba": Clocked(slow)}
    times = interleave(candidates, rounds, warm_up=False)
    report.compare(f"{what}, 10,000 cuts", times, *candidates, at_least=bar)
    count = int((brute_heights != _grow(parameters, some).heights.ravel()).sum())
    report.figure(f"{what}: vertices that differ", f"{count} of {len(brute_heights):,}", "0", count == 0)


def _growing(report: Report) -> None:
    for count in (10, 100):
        growth = _grow({}, 5000)
        times = interleave({"ours": lambda g=growth, k=count: g.advance(g.done + k)}, 21)
        seconds = sorted(times["ours"])[10]
        report.figure(f"{count} more cuts of a picture, 6 x 257^2", f"{seconds * 1e3:.2f} ms")


def _grow(parameters: dict, to: int = CUTS) -> Growth:
    growth = GENERATOR.grow(1, parameters)
    growth.advance(to)
    return growth


def brute_force(parameters: dict, cuts: int) -> Callable[[], tuple[float, np.ndarray]]:
    """A function that tests every vertex against every cut. It returns its seconds and the heights, float32 (vertices,)."""
    values = GENERATOR.complete(parameters)
    positions = _grow(parameters, 0).atlas.positions(int(values["cells"]) + 1).reshape(-1, 3)
    normals, offsets, signs = planes(1, 0, cuts, values)
    _count(positions[:1], normals, offsets, signs)

    def call() -> tuple[float, np.ndarray]:
        start = time.perf_counter()
        heights = (float(values["step"]) * _count(positions, normals, offsets, signs)).astype(np.float32)
        return time.perf_counter() - start, heights

    return call


@numba.njit(**OPTIONS)
def _count(positions, normals, offsets, signs):
    """Ups less downs of each position, int64."""
    counts = np.zeros(len(positions), np.int64)
    part = np.empty((5, 512))
    for start in range(0, len(offsets), 512):
        block = min(512, len(offsets) - start)
        for c in range(block):
            part[0, c], part[1, c], part[2, c] = normals[start + c, 0], normals[start + c, 1], normals[start + c, 2]
            part[3, c], part[4, c] = offsets[start + c], signs[start + c]
        for v in range(len(positions)):
            x, y, z = positions[v, 0], positions[v, 1], positions[v, 2]
            total = 0
            for c in range(block):
                up = part[0, c] * x + part[1, c] * y + part[2, c] * z > part[3, c]
                total += 1 if up == (part[4, c] > 0.0) else -1
            counts[v] += total
    return counts
