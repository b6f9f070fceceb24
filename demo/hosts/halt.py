"""The end of a screensaver by its user's hand: the flight comes to a halt, and its last picture is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame

if TYPE_CHECKING:
    import numpy as np

    from ..show.show import Show

HALT_S = 0.5


def come_to_a_halt(show: Show, fps: int, now: Callable[[], float] = time.perf_counter) -> np.ndarray | None:
    """Lets time run slower for HALT_S until it stands still. The last picture without words, None before a first world.

    uint8 (height, width, 3), top row first. `now`: a clock in seconds.
    """
    clock, began = pygame.time.Clock(), now()
    before = began
    while before < began + HALT_S:
        clock.tick(fps)
        moment = min(now(), began + HALT_S)
        # Speed falls evenly from that of the flight to none: this is how far it comes between the two moments.
        passed = _way(moment - began) - _way(before - began)
        before = moment
        show.update(max(passed, 0.0))
        show.draw()
        pygame.display.flip()
        # Whatever is pressed meanwhile is old.
        pygame.event.clear()
    return show.bare_picture()


def _way(seconds: float) -> float:
    return seconds - 0.5 * seconds * seconds / HALT_S
