"""What the library under all hosts says about itself and the displays, for `doctor`."""

from __future__ import annotations

import pygame

from . import display


def sdl_version() -> str:
    """The version of SDL that pygame brings along."""
    return ".".join(map(str, pygame.get_sdl_version()))


def desktops() -> str:
    """The sizes of the displays and SDL's name for what drives them. Starts pygame's display module."""
    driver = display.start()
    return ", ".join(f"{width}x{height}" for width, height in pygame.display.get_desktop_sizes()) + f" ({driver})"
