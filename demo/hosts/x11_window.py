"""The show in an X window that another program owns, such as a screensaver daemon, or in the root window.

The owner watches the input and ends the show by SIGTERM, or just destroys the window. Source of the conventions:
XScreenSaver's README.hacking and its `--root`, `--window-id` and XSCREENSAVER_WINDOW.
"""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from ..worlds.parameters import ParameterError
from . import adjacent_monitors, context, display, player, saver, waiting, xlib
from .display_power import DisplayPower
from .errors import HostError
from .halt import come_to_a_halt
from .hosts import WINDOW_ID_TAKES, window_number
from .manners import Manners

if TYPE_CHECKING:
    import numpy as np

    from ..show.options import ShowOptions
    from ..show.show import Show
    from .hosts import Request

# No monitor is so small, in pixels: dialogs show previews of 152x112 to about 400x300.
PREVIEW = (480, 360)
ENVIRONMENT = {
    "SDL_VIDEODRIVER": "x11",
    "SDL_VIDEO_FOREIGN_WINDOW_OPENGL": "1",
}


def problem() -> None:
    """None: only opening the display tells whether it is there."""


def run(options: ShowOptions, request: Request) -> int:
    """Draws into the window `window-id`, else $XSCREENSAVER_WINDOW, else the root window, until its owner ends it.

    An owner on Wayland that names its window by something other than a number gets a full-screen saver instead. Returns 0
    when the window is gone. Ends the process with status 0 when the X server is: the owner must not take that for a crash.
    Raises HostError when there is no X display or no such window, and ParameterError for what can be no window.
    """
    try:
        wanted = request.given["window-id"] if "window-id" in request.given else window_from_environment()
    except WaylandToken:
        problem = display.problem()
        if problem:
            raise HostError(f"{problem}: run it in a desktop session") from None
        return saver.run(options, request)
    if not sys.platform.startswith("linux") and "bsd" not in sys.platform:
        raise HostError("another program's window needs X11: use --saver on this system")
    xlib.when_lost(lambda: os._exit(0))
    foreign = ForeignWindow(wanted)
    os.environ.update(ENVIRONMENT, SDL_WINDOWID=str(foreign.window_id))
    return _play(options, request, foreign)


def _play(options: ShowOptions, request: Request, foreign: ForeignWindow) -> int:
    picture = None
    options = for_preview(options, foreign.size())
    options = adjacent_monitors.spanning(options, request.monitors, *foreign.surroundings(), request.bezel)
    with player.compiling(options) as compiler:
        context.open_window(foreign.size())
        show = player.first_picture(options, foreign.size(), compiler)
        try:
            foreign.restore()
            # Nobody tells SDL whether this window is mapped.
            rate, power = Manners(request.fps).fps, DisplayPower()

            def seen() -> bool:
                return foreign.is_seen() and power.is_lit()

            wait = waiting.waiter([foreign.connection()])
            player.play(show, request, lambda event: False, foreign.size, seen, rate=rate, wait=wait)
        except WindowGone:
            pass
        except Halted as halted:
            picture = _halt(show, request.fps, foreign) if seen() else None
            picture = picture if halted.keep else None
        except Exception:
            # A driver may fail in any way when the window goes while it draws, before the event that tells of it.
            if foreign.exists():
                raise
            picture = _unheard(show, foreign)
        finally:
            show.close()
    if picture is not None and request.keep_last:
        request.keep_last(picture)
    return 0


def _halt(show: Show, fps: int, foreign: ForeignWindow) -> np.ndarray | None:
    """The last picture after a halt, or where the halt was when the window went: its owner does not wait for long."""
    try:
        return come_to_a_halt(show, fps)
    except Exception:
        if foreign.exists():
            raise
    # It is drawn into memory of its own, and needs no window; but a driver may need one.
    with suppress(Exception):
        return show.bare_picture()
    return None


def _unheard(show: Show, foreign: ForeignWindow) -> np.ndarray | None:
    """The last picture where the window went before its owner's wish to keep it was read; None without one."""
    try:
        foreign.size()
    except Halted as halted:
        if halted.keep:
            with suppress(Exception):
                return show.bare_picture()
    except WindowGone:
        pass
    return None


def for_preview(options: ShowOptions, size: tuple[int, int]) -> ShowOptions:
    """The options of a window of that size: the preview of a settings dialog has nothing compiled ahead.

    A dialog starts and ends previews with every click, and what is compiled ahead for the show keeps all cores busy.
    """
    width, height = size
    return replace(options, precompiler=None) if width <= PREVIEW[0] and height <= PREVIEW[1] else options


class WaylandToken(ValueError):
    """$XSCREENSAVER_WINDOW names a window of Wayland, which has no numbers."""


