"""The show in an X window that another program owns, such as a screensaver daemon, or in the root window.

The owner watches the input and ends the show by SIGTERM, or just destroys the window. Source of the conventions:
XScreenSaver's README.hacking and its `--root`, `--window-id` and XSCREENSAVER_WINDOW.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import TYPE_CHECKING, Any

from . import context, player, saver
from .errors import HostError

if TYPE_CHECKING:
    from ..show.options import ShowOptions
    from .hosts import Request

ENVIRONMENT = {
    "SDL_VIDEODRIVER": "x11",
    "SDL_VIDEO_FOREIGN_WINDOW_OPENGL": "1",
    "SDL_VIDEO_ALLOW_SCREENSAVER": "1",
}


def problem() -> None:
    """None: only opening the display tells whether it is there."""


def run(options: ShowOptions, request: Request) -> int:
    """Draws into the window `window-id`, else $XSCREENSAVER_WINDOW, else the root window, until its owner ends it.

    An owner that names its window by something other than a number (on Wayland) gets a full-screen saver instead. Returns
    0 when the window is gone. Raises HostError when there is no X display or no such window.
    """
    try:
        wanted = request.given["window-id"] if "window-id" in request.given else window_from_environment()
    except NotANumber:
        return saver.run(options, request)
    if not sys.platform.startswith("linux") and "bsd" not in sys.platform:
        raise HostError("another program's window needs X11: use --saver on this system")
    foreign = ForeignWindow(wanted)
    os.environ.update(ENVIRONMENT, SDL_WINDOWID=str(foreign.window_id))
    return _play(options, request, foreign)


def _play(options: ShowOptions, request: Request, foreign: ForeignWindow) -> int:
    with player.compiling(options) as compiler:
        context.open_window(foreign.size())
        show = player.first_picture(options, foreign.size(), compiler)
        try:
            foreign.restore()
            # Nobody tells SDL whether this window is mapped, so it is always drawn.
            player.play(show, request, handle=lambda event: False, measure=foreign.size, visible=lambda: True)
        except WindowGone:
            pass
        except Exception:
            # A driver may fail in any way when the window goes while it draws, before the event that tells of it.
            if foreign.exists():
                raise
        finally:
            show.close()
    return 0


class NotANumber(ValueError):
    """$XSCREENSAVER_WINDOW names a window by something other than a number."""


def window_from_environment() -> int | None:
    """$XSCREENSAVER_WINDOW as a number, decimal or 0x hexadecimal; None when it is not set. Raises NotANumber."""
    text = os.environ.get("XSCREENSAVER_WINDOW", "").strip()
    if not text:
        return None
    try:
        return int(text, 0)
    except ValueError:
        raise NotANumber(text) from None


class WindowGone(Exception):
    """The owner destroyed its window, which is how some of them end a screen saver."""


SDL_PROPERTIES = (b"WM_NAME", b"_NET_WM_NAME", b"_NET_WM_ICON", b"XdndAware")
CONFIGURE_NOTIFY, DESTROY_NOTIFY = 22, 17
STRUCTURE_NOTIFY_MASK = 1 << 17


class XConfigureEvent(ctypes.Structure):
    """Xlib's XConfigureEvent, whose first members every event shares."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("event", ctypes.c_ulong),
        ("window", ctypes.c_ulong),
        ("x", ctypes.c_int),
        ("y", ctypes.c_int),
        ("width", ctypes.c_int),
        ("height", ctypes.c_int),
    )


class XTextProperty(ctypes.Structure):
    """Xlib's XTextProperty: a property in units of `format` bits."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("encoding", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("nitems", ctypes.c_ulong),
    )


class XEvent(ctypes.Union):
    """Xlib's XEvent, as large as the largest."""

    _fields_ = (("configure", XConfigureEvent), ("pad", ctypes.c_long * 24))


