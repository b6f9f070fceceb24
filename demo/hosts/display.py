"""Whether a window can be opened, and pygame's display module, started once with the settings that every host needs."""

from __future__ import annotations

import os
import sys

NO_WINDOW_DRIVERS = ("offscreen", "dummy")


def start() -> str:
    """Starts pygame's display module, if it is not, and returns the name of SDL's video driver; raises pygame.error."""
    import pygame

    pygame.display.init()
    return pygame.display.get_driver()


def problem() -> str | None:
    """Why no window can be opened, in one clause, or None when one can. May leave pygame's display module started."""
    chosen = os.environ.get("SDL_VIDEODRIVER", "")
    if chosen in NO_WINDOW_DRIVERS:
        return f"SDL_VIDEODRIVER={chosen} shows no window"
    if not sys.platform.startswith("linux"):
        return None
    if not chosen and not _servers():
        return "no display: neither DISPLAY nor WAYLAND_DISPLAY is set"
    return _connection_problem(chosen)


def _servers() -> list[tuple[str, str]]:
    """(SDL's driver, the environment variable that names its server) for each that the environment names."""
    pairs = (("x11", "DISPLAY"), ("wayland", "WAYLAND_DISPLAY"))
    return [(driver, name) for driver, name in pairs if os.environ.get(name)]


def _connection_problem(chosen: str) -> str | None:
    """None when SDL connects to a named server; else which ones it did not reach.

    Only the drivers of named servers are tried: left to itself SDL falls back to drawing where nobody sees it.
    """
    import pygame

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
