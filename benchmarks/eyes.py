"""Eyes and screens: flashes over whole cycles of the scenes, left alone and with every key pressed, and burn-in over hours.

`--count N` hours of burn-in. Its pictures are seconds apart: that can only take a colour that came back for one that stayed.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.flashes import AREA, BURNS_S, MOST, TOGETHER_S, Flashes, Kept
from benchmarks.harness import Report

if TYPE_CHECKING:
    import numpy as np

SIZE = (128, 96)
SEED = 11
# Pictures a second; with --quick too few for what flashes faster than five times a second.
FPS, QUICK_FPS = 30, 10
# A key is pressed every so often.
KEY_S = 3.0
# Hours of burn-in, and seconds between its pictures.
HOURS, QUICK_HOURS, STEP_S = 8, 1, 4.0
# Smaller worlds, with --quick.
SMALLER = {"plasma": {"cells": 256}, "cuts": {"cells": 64}, "simplex": {"cells": 64}, "map": {"gn": 5}}
# Keys that end the show or go to another world, whose time is not that of the cycle.
NOT_PRESSED = {"quit"}
# Runs at one time, each in a process and an OpenGL context of its own.
BESIDE = 2


@dataclass(frozen=True)
class Run:
    """How the show is looked at: over `seconds` (None: one cycle), every `step` seconds, at a viewer's hour or at none."""

    name: str
    step: float
    seconds: float | None = None
    midnight: bool = False
    keyed: bool = False
    quick: bool = False


def run(report: Report) -> None:
    """Rows for a cycle left alone, by day and by night, for one with keys, and for burn-in."""
    step = 1.0 / (QUICK_FPS if report.quick else FPS)
    hours = report.asked or (QUICK_HOURS if report.quick else HOURS)
    burning = Run(f"left alone, {hours} h", STEP_S, 3600.0 * hours, quick=report.quick)
    flashing = [
        Run("left alone", step, quick=report.quick),
        Run("at midnight, left alone", step, midnight=True, quick=report.quick),
        Run("every key in turn", step, keyed=True, quick=report.quick),
    ]
    with ProcessPoolExecutor(BESIDE, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        kept = pool.submit(_kept, burning)
        for done in pool.map(_flashes, flashing):
            _report_flashes(report, *done)
        longest, count = kept.result()
    value = f"**{longest:.0f} s** of {count} pictures"
    report.figure(f"burn-in, {burning.name}", value, f"at most {BURNS_S:g} s", longest <= BURNS_S)
    size = f"{SIZE[0]}x{SIZE[1]}"
    report.note(f"Pictures of {size}, {round(1.0 / step)} a second, through a cycle of all scenes and their melts.")
    report.note("A flash is a pair of opposing changes as WCAG 2.3.1 has it, of luminance or of saturated red.")
    together = f"in one picture, or so much more one way than the other within {TOGETHER_S:.2g} s"
    report.note(f"Flashes are concurrent: {100 * AREA:.0f} % of a block changes the same way {together}.")
    report.note(f"Burn-in: how long a pixel above 10 % of white stays within 2 % of one colour, every {STEP_S:g} s.")


def _report_flashes(report: Report, how: Run, flashes: Flashes, count: int) -> None:
    value = f"**{flashes.worst}** in the worst second, over {MOST} in {100 * flashes.worst_area:.0f} % of a block"
    value += f" ({100 * flashes.worst_alone:.0f} % of turns alone too)"
    bar = f"at most {MOST} over {100 * AREA:.0f} % of any block"
    report.figure(f"flashes, {how.name}, {count * how.step:.0f} s", value, bar, flashes.worst_area <= AREA)


def _flashes(how: Run) -> tuple[Run, Flashes, int]:
    flashes, count = Flashes(round(1.0 / how.step)), 0
    for picture in _pictures(how):
        flashes.see(picture)
        count += 1
    return how, flashes, count


def _kept(how: Run) -> tuple[float, int]:
    """(the longest stay in seconds, how many pictures)."""
    kept, count = Kept(), 0
    for picture in _pictures(how):
        kept.see(picture, count * how.step)
        count += 1
    return kept.longest_s, count


def _pictures(how: Run) -> Iterator[np.ndarray]:
    """The pictures of a run, uint8 (h, w, 3), in a process that has drawn nothing yet."""
    from demo.process import environment

    environment.prepare()
    from datetime import time

    from demo.hosts import offscreen
    from demo.scenes.hours import hour_of
    from demo.scenes.scenes import ROTATION, SCENES
    from demo.show.melt import MELT_S
    from demo.show.options import ShowOptions
    from demo.tables.keys import ACTIONS

    hour = hour_of(time(0))
    hours = (lambda: hour) if how.midnight else None
    worlds = SMALLER if how.quick else {}
    # Whatever switches how the same moment looks.
    switches = [row.name for row in ACTIONS if row.switch and row.name not in NOT_PRESSED]
    cycle = sum(SCENES[name].birth_s + SCENES[name].flight_s - MELT_S for name in ROTATION)
    options = ShowOptions(seed=SEED, parameters=worlds, paced=False, quality="low", endures=True, hours=hours)
    with offscreen.context(SIZE):
        # PyOpenGL looks for its platform when it is imported: the context has chosen it.
        from demo.show.show import Show

        show = Show(options, *SIZE)
        try:
            pressed = 0
            for number in range(round((how.seconds or cycle) / how.step)):
                t = number * how.step
                if how.keyed and t >= KEY_S * (pressed + 1):
                    show.act(switches[pressed % len(switches)])
                    pressed += 1
                show.seek(t)
                yield show.read()
        finally:
            show.close()
