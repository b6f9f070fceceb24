"""Display power: whether the X server has switched the display off, so that nothing needs to be drawn."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable

from . import xlib
from .errors import HostError

# Seconds between two looks.
LOOK_S = 1.0
# DPMSModeOn of the DPMS extension; standby, suspend and off are dark.
MODE_ON = 0


def x_display_power() -> Callable[[], bool]:
    """A function that says whether the display is lit, by the DPMS extension over a connection of its own.

    Where there is no X server or no such extension every display is lit.
    """
    try:
        x, extension = xlib.load(), xlib.load_dpms()
        display = x.XOpenDisplay(None)
    except HostError:
        return lambda: True
    base, error = ctypes.c_int(), ctypes.c_int()
    if not display or not extension or not extension.DPMSQueryExtension(display, ctypes.byref(base), ctypes.byref(error)):
        return lambda: True

    def is_lit() -> bool:
        level, enabled = ctypes.c_ushort(), ctypes.c_ubyte()
        if not extension.DPMSInfo(display, ctypes.byref(level), ctypes.byref(enabled)):
            return True
        return not enabled.value or level.value == MODE_ON

    return is_lit


class DisplayPower:
    """Whether the display is lit, without a question to the server in every frame."""

    def __init__(self, lit: Callable[[], bool] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        """`lit` is the source, X's unless given; `now` a clock in seconds."""
        self._lit, self._now = lit or x_display_power(), now
        self._looked_s, self._is_lit = float("-inf"), True

    def is_lit(self) -> bool:
        """Whether the display was lit at the last look. One that is dark is looked at each time."""
        if not self._is_lit or self._now() - self._looked_s >= LOOK_S:
            self._looked_s, self._is_lit = self._now(), self._lit()
        return self._is_lit
