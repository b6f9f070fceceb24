"""Drainage of planar height fields of 2048^2, one thread: depressions filled, receivers, accumulation; against two packages.

pyflwdir (compiled by numba, as ours) and py-richdem (C++) are in benchmarks/requirements.txt; one not installed is left out.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator

import numba
import numpy as np

from benchmarks.harness import Report, interleave
from demo.mapping.raster import drain

SIDE = 2048
SEED = 1
# Amplitudes fall with this power of the frequency: hills and valleys; and a rough plain, two fifths of it in depressions.
TERRAIN, ROUGH = 2.0, 1.6
# Times as many cells per second, and how far the largest accumulation may be from theirs.
BARS = {"pyflwdir": 3.5, "py-richdem": 1.6}
NEAR = 0.01


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
