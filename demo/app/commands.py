"""COMMANDS: the one table of what can be said after `python main.py`. Standard library only, so that help comes at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Argument:
    """A word that a command takes without an option in front of it."""

    name: str
    metavar: str
    help: str


@dataclass(frozen=True)
class Command:
    """One row. `module` holds `run(arguments) -> exit status`; it is imported when the command runs, because it is heavy.

    `examples` are words after `python main.py`.
    """

    module: str
    help: str
    examples: tuple[str, ...]
    arguments: tuple[Argument, ...] = ()


COMMANDS: dict[str, Command] = {
    "show": Command(
        ".show_command",
        "play the show in a window, full screen or as a screensaver (the default)",
        examples=(
            "",
            "show --scene cuts --seed 7 --fullscreen",
            "show --scene plasma --set plasma.roughness=0.9 --look as-printed",
            "show --code simplex-5-7-scale=2.0",
            "--saver",
        ),
    ),
    "scenes": Command(".scenes_command", "list the scenes with their parameters, defaults and ranges", examples=("scenes",)),
    "grow": Command(
        ".grow_command",
        "write a world's heights to a file, without window or OpenGL",
        examples=(
            "grow plasma island.npz --seed 7 --set cells=1024",
            "grow cuts planet.png --set cuts=2000 --set atlas=latlong",
            "grow simplex planet.tif --at 4",
            "grow plasma again.npz --code plasma-3-7-cells=1024",
        ),
        arguments=(
            Argument("name", "NAME", "the generator, as 'scenes' lists them"),
            Argument(
                "out",
                "OUT",
                "the file: .npz (arrays heights, positions, ...), .png (16-bit, scale in a .json beside it) or .tif (float)",
            ),
        ),
    ),
    "still": Command(
        ".still_command",
        "write one picture of a scene to a PNG",
        examples=("still planet.png --scene cuts --seed 7 --time 30 --size 1920x1080",),
        arguments=(Argument("out", "OUT.png", "the picture"),),
    ),
    "film": Command(
        ".film_command",
        "write a film of a scene, or of all of them, to an MP4 or PNG frames",
        examples=(
            "film tour.mp4 --seed 7 --seconds 60",
            "film frames --scene plasma --seconds 10 --fps 24 --size 640x360",
        ),
        arguments=(Argument("out", "OUT", "the film, NAME.mp4, or a new folder for PNG frames"),),
    ),
    "map": Command(
        ".map_command",
        "write a planet with rivers and lakes as map files: OpenStreetMap, GeoPackage, GeoTIFF, sheets and tiles",
        examples=(
            "map planet --seed 7",
            "map planet --seed 7 --gn 7 --ln 3 --set map.land=0.3 --formats gpkg,tif",
            "map planet --edits planet/world.osm",
            "map planet --ln 8 --region -87.1,23.9,200",
        ),
        arguments=(Argument("out", "OUTDIR", "the folder; made if it does not exist; its other files stay"),),
    ),
    "view": Command(
        ".view_command",
        "show a map that has tiles in the browser: a globe to turn, search and measure",
        examples=("view planet", "view planet --port 8000 --no-browser"),
        arguments=(Argument("out", "OUTDIR", "the folder of a map with the format 'tiles' or 'site'"),),
    ),
    "install": Command(
        ".install_command",
        "put Landfall among the screensavers of a desktop, or take it out again",
        examples=("install xscreensaver", "install xfce --dry-run", "install swayidle --uninstall"),
        arguments=(
            Argument(
                "host", "HOST", "what starts it when nobody is there: xscreensaver, mate, xfce, swayidle, hypridle or kde"
            ),
        ),
    ),
    "history": Command(
        ".history_command",
        "list the worlds that were shown last, and those that were kept",
        examples=("history", "history --sheet worlds.png"),
    ),
    "config": Command(
        ".config_command",
        "say what is set by the settings file and the environment, or write that file",
        examples=("config", "config --init"),
    ),
    "doctor": Command(
        ".doctor",
        "say what is installed, what draws, what is missing and what is damaged",
        examples=("doctor", "doctor --fix", "doctor --report"),
    ),
}
