"""The table of keys: complete, without clashes, and read by real pygame events."""

from __future__ import annotations

import os

import pytest

from demo.hosts import key_events

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

from demo.tables import keys

CASES = [(action.name, key) for action in keys.ACTIONS for key in action.keys]


def code(key: str) -> int:
    """pygame's number for a key of the table."""
    return getattr(pygame, f"K_{key}")


def event(kind: int, key: int, **more: object) -> pygame.event.Event:
    return pygame.event.Event(kind, {"key": key, "mod": 0, "unicode": "", **more})


def test_every_action_is_there_once_and_has_a_key():
    names = [action.name for action in keys.ACTIONS]
    assert len(names) == len(set(names)) > 20
    assert all(action.keys and action.help for action in keys.ACTIONS)


def test_no_key_has_two_actions():
    used = [key for _, key in CASES]
    assert len(used) == len(set(used))
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


def shown(key: str) -> str:
    """A key of the table as its own keyboard names it: pygame's name, which the help may shorten or capitalise."""
    name = pygame.key.name(code(key))
    return {"escape": "esc", "[+]": "keypad +", "[-]": "keypad -"}.get(name, name)


def test_help_names_every_key():
    rows = {word.lower(): text for words, text in keys.HELP for word in words.split(", ")}
    for action in keys.ACTIONS:
        for key in action.keys:
            if action.help == keys.SCENE_HELP:
                assert rows["1..9"] == action.help
            else:
                assert rows[shown(key)] == action.help
    assert "mouse" in rows
    assert all(text for text in rows.values())


def test_held_are_the_movements():
    assert {"forward", "backward", "left", "right", "up", "down"} == keys.HELD