class ForeignWindow:
    """Another program's window, watched over a connection of our own.

    SDL selects no events on a window that it did not make, and never asks for its size again. Selecting them on SDL's
    connection would work too, but would tie this to the layout of its window information.
    """

    def __init__(self, window_id: int | None) -> None:
        self._x = _load_xlib()
        self._display = self._x.XOpenDisplay(None)
        if not self._display:
            raise HostError(f"no X display: cannot connect to DISPLAY={os.environ.get('DISPLAY', '')}")
        self._x.XSetErrorHandler(_IGNORE_ERRORS)
        self.window_id = self._x.XDefaultRootWindow(self._display) if window_id is None else window_id
        # Events first, so that no change slips in between. Asking for the size shows whether the window exists.
        self._x.XSelectInput(self._display, self.window_id, STRUCTURE_NOTIFY_MASK)
        size = self._geometry()
        if size is None:
            raise HostError(f"no X window {self.window_id:#x}: pass the number of an existing window")
        self._size = size
        self._properties = self._texts()

    def _geometry(self) -> tuple[int, int] | None:
        """(width, height) in pixels, as the server knows them now; None when there is no such window."""
        root, x, y = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_int()
        width, height, border, depth = (ctypes.c_uint() for _ in range(4))
        references = map(ctypes.byref, (root, x, y, width, height, border, depth))
        if not self._x.XGetGeometry(self._display, self.window_id, *references):
            return None
        return max(width.value, 1), max(height.value, 1)

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

    def _texts(self) -> dict[int, XTextProperty | None]:
        texts = {}
        for name in SDL_PROPERTIES:
            atom, text = self._x.XInternAtom(self._display, name, 0), XTextProperty()
            there = self._x.XGetTextProperty(self._display, self.window_id, ctypes.byref(text), atom)
            texts[atom] = text if there and text.format == 8 else None
        return texts

    def size(self) -> tuple[int, int]:
        """(width, height) in pixels, with all events so far taken into account; raises WindowGone."""
        event = XEvent()
        while self._x.XPending(self._display):
            self._x.XNextEvent(self._display, ctypes.byref(event))
            self._note(event.configure)
        return self._size

    def _note(self, event: XConfigureEvent) -> None:
        if event.window != self.window_id:
            return
        if event.type == DESTROY_NOTIFY:
            raise WindowGone
        if event.type == CONFIGURE_NOTIFY:
            self._size = max(event.width, 1), max(event.height, 1)


_ErrorHandler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)

# Xlib's own handler ends the process with an error line when SDL or GL draws into a window that has just gone. That end is
# ordinary here, and an event tells of it. The object must live as long as the process, because Xlib keeps a pointer to it.
_IGNORE_ERRORS = _ErrorHandler(lambda display, event: 0)


def _load_xlib() -> Any:
    try:
        x = ctypes.CDLL("libX11.so.6")
    except OSError as error:
        raise HostError(f"no X11 library ({error}): install libx11-6 (Debian's name)") from None
    pointer, window = ctypes.c_void_p, ctypes.c_ulong
    x.XOpenDisplay.restype = pointer
    x.XOpenDisplay.argtypes = [ctypes.c_char_p]
    x.XDefaultRootWindow.restype = window
    x.XDefaultRootWindow.argtypes = [pointer]
    x.XGetGeometry.argtypes = [pointer, window, *[pointer] * 7]
    x.XSelectInput.argtypes = [pointer, window, ctypes.c_long]
    x.XInternAtom.restype = window
    x.XInternAtom.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int]
    x.XDeleteProperty.argtypes = [pointer, window, window]
    x.XGetTextProperty.argtypes = [pointer, window, pointer, window]
    x.XSetTextProperty.argtypes = [pointer, window, pointer, window]
    x.XFlush.argtypes = [pointer]
    x.XPending.argtypes = [pointer]
    x.XNextEvent.argtypes = [pointer, pointer]
    x.XSetErrorHandler.argtypes = [_ErrorHandler]
    return x
