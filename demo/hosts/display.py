"""Whether a window can be opened, and pygame's display module, started once with the settings that every host needs."""

from __future__ import annotations

import os
import sys

import pygame

NO_WINDOW_DRIVERS = ("offscreen", "dummy")


def start() -> str:
    """Starts pygame's display module if need be. The name of SDL's video driver; raises pygame.error."""
    pygame.display.init()
    return pygame.display.get_driver()


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
        driver = start()
    except pygame.error:
        named = [f"{name}={os.environ[name]}" for _, name in _servers()] or [f"SDL_VIDEODRIVER={chosen}"]
        return f"no display: cannot connect to {' or '.join(named)}"
    finally:
        if not chosen:
            del os.environ["SDL_VIDEODRIVER"]
    return f"no display: SDL chose its {driver} driver" if driver in NO_WINDOW_DRIVERS else None
