"""Flashes over whole cycles of the scenes: left alone, at midnight, and with every key pressed."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from benchmarks.flashes import AREA, MOST, TOGETHER_S, Flashes
from benchmarks.harness import Report
from benchmarks.sights import SIZE, Run, pictures

# Pictures a second; with --quick too few for what flashes faster than five times a second.
FPS, QUICK_FPS = 30, 10
# Runs at one time, each in a process and an OpenGL context of its own.
BESIDE = 2


def run(report: Report) -> None:
    """Rows for a cycle left alone, by day and by night, and for one with keys."""
    step = 1.0 / (QUICK_FPS if report.quick else FPS)
    runs = [
        Run("left alone", step, quick=report.quick),
        Run("at midnight, left alone", step, midnight=True, quick=report.quick),
        Run("every key in turn", step, keyed=True, quick=report.quick),
    ]
    with ProcessPoolExecutor(BESIDE, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        for done in pool.map(_flashes, runs):
            _report(report, *done)
    report.note(f"Pictures of {SIZE[0]}x{SIZE[1]}, {round(1.0 / step)} a second, through a cycle of all scenes and melts.")
    report.note("A flash is a pair of opposing changes as WCAG 2.3.1 has it, of luminance or of saturated red.")
    together = f"in one picture, or so much more one way than the other within {TOGETHER_S:.2g} s"
    report.note(f"Flashes are concurrent: {100 * AREA:.0f} % of a block changes the same way {together}.")


def _report(report: Report, how: Run, flashes: Flashes, count: int) -> None:
    value = f"**{flashes.worst}** in the worst second, over {MOST} in {100 * flashes.worst_area:.0f} % of a block"
    value += f" ({100 * flashes.worst_alone:.0f} % of turns alone too)"
    bar = f"at most {MOST} over {100 * AREA:.0f} % of any block"
    report.figure(f"{how.name}, {count * how.step:.0f} s", value, bar, flashes.worst_area <= AREA)


def _flashes(how: Run) -> tuple[Run, Flashes, int]:
    flashes, count = Flashes(round(1.0 / how.step)), 0
    for picture in pictures(how):
        flashes.see(picture)
        count += 1
    return how, flashes, count
