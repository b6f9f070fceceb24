"""The table of keys: complete, without clashes, read by real pygame events, and every row does one thing."""

from __future__ import annotations

import os
from dataclasses import fields, replace

import pytest

from demo.flight.free_camera import MOVES
from demo.hosts import key_events, offscreen

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

from demo.tables import keys
from demo.tables.looks import LOOKS, NORMALS

CASES = [(action.name, key) for action in keys.ACTIONS for key in action.keys]
# pygame's numbers of keys by its own names for them, which are what stands on them.
NUMBERS = {pygame.key.name(number): number for name, number in vars(pygame).items() if name.startswith("K_")}
NAMED_OTHERWISE = {"Esc": "escape", "keypad +": "[+]", "keypad -": "[-]"}


def code(key: str) -> int:
    """pygame's number for a key of the table."""
    return getattr(pygame, f"K_{key}")


def event(kind: int, key: int, **more: object) -> pygame.event.Event:
    return pygame.event.Event(kind, {"key": key, "mod": 0, "unicode": "", **more})


def row(name: str) -> keys.Action:
    return keys.action_named(name)


def test_table_has_every_action_once():
    names = [action.name for action in keys.ACTIONS]
    assert len(set(names)) == len(names)
    assert all(action.keys and action.help for action in keys.ACTIONS)
    assert all(row(name).name == name for name in names)


def test_an_unknown_action_is_an_error():
    with pytest.raises(ValueError, match=r"'dance'.*quit"):
        row("dance")


@pytest.mark.parametrize("action", keys.ACTIONS, ids=lambda action: action.name)
def test_every_row_does_one_thing(action):
    assert sum([action.switch is not None, action.verb is not None, action.held, action.runs != 0, action.by_window]) == 1


def test_no_key_has_two_actions():
    used = [(key, action.shift) for action in keys.ACTIONS for key in action.keys]
    assert len(used) == len(set(used)) == len(CASES)
    assert all(hasattr(pygame, f"K_{key}") for key, _ in used)


@pytest.mark.parametrize(("name", "key"), CASES)
def test_key_is_read(name, key):
    mod = pygame.KMOD_LSHIFT if row(name).shift else 0
    assert key_events.action_of(event(pygame.KEYDOWN, code(key), mod=mod)) == (name, True)
    if not mod:
        assert key_events.action_of(event(pygame.KEYUP, code(key))) == (name, False)


def test_a_key_that_shift_changes_is_released_as_it_was_pressed():
    """Shift may be pressed or let go in between, and nothing must run on for ever."""
    released = event(pygame.KEYUP, pygame.K_COMMA, mod=pygame.KMOD_LSHIFT, unicode="<")
    assert key_events.action_of(released) == ("run_back", False)


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


def test_help_names_every_key_as_it_is_on_the_keyboard():
    """And beside it the words of the action that the key really calls."""
    named = []
    for names, text in ((row.keys, row.text) for row in keys.HELP):
        if names == "mouse, wheel":
            continue
        first, _, last = names.partition("..")
        plain = names.removeprefix("Shift ")
        apart = plain.split("  ") if "  " in plain else plain.split(", ")
        shown = [str(number) for number in range(int(first), int(last) + 1)] if last else apart
        for name in shown:
            number = NUMBERS[NAMED_OTHERWISE.get(name, name.lower())]
            mod = 0 if plain == names else pygame.KMOD_LSHIFT
            called, pressed = key_events.action_of(event(pygame.KEYDOWN, number, mod=mod))
            assert pressed and row(called).help == text
            named.append(called)
    assert sorted(named) == sorted(name for name, _ in CASES)
    assert "mouse, wheel" in [row.keys for row in keys.HELP]


def test_help_leaves_out_what_does_nothing():
    def listed(**now: object) -> set[str]:
        return {row.text for group in keys.GROUPS for row in keys.help_rows(group, replace(keys.ANY, **now))}

    everything = listed()
    assert everything == {row.text for row in keys.HELP}
    assert everything - listed(flies=False) == {keys.MOVE_HELP, "look, speed"}
    assert everything - listed(bordered=False) == {"borders"} and everything - listed(shaded=False) == {"normals"}
    assert "1..6" in {row.keys for row in keys.help_rows("Worlds", replace(keys.ANY, scenes=6))}


def test_held_are_the_movements():
    assert set(MOVES) == keys.HELD


# --- what actions switch -----------------------------------------------------------------------------------------------


def switched(name: str, before: keys.Switches) -> keys.Switches:
    after = row(name).switch(before)
    assert after is not before
    return after


def test_every_switch_has_its_key():
    """Each changes one field, and together they change all of them."""
    changed = set()
    for action in keys.ACTIONS:
        if action.switch:
            after, before = action.switch(keys.Switches()), keys.Switches()
            [field] = [field.name for field in fields(before) if getattr(after, field.name) != getattr(before, field.name)]
            changed.add(field)
    assert changed == {field.name for field in fields(keys.Switches)}


@pytest.mark.parametrize("name", [action.name for action in keys.ACTIONS if action.switch])
def test_a_flag_is_switched_back_by_the_same_key(name):
    if name not in ("faster", "slower", "look", "normals"):
        start = keys.Switches(rate=2.0, look=LOOKS[1])
        assert switched(name, switched(name, start)) == start != switched(name, start)


def test_the_look_goes_round():
    seen = [keys.Switches()]
    for _ in LOOKS:
        seen.append(switched("look", seen[-1]))
    assert [switches.look for switches in seen] == [*LOOKS, LOOKS[0]]


def test_the_normals_go_round():
    seen = [keys.Switches()]
    for _ in NORMALS:
        seen.append(switched("normals", seen[-1]))
    assert [switches.normals for switches in seen] == [None, *NORMALS]
    assert switched("normals", seen[-1]) == seen[1]


def test_the_rate_of_growth_has_two_ends():
    for name, ways in (
        ("faster", [2.0, 4.0, keys.FASTEST, keys.FASTEST]),
        ("slower", [0.5, 0.25, keys.SLOWEST, keys.SLOWEST]),
    ):
        now = keys.Switches()
        for rate in ways:
            now = switched(name, now)
            assert now == replace(keys.Switches(), rate=rate)


# --- the verbs that actions call ---------------------------------------------------------------------------------------


class Recorder:
    """A show that writes down what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple] = []

    def __getattr__(self, verb: str):
        return lambda *words: self.asked.append((verb, *words))


@pytest.mark.parametrize("action", [action for action in keys.ACTIONS if action.verb], ids=lambda action: action.name)
def test_every_verb_is_one_of_the_show(action):
    with offscreen.context():
        from demo.show.show import Show

    recorder = Recorder()
    action.verb(recorder)
    [(verb, *_)] = recorder.asked
    assert callable(getattr(Show, verb)) and verb in vars(keys.Verbs)


def test_scenes_are_asked_for_by_number_and_by_neighbourhood():
    recorder = Recorder()
    for name in ("new_world", "next_scene", "previous_scene", *(f"scene_{number}" for number in range(1, 10))):
        row(name).verb(recorder)
    assert recorder.asked == [("go", 0), ("go", 1), ("go", -1), *(("go_to", place) for place in range(9))]
