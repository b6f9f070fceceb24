"""The show as a screen saver: it fills the screen and ends when somebody comes back."""

from __future__ import annotations

import math
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import pygame

from . import display, own_screens, x11_screen
from .display_power import DisplayPower
from .halt import come_to_a_halt
from .manners import Manners
from .player import drawable_size, is_visible, opened, play

if TYPE_CHECKING:
    from ..show.options import ShowOptions
    from .hosts import Request

GRACE_S = 1.0
MOTION_PX, WITHIN_S = 10.0, 1.0

problem = display.problem


def run(options: ShowOptions, request: Request) -> int:
    """Plays the show full screen until a key, a click, or more than 10 px of pointer motion within a second.

    What is touched in the first second does not count.
    """
    monitors = own_screens.several()
    if monitors:
        return own_screens.play(monitors, Wake(time.monotonic()).handle)
    with opened(options, request.size, fullscreen=True) as show:
        pygame.mouse.set_visible(False)
        screen = x11_screen.follow()

        def measure() -> tuple[int, int]:
            if screen:
                screen.fit()
            return drawable_size()

        power = DisplayPower(None if screen else lambda: True)

        def seen() -> bool:
            return is_visible() and power.is_lit()

        play(show, request, Wake(time.monotonic()).handle, measure, seen, rate=Manners(request.fps).fps)
        # Nobody who comes back waits for a picture that is not there.
        picture = come_to_a_halt(show, request.fps) if request.keep_last and seen() else None
    # The screen is the user's again by now.
    if request.keep_last and picture is not None:
        request.keep_last(picture)
    return 0


class Wake:
    """Ends a screen saver when somebody touches the keyboard or the pointer."""

    def __init__(self, started: float) -> None:
        self.started = started
        self.motions: deque[tuple[float, float]] = deque()

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
            self.motions.append((now, math.hypot(*event.rel)))
            return self._moved_px(now) > MOTION_PX
        return event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL, pygame.FINGERDOWN)

    def _moved_px(self, now: float) -> float:
        """How far the pointer has moved within the last second. A desk that trembles all day must not add up."""
        while self.motions[0][0] <= now - WITHIN_S:
            self.motions.popleft()
        return sum(px for _, px in self.motions)
