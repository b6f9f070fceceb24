"""The show in a window of its own, with its keys, pointer and wheel."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pygame

from ..process.assets import assets
from ..tables import keys
from . import context, display, key_events
from .player import opened, play

if TYPE_CHECKING:
    from ..show.options import ShowOptions
    from ..show.show import Show
    from .hosts import Request

ICON = assets() / "icon.png"

problem = display.problem


def run(options: ShowOptions, request: Request) -> int:
    """Plays the show until the user ends it. The option `fullscreen` fills the screen from the start."""
    with opened(options, request.size, fullscreen=request.given.get("fullscreen", False)) as show:
        if os.path.exists(ICON):
            pygame.display.set_icon(pygame.image.load(ICON))
        play(show, request, Controls(show).handle, keep_awake=display.keep_awake)
    return 0


class Controls:
    """Keys, pointer and wheel of a windowed show. An action that the table marks `by_window` is a method of that name."""

    def __init__(self, show: Show) -> None:
        self.show = show
        self.held: set[str] = set()
        self.grabbed = False

    def handle(self, event: Any) -> bool:
        """Passes a pygame event on to the show; True when it asks for the end."""
        if event.type in (pygame.KEYDOWN, pygame.KEYUP):
            self._key(key_events.action_of(event))
        elif event.type == pygame.MOUSEMOTION and self.grabbed:
            self.show.pointer(*event.rel)
        elif event.type == pygame.MOUSEWHEEL:
            self.show.wheel(getattr(event, "precise_y", event.y))
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._release()
        self._grab(self.show.free_camera)
        return event.type == pygame.QUIT

    def _key(self, action: tuple[str, bool] | None) -> None:
        if action is None:
            return
        name, pressed = action
        row = keys.action_named(name)
        if row.by_window:
            if pressed:
                getattr(self, name)()
        elif row.held or row.runs:
            (self.held.add if pressed else self.held.discard)(name)
            self.show.act(name, pressed)
        elif pressed:
            self.show.act(name)

    def fullscreen(self) -> None:
        """Switches between window and full screen."""
        context.toggle_fullscreen()

    def _release(self) -> None:
        """Lets go of all held keys: when another window has the keyboard, their releases never arrive here."""
        for name in sorted(self.held):
            self.show.act(name, False)
        self.held.clear()

    def _grab(self, wanted: bool) -> None:
        """Hides and grabs the pointer. SDL then reports motion without end, even at the window's edge."""
        if wanted != self.grabbed:
            pygame.event.set_grab(wanted)
            pygame.mouse.set_visible(not wanted)
            self.grabbed = wanted
