"""Carving: the scenes' worlds to their end, against one drainage (fill, route, accumulate) of the same heights; memory;
one step of rivers against fastscapelib.

Times are processor time of this process, so that other work on the machine counts little.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numba
import numpy as np

from benchmarks import incision
from benchmarks.harness import Clocked, Report, format_seconds, interleave, ratio
from demo.catalogue.generators import generator
from demo.worlds.carving.kernels import OUTSIDE
from demo.worlds.carving.node_graph import node_graph
from demo.worlds.drainage import accumulate, fill, route
from demo.worlds.drainage_kernels import CLOSED, UNSEEN
from demo.worlds.growth import Growth

SEED = 7
PLANE_CELLS, CUBE_CELLS = 1024, 320
# At most so many drainages of the plane: carving it, one step of that, carving the cube. The bars are 1.5 s for the cube and
# 0.1 s for a step where a drainage takes 90 ms.
PLANE, STEP, CUBE = 30.0, 1.1, 17.0
# How much more memory a plane's carving takes than its growth.
MEMORY_MB = 90.0
_PEAK = """from demo.catalogue.generators import generator
growth = generator("plasma").grow({seed}, {{"cells": {cells}, "carve": {carve}}})
growth.advance(growth.total)
print(*(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))"""


def run(report: Report) -> None:
    """A plane in turns with its drainage, a cube, the longest step, and memory."""
    numba.set_num_threads(1)
    steps: list[list[float]] = []
    candidates = {
        "plane": Clocked(_carving("plasma", PLANE_CELLS, steps)),
        "cube": Clocked(_carving("simplex", CUBE_CELLS, [])),
        "drainage": Clocked(_draining(_grown("plasma", PLANE_CELLS))),
    }
    times = interleave(candidates, report.rounds(5))
    # Of each step the median over the rounds; the first call was not timed.
    slowest = max(range(len(steps[0])), key=lambda k: statistics.median(found[k] for found in steps[1:]))
    times["step"] = [found[slowest] for found in steps[1:]]
    side = PLANE_CELLS + 1
    for name, what, bar in (
        ("plane", f"plasma {side}^2, carved to its end", PLANE),
        ("step", "its longest step", STEP),
        ("cube", f"simplex 6 x {CUBE_CELLS + 1}^2, carved to its end", CUBE),
    ):
        factor = ratio(times, "drainage", name)
        took = format_seconds(statistics.median(times[name]))
        report.figure(what, f"{took}, **{factor:.3g}** drainages", f"at most {bar:g}", factor <= bar)
    report.figure(f"one drainage of {side}^2", format_seconds(statistics.median(times["drainage"])))
    more = _peak_mb(1.0) - _peak_mb(0.0)
    report.figure(f"memory of carving {side}^2", f"{more:.0f} MB", f"at most {MEMORY_MB:g} MB", more <= MEMORY_MB)
    incision.compare(report)
    report.note(
        "One thread. A drainage is `fill`, `route` and `accumulate` of the grown heights, in which the sea is closed."
    )


def _grown(name: str, cells: int) -> Growth:
    growth = generator(name).grow(SEED, {"cells": cells, "carve": 1.0})
    growth.advance(growth.stages["grown"])
    return growth


def _carving(name: str, cells: int, steps: list[list[float]]) -> Callable[[], float]:
    """Carves a world step by step, as the show does, and adds a list of the steps' seconds to `steps`."""

    def call() -> float:
        growth, clock = _grown(name, cells), [time.process_time()]
        for step in range(growth.done + 1, growth.total + 1):
            growth.advance(step)
            clock.append(time.process_time())
        steps.append(list(np.diff(clock)))
        return clock[-1] - clock[0]

    return call


def _draining(growth: Growth) -> Callable[[], float]:
    """Drains the grown heights of a plane once."""
    nodes = node_graph(growth.atlas, growth.n)
    outside = nodes.place == OUTSIDE
    height = nodes.of_samples(growth.heights, outside=np.inf)
    land = (height > growth.sea_level) & ~outside
    beside = np.logical_or.reduce([np.roll(land, -step) for step in nodes.table]) & ~land & ~outside
    seeds = np.flatnonzero(beside).astype(np.int32)
    first = np.where(land | beside, height, np.inf).astype(np.float32)

    def call() -> float:
        level, seen = first.copy(), np.where(land, UNSEEN, CLOSED).astype(np.uint8)
        start = time.process_time()
        fill(nodes.graph(), level, seen, seeds)
        receiver, arrivals = route(nodes.graph(), level, seen, nodes.nearness)
        accumulate(receiver, arrivals, nodes.area.astype(np.float64))
        return time.process_time() - start

    return call


def _peak_mb(carve: float) -> float:
    """The most memory that a process takes that grows a plane, in MB."""
    command = [sys.executable, "-c", _PEAK.format(seed=SEED, cells=PLANE_CELLS, carve=carve)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 1024.0
