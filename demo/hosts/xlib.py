"""Xlib and Xrandr by ctypes: the few functions that hosts call beside SDL, over connections of their own."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from .errors import HostError

VISIBILITY_NOTIFY, DESTROY_NOTIFY, UNMAP_NOTIFY, MAP_NOTIFY, CONFIGURE_NOTIFY = 15, 17, 18, 19, 22
CLIENT_MESSAGE = 33
VISIBILITY_CHANGE_MASK, STRUCTURE_NOTIFY_MASK = 1 << 16, 1 << 17
FULLY_OBSCURED = 2
# A program of ours with windows for others of ours tells them by it to come to a halt. Its first word: whether to keep the
# last picture.
HALT_MESSAGE = b"_LANDFALL_HALT"
SCREEN_CHANGE_NOTIFY_MASK = 1 << 0


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


class XVisibilityEvent(ctypes.Structure):
    """Xlib's XVisibilityEvent."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("state", ctypes.c_int),
    )


class XMotionEvent(ctypes.Structure):
    """Xlib's XMotionEvent as far as the pointer's place."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("root", ctypes.c_ulong),
        ("subwindow", ctypes.c_ulong),
        ("time", ctypes.c_ulong),
        ("x", ctypes.c_int),
        ("y", ctypes.c_int),
        ("x_root", ctypes.c_int),
        ("y_root", ctypes.c_int),
    )


class XClientMessageEvent(ctypes.Structure):
    """Xlib's XClientMessageEvent with its words of 32 bits."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("words", ctypes.c_long * 5),
    )


class XSetWindowAttributes(ctypes.Structure):
    """Xlib's XSetWindowAttributes."""

    _fields_ = (
        ("background_pixmap", ctypes.c_ulong),
        ("background_pixel", ctypes.c_ulong),
        ("border_pixmap", ctypes.c_ulong),
        ("border_pixel", ctypes.c_ulong),
        ("bit_gravity", ctypes.c_int),
        ("win_gravity", ctypes.c_int),
        ("backing_store", ctypes.c_int),
        ("backing_planes", ctypes.c_ulong),
        ("backing_pixel", ctypes.c_ulong),
        ("save_under", ctypes.c_int),
        ("event_mask", ctypes.c_long),
        ("do_not_propagate_mask", ctypes.c_long),
        ("override_redirect", ctypes.c_int),
        ("colormap", ctypes.c_ulong),
        ("cursor", ctypes.c_ulong),
    )


class XColor(ctypes.Structure):
    """Xlib's XColor."""

    _fields_ = (
        ("pixel", ctypes.c_ulong),
        ("red", ctypes.c_ushort),
        ("green", ctypes.c_ushort),
        ("blue", ctypes.c_ushort),
        ("flags", ctypes.c_char),
        ("pad", ctypes.c_char),
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

    _fields_ = (
        ("configure", XConfigureEvent),
        ("visibility", XVisibilityEvent),
        ("motion", XMotionEvent),
        ("message", XClientMessageEvent),
        ("pad", ctypes.c_long * 24),
    )


class XRRMonitorInfo(ctypes.Structure):
    """Xrandr's XRRMonitorInfo: one monitor's place on the screen in pixels."""

    _fields_ = (
        ("name", ctypes.c_ulong),
        ("primary", ctypes.c_int),
        ("automatic", ctypes.c_int),
        ("noutput", ctypes.c_int),
        ("x", ctypes.c_int),
        ("y", ctypes.c_int),
        ("width", ctypes.c_int),
        ("height", ctypes.c_int),
        ("mwidth", ctypes.c_int),
        ("mheight", ctypes.c_int),
        ("outputs", ctypes.c_void_p),
    )


ErrorHandler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
LostHandler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)

# Xlib's own handler ends the process with an error line when SDL or GL draws into a window that has just gone. That end is
# ordinary here, and an event tells of it. Xlib keeps a pointer to a handler, so its object must live as long as the process.
IGNORE_ERRORS = ErrorHandler(lambda display, event: 0)
_lost: list[Any] = []


def when_lost(end: Callable[[], object]) -> None:
    """Has `end` called when any connection to the X server breaks. It must end the process by itself.

    Xlib cannot go on then, and its own way is two lines on stderr and exit(1) in the midst of running threads.
    """

    def lost(display: object) -> int:
        end()
        return 0

    _lost[:] = [LostHandler(lost)]
    load().XSetIOErrorHandler(_lost[0])


def load() -> Any:
    """Xlib, its functions declared; raises HostError."""
    try:
        x = ctypes.CDLL("libX11.so.6")
    except OSError as error:
        raise HostError(f"no X11 library ({error}): install libx11-6 (Debian's name)") from None
    pointer, window = ctypes.c_void_p, ctypes.c_ulong
    x.XOpenDisplay.restype = pointer
    x.XOpenDisplay.argtypes = [ctypes.c_char_p]
    x.XCloseDisplay.argtypes = x.XConnectionNumber.argtypes = [pointer]
    x.XDefaultRootWindow.restype = window
    x.XDefaultRootWindow.argtypes = [pointer]
    x.XGetGeometry.argtypes = [pointer, window, *[pointer] * 7]
    x.XTranslateCoordinates.argtypes = [pointer, window, window, ctypes.c_int, ctypes.c_int, *[pointer] * 3]
    x.XSelectInput.argtypes = [pointer, window, ctypes.c_long]
    x.XMoveResizeWindow.argtypes = [pointer, window, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint]
    x.XInternAtom.restype = window
    x.XInternAtom.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int]
    x.XDeleteProperty.argtypes = [pointer, window, window]
    x.XGetTextProperty.argtypes = [pointer, window, pointer, window]
    x.XSetTextProperty.argtypes = [pointer, window, pointer, window]
    x.XFlush.argtypes = [pointer]
    x.XPending.argtypes = [pointer]
    x.XNextEvent.argtypes = [pointer, pointer]
    x.XSetErrorHandler.argtypes = [ErrorHandler]
    x.XSetIOErrorHandler.argtypes = [LostHandler]
    return x


