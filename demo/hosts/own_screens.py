"""A screensaver on several monitors of an X screen: it is a host itself, with a window and a process for each monitor.

The processes are this program with `--window-id`, and share the world as under any other host. They end with their windows,
and those end with this process, however it ends.
"""

from __future__ import annotations

import ctypes
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pygame

from . import xlib
from .errors import HostError
from .halt import HALT_S

# Of X.h.
KEY_PRESS, BUTTON_PRESS, MOTION_NOTIFY = 2, 4, 6
KEY_MASK, BUTTON_MASK, MOTION_MASK = 1 << 0, 1 << 2, 1 << 6
OVERRIDE_REDIRECT, GRAB_ASYNC, CURRENT_TIME = 1 << 9, 1, 0
# How long it waits for input before it looks after its processes, seconds.
LOOK_S = 0.5
SAVER_WORD = "--saver"
# How long processes may take to come to a halt, and then to keep a picture while the screen is the user's again, seconds.
HALTED_WITHIN_S, KEPT_WITHIN_S = HALT_S + 0.2, 15.0


def several() -> list[tuple[int, int, int, int]]:
    """The monitors (x, y, width, height) of an X screen with more than one; none elsewhere."""
    if not os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or SAVER_WORD not in sys.orig_argv:
        return []
    try:
        x = xlib.load()
    except HostError:
        return []
    display = x.XOpenDisplay(None)
    if not display:
        return []
    try:
        found = list(dict.fromkeys(xlib.monitors(xlib.load_randr(), display, x.XDefaultRootWindow(display))))
    finally:
        x.XCloseDisplay(display)
    return found if len(found) > 1 else []


def play(monitors: Sequence[tuple[int, int, int, int]], wakes: Callable[[Any], bool]) -> int:
    """Shows a window on each monitor until `wakes` returns True for an event, or a process ends by itself; its status.

    `wakes` gets what pygame would tell of keys, buttons and motion. Then all come to a halt together, and the first keeps
    its last picture. Raises HostError.
    """
    # Nobody is there any more for whom anything could end well or badly.
    xlib.when_lost(lambda: os._exit(0))
    screens = Screens(monitors)
    children = [subprocess.Popen(_command(window)) for window in screens.windows]
    try:
        while not any(wakes(event) for event in screens.events()):
            ended = [status for child in children if (status := child.poll()) is not None]
            if ended:
                return max(map(abs, ended))
        screens.halt()
        _wait_for(children, time.monotonic() + HALTED_WITHIN_S)
        screens.close()
        _wait_for(children, time.monotonic() + KEPT_WITHIN_S)
    finally:
        for child in children:
            child.terminate()
        for child in children:
            child.wait()
    return 0


def _wait_for(children: Sequence[subprocess.Popen[bytes]], until: float) -> None:
    """Until all have ended, but not beyond `until` on the monotonic clock."""
    for child in children:
        with suppress(subprocess.TimeoutExpired):
            child.wait(max(until - time.monotonic(), 0.0))


def _command(window: int) -> list[str]:
    """This program as it was started, with a window in the place of `--saver`."""
    return [sys.executable, *(f"--window-id={window}" if word == SAVER_WORD else word for word in sys.orig_argv[1:])]


class Screens:
    """Windows over everything, one a monitor, and all keys and the pointer while they are there."""

    def __init__(self, monitors: Sequence[tuple[int, int, int, int]]) -> None:
        self._x = xlib.load_windows()
        self._display = self._x.XOpenDisplay(None)
        if not self._display:
            raise HostError(f"no X display: cannot connect to DISPLAY={os.environ.get('DISPLAY', '')}")
        self._root = self._x.XDefaultRootWindow(self._display)
        self._cursor = self._no_cursor()
        self._at: tuple[int, int] | None = None
        self.windows = [self._window(place) for place in monitors]
        self._x.XSync(self._display, 0)

    def _window(self, place: tuple[int, int, int, int]) -> int:
        window = self._x.XCreateSimpleWindow(self._display, self._root, *place, 0, 0, 0)
        # No window manager moves it or puts a frame around it.
        attributes = xlib.XSetWindowAttributes(override_redirect=1)
        self._x.XChangeWindowAttributes(self._display, window, OVERRIDE_REDIRECT, ctypes.byref(attributes))
        self._x.XSelectInput(self._display, window, KEY_MASK | BUTTON_MASK | MOTION_MASK)
        self._x.XMapRaised(self._display, window)
        return int(window)

    def _no_cursor(self) -> int:
        """A pointer of one pixel that is not drawn."""
        bits, black = ctypes.create_string_buffer(1), xlib.XColor()
        nothing = self._x.XCreateBitmapFromData(self._display, self._root, bits, 1, 1)
        return int(self._x.XCreatePixmapCursor(self._display, nothing, nothing, *[ctypes.byref(black)] * 2, 0, 0))

    def events(self) -> list[Any]:
        """What has happened, after at most LOOK_S without anything."""
        self._grab()
        if not self._x.XPending(self._display):
            select.select([self._x.XConnectionNumber(self._display)], [], [], LOOK_S)
        event, found = xlib.XEvent(), []
        while self._x.XPending(self._display):
            self._x.XNextEvent(self._display, ctypes.byref(event))
            found.append(self._as_pygame_has_it(event))
        return found

    def halt(self) -> None:
        """Tells all processes that the user is back; the first one is to keep its last picture."""
        kind = self._x.XInternAtom(self._display, xlib.HALT_MESSAGE, 0)
        for number, window in enumerate(self.windows):
            words = (ctypes.c_long * 5)(number == 0)
            message = xlib.XClientMessageEvent(xlib.CLIENT_MESSAGE, 0, 1, None, window, kind, 32, words)
            # Whoever selects changes of the window gets it, which its process does.
            self._x.XSendEvent(self._display, window, 0, xlib.STRUCTURE_NOTIFY_MASK, ctypes.byref(message))
        self._x.XSync(self._display, 0)

    def close(self) -> None:
        """Gives back the screen, the keys and the pointer."""
        self._x.XCloseDisplay(self._display)

    def _grab(self) -> None:
        """Asked again and again: a menu that is open has them at first."""
        window = self.windows[0]
        self._x.XGrabKeyboard(self._display, window, 0, GRAB_ASYNC, GRAB_ASYNC, CURRENT_TIME)
        mask = BUTTON_MASK | MOTION_MASK
        self._x.XGrabPointer(self._display, window, 0, mask, GRAB_ASYNC, GRAB_ASYNC, 0, self._cursor, CURRENT_TIME)

    def _as_pygame_has_it(self, event: xlib.XEvent) -> Any:
        kind = event.configure.type
        if kind == MOTION_NOTIFY:
            now = event.motion.x_root, event.motion.y_root
            before, self._at = self._at or now, now
            return SimpleNamespace(type=pygame.MOUSEMOTION, rel=(now[0] - before[0], now[1] - before[1]))
        return SimpleNamespace(
            type={KEY_PRESS: pygame.KEYDOWN, BUTTON_PRESS: pygame.MOUSEBUTTONDOWN}.get(kind, pygame.NOEVENT)
        )
