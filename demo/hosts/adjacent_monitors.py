"""Adjacent monitors under a host that starts one process for each: what each of them shows of one world.

The processes do not talk. Each finds its part by its window's place among the monitors, the seed by the host's process, and
the time of the story by the wall clock.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..geometry.view import Part, whole
from ..worlds import hashing
from . import xlib

if TYPE_CHECKING:
    from ..show.options import ShowOptions

SEED_STREAM = 150
# Places on the screen are (x, y, width, height) in pixels, from the upper left.
Place = tuple[int, int, int, int]
PROC = Path("/proc")
# What merely hands on to the program that is the host.
SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "fish", "env", "nice")
# After so long a new order of worlds begins, so that a process that is started late need not look far ahead. Seconds.
ORDER_S = 3600.0


@dataclass(frozen=True)
class Host:
    """The process that starts us. `pid`; `started`: seconds of the clock of `time.time`, as far as the system tells."""

    pid: int
    started: float


def spanning(options: ShowOptions, wish: str, place: Place | None, monitors: Sequence[Place], bezel: int) -> ShowOptions:
    """The options of a window at `place`; those given where it does not fill one of several monitors.

    `wish`: a word of `tables.monitors.MONITORS`. `bezel`: pixels that are hidden between two monitors.
    """
    host = host_process()
    if wish == "each" or place is None or place not in monitors or len(set(monitors)) < 2 or host is None:
        return options
    order, clock = divmod(max(time.time() - host.started, 0.0), ORDER_S)
    began = time.time() - clock
    seed = options.seed
    if seed is None:
        seed = hashing.bits(host.pid, SEED_STREAM, round(host.started) + int(order)) & 0x7FFFFFFF
    shared = replace(options, seed=seed, clock=wall_clock(began))
    if wish == "same":
        return shared
    part, first = part_of(place, monitors, bezel)
    # Words are read on one monitor.
    return replace(shared, part=part, caption=options.caption and first)


def wall_clock(began: float) -> Callable[[], float]:
    """Seconds since a time of `time.time`."""
    return lambda: max(time.time() - began, 0.0)


def part_of(place: Place, monitors: Sequence[Place], bezel: int) -> tuple[Part, bool]:
    """What the monitor at `place` shows of a picture on all of them; whether the picture's lower left is there."""
    spread = [_moved(monitor, monitors, bezel) for monitor in dict.fromkeys(monitors)]
    x, y, width, height = _moved(place, monitors, bezel)
    left, top = min(row[0] for row in spread), min(row[1] for row in spread)
    right, bottom = max(row[0] + row[2] for row in spread), max(row[1] + row[3] for row in spread)
    across, down = right - left, bottom - top
    middle = (2.0 * x + width - left - right) / across, (top + bottom - 2.0 * y - height) / down
    first = (x, -y) == min((row[0], -row[1]) for row in spread)
    return Part(middle, (width / across, height / down), whole(across / down).aspect), first


def _moved(place: Place, monitors: Sequence[Place], bezel: int) -> Place:
    """The place with the hidden pixels of all monitors before it."""
    x, y, width, height = place
    to_the_left = {row[0] for row in monitors if row[0] + row[2] <= x}
    above = {row[1] for row in monitors if row[1] + row[3] <= y}
    return x + bezel * len(to_the_left), y + bezel * len(above), width, height


def host_process(pid: int | None = None, proc: Path = PROC) -> Host | None:
    """The process that has started us, shells left out; None where the system does not tell."""
    pid = pid or os.getppid()
    try:
        boot = next(line for line in (proc / "stat").read_text().splitlines() if line.startswith("btime "))
        while True:
            # The name is in brackets and may hold anything.
            name, _, rest = (proc / str(pid) / "stat").read_text().partition("(")[2].rpartition(")")
            fields = rest.split()
            if name not in SHELLS or int(fields[1]) <= 1:
                break
            pid = int(fields[1])
    except (OSError, StopIteration, IndexError, ValueError):
        return None
    return Host(pid, int(boot.split()[1]) + int(fields[19]) / os.sysconf("SC_CLK_TCK"))


def place_on_screen(x: Any, display: Any, window_id: int) -> Place | None:
    """Where a window is on the screen, whatever windows it lies in; None where it is gone."""
    found = xlib.geometry(x, display, window_id)
    if found is None:
        return None
    left, top, child = ctypes.c_int(), ctypes.c_int(), ctypes.c_ulong()
    root = x.XDefaultRootWindow(display)
    if not x.XTranslateCoordinates(display, window_id, root, 0, 0, *map(ctypes.byref, (left, top, child))):
        return None
    return left.value, top.value, *found[2:]
