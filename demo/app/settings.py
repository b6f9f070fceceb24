"""SETTINGS: the one table of the program's options. argparse and the README's table come from it.

Importing it needs the standard library only, so that help and errors come at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..tables.looks import LOOKS
from ..tables.map_formats import MAP_FORMATS
from ..tables.quality import QUALITIES
from ..worlds.parameters import Parameter, ParameterError, Value

if TYPE_CHECKING:
    from ..catalogue.generator import Generator

SIDE_PX = (16, 16_384)
Size = tuple[int, int]


@dataclass(frozen=True)
class Setting:
    """One row: `defaults` maps each command that has the option to its default as text, "" where `help` says it.

    `read` turns text into the value and raises ParameterError; `metavar` "" is a flag. `takes` says in words what it takes.
    """

    name: str
    metavar: str
    takes: str
    help: str
    defaults: dict[str, str]
    read: Callable[[str], Any] = str
    repeated: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        """As it is written on a command line."""
        return f"--{self.name}"

    def describe(self, command: str) -> str:
        """The help line of the option for `command`."""
        text = f"{self.help}: {self.takes}" if self.takes else self.help
        default = self.defaults[command]
        return f"{text} (default: {default})" if default else text


def _number(name: str, kind: type, low: float | None, high: float | None, unit: str = "") -> tuple[str, Callable]:
    """(`takes`, `read`) of a number, by the rules and words of a generator's parameter."""
    parameter = Parameter(f"--{name}", kind(low or 0), "", low, high, unit)
    return parameter.describe(), parameter.parse


def read_size(text: str) -> Size:
    """'1280x720' as (1280, 720); raises ParameterError."""
    match = re.fullmatch(r"(\d{1,6})[xX](\d{1,6})", text.strip(), re.ASCII)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(SIDE_PX[0] <= side <= SIDE_PX[1] for side in size):
        raise ParameterError(f"--size={text} is not possible: it takes {_SIZE_TAKES}")
    return size


def read_window_id(text: str) -> int:
    """An X window's number, decimal or 0x hexadecimal; raises ParameterError."""
    try:
        number = int(text, 0)
    except ValueError:
        number = 0
    if not 0 < number < 2**32:
        raise ParameterError(f"--window-id={text} is not possible: it takes {_WINDOW_TAKES}")
    return number


def read_look(text: str) -> str:
    """One of LOOKS; raises ParameterError."""
    if text not in LOOKS:
        raise ParameterError(f"--look={text} is not possible: it takes {_LOOK_TAKES}")
    return text


def read_quality(text: str) -> str:
    """One of QUALITIES; raises ParameterError."""
    if text not in QUALITIES:
        raise ParameterError(f"--quality={text} is not possible: it takes {_QUALITY_TAKES}")
    return text


def read_formats(text: str) -> tuple[str, ...]:
    """Some of MAP_FORMATS, in their order; raises ParameterError."""
    words = [word.strip() for word in text.split(",")]
    if not all(word in MAP_FORMATS for word in words):
        raise ParameterError(f"--formats={text} is not possible: it takes {_FORMATS_TAKES}")
    return tuple(name for name in MAP_FORMATS if name in words)


_FORMATS_TAKES = f"some of {','.join(MAP_FORMATS)}, with commas between them"
_SIZE_TAKES = f"WIDTHxHEIGHT, each from {SIDE_PX[0]} to {SIDE_PX[1]}"
_WINDOW_TAKES = "the number of an X window, decimal or 0x..."
_LOOK_TAKES = " or ".join(LOOKS)
_QUALITY_TAKES = " or ".join(QUALITIES)
_SEED_TAKES, _read_seed = _number("seed", int, None, None)
_FPS_TAKES, _read_fps = _number("fps", int, 1, 240)
_TIME_TAKES, _read_time = _number("time", float, 0.0, 86_400.0)
_SECONDS_TAKES, _read_seconds = _number("seconds", float, 0.1, 3_600.0)
_AT_TAKES, _read_at = _number("at", int, 0, None)
# What the generator `doublecone` takes, whose table would bring numpy along; a test holds the two together.
_GN_TAKES, _read_gn = _number("gn", int, 1, 10)
_LN_TAKES, _read_ln = _number("ln", int, 0, 5)
_PAIRS = "as often as you like; 'scenes' lists them"

