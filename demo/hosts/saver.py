"""The show as a screen saver: it fills the screen and ends when somebody comes back."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import pygame

from . import display
from .player import opened, play

if TYPE_CHECKING:
    from ..show.options import ShowOptions
    from .hosts import Request

GRACE_S = 1.0
MOTION_PX = 10.0

problem = display.problem


def run(options: ShowOptions, request: Request) -> int:
    """Plays the show full screen until any key, a click, or more than 10 px of pointer motion, after a second of grace."""
    with opened(options, request.size, fullscreen=True) as show:
        pygame.display.set_allow_screensaver(True)
        pygame.mouse.set_visible(False)
        play(show, request, Wake(time.monotonic()).handle)
    return 0


class Wake:
    """Ends a screen saver when somebody touches the keyboard or the pointer."""

    def __init__(self, started: float) -> None:
        self.started = started
        self.motion_px = 0.0

    def handle(self, event: Any) -> bool:
        """True when a pygame event means that someone is back, or asks the window to close."""
        return self.wakes(event, time.monotonic())

    def wakes(self, event: Any, now: float) -> bool:
        """`handle` at the time `now`, in seconds of the clock that gave `started`."""
        if event.type == pygame.QUIT:
            return True
        if now - self.started < GRACE_S:
            return False
        if event.type == pygame.MOUSEMOTION:
            self.motion_px += math.hypot(*event.rel)
        touched = event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL, pygame.FINGERDOWN)
        return touched or self.motion_px > MOTION_PX