def load_drawing() -> Any:
    """Xlib with what it takes to put a picture into a pixmap; raises HostError."""
    x = load()
    pointer, window, number, count = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_uint
    for name in ("XCreateGC", "XCreateImage", "XDefaultVisual"):
        getattr(x, name).restype = pointer
    x.XCreatePixmap.restype = window
    x.XDefaultScreen.argtypes = [pointer]
    x.XDefaultDepth.argtypes = x.XDefaultVisual.argtypes = [pointer, number]
    x.XCreatePixmap.argtypes = [pointer, window, count, count, count]
    x.XCreateGC.argtypes = [pointer, window, window, pointer]
    x.XCreateImage.argtypes = [pointer, pointer, count, number, number, pointer, count, count, number, number]
    x.XPutImage.argtypes = [pointer, window, pointer, pointer, *[number] * 4, count, count]
    x.XFreeGC.argtypes = [pointer, pointer]
    x.XFree.argtypes = [pointer]
    x.XChangeProperty.argtypes = [pointer, window, window, window, number, number, pointer, number]
    x.XSetWindowBackgroundPixmap.argtypes = [pointer, window, window]
    x.XClearWindow.argtypes = [pointer, window]
    x.XKillClient.argtypes = [pointer, window]
    x.XSetCloseDownMode.argtypes = x.XSync.argtypes = [pointer, number]
    return x


def load_windows() -> Any:
    """Xlib with what it takes to have windows of one's own and their input; raises HostError."""
    x = load()
    pointer, window, number, count = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_uint
    x.XCreateSimpleWindow.restype = x.XCreateBitmapFromData.restype = x.XCreatePixmapCursor.restype = window
    x.XCreateSimpleWindow.argtypes = [pointer, window, number, number, count, count, count, window, window]
    x.XChangeWindowAttributes.argtypes = [pointer, window, window, pointer]
    x.XCreateBitmapFromData.argtypes = [pointer, window, pointer, count, count]
    x.XCreatePixmapCursor.argtypes = [pointer, window, window, pointer, pointer, count, count]
    x.XMapRaised.argtypes = [pointer, window]
    x.XSync.argtypes = [pointer, number]
    x.XSendEvent.argtypes = [pointer, window, number, ctypes.c_long, pointer]
    x.XGrabKeyboard.argtypes = [pointer, window, number, number, number, window]
    x.XGrabPointer.argtypes = [pointer, window, number, count, number, number, window, window, window]
    return x


def load_randr() -> Any:
    """Xrandr 1.5, its functions declared; None where it is missing."""
    try:
        randr = ctypes.CDLL("libXrandr.so.2")
        pointer, window, number = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int
        randr.XRRSelectInput.argtypes = [pointer, window, number]
        randr.XRRGetMonitors.restype = ctypes.POINTER(XRRMonitorInfo)
        randr.XRRGetMonitors.argtypes = [pointer, window, number, pointer]
        randr.XRRFreeMonitors.argtypes = [pointer]
    except (OSError, AttributeError):
        return None
    return randr


def load_dpms() -> Any:
    """The DPMS functions of libXext, declared; None where it is missing."""
    try:
        extension = ctypes.CDLL("libXext.so.6")
        pointer = ctypes.c_void_p
        extension.DPMSQueryExtension.argtypes = [pointer, pointer, pointer]
        extension.DPMSInfo.argtypes = [pointer, pointer, pointer]
    except (OSError, AttributeError):
        return None
    return extension


def monitors(randr: Any, display: Any, root: int) -> list[tuple[int, int, int, int]]:
    """(x, y, width, height) in pixels of each active monitor on the screen; none where `randr` is None."""
    count = ctypes.c_int()
    found = randr.XRRGetMonitors(display, root, 1, ctypes.byref(count)) if randr else None
    if not found:
        return []
    try:
        return [(row.x, row.y, row.width, row.height) for row in found[: count.value]]
    finally:
        randr.XRRFreeMonitors(found)


def geometry(x: Any, display: Any, window_id: int) -> tuple[int, int, int, int] | None:
    """A window's (x, y, width, height) in pixels within its parent, as the server knows them now; None without a window."""
    root, left, top = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_int()
    width, height, border, depth = (ctypes.c_uint() for _ in range(4))
    references = map(ctypes.byref, (root, left, top, width, height, border, depth))
    if not x.XGetGeometry(display, window_id, *references):
        return None
    return left.value, top.value, max(width.value, 1), max(height.value, 1)
