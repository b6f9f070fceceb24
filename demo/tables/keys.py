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

    `normals`: one of NORMALS, None for those of the look; `wire`: the triangles as a wireframe; `help`: the keys are
    listed; `figures`: the figures are shown, and the caption stays; `paused`: the worlds stand still; `borders`: of rhombi
    and, on the map, of catchments; `rate`: the speed of growth, as a factor from SLOWEST to FASTEST; `look`: one of LOOKS.
    """

    normals: str | None = None
    wire: bool = False
    help: bool = False
    figures: bool = False
    paused: bool = False
    borders: bool = False
    rate: float = 1.0
    look: str = looks.NATURAL


def changes_look(a: Switches, b: Switches) -> bool:
    """Whether worlds look otherwise with one set of switches than with the other."""
    return (a.look, a.normals, a.wire) != (b.look, b.normals, b.wire)


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

    def keep(self) -> None:
        """Ask the host to keep the world that is shown in the history."""

    def toggle_camera(self) -> None:
        """Take the camera from the flight, or give it back."""

    def step(self, way: int) -> None:
        """Ask for the next picture of the growth, 1 forwards or -1 backwards."""


@dataclass(frozen=True)
class Situation:
    """What it depends on whether a key does anything now.

    `flies`: the camera is in a person's hands; `bordered`: the world has borders; `shaded`: the land is lit by its slopes;
    `scenes`: how many there are.
    """

    flies: bool = True
    bordered: bool = True
    shaded: bool = True
    scenes: int = 9


ANY = Situation()
"""In which every key does something."""


@dataclass(frozen=True)
class Action:
    """One row. It does one of five things.

    `keys`: the names of pygame's key constants without `K_`; `help`: rows with equal words are shown as one; `switch`: the
    switches after it; `verb`: calls a verb of the show; `held`: it is a move of the free camera, as long as its key is
    held; `runs`: the way in which the growth runs as long as its key is held, -1 or 1; `by_window`: the window does it,
    and the show knows nothing of it. `shift`: its keys count with Shift; without, they are another row's. `more`: what
    README adds to the help. `useful`: whether it does anything in a situation.
    """

    name: str
    keys: tuple[str, ...]
    help: str
    switch: Callable[[Switches], Switches] | None = None
    verb: Callable[[Verbs], None] | None = None
    held: bool = False
    runs: int = 0
    by_window: bool = False
    shift: bool = False
    more: str = ""
    useful: Callable[[Situation], bool] = lambda now: True


def _grow_by(factor: float) -> Callable[[Switches], Switches]:
    return lambda now: replace(now, rate=min(max(now.rate * factor, SLOWEST), FASTEST))


def _next_look(now: Switches) -> Switches:
    return replace(now, look=looks.next_look(now.look))


def _next_normals(now: Switches) -> Switches:
    return replace(now, normals=looks.next_normals(now.normals))


def _several(now: Situation) -> bool:
    return now.scenes > 1


def _scene(number: int) -> Action:
    return Action(
        f"scene_{number}",
        (str(number),),
        SCENE_HELP,
        verb=lambda show: show.go_to(number - 1),
        useful=lambda now: 1 < now.scenes >= number,
    )


def _move(name: str, key: str) -> Action:
    return Action(name, (key,), MOVE_HELP, held=True, more="the free camera, while held", useful=lambda now: now.flies)


MOVE_HELP = "move"
SCENE_HELP = "scene by number"
BESIDE_HELP = "previous, next scene"
RUN_HELP = "growth back, on"
STEP_HELP = "a picture back, on"

GROUPS: dict[str, tuple[Action, ...]] = {
    "Worlds": (
        Action("new_world", ("SPACE", "r"), "new world", verb=lambda show: show.go(0), more="of the same kind"),
        Action("previous_scene", ("LEFT",), BESIDE_HELP, verb=lambda show: show.go(-1), useful=_several),
        Action("next_scene", ("RIGHT",), BESIDE_HELP, verb=lambda show: show.go(1), useful=_several),
        *(_scene(number) for number in range(1, 10)),
        Action("faster", ("PLUS", "EQUALS", "KP_PLUS"), "faster growth", switch=_grow_by(2.0)),
        Action("slower", ("MINUS", "KP_MINUS"), "slower growth", switch=_grow_by(0.5)),
        Action("run_back", ("COMMA",), RUN_HELP, runs=-1, more="the longer held, the faster"),
        Action("run_on", ("PERIOD",), RUN_HELP, runs=1),
        Action("step_back", ("COMMA",), STEP_HELP, verb=lambda show: show.step(-1), more="and pauses", shift=True),
        Action("step_on", ("PERIOD",), STEP_HELP, verb=lambda show: show.step(1), shift=True),
        Action("pause", ("p",), "pause", switch=lambda now: replace(now, paused=not now.paused)),
    ),
    "Camera": (
        Action("free_camera", ("c",), "free camera", verb=lambda show: show.toggle_camera(), more="on or off"),
        _move("forward", "w"),
        _move("left", "a"),
        _move("backward", "s"),
        _move("right", "d"),
        _move("up", "e"),
        _move("down", "x"),
    ),
    "Picture": (
        Action("look", ("l",), "look", switch=_next_look, more=looks.in_words()),
        Action(
            "normals",
            ("n",),
            "normals",
            switch=_next_normals,
            more="flat, smooth or printed",
            useful=lambda now: now.shaded,
        ),
        Action(
            "borders",
            ("b",),
            "borders",
            switch=lambda now: replace(now, borders=not now.borders),
            more="of the mesh's rhombi; on the map also of catchments",
            useful=lambda now: now.bordered,
        ),
        Action("wireframe", ("g",), "wireframe", switch=lambda now: replace(now, wire=not now.wire), more="the triangles"),
    ),
    "Program": (
        Action("help", ("h", "F1"), "these keys", switch=lambda now: replace(now, help=not now.help)),
        Action(
            "figures", ("i",), "figures", switch=lambda now: replace(now, figures=not now.figures), more="and the caption"
        ),
        Action("still", ("F12",), "save a picture", verb=lambda show: show.ask_still()),
        Action("keep", ("k",), "keep this world", verb=lambda show: show.keep(), more="in the history"),
        Action("fullscreen", ("f", "F11"), "full screen", by_window=True, more="or window"),
        Action("quit", ("ESCAPE", "q"), "quit", verb=lambda show: show.quit()),
    ),
}

ACTIONS: tuple[Action, ...] = tuple(action for actions in GROUPS.values() for action in actions)

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
    "COMMA": ",",
    "PERIOD": ".",
}


@dataclass(frozen=True)
class HelpRow:
    """A line of the help: the `keys`, what they do, and what README adds to that."""

    keys: str
    text: str
    more: str = ""


def help_rows(group: str, now: Situation = ANY) -> list[HelpRow]:
    """The keys of a group of GROUPS that do something now, in the table's order."""
    rows = []
    useful = [action for action in GROUPS[group] if action.useful(now)]
    for text, same in groupby(useful, key=lambda action: action.help):
        actions = list(same)
        keys = [_SHOWN_KEYS.get(key, key.upper()) for action in actions for key in action.keys]
        shown = f"{keys[0]}..{keys[-1]}" if text == SCENE_HELP else ("  " if "," in keys else ", ").join(keys)
        rows.append(HelpRow(f"Shift {shown}" if actions[0].shift else shown, text, actions[0].more))
        if text == MOVE_HELP:
            rows.append(HelpRow("mouse, wheel", "look, speed", "of the free camera"))
    return rows


HELP: list[HelpRow] = [row for group in GROUPS for row in help_rows(group)]
"""All of them, for README."""