SETTINGS: tuple[Setting, ...] = (
    Setting("scene", "NAME", "", "the scene to begin with", {"show": ""}),
    Setting("scene", "NAME", "", "the scene", {"still": "plasma"}),
    Setting("scene", "NAME", "", "the scene, or 'tour' for all of them, shortened", {"film": "tour"}),
    Setting("seed", "N", _SEED_TAKES, "the world; another each time unless given", {"show": ""}, _read_seed),
    Setting("seed", "N", _SEED_TAKES, "the world", dict.fromkeys(("grow", "still", "film", "map"), "1"), _read_seed),
    Setting("set", "NAME=VALUE", "", f"a parameter of the generator, {_PAIRS}", {"grow": ""}, repeated=True),
    Setting(
        "set",
        "SCENE.NAME=VALUE",
        "",
        f"a parameter of a scene, {_PAIRS}",
        {"show": "", "still": "", "film": "", "map": ""},
        repeated=True,
    ),
    Setting(
        "gn", "N", _GN_TAKES, "levels of the map's global mesh: 2^gn cells a quarter of the equator", {"map": "7"}, _read_gn
    ),
    Setting("ln", "N", _LN_TAKES, "levels of the map's local mesh: 2^ln steps along a rhombus", {"map": "3"}, _read_ln),
    Setting("formats", "NAMES", _FORMATS_TAKES, "the files; all of them unless given", {"map": ""}, read_formats),
    Setting("at", "STEP", _AT_TAKES, "stop growing at this step; to the end unless given", {"grow": ""}, _read_at),
    Setting("time", "SECONDS", _TIME_TAKES, "seconds since the scene's start", {"still": "30"}, _read_time),
    Setting("seconds", "S", _SECONDS_TAKES, "length in seconds", {"film": "20"}, _read_seconds),
    Setting("size", "WxH", _SIZE_TAKES, "size in pixels", dict.fromkeys(("show", "still", "film"), "1280x720"), read_size),
    Setting("fps", "N", _FPS_TAKES, "at most so many frames a second; 60, or 30 for a host", {"show": ""}, _read_fps),
    Setting("fps", "N", _FPS_TAKES, "frames a second", {"film": "30"}, _read_fps),
    Setting(
        "look", "LOOK", _LOOK_TAKES, "colours and light", dict.fromkeys(("show", "still", "film"), "natural"), read_look
    ),
    Setting(
        "quality",
        "LEVEL",
        _QUALITY_TAKES,
        "how much is drawn; by the renderer's name unless given",
        {"show": ""},
        read_quality,
    ),
    Setting("quality", "LEVEL", _QUALITY_TAKES, "how much is drawn", dict.fromkeys(("still", "film"), "high"), read_quality),
    Setting(
        "heightmap",
        "FILE",
        "",
        "fly an own height map: PNG, TIFF, .npy or .npz",
        dict.fromkeys(("show", "still", "film"), ""),
    ),
    Setting("calm", "", "", "fly slower and turn more gently", dict.fromkeys(("show", "still", "film"), "")),
    Setting("fullscreen", "", "", "fill the screen", {"show": ""}),
    Setting("saver", "", "", "fill the screen, and end on a key, a click or a moved pointer", {"show": ""}),
    Setting(
        "root",
        "",
        "",
        "draw into $XSCREENSAVER_WINDOW, or the root window, until ended from outside",
        {"show": ""},
        aliases=("-root",),
    ),
    Setting(
        "window-id",
        "ID",
        _WINDOW_TAKES,
        "draw into that window of another program",
        {"show": ""},
        read_window_id,
        aliases=("-window-id",),
    ),
)

# How the ground is drawn in all scenes: set as surface.NAME=VALUE.
SURFACE: tuple[Parameter, ...] = (
    Parameter("mesh", "square", "triangles of the ground: halves of squares, or isosceles", choices=("square", "isosceles")),
    Parameter("levels", False, "colours each level of detail; a colour runs into the next where vertices morph"),
)

COMMANDS: dict[str, str] = {
    "show": "play the show in a window, full screen or as a screensaver (the default)",
    "scenes": "list the scenes with their parameters, defaults and ranges",
    "grow": "write a world's heights to a file, without window or OpenGL",
    "still": "write one picture of a scene to a PNG",
    "film": "write a film of a scene, or of all of them, to an MP4 or PNG frames",
    "map": "write a planet with rivers and lakes as map files: OpenStreetMap, GeoPackage, GeoTIFF and sheets",
    "doctor": "say what is installed, what draws, and what is missing",
}


def settings_of(command: str) -> list[Setting]:
    """The options of `command`, in the table's order."""
    return [setting for setting in SETTINGS if command in setting.defaults]


def readme_table() -> str:
    """The table of all options as Markdown."""
    rows = ["| option | commands | what it is | default |", "|---|---|---|---|"]
    for setting in SETTINGS:
        words = f"{setting.help}: {setting.takes}" if setting.takes else setting.help
        option = f"`{setting.option} {setting.metavar}`" if setting.metavar else f"`{setting.option}`"
        default = next(iter(setting.defaults.values()))
        shown = f"`{default}`" if default else "off" if not setting.metavar else ""
        rows.append(f"| {option} | {', '.join(setting.defaults)} | {words} | {shown} |")
    return "\n".join(rows)


def read_pairs(pairs: list[str], generator: Generator) -> dict[str, Value]:
    """The parameters that NAME=VALUE words give, for `grow`; raises ParameterError."""
    return dict(_read_pair(name, value, generator.name, generator.parameters) for name, value in map(_split, pairs))


def read_scene_pairs(pairs: list[str]) -> dict[str, dict[str, Value]]:
    """scene -> name -> value that SCENE.NAME=VALUE words give, and those of `surface`; raises ParameterError."""
    from ..scenes.scenes import SCENES

    given: dict[str, dict[str, Value]] = {}
    for path, value in map(_split, pairs):
        scene, dot, name = path.partition(".")
        if not dot:
            raise ParameterError(f"--set {path}={value} names no scene: write SCENE.NAME=VALUE, as in cuts.cuts=500")
        if scene not in SCENES and scene != "surface":
            raise ParameterError(f"--set {path}={value} names no scene: there are {', '.join(SCENES)}, and surface for all")
        known = SURFACE if scene == "surface" else SCENES[scene].parameter_table
        name, read = _read_pair(name, value, scene, known)
        given.setdefault(scene, {})[name] = read
    return given


def _split(pair: str) -> tuple[str, str]:
    name, sign, value = pair.partition("=")
    if not (sign and name and value):
        raise ParameterError(f"--set {pair} is not possible: write NAME=VALUE, as in cells=256")
    return name, value


def _read_pair(name: str, value: str, owner: str, known: tuple[Parameter, ...]) -> tuple[str, Value]:
    for parameter in known:
        if parameter.name == name:
            return name, parameter.parse(value)
    raise ParameterError(f"{owner} has no parameter '{name}': it has {', '.join(parameter.name for parameter in known)}")
