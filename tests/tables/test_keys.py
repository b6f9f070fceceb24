"""The table of keys: complete, without clashes, and read by real pygame events."""

from __future__ import annotations

import os

import pytest

from demo.hosts import key_events

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

from demo.tables import keys

WANTED = {
    "help": "H F1",
    "new_world": "Space R",
    "previous_scene": "Left",
    "next_scene": "Right",
    **{f"scene_{number}": str(number) for number in range(1, 10)},
    "pause": "P",
    "free_camera": "C",
    "forward": "W",
    "left": "A",
    "backward": "S",
    "right": "D",
    "up": "E",
    "down": "X",
    "normals": "N",
    "look": "L",
    "borders": "B",
    "wireframe": "G",
    "faster": "+ = KP_PLUS",
    "slower": "- KP_MINUS",
    "still": "F12",
    "figures": "I",
    "fullscreen": "F F11",
    "quit": "Esc Q",
}
CONSTANTS = {"+": "K_PLUS", "=": "K_EQUALS", "-": "K_MINUS", "Esc": "K_ESCAPE"}
CASES = [(name, key) for name, texts in WANTED.items() for key in texts.split()]


def code(key: str) -> int:
    """pygame's number for a key named as a user would."""
    name = CONSTANTS.get(key) or ("K_" + (key.lower() if len(key) == 1 else key if key[0] in "FK" else key.upper()))
    return getattr(pygame, name)


def event(kind: int, key: int, **more: object) -> pygame.event.Event:
    return pygame.event.Event(kind, {"key": key, "mod": 0, "unicode": "", **more})


def test_table_has_every_action_once():
    names = [action.name for action in keys.ACTIONS]
    assert sorted(names) == sorted(WANTED)


def test_no_key_has_two_actions():
    used = [key for action in keys.ACTIONS for key in action.keys]
    assert len(used) == len(set(used)) == len(CASES)
    assert all(hasattr(pygame, f"K_{key}") for key in used)


@pytest.mark.parametrize(("name", "key"), CASES)
def test_key_is_read(name, key):
    assert key_events.action_of(event(pygame.KEYDOWN, code(key))) == (name, True)
    assert key_events.action_of(event(pygame.KEYUP, code(key))) == (name, False)


def test_other_events_are_nothing():
    assert key_events.action_of(event(pygame.KEYDOWN, pygame.K_TAB)) is None
    assert key_events.action_of(pygame.event.Event(pygame.MOUSEBUTTONDOWN, {"button": 1, "pos": (0, 0)})) is None


@pytest.mark.parametrize("mod", [pygame.KMOD_LCTRL, pygame.KMOD_LALT, pygame.KMOD_LMETA])
def test_chords_are_not_ours_but_releases_are(mod):
    assert key_events.action_of(event(pygame.KEYDOWN, pygame.K_w, mod=mod)) is None
    assert key_events.action_of(event(pygame.KEYUP, pygame.K_w, mod=mod)) == ("forward", False)


def test_locks_and_shift_do_not_matter():
    mod = pygame.KMOD_NUM | pygame.KMOD_CAPS | pygame.KMOD_LSHIFT
    assert key_events.action_of(event(pygame.KEYDOWN, pygame.K_q, mod=mod, unicode="q")) == ("quit", True)


def test_characters_count_on_layouts_that_put_them_elsewhere():
    swiss = event(pygame.KEYDOWN, pygame.K_1, mod=pygame.KMOD_LSHIFT, unicode="+")
    french = event(pygame.KEYDOWN, pygame.K_AMPERSAND, mod=pygame.KMOD_LSHIFT, unicode="1")
    assert key_events.action_of(swiss) == ("faster", True)
    assert key_events.action_of(french) == ("scene_1", True)


def test_help_names_every_key():
    shown = {key: text for keys_text, text in keys.HELP for key in keys_text.replace("keypad ", "KP").split(", ")}
    for name, key in CASES:
        if not name.startswith("scene_"):
            assert {"KP_PLUS": "KP+", "KP_MINUS": "KP-"}.get(key, key) in shown
    assert "1..9" in shown and "mouse" in shown
    assert all(text for text in shown.values())


def test_held_are_the_movements():
    assert {"forward", "backward", "left", "right", "up", "down"} == keys.HELD
