"""pygame's key events, read as actions of the table of keys."""

from __future__ import annotations

from typing import Any

import pygame

from ..tables.keys import ACTIONS

_ACTION_OF_KEY = {(getattr(pygame, f"K_{key}"), action.shift): action.name for action in ACTIONS for key in action.keys}

# Characters that other keyboard layouts put on other keys or behind Shift: digits on French ones, `+` on Swiss ones.
_CHARACTERS = {"+": "PLUS", "=": "EQUALS", "-": "MINUS"} | {digit: digit for digit in "0123456789"}
_ACTION_OF_CHARACTER = {
    character: action.name for character, key in _CHARACTERS.items() for action in ACTIONS if key in action.keys
}

_CHORD = pygame.KMOD_CTRL | pygame.KMOD_LALT | pygame.KMOD_META


def action_of(event: Any) -> tuple[str, bool] | None:
    """(action, pressed) of a pygame KEYDOWN or KEYUP event; None for other events, other keys and key chords.

    A press with Ctrl, Alt or the system key held belongs to the window manager. A release always counts, so that no
    movement key stays down.
    """
    if event.type not in (pygame.KEYDOWN, pygame.KEYUP):
        return None
    pressed = event.type == pygame.KEYDOWN
    held = getattr(event, "mod", 0)
    if pressed and held & _CHORD:
        return None
    shifted = bool(pressed and held & pygame.KMOD_SHIFT)
    name = _ACTION_OF_CHARACTER.get(getattr(event, "unicode", "")) or _ACTION_OF_KEY.get((event.key, shifted))
    name = name or _ACTION_OF_KEY.get((event.key, False))
    return (name, pressed) if name else None
