"""Whether a window can be opened, and pygame's display module, started once with the settings that every host needs."""

from __future__ import annotations

import contextlib
import os
import sys

import pygame

from ..process.stderr import say, silent_stderr
from . import xlib
from .errors import HostError

NO_WINDOW_DRIVERS = ("offscreen", "dummy")
MAY_SLEEP = "SDL_VIDEO_ALLOW_SCREENSAVER"

# The user's own word.
_ALWAYS_MAY_SLEEP = os.environ.get(MAY_SLEEP, "").lower() not in ("", "0", "false")


def start() -> str:
    """Starts pygame's display module if need be. The name of SDL's video driver; raises pygame.error.

    The display may sleep from here on, until `keep_awake`.
    """
    # Otherwise SDL tells the desktop as it starts that somebody is there, and the idle time that had a screen saver started
    # is over.
    own = os.environ.get(MAY_SLEEP)
    os.environ[MAY_SLEEP] = "1"
    try:
        pygame.display.init()
    finally:
        # Child processes have what the user has said, and not this.
        os.environ.pop(MAY_SLEEP)
        if own is not None:
            os.environ[MAY_SLEEP] = own
    return pygame.display.get_driver()


def keep_awake(wanted: bool) -> None:
    """Asks the desktop not to blank the screen, or lets go. A user whose SDL_VIDEO_ALLOW_SCREENSAVER is 1 never asks.

    Costs nothing where nothing changes, so it may be called in every frame. The end of the display lets go as well.
    """
    if pygame.display.get_allow_screensaver() == wanted and not _ALWAYS_MAY_SLEEP:
        pygame.display.set_allow_screensaver(not wanted)


def end_when_lost() -> None:
    """From here on a lost connection to the X server ends the process at once, with one line and status 1."""
    if pygame.display.get_driver() == "x11":
        with contextlib.suppress(HostError):
            xlib.when_lost(_lost)


def _lost() -> None:
    say(f"the display is gone: the connection to DISPLAY={os.environ.get('DISPLAY', '')} broke: start it again in a session")
    # No tidying up: the threads run on, and OpenGL would talk to a server that is not there.
    os._exit(1)


def problem() -> str | None:
    """Why no window can be opened, as one clause; None when one can. May leave pygame's display module started."""
    chosen = os.environ.get("SDL_VIDEODRIVER", "")
    if chosen in NO_WINDOW_DRIVERS:
        return f"SDL_VIDEODRIVER={chosen} shows no window"
    if not sys.platform.startswith("linux"):
        return None
    if not chosen and not _servers():
        return "no display: neither DISPLAY nor WAYLAND_DISPLAY is set"
    return _connection_problem(chosen)


def _servers() -> list[tuple[str, str]]:
    """(SDL's driver, the variable that names its server) for each server that the environment names."""
    pairs = (("x11", "DISPLAY"), ("wayland", "WAYLAND_DISPLAY"))
    return [(driver, name) for driver, name in pairs if os.environ.get(name)]


def _connection_problem(chosen: str) -> str | None:
    """None when SDL connects to a named server; else the servers that it did not reach.

    Only the drivers of named servers are tried. Left to itself, SDL falls back to drawing where nobody sees it.
    """
    try:
        if not chosen:
            os.environ["SDL_VIDEODRIVER"] = ",".join(driver for driver, _ in _servers())
        # Wayland's library says on stderr what the line below says.
        with silent_stderr():
            driver = start()
    except pygame.error:
        named = [f"{name}={os.environ[name]}" for _, name in _servers()] or [f"SDL_VIDEODRIVER={chosen}"]
        return f"no display: cannot connect to {' or '.join(named)}"
    finally:
        if not chosen:
            del os.environ["SDL_VIDEODRIVER"]
    return f"no display: SDL chose its {driver} driver" if driver in NO_WINDOW_DRIVERS else None
