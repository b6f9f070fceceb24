"""The X screen behind a full-screen window, which follows it where no window manager makes it do so."""

from __future__ import annotations

import ctypes

import pygame

from . import xlib
from .errors import HostError


def follow() -> FollowedScreen | None:
    """The screen that pygame's window fills; None where it is no X screen."""
    if pygame.display.get_driver() != "x11":
        return None
    try:
        return FollowedScreen(pygame.display.get_wm_info()["window"])
    except HostError:
        return None


class FollowedScreen:
    """Watches the monitors over a connection of its own.

    SDL reads their sizes once, as it starts. A window manager fits full-screen windows to a monitor that changes; without
    one, nobody does.
    """

    def __init__(self, window_id: int) -> None:
        """Raises HostError when the X server cannot be asked."""
        self._window_id = window_id
        self._x = xlib.load()
        self._randr = xlib.load_randr()
        self._display = self._x.XOpenDisplay(None)
        if not self._display:
            raise HostError("no X display")
        self._root = self._x.XDefaultRootWindow(self._display)
        self._x.XSelectInput(self._display, self._root, xlib.STRUCTURE_NOTIFY_MASK)
        if self._randr:
            self._randr.XRRSelectInput(self._display, self._root, xlib.SCREEN_CHANGE_NOTIFY_MASK)
        self._x.XFlush(self._display)

    def fit(self) -> None:
        """Moves and sizes the window to its monitor after a change. Asks the server nothing in other frames."""
        if not self._changed():
            return
        place = self._place()
        if place and not self._managed():
            self._x.XMoveResizeWindow(self._display, self._window_id, *place)
            self._x.XFlush(self._display)

    def _changed(self) -> bool:
        """Whether events have come since the last time: no other kind is selected."""
        event, seen = xlib.XEvent(), False
        while self._x.XPending(self._display):
            self._x.XNextEvent(self._display, ctypes.byref(event))
            seen = True
        return seen

    def _managed(self) -> bool:
        """Whether a window manager runs, by the property with which it says so."""
        atom, text = self._x.XInternAtom(self._display, b"_NET_SUPPORTING_WM_CHECK", 0), xlib.XTextProperty()
        return bool(self._x.XGetTextProperty(self._display, self._root, ctypes.byref(text), atom))

    def _place(self) -> tuple[int, int, int, int] | None:
        """(x, y, width, height) in pixels of the monitor that holds the window's corner, or of the first one."""
        window, screen = (xlib.geometry(self._x, self._display, which) for which in (self._window_id, self._root))
        if not window or not screen:
            return None
        monitors = xlib.monitors(self._randr, self._display, self._root) or [screen]
        x, y = window[:2]
        holding = (place for place in monitors if 0 <= x - place[0] < place[2] and 0 <= y - place[1] < place[3])
        return next(holding, monitors[0])
