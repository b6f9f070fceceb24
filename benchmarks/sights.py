"""The pictures that eyes would see of the show, one after another, for benchmarks that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

SIZE = (128, 96)
SEED = 11
# A key is pressed every so often.
KEY_S = 3.0
# Smaller worlds, with --quick.
SMALLER = {"plasma": {"cells": 256}, "cuts": {"cells": 64}, "simplex": {"cells": 64}, "map": {"gn": 5}}
# Keys that end the show or go to another world, whose time is not that of the cycle.
NOT_PRESSED = {"quit"}


@dataclass(frozen=True)
class Run:
    """How the show is looked at: over `seconds` (None: one cycle), every `step` seconds, at a viewer's hour or at none."""

    name: str
    step: float
    seconds: float | None = None
    midnight: bool = False
    keyed: bool = False
    quality: str = "low"
    quick: bool = False


def pictures(how: Run) -> Iterator[np.ndarray]:
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
    options = ShowOptions(seed=SEED, parameters=worlds, paced=False, quality=how.quality, endures=True, hours=hours)
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
