"""Drainage of planar height fields of 2048^2, one thread: depressions filled, receivers, accumulation; against two packages.

pyflwdir (compiled by numba, as ours) and py-richdem (C++) are in benchmarks/requirements.txt; one not installed is left out.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numba
import numpy as np

from benchmarks.harness import Report, interleave
from demo.worlds.drainage import MOST_BINS, Graph, accumulate, fill, route
from demo.worlds.drainage_kernels import CLOSED, UNSEEN

SIDE = 2048
SEED = 1
# Amplitudes fall with this power of the frequency: hills and valleys; and a rough plain, two fifths of it in depressions.
TERRAIN, ROUGH = 2.0, 1.6
# Times as many cells per second, and how far the largest accumulation may be from theirs.
BARS = {"pyflwdir": 3.5, "py-richdem": 1.6}
NEAR = 0.01
DIAGONAL = np.float32(np.sqrt(0.5))


@dataclass(frozen=True)
class Drainage:
    """Drainage of a raster (rows, columns): `filled` float32, `receiver` int32, `accumulation` float64.

    `receiver` is the flat index of the cell that a cell flows to, or its own index where it flows off the map.
    """

    filled: np.ndarray
    receiver: np.ndarray
    accumulation: np.ndarray


def drain(heights: np.ndarray, steepest: bool = True) -> Drainage:
    """Drainage of float32 heights (rows, columns), at least one by one, over eight neighbours; the map's rim is open.

    Depressions are filled up to their lowest rim. A cell flows to the neighbour of the steepest fall, or to the lowest one
    without `steepest`. Each cell adds 1 to the accumulation. Raises ValueError where a height is not finite.
    """
    heights = np.asarray(heights, np.float32)
    if heights.ndim != 2 or heights.size == 0 or not np.isfinite(heights).all():
        raise ValueError("drainage takes a table of finite heights")
    rows, columns = heights.shape
    row = columns + 2
    level = np.full((rows + 2, row), np.inf, np.float32)
    level[1:-1, 1:-1] = heights
    seen = np.full(level.shape, CLOSED, np.uint8)
    seen[2:-2, 2:-2] = UNSEEN
    rim = np.zeros(level.shape, bool)
    rim[1:-1, 1:-1] = True
    rim[2:-2, 2:-2] = False
    slant = DIAGONAL if steepest else np.float32(1.0)
    nearness = np.array([slant, 1, slant, 1, 1, slant, 1, slant], np.float32)
    flat, graph = level.ravel(), Graph.of_raster(row)
    fill(graph, flat, seen.ravel(), np.flatnonzero(rim).astype(np.int32), max(2, min(MOST_BINS, heights.size)))
    receiver, arrivals = route(graph, flat, seen.ravel(), nearness)
    accumulation = np.ones(flat.size)
    accumulate(receiver, arrivals, accumulation)
    inside = np.s_[1:-1, 1:-1]
    own = receiver.reshape(level.shape)[inside]
    # A place (j, i) is j * row + i with the frame and (j - 1) * columns + i - 1 without it.
    unframed = own - np.int32(2) * (own // np.int32(row)) - np.int32(columns + 1)
    return Drainage(level[inside], unframed, accumulation.reshape(level.shape)[inside])


def run(report: Report) -> None:
    """Ours in turns with each package that there is, by the rule that both follow: a cell flows to its lowest neighbour."""
    numba.set_num_threads(1)
    terrain, rough = field(TERRAIN), field(ROUGH)
    for name, make in {"pyflwdir": pyflwdir, "py-richdem": richdem}.items():
        try:
            make(terrain[:8, :8])()
        except ImportError:
            report.note(f"{name} is not installed here.")
            continue
        times = interleave({"ours": lambda: drain(terrain, steepest=False), name: make(terrain)}, report.rounds(9))
        report.compare(f"{SIDE}^2 against {name}", times, "ours", name, at_least=BARS[name])
        ours, theirs = float(drain(terrain, steepest=False).accumulation.max()), make(terrain)()
        off = abs(ours / theirs - 1.0)
        what = f"largest accumulation against {name}"
        report.figure(what, f"{ours:,.0f} cells and {theirs:,.0f}", f"within {NEAR:.0%}", off <= NEAR)
        times = interleave({"ours": lambda: drain(rough, steepest=False), name: make(rough)}, report.rounds(5))
        report.compare(f"a rough plain against {name}", times, "ours", name)
    report.note("One thread each; filled heights, receivers and accumulation of fractal terrain in float32, all in memory.")


def field(power: float) -> np.ndarray:
    """A fractal terrain by the inverse Fourier transform, float32 (SIDE, SIDE), 0 to 2,000 m."""
    waves = np.fft.rfft2(np.random.default_rng(SEED).standard_normal((SIDE, SIDE)))
    frequency = np.hypot(np.fft.fftfreq(SIDE)[:, None], np.fft.rfftfreq(SIDE)[None, :])
    frequency[0, 0] = 1.0
    heights = np.fft.irfft2(waves / frequency**power, s=(SIDE, SIDE))
    return ((heights - heights.min()) * (2000.0 / np.ptp(heights))).astype(np.float32)


def pyflwdir(heights: np.ndarray) -> Callable[[], float]:
    """A function that drains the field by pyflwdir; returns the largest accumulation in cells."""
    import pyflwdir

    def call() -> float:
        flow = pyflwdir.from_dem(heights, nodata=-9999.0, outlets="edge")
        return float(flow.upstream_area(unit="cell").max())

    return call


def richdem(heights: np.ndarray) -> Callable[[], float]:
    """The same by py-richdem, which needs a slope on filled ground to let it flow."""
    import richdem

    def call() -> float:
        with silence():
            filled = richdem.fill_depressions(richdem.rdarray(heights, no_data=-9999.0), epsilon=True)
            return float(np.asarray(richdem.flow_accumulation(filled, method="D8")).max())

    return call


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """No output, not even that of C++."""
    kept = [os.dup(1), os.dup(2)]
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            for number, copy in zip((1, 2), kept, strict=True):
                os.dup2(copy, number)
                os.close(copy)
