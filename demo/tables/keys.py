"""The one table of keys: what each action is called, which keys call it, what it does, and its words for help and README.

An action returns other switches, calls a verb of the show, moves the free camera while its key is held, or is the window's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol

from . import looks

FASTEST, SLOWEST = 8.0, 0.125


@dataclass(frozen=True)
class Switches:
    """What keys switch. An action never changes the record: it returns another one.

    `flat`: one normal a triangle; `wire`: the triangle strips as a wireframe; `help`: the keys are listed; `figures`: the
    figures are shown, and the caption stays; `paused`: the worlds stand still; `borders`: of rhombi and, on the map, of
    catchments; `rate`: the speed of growth, as a factor from SLOWEST to FASTEST; `look`: one of LOOKS.
    """

    flat: bool = False
    wire: bool = False
    help: bool = False
    figures: bool = False
    paused: bool = False
    borders: bool = False
    rate: float = 1.0
    look: str = looks.NATURAL


def changes_look(a: Switches, b: Switches) -> bool:
    """Whether worlds look otherwise with one set of switches than with the other."""
    return (a.look, a.flat, a.wire) != (b.look, b.flat, b.wire)


class Verbs(Protocol):
    """What actions call. The show has these verbs."""

    def quit(self) -> None:
        """Ask the host to end the show."""

    def ask_still(self) -> None:
        """Ask the host to save a still picture."""

    def go(self, places: int) -> None:
        """Ask for the scene that many places further on, 0: a new world of the same scene."""

    def go_to(self, place: int) -> None:
        """Ask for the scene at a place in the order, from 0. Nothing happens if there are fewer scenes."""

    def toggle_camera(self) -> None:
        """Take the camera from the flight, or give it back."""


@dataclass(frozen=True)
class Action:
    """One row. It does one of four things.

    `keys`: the names of pygame's key constants without `K_`; `help`: rows with equal words are shown as one; `switch`: the
    switches after it; `verb`: calls a verb of the show; `held`: it is a move of the free camera, as long as its key is
    held; `by_window`: the window does it, and the show knows nothing of it.
    """

    name: str
    keys: tuple[str, ...]
    help: str
    switch: Callable[[Switches], Switches] | None = None
    verb: Callable[[Verbs], None] | None = None
    held: bool = False
    by_window: bool = False


def _grow_by(factor: float) -> Callable[[Switches], Switches]:
    return lambda now: replace(now, rate=min(max(now.rate * factor, SLOWEST), FASTEST))


def _next_look(now: Switches) -> Switches:
    return replace(now, look=looks.next_look(now.look))


def _scene(number: int) -> Action:
    return Action(f"scene_{number}", (str(number),), SCENE_HELP, verb=lambda show: show.go_to(number - 1))


def _move(name: str, key: str) -> Action:
    return Action(name, (key,), MOVE_HELP, held=True)


MOVE_HELP = "free camera: move, while held"
SCENE_HELP = "a scene by its number"

ACTIONS: tuple[Action, ...] = (
    Action("help", ("h", "F1"), "these keys", switch=lambda now: replace(now, help=not now.help)),
    Action("new_world", ("SPACE", "r"), "a new world of the same kind", verb=lambda show: show.go(0)),
    Action("previous_scene", ("LEFT",), "the previous scene", verb=lambda show: show.go(-1)),
    Action("next_scene", ("RIGHT",), "the next scene", verb=lambda show: show.go(1)),
    *(_scene(number) for number in range(1, 10)),
    Action("pause", ("p",), "pause", switch=lambda now: replace(now, paused=not now.paused)),
    Action("free_camera", ("c",), "free camera on or off", verb=lambda show: show.toggle_camera()),
    _move("forward", "w"),
    _move("left", "a"),
    _move("backward", "s"),
    _move("right", "d"),
    _move("up", "e"),
    _move("down", "x"),
    Action("normals", ("n",), "flat or smooth normals", switch=lambda now: replace(now, flat=not now.flat)),
    Action("look", ("l",), f"look: {looks.in_words()}", switch=_next_look),
    Action(
        "borders",
        ("b",),
        "rhombi of the double cone's mesh; on the map also borders of catchments",
        switch=lambda now: replace(now, borders=not now.borders),
    ),
    Action("wireframe", ("g",), "the triangle strips as a wireframe", switch=lambda now: replace(now, wire=not now.wire)),
    Action("faster", ("PLUS", "EQUALS", "KP_PLUS"), "growth faster", switch=_grow_by(2.0)),
    Action("slower", ("MINUS", "KP_MINUS"), "growth slower", switch=_grow_by(0.5)),
    Action("still", ("F12",), "save a still picture", verb=lambda show: show.ask_still()),
    Action("figures", ("i",), "caption and figures", switch=lambda now: replace(now, figures=not now.figures)),
    Action("fullscreen", ("f", "F11"), "full screen or window", by_window=True),
    Action("quit", ("ESCAPE", "q"), "quit", verb=lambda show: show.quit()),
)

_BY_NAME = {action.name: action for action in ACTIONS}
HELD = frozenset(action.name for action in ACTIONS if action.held)
"""The moves of the free camera."""


def action_named(name: str) -> Action:
    """The row of that name; raises ValueError if there is none."""
    if name not in _BY_NAME:
        raise ValueError(f"there is no action '{name}': there are {', '.join(_BY_NAME)}")
    return _BY_NAME[name]


_SHOWN_KEYS = {
    "SPACE": "Space",
    "LEFT": "Left",
    "RIGHT": "Right",
    "PLUS": "+",
    "EQUALS": "=",
    "KP_PLUS": "keypad +",
    "MINUS": "-",
    "KP_MINUS": "keypad -",
    "ESCAPE": "Esc",
}


def _rows() -> list[tuple[str, str]]:
    rows = []
    for text, actions in groupby(ACTIONS, key=lambda action: action.help):
        keys = [_SHOWN_KEYS.get(key, key.upper()) for action in actions for key in action.keys]
        rows.append((f"{keys[0]}..{keys[-1]}" if text == SCENE_HELP else ", ".join(keys), text))
        if text == MOVE_HELP:
            rows.append(("mouse, wheel", "free camera: look, speed"))
    return rows


HELP: list[tuple[str, str]] = _rows()
"""(keys, what they do), in the table's order, for the help overlay and README."""
