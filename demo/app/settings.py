"""SETTINGS: the one table of the program's options. argparse and the README's table come from it.

Importing it needs the standard library only, so that help and errors come at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..hosts.hosts import HOSTS
from ..tables.coarse_rules import RULES, SAMPLE
from ..tables.looks import LOOKS, NORMALS
from ..tables.monitors import MONITORS
from ..tables.quality import QUALITIES
from ..worlds.parameters import Parameter
from .option_values import (
    BLOCKS_TAKES,
    FORMATS_TAKES,
    HOURS_TAKES,
    REGION_TAKES,
    SCHEDULER_TAKES,
    SEED_TAKES,
    SIZE_TAKES,
    choice,
    number,
    read_blocks,
    read_formats,
    read_hours,
    read_region,
    read_scheduler,
    read_seed,
    read_size,
)

MESHES = ("auto", "square", "isosceles")
TOUR = "tour"
"""The word that `film --scene` takes for all scenes."""


@dataclass(frozen=True)
class Setting:
    """One row: `defaults` maps each command that has the option to its default as text, "" where `help` says it.

    `takes` says in words what the option takes. `read` turns its text into a value and raises ParameterError; `metavar` ""
    is a flag.
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

    @property
    def key(self) -> str:
        """The attribute that holds its value among the parsed arguments."""
        return self.name.replace("-", "_")

    @property
    def words(self) -> str:
        """What it is and what it takes."""
        return f"{self.help}: {self.takes}" if self.takes else self.help

    def describe(self, command: str) -> str:
        """The help line of the option for `command`."""
        default = self.defaults[command]
        return f"{self.words} (default: {default})" if default else self.words


def _for(*commands: str, default: str = "") -> dict[str, str]:
    return dict.fromkeys(commands, default)


SHEETS = ("plain", "rhombi")
"""What sheets show: the map, or also the mesh behind it."""

_SHEETS_TAKES, _read_sheets = choice("sheets", SHEETS)
_LOOK_TAKES, _read_look = choice("look", LOOKS)
_NORMALS_TAKES, _read_normals = choice("normals", NORMALS)
_MESH_TAKES, _read_mesh = choice("mesh", MESHES)
_QUALITY_TAKES, _read_quality = choice("quality", QUALITIES)
_CAPTIONS_TAKES, _read_captions = choice("captions", ("on", "off"))
_HISTORY_TAKES, _read_history = choice("history", ("on", "off"))
_FPS_TAKES, _read_fps = number("fps", int, 1, 240)
_TIME_TAKES, _read_time = number("time", float, 0.0, 86_400.0)
_SECONDS_TAKES, _read_seconds = number("seconds", float, 0.1, 3_600.0)
_MONITORS_TAKES, _read_monitors = choice("monitors", MONITORS)
_BEZEL_TAKES, _read_bezel = number("bezel", int, 0, 2_000)
_LATITUDE_TAKES, _read_latitude = number("latitude", float, -90.0, 90.0)
_AT_TAKES, _read_at = number("at", int, 0, None)
_PORT_TAKES, _read_port = number("port", int, 1, 65_535)
# As the generators `doublecone` and `map` take them, whose table would bring numpy along. A test compares the two.
_GN_TAKES, _read_gn = number("gn", int, 1, 10)
_LN_TAKES, _read_ln = number("ln", int, 0, 10)
_MEMORY_TAKES, _read_memory = number("memory", int, 1, 1_000_000)
_WORKERS_TAKES, _read_workers = number("workers", int, 1, 1_024)
_PAIRS = "as often as you like; 'scenes' lists them"
_CODE = "the world of this code, which files of 'grow' and 'map' hold, in place of --seed"
_PLAYLIST_HELP = "the playlist of that name in the settings file, 'all' for all scenes; by the time of day unless given"
_GN_HELP = "levels of the map's global mesh: 2^gn cells a quarter of the equator"
_EDITS_HELP = "a map's .osm, .osm.pbf or .gpkg that you have changed, or edits.json: its edits are kept"
_REGION_HELP = "only a square of so many km around a place, as it is on the whole planet, as fine as --ln says"
_MEMORY_HELP = "megabytes that a whole planet's map may take; the same files whatever it is"
_WORKERS_HELP = "make the map in so many processes beside this one; in the threads of this one unless given"
_SCHEDULER_HELP = "make the map on the Dask cluster of this scheduler, whose workers see OUTDIR"
_BLOCKS_HELP = "where finished blocks lie until the map is written; in OUTDIR/.blocks unless given"
_MAP_HELP = "fly the planet of this map's folder, as 'map' has written it, edits included"
_LN_HELP = "levels of the map's local mesh: 2^ln steps along a rhombus"
_PACKED_HELP = "double cone: the mesh as one array N x 4N too, as its article packs it, and the poles, in an .npz"
_CLIMATE_HELP = "climate, rivers and lakes of any world in an .npz; those of carved worlds are always there"
_PICTURES = ("show", "still", "film")
_RATES = f"{HOSTS['window'].fps}, or {HOSTS['x11_window'].fps} in another program's window"
_LIVE_FPS = f"at most this many frames a second; {_RATES}"
_COARSE_HELP = "a group of vertices far away: their mean height; that of similar ones alone; every second as it is"
_MESH_HELP = "triangles of the ground: halves of squares, or isosceles; auto by quality"
_LEVELS_HELP = "colours each level of detail; a colour runs into the next where vertices morph"
_HISTORY_HELP = "remember the worlds that are shown, 200 of them, for 'history'"
_HOURS_HELP = "the viewer's hour, which the light follows; now in a screensaver and off elsewhere unless given"
_MONITORS_HELP = "in a screensaver: one world across them, the same one, or one each"
_BEZEL_HELP = "hidden between two monitors across which one world is shown"
_WALLPAPER_HELP = "with --saver: the last picture of the first monitor becomes the desktop's when you come back"
_LATITUDE_HELP = "of --hours, degrees north; of the time zone's place for now, else 45, unless given"
_NORMALS_HELP = "of the ground, printed: away from the middle, as plasma's; those of the look unless given"
_DRAWN = ("still", "film")

