"""From the window system's key events to actions of the table of keys."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..tables.keys import ACTIONS


@cache
def _action_of_key() -> dict[int, str]:
    import pygame

    return {getattr(pygame, f"K_{key}"): action.name for action in ACTIONS for key in action.keys}


@cache
def _action_of_character() -> dict[str, str]:
    """Characters that other keyboard layouts put on other keys, or behind Shift: digits in French, `+` in Swiss."""
    characters = {key: action.name for action in ACTIONS for key in action.keys if key.isdigit()}
    return characters | {"+": "faster", "=": "faster", "-": "slower"}


def action_of(event: Any) -> tuple[str, bool] | None:
    """(action, pressed) of a pygame KEYDOWN or KEYUP event; None for other events, other keys and key chords.

    A press with Ctrl, Alt or the system key held belongs to the window manager; a release always counts, so that no
    movement key stays down.
    """
    import pygame

    if event.type not in (pygame.KEYDOWN, pygame.KEYUP):
        return None
    pressed = event.type == pygame.KEYDOWN
    chord = pygame.KMOD_CTRL | pygame.KMOD_LALT | pygame.KMOD_META
    if pressed and getattr(event, "mod", 0) & chord:
        return None
    name = _action_of_character().get(getattr(event, "unicode", "")) or _action_of_key().get(event.key)
    return (name, pressed) if name else None
