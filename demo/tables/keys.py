"""The one table of keys: what each action is called, which keys call it, and the words for the help overlay and README."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True)
class Action:
    """One row: `keys` are the names of pygame's key constants without `K_`; rows with equal `help` are shown as one."""

    name: str
    keys: tuple[str, ...]
    help: str


MOVE_HELP = "free camera: move, while held"
SCENE_HELP = "a scene by its number"

ACTIONS: tuple[Action, ...] = (
    Action("help", ("h", "F1"), "these keys"),
    Action("new_world", ("SPACE", "r"), "a new world of the same kind"),
    Action("previous_scene", ("LEFT",), "the previous scene"),
    Action("next_scene", ("RIGHT",), "the next scene"),
    *(Action(f"scene_{number}", (str(number),), SCENE_HELP) for number in range(1, 10)),
    Action("pause", ("p",), "pause"),
    Action("free_camera", ("c",), "free camera on or off"),
    Action("forward", ("w",), MOVE_HELP),
    Action("left", ("a",), MOVE_HELP),
    Action("backward", ("s",), MOVE_HELP),
    Action("right", ("d",), MOVE_HELP),
    Action("up", ("e",), MOVE_HELP),
    Action("down", ("x",), MOVE_HELP),
    Action("normals", ("n",), "flat or smooth normals"),
    Action("look", ("l",), "look: natural, as printed or unlit"),
    Action("borders", ("b",), "map: borders of rhombi and catchments"),
    Action("wireframe", ("g",), "the triangle strips as a wireframe"),
    Action("faster", ("PLUS", "EQUALS", "KP_PLUS"), "growth faster"),
    Action("slower", ("MINUS", "KP_MINUS"), "growth slower"),
    Action("still", ("F12",), "save a still picture"),
    Action("figures", ("i",), "caption and figures"),
    Action("fullscreen", ("f", "F11"), "full screen or window"),
    Action("quit", ("ESCAPE", "q"), "quit"),
)

HELD = frozenset(action.name for action in ACTIONS if action.help == MOVE_HELP)

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
