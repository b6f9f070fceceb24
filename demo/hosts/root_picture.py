"""A picture on the X root window, for sessions without a desktop, by the convention that compositors and terminals read.

The picture is a pixmap that outlives the program. The properties _XROOTPMAP_ID and ESETROOT_PMAP_ID hold its number, as
Esetroot introduced them.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import xlib
from .errors import HostError

PROPERTIES = (b"_XROOTPMAP_ID", b"ESETROOT_PMAP_ID")
XA_PIXMAP, REPLACE, Z_PIXMAP, RETAIN_PERMANENT, ANY = 20, 0, 2, 1, 0
TRUE_COLOUR_DEPTHS = (24, 32)


def pixmap_now() -> int:
    """The number of the present picture's pixmap; 0 where the root window has none. Raises HostError."""
    x, display = _connected()
    try:
        return _pixmap(x, display)
    finally:
        x.XCloseDisplay(display)


def show_picture(picture: np.ndarray, ours: int = 0) -> int:
    """Puts a picture, uint8 (height, width, 3) as large as the screen, on the root window; the number of its pixmap.

    `ours`: the pixmap of our picture before this one, which is freed. Raises HostError.
    """
    x, display = _connected()
    try:
        screen = x.XDefaultScreen(display)
        if x.XDefaultDepth(display, screen) not in TRUE_COLOUR_DEPTHS:
            raise HostError("the X screen has no true colours: the wallpaper is left as it is")
        number = _filled(x, display, screen, picture)
        _wear(x, display, number)
        if ours:
            x.XKillClient(display, ours)
        x.XSetCloseDownMode(display, RETAIN_PERMANENT)
        x.XSync(display, 0)
        return number
    finally:
        x.XCloseDisplay(display)


def wear_again(pixmap: int, ours: int = 0) -> None:
    """Puts a pixmap that is still there back on the root window, 0 for none; frees that of `ours`. Raises HostError."""
    x, display = _connected()
    try:
        _wear(x, display, pixmap)
        if ours:
            x.XKillClient(display, ours)
        x.XSync(display, 0)
    finally:
        x.XCloseDisplay(display)


def _connected() -> tuple[Any, Any]:
    x = xlib.load_drawing()
    display = x.XOpenDisplay(None)
    if not display:
        raise HostError("no X display: the wallpaper is left as it is")
    x.XSetErrorHandler(xlib.IGNORE_ERRORS)
    return x, display


def _filled(x: Any, display: Any, screen: int, picture: np.ndarray) -> int:
    """A new pixmap with the picture, scaled by whole pixels where the screen has another size."""
    root, depth = x.XDefaultRootWindow(display), x.XDefaultDepth(display, screen)
    place = xlib.geometry(x, display, root)
    width, height = place[2:] if place else (picture.shape[1], picture.shape[0])
    rows = np.arange(height) * picture.shape[0] // height
    columns = np.arange(width) * picture.shape[1] // width
    pixels = np.zeros((height, width, 4), np.uint8)
    # Blue first: 0xRRGGBB as the machines that X runs on here keep it.
    pixels[..., :3] = picture[rows][:, columns, ::-1]
    pixmap = x.XCreatePixmap(display, root, width, height, depth)
    context = x.XCreateGC(display, pixmap, 0, None)
    data = pixels.ctypes.data_as(ctypes.c_void_p)
    image = x.XCreateImage(display, x.XDefaultVisual(display, screen), depth, Z_PIXMAP, 0, data, width, height, 32, 0)
    x.XPutImage(display, pixmap, context, image, 0, 0, 0, 0, width, height)
    # Not XDestroyImage, which would free numpy's memory.
    x.XFree(image)
    x.XFreeGC(display, context)
    return int(pixmap)


def _wear(x: Any, display: Any, pixmap: int) -> None:
    root = x.XDefaultRootWindow(display)
    number = ctypes.c_ulong(pixmap)
    for name in PROPERTIES:
        atom = x.XInternAtom(display, name, 0)
        if pixmap:
            x.XChangeProperty(display, root, atom, XA_PIXMAP, 32, REPLACE, ctypes.byref(number), 1)
        else:
            x.XDeleteProperty(display, root, atom)
    x.XSetWindowBackgroundPixmap(display, root, pixmap)
    x.XClearWindow(display, root)


def _pixmap(x: Any, display: Any) -> int:
    atom, text = x.XInternAtom(display, PROPERTIES[0], 0), xlib.XTextProperty()
    there = x.XGetTextProperty(display, x.XDefaultRootWindow(display), ctypes.byref(text), atom)
    if not there or text.format != 32 or not text.nitems or not text.value:
        return 0
    return int(ctypes.cast(text.value, ctypes.POINTER(ctypes.c_ulong))[0])