def window_from_environment() -> int | None:
    """$XSCREENSAVER_WINDOW as a number, decimal or 0x hexadecimal; None when it is not set.

    Raises WaylandToken for other words in a Wayland session, and ParameterError for them in an X11 session.
    """
    text = os.environ.get("XSCREENSAVER_WINDOW", "").strip()
    if not text:
        return None
    number = window_number(text)
    if number is None and os.environ.get("WAYLAND_DISPLAY"):
        raise WaylandToken(text)
    if number is None:
        raise ParameterError(f"XSCREENSAVER_WINDOW={text} is not possible: it takes {WINDOW_ID_TAKES}")
    return number


class WindowGone(Exception):
    """The owner destroyed its window, which is how some of them end a screen saver."""


class Halted(Exception):
    """The owner is another process of this program, whose user is back. `keep`: whether the last picture is wanted."""

    def __init__(self, keep: bool) -> None:
        super().__init__()
        self.keep = keep


SDL_PROPERTIES = (b"WM_NAME", b"_NET_WM_NAME", b"_NET_WM_ICON", b"XdndAware")


class ForeignWindow:
    """Another program's window, watched over a connection of our own.

    SDL selects no events on a window that it did not make, and never asks for its size again. Selecting them on SDL's
    connection would work too, but would tie this to the layout of its window information.
    """

    def __init__(self, window_id: int | None) -> None:
        self._x = xlib.load()
        self._display = self._x.XOpenDisplay(None)
        if not self._display:
            where = os.environ.get("DISPLAY", "")
            raise HostError(f"no X display: cannot connect to DISPLAY={where}: run it under X11, or use 'still' or 'film'")
        self._x.XSetErrorHandler(xlib.IGNORE_ERRORS)
        self.window_id = self._x.XDefaultRootWindow(self._display) if window_id is None else window_id
        # Events first, so that no change slips in between. Asking for the size shows whether the window exists.
        mask = xlib.STRUCTURE_NOTIFY_MASK | xlib.VISIBILITY_CHANGE_MASK
        self._x.XSelectInput(self._display, self.window_id, mask)
        size = self._geometry()
        if size is None:
            raise HostError(f"no X window {self.window_id:#x}: pass the number of an existing window")
        self._size = size
        # Nobody tells how it was before; an owner shows its window first.
        self._mapped, self._covered = True, False
        self._properties = self._texts()
        self._halt = self._x.XInternAtom(self._display, xlib.HALT_MESSAGE, 0)

    def _geometry(self) -> tuple[int, int] | None:
        place = xlib.geometry(self._x, self._display, self.window_id)
        return place and place[2:]

    def surroundings(self) -> tuple[adjacent_monitors.Place | None, list[adjacent_monitors.Place]]:
        """Where the window is on the screen, and the monitors of that."""
        root = self._x.XDefaultRootWindow(self._display)
        place = adjacent_monitors.place_on_screen(self._x, self._display, self.window_id)
        return place, xlib.monitors(xlib.load_randr(), self._display, root)

    def connection(self) -> int:
        """The file descriptor on which its events come."""
        return self._x.XConnectionNumber(self._display)

    def exists(self) -> bool:
        """Whether the window is still there."""
        return self._geometry() is not None

    def restore(self) -> None:
        """Undoes what SDL writes on a window that it takes for its own. Status bars show the root window's name."""
        for atom, text in self._properties.items():
            if text is None:
                self._x.XDeleteProperty(self._display, self.window_id, atom)
            else:
                self._x.XSetTextProperty(self._display, self.window_id, ctypes.byref(text), atom)
        self._x.XFlush(self._display)

    def _texts(self) -> dict[int, xlib.XTextProperty | None]:
        texts = {}
        for name in SDL_PROPERTIES:
            atom, text = self._x.XInternAtom(self._display, name, 0), xlib.XTextProperty()
            there = self._x.XGetTextProperty(self._display, self.window_id, ctypes.byref(text), atom)
            texts[atom] = text if there and text.format == 8 else None
        return texts

    def size(self) -> tuple[int, int]:
        """(width, height) in pixels, with all events so far taken into account; raises WindowGone and Halted."""
        event = xlib.XEvent()
        while self._x.XPending(self._display):
            self._x.XNextEvent(self._display, ctypes.byref(event))
            if event.configure.type == xlib.VISIBILITY_NOTIFY:
                self._covered = event.visibility.state == xlib.FULLY_OBSCURED
            elif event.configure.type == xlib.CLIENT_MESSAGE:
                if event.message.message_type == self._halt:
                    raise Halted(bool(event.message.words[0]))
            elif event.configure.window == self.window_id:
                self._note(event.configure)
        return self._size

    def _note(self, event: xlib.XConfigureEvent) -> None:
        if event.type == xlib.DESTROY_NOTIFY:
            raise WindowGone
        if event.type in (xlib.MAP_NOTIFY, xlib.UNMAP_NOTIFY):
            self._mapped = event.type == xlib.MAP_NOTIFY
        if event.type == xlib.CONFIGURE_NOTIFY:
            self._size = max(event.width, 1), max(event.height, 1)

    def is_seen(self) -> bool:
        """Whether any of it could be seen when `size` was last asked for. Under a compositor nothing covers a window."""
        return self._mapped and not self._covered
