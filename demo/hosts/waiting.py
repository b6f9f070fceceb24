"""Sleeping until an event comes. SDL's own waiting looks for one a thousand times a second."""

from __future__ import annotations

import ctypes
import select
import time
from collections.abc import Callable, Sequence

import pygame

from . import xlib
from .errors import HostError

LOOK_S = 0.02
"""How often a program that is seen looks for an event where none wakes it."""


def waiter(connections: Sequence[int] = ()) -> Callable[[float, bool], None]:
    """A function that sleeps for some seconds, or for less when something comes from the window's display.

    It is told whether the window is seen. `connections`: file descriptors of further connections that wake it. What SDL has
    read already wakes nobody: take all its events first. Displays other than X11 wake nobody either; there it looks for
    events every LOOK_S while it is seen, and sleeps to the end of its time while it is not.
    """
    display = _display_connection()
    if display is None:
        return _nap
    watched = select.poll()
    for connection in (display, *connections):
        watched.register(connection, select.POLLIN)

    def wait(seconds: float, seen: bool) -> None:
        watched.poll(1000.0 * seconds)

    return wait


def _nap(seconds: float, seen: bool) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0.0 and not pygame.event.peek():
        time.sleep(min(left, LOOK_S) if seen else left)


def _display_connection() -> int | None:
    """The file descriptor of SDL's connection to the X server; None where there is no X server."""
    if pygame.display.get_driver() != "x11":
        return None
    try:
        x = xlib.load()
    except HostError:
        return None
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return x.XConnectionNumber(pointer(pygame.display.get_wm_info()["display"], b"display"))