SETTINGS: tuple[Setting, ...] = (
    Setting("scene", "NAME", "", "the scene to begin with", _for("show")),
    Setting("scene", "NAME", "", "the scene", _for("still", default="plasma")),
    Setting("scene", "NAME", "", f"the scene, or '{TOUR}' for all of them, shortened", _for("film", default=TOUR)),
    Setting("seed", "N", SEED_TAKES, "the world; another each time unless given", _for("show"), read_seed),
    Setting("seed", "N", SEED_TAKES, "the world", _for("grow", "still", "film", "map", default="1"), read_seed),
    Setting("code", "CODE", "", _CODE, _for("show", "grow", "still", "film", "map")),
    Setting("playlist", "NAME", "", _PLAYLIST_HELP, _for("show")),
    Setting("set", "NAME=VALUE", "", f"a parameter of the generator, {_PAIRS}", _for("grow"), repeated=True),
    Setting("set", "SCENE.NAME=VALUE", "", f"a parameter of a scene, {_PAIRS}", _for(*_PICTURES, "map"), repeated=True),
    Setting("gn", "N", _GN_TAKES, _GN_HELP, _for("map", default="7"), _read_gn),
    Setting("ln", "N", _LN_TAKES, _LN_HELP, _for("map", default="3"), _read_ln),
    Setting("region", "LON,LAT,KM", REGION_TAKES, _REGION_HELP, _for("map"), read_region),
    Setting("memory", "MB", _MEMORY_TAKES, _MEMORY_HELP, _for("map", default="2000"), _read_memory),
    Setting("workers", "N", _WORKERS_TAKES, _WORKERS_HELP, _for("map"), _read_workers),
    Setting("scheduler", "ADDRESS", SCHEDULER_TAKES, _SCHEDULER_HELP, _for("map"), read_scheduler),
    Setting("blocks", "ADDRESS", BLOCKS_TAKES, _BLOCKS_HELP, _for("map"), read_blocks),
    Setting("formats", "NAMES", FORMATS_TAKES, "the files; all but site unless given", _for("map"), read_formats),
    Setting("sheets", "WITH", _SHEETS_TAKES, "what the sheets show", _for("map", default=SHEETS[0]), _read_sheets),
    Setting("edits", "FILE", "", _EDITS_HELP, _for("map")),
    Setting("port", "N", _PORT_TAKES, "of the loopback address; any free one unless given", _for("view"), _read_port),
    Setting("no-browser", "", "", "open none: print the address alone", _for("view")),
    Setting("at", "STEP", _AT_TAKES, "stop growing at this step; to the end unless given", _for("grow"), _read_at),
    Setting("packed", "", "", _PACKED_HELP, _for("grow")),
    Setting("climate", "", "", _CLIMATE_HELP, _for("grow")),
    Setting("time", "SECONDS", _TIME_TAKES, "seconds since the scene's start", _for("still", default="30"), _read_time),
    Setting("seconds", "S", _SECONDS_TAKES, "length in seconds", _for("film", default="20"), _read_seconds),
    Setting("size", "WxH", SIZE_TAKES, "size in pixels", _for(*_PICTURES, default="1280x720"), read_size),
    Setting("fps", "N", _FPS_TAKES, _LIVE_FPS, _for("show"), _read_fps),
    Setting("fps", "N", _FPS_TAKES, "frames a second", _for("film", default="30"), _read_fps),
    Setting("look", "LOOK", _LOOK_TAKES, "colours and light", _for(*_PICTURES, default=LOOKS[0]), _read_look),
    Setting(
        "quality",
        "LEVEL",
        _QUALITY_TAKES,
        "how much is drawn; by the renderer's name unless given",
        _for("show"),
        _read_quality,
    ),
    Setting("quality", "LEVEL", _QUALITY_TAKES, "how much is drawn", _for("still", "film", default="high"), _read_quality),
    Setting("normals", "NORMALS", _NORMALS_TAKES, _NORMALS_HELP, _for(*_DRAWN), _read_normals),
    Setting("wire", "", "", "the triangles as a wireframe", _for(*_DRAWN)),
    Setting("borders", "", "", "map: borders of rhombi and catchments", _for(*_DRAWN)),
    Setting("mesh", "MESH", _MESH_TAKES, f"{_MESH_HELP}; as surface.mesh", _for(*_DRAWN, default=MESHES[0]), _read_mesh),
    Setting("levels", "", "", f"{_LEVELS_HELP}; as surface.levels", _for(*_DRAWN)),
    Setting("map", "OUTDIR", "", _MAP_HELP, _for(*_PICTURES)),
    Setting("heightmap", "FILE", "", "fly your own height map: PNG, TIFF, .npy or .npz", _for(*_PICTURES)),
    Setting(
        "captions", "WHEN", _CAPTIONS_TAKES, "names of worlds in the picture", _for(*_PICTURES, default="on"), _read_captions
    ),
    Setting("history", "WHEN", _HISTORY_TAKES, _HISTORY_HELP, _for("show", default="on"), _read_history),
    Setting("sheet", "OUT.png", "", "a contact sheet of the newest ones as well", _for("history")),
    Setting("calm", "", "", "fly slower and turn more gently", _for(*_PICTURES)),
    Setting("hours", "HOUR", HOURS_TAKES, _HOURS_HELP, _for(*_PICTURES), read_hours),
    Setting("latitude", "DEGREES", _LATITUDE_TAKES, _LATITUDE_HELP, _for(*_PICTURES), _read_latitude),
    Setting("monitors", "WHAT", _MONITORS_TAKES, _MONITORS_HELP, _for("show", default=MONITORS[0]), _read_monitors),
    Setting("bezel", "PIXELS", _BEZEL_TAKES, _BEZEL_HELP, _for("show", default="0"), _read_bezel),
    Setting("wallpaper", "", "", _WALLPAPER_HELP, _for("show")),
    Setting("uninstall", "", "", "take it out again, and leave nothing", _for("install")),
    Setting("dry-run", "", "", "change nothing, and print the changes as a patch", _for("install")),
    Setting("system", "", "", "for all users; each user's own 'install' compiles", _for("install")),
    Setting("init", "", "", "write the file, with all settings and their defaults in comments", _for("config")),
    Setting("fix", "", "", "remove all compiled kernels and compile them anew", _for("doctor")),
    Setting("report", "", "", "all that an issue report needs, without names of users, machines and homes", _for("doctor")),
    *(
        Setting(option.name, option.metavar, option.takes, option.help, _for("show"), option.read, aliases=option.aliases)
        for host in HOSTS.values()
        for option in host.options
    ),
)

# How the ground is drawn in all scenes: set as surface.NAME=VALUE. Each is a field of ShowOptions.
SURFACE: tuple[Parameter, ...] = (
    Parameter("mesh", MESHES[0], _MESH_HELP, choices=MESHES),
    Parameter("coarse", SAMPLE, _COARSE_HELP, choices=RULES),
    Parameter("levels", False, _LEVELS_HELP),
)


def settings_of(command: str) -> list[Setting]:
    """The options of `command`, in the table's order."""
    return [setting for setting in SETTINGS if command in setting.defaults]


def readme_table() -> str:
    """The table of all options as Markdown."""
    rows = ["| option | commands | what it is | default |", "|---|---|---|---|"]
    for setting in SETTINGS:
        option = f"`{setting.option} {setting.metavar}`" if setting.metavar else f"`{setting.option}`"
        default = next(iter(setting.defaults.values()))
        shown = f"`{default}`" if default else "off" if not setting.metavar else ""
        rows.append(f"| {option} | {', '.join(setting.defaults)} | {setting.words} | {shown} |")
    return "\n".join(rows)
