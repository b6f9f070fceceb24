"""Eyes and screens: flashes and burn-in over whole cycles of the scenes, left alone and with every key pressed in turn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.flashes import AREA, BURNS_S, MOST, Flashes, Kept
from benchmarks.harness import Report

SIZE = (128, 96)
SEED = 11
# Pictures a second; with --quick too few for what flashes faster than five times a second.
FPS, QUICK_FPS = 30, 10
# A key is pressed every so often; how many of a second's pictures are drawn where keys are tried.
KEY_S = 3.0
# Smaller worlds, with --quick.
SMALLER = {"plasma": {"cells": 256}, "cuts": {"cells": 64}, "simplex": {"cells": 64}, "map": {"gn": 5}}
# Keys that end the show or go to another world, whose time is not that of the cycle.
NOT_PRESSED = {"quit"}


def run(report: Report) -> None:
    """Rows for a cycle left alone, by day and by night, and for one with keys."""
    from datetime import time

    from demo.hosts import offscreen
    from demo.scenes.hours import hour_of

    rows = (("left alone", None, False), ("at midnight, left alone", time(0), False), ("every key in turn", None, True))
    with offscreen.context(SIZE):
        for name, clock, keyed in rows:
            hour = hour_of(clock) if clock else None
            _row(report, name, hour, keyed)
    fps = QUICK_FPS if report.quick else FPS
    report.note(f"Pictures of {SIZE[0]}x{SIZE[1]}, {fps} a second, through a cycle of all scenes and their melts.")
    report.note("A flash is a pair of opposing changes as WCAG 2.3.1 has it, of luminance or of saturated red.")
    report.note("Burn-in: the longest time for which a pixel above 10 % of white stays within 2 % of one colour.")


def _row(report: Report, name: str, hour: object, keyed: bool) -> None:
    fps = QUICK_FPS if report.quick else FPS
    flashes, kept = Flashes(fps), Kept()
    count = 0
    for number, picture in enumerate(_pictures(report.quick, fps, hour, keyed)):
        flashes.see(picture)
        if number % fps == 0 and not keyed:
            kept.see(picture, number / fps)
        count = number
    value = f"**{flashes.worst}** in the worst second, over {MOST} in {100 * flashes.worst_area:.0f} % of a block"
    bar = f"at most {MOST} over {100 * AREA:.0f} % of any block"
    report.figure(f"flashes, {name}, {count / fps:.0f} s", value, bar, flashes.worst_area <= AREA)
    if not keyed:
        report.figure(f"{name}: burn-in", f"**{kept.longest_s:.0f} s**", f"at most {BURNS_S:g} s", kept.longest_s <= BURNS_S)


def _pictures(quick: bool, fps: int, hour: object, keyed: bool) -> Iterator[np.ndarray]:
    """The pictures of a cycle."""
    from demo.scenes.scenes import ROTATION, SCENES
    from demo.show.melt import MELT_S
    from demo.show.options import ShowOptions
    from demo.show.show import Show
    from demo.tables.keys import ACTIONS

    worlds = SMALLER if quick else {}
    hours = (lambda: hour) if hour else None
    show = Show(ShowOptions(seed=SEED, parameters=worlds, paced=False, quality="low", endures=True, hours=hours), *SIZE)
    # Whatever switches how the same moment looks.
    switches = [row.name for row in ACTIONS if row.switch and row.name not in NOT_PRESSED]
    try:
        seconds = sum(SCENES[name].birth_s + SCENES[name].flight_s - MELT_S for name in ROTATION)
        pressed = 0
        for number in range(round(seconds * fps)):
            t = number / fps
            if keyed and t >= KEY_S * (pressed + 1):
                show.act(switches[pressed % len(switches)])
                pressed += 1
            show.seek(t)
            yield show.read()
    finally:
        show.close()
