"""From a command line to what the show is to play, for the show itself, stills and films."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import time
from functools import partial
from pathlib import Path
from typing import Any

from ..process.place import place_now
from ..process.reduced_motion import ReducedMotion
from ..process.stderr import say
from ..scenes.hours import MEAN_LATITUDE_DEG, Hour, hour_now, hour_of
from ..scenes.scenes import SCENES
from ..show.options import ShowOptions
from ..show.playlist import Playlist, Turn, playlist_at
from ..show.running_order import minute_of_day
from ..worlds.parameters import ParameterError, Value
from . import map_folder
from .assignments import read_scene_pairs
from .chosen_world import check_once, code_of, tell_date_seed
from .option_values import NOW, OFF
from .outside_settings import settings_file
from .playlists import playlists
from .settings import TOUR

ALL = "all"
PRECOMPILER = f"{__package__}.precompile"


def is_tour(arguments: Namespace) -> bool:
    """Whether all scenes are asked for, and not one."""
    one = arguments.code or arguments.map
    return one is None and arguments.scene == (TOUR if arguments.command == "film" else None)


def show_options(arguments: Namespace, **more: Any) -> ShowOptions:
    """The show's options that the words ask for, with `more` fields; raises ParameterError.

    Every option that is named like a field of ShowOptions becomes that field.
    """
    given = read_scene_pairs(arguments.set)
    surface = given.pop("surface", {})
    for name in arguments.given & surface.keys():
        raise ParameterError(f"--{name} and surface.{name} are the same: give one of them")
    scene, seed = _planet_of_folder(arguments, given) if arguments.map else _scene_and_seed(arguments, given)
    if arguments.heightmap and not arguments.map:
        scene = _scene_of_file(arguments, given)
    elif scene is not None and SCENES[scene].needs_file and not given.get(scene, {}).get("file"):
        raise ParameterError(f"the scene '{scene}' needs a file: give it as --heightmap FILE")
    if "borders" in arguments.given and scene is not None and not SCENES[scene].has_borders:
        having = ", ".join(name for name, row in SCENES.items() if row.has_borders)
        raise ParameterError(f"--borders is not possible: '{scene}' has none, as {having} has")
    for name, values in given.items():
        # What is not possible together is told before a window opens, too.
        SCENES[name].complete(values)
    first = SCENES[scene or next(iter(SCENES))]
    tell_date_seed(first.generator, seed, first.complete(given.get(first.name, {})))
    # The planet of a folder is followed by itself: worlds of other seeds have none of its edits.
    wanted = (Playlist("", (Turn(scene, seed),)),) if arguments.map and scene else _playlists(arguments)
    playing = playlist_at(wanted, minute_of_day())
    if playing and playing.look and "look" not in arguments.given:
        more = {"look": playing.look, **more}
    same = {row.name: getattr(arguments, row.name) for row in fields(ShowOptions) if hasattr(arguments, row.name)}
    chosen: dict[str, Any] = {"scene": scene, "seed": seed, "parameters": given, "playlists": wanted}
    chosen["hours"] = _hours(arguments)
    if arguments.command == "show":
        # A still or a film compiles what it draws, when it is drawn: ahead of that, two children would compile all scenes.
        chosen["precompiler"] = PRECOMPILER
        if "calm" not in arguments.settled:
            chosen["less_motion"] = ReducedMotion()
    chosen["caption"] = arguments.captions == "on"
    return ShowOptions(**{**same, **surface, **chosen, **more})


def _scene_and_seed(arguments: Namespace, given: dict[str, dict[str, Value]]) -> tuple[str | None, int | None]:
    """The scene (None: all) and the seed (None: by the clock); a code's parameters are put into `given`."""
    code = code_of(arguments)
    if code is None:
        scene = None if is_tour(arguments) else arguments.scene
        if scene is not None and scene not in SCENES:
            raise ParameterError(f"there is no scene '{scene}': there are {', '.join(SCENES)}")
        return scene, arguments.seed
    scene = code.generator.name
    if scene not in SCENES:
        raise ParameterError(f"--code names a world of {scene}, which no scene shows: there are {', '.join(SCENES)}")
    if "scene" in arguments.given and arguments.scene != scene:
        raise ParameterError(f"--code names a world of {scene}, not of {arguments.scene}: leave --scene out")
    check_once(code, given.get(scene, {}))
    given[scene] = code.parameters
    return scene, code.seed


def _hours(arguments: Namespace) -> Callable[[], Hour] | None:
    """Gives the hour that worlds follow; None: those of their own."""
    wanted, latitude = arguments.hours or (NOW if arguments.hosted else OFF), arguments.latitude
    if wanted == OFF:
        return None
    if isinstance(wanted, time):
        return partial(hour_of, wanted, MEAN_LATITUDE_DEG if latitude is None else latitude)
    north, east = place_now()
    return partial(hour_now, north if latitude is None else latitude, east)


def _playlists(arguments: Namespace) -> tuple[Playlist, ...]:
    """Those that the show may play; raises ParameterError."""
    name = getattr(arguments, "playlist", ALL)
    others = arguments.given & {"scene", "code", "heightmap", "map"}
    if name not in (None, ALL) and others:
        raise ParameterError(f"--playlist and --{min(others)} both choose the worlds: give one of them")
    if name == ALL or others or arguments.command != "show":
        return ()

    def refused(error: ParameterError) -> None:
        # A screensaver plays what is right. Who watches is told.
        if not arguments.hosted:
            raise error
        say(f"{error}: this playlist is left out")

    found = playlists(refused)
    if name is None:
        return found
    named = [replace(row, hours=None) for row in found if row.name == name]
    if not named:
        names = ", ".join([row.name for row in found] + [ALL])
        there = f"there are {names}" if found else f"{settings_file()} has none"
        raise ParameterError(f"there is no playlist '{name}': {there}")
    return tuple(named)


def _planet_of_folder(arguments: Namespace, given: dict[str, dict[str, Value]]) -> tuple[str, int]:
    """The scene and the seed of the planet of a map's folder; its parameters are put into `given`."""
    for name in ("code", "heightmap", "seed", "playlist"):
        if name in arguments.given:
            raise ParameterError(f"--map and --{name} both choose the world: give one of them")
    if "scene" in arguments.given and arguments.scene != map_folder.SCENE:
        raise ParameterError(f"--map shows a planet of {map_folder.SCENE}, not of {arguments.scene}: leave --scene out")
    seed, values = map_folder.world_in(Path(arguments.map))
    own = given.setdefault(map_folder.SCENE, {})
    for name in own.keys() - {"finest"}:
        raise ParameterError(f"--map already gives {name}: leave --set map.{name} out")
    given[map_folder.SCENE] = {**values, **own}
    return map_folder.SCENE, seed


def _scene_of_file(arguments: Namespace, given: dict[str, dict[str, Value]]) -> str:
    """The scene that flies a height map. The file is read once here, so that its faults are told before a window opens."""
    if arguments.code is not None:
        raise ParameterError("--code and --heightmap both choose the world: give one of them")
    # Loads Pillow, which most starts do without.
    from ..catalogue import heightmap_in

    scene = next(name for name, row in SCENES.items() if row.needs_file)
    heightmap_in.read(arguments.heightmap)
    given.setdefault(scene, {})["file"] = arguments.heightmap
    return scene
