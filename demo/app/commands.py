"""The commands: each takes the parsed words and returns an exit status, and imports what is heavy only when it runs."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..worlds.parameters import ParameterError
from .progress import Progress
from .settings import SURFACE, read_pairs, read_scene_pairs

if TYPE_CHECKING:
    import numpy as np

    from ..catalogue.generator import Generator
    from ..show.options import ShowOptions
    from ..worlds.growth import Growth
    from ..worlds.parameters import Parameter, Value

WINDOW_FPS, HOST_FPS = 60, 30
PRECOMPILER = f"{__package__}.precompile"
TOUR_S, TOUR_FPS, TOUR_SIZE, TOUR_SEED = 20.0, 24, (640, 360), 1
TOUR_FILM, TOUR_FRAMES, TOUR_SHEET = "landfall-tour.mp4", "landfall-tour-frames", "landfall-tour.png"
SHEET_PICTURES = 12
GROWTH_CHUNKS = 50
# How long the map itself takes in the parts that MAP_FORMATS counts its efforts in, and the steps of its progress bar.
MAP_EFFORT, MAP_PARTS = 10.0, 1000


def show(arguments: Namespace) -> int:
    """The show in a window or in a host's; the tour as files where there is no display and no window was demanded."""
    options = _options(arguments)
    hosted = arguments.root or arguments.window_id is not None
    if hosted:
        from ..hosts import x11_window

        return x11_window.run(options, arguments.window_id, arguments.fps or HOST_FPS)
    from ..hosts import display

    problem = display.problem()
    if problem is None:
        from ..hosts import window

        fps = arguments.fps or WINDOW_FPS
        return window.run(options, arguments.size, arguments.fullscreen, fps, arguments.saver)
    if arguments.fullscreen or arguments.saver:
        from ..hosts.errors import HostError

        raise HostError(f"{problem}: run it in a desktop session, or use 'still' or 'film'")
    return _tour(arguments, problem)


def scenes(arguments: Namespace) -> int:
    """Prints the table of scenes and their parameters, and of the generators that no scene shows."""
    from ..catalogue.generators import GENERATORS
    from ..scenes.scenes import SCENES

    for name in [*SCENES, *(name for name in GENERATORS if name not in SCENES)]:
        generator = SCENES[name].generator if name in SCENES else GENERATORS[name]
        set_by_scene = SCENES[name].parameters if name in SCENES else {}
        print(f"{name}: {generator.title}, {generator.source}" + ("" if name in SCENES else " (no scene; for 'grow')"))
        for parameter in generator.parameters:
            default = parameter.format(parameter.default)
            if name in SCENES and parameter.name in set_by_scene:
                default += f"; {parameter.format(set_by_scene[parameter.name])} in the scene"
            _print_parameter(parameter, default)
        print()
    print("surface: how the ground is drawn, in all scenes (for 'show', 'still' and 'film')")
    for parameter in SURFACE:
        _print_parameter(parameter, parameter.format(parameter.default))
    print()
    print("Set them with --set SCENE.NAME=VALUE for show, still and film, and with --set NAME=VALUE for grow.")
    return 0


def _print_parameter(parameter: Parameter, default: str) -> None:
    print(f"  {parameter.name:<13}{parameter.help}")
    print(f"  {'':<13}{parameter.describe()} (default: {default})")


def grow(arguments: Namespace) -> int:
    """Grows one world and writes its heights."""
    from ..catalogue.generators import generator
    from ..export import files, heightmap_out

    made = generator(arguments.name)
    out = Path(arguments.out)
    given = read_pairs(arguments.set, made)
    heightmap_out.writer_of(out)
    files.check_place(out)
    files.install_signal_handler()
    growth = made.grow(arguments.seed, given)
    _advance(growth, made, arguments.at)
    heightmap_out.write(out, made.snapshot(growth, given))
    return 0


def _advance(growth: Growth, made: Generator, at: int | None) -> None:
    """To step `at`: in pieces on a terminal, so that a bar can be drawn; otherwise at once. The heights are the same."""
    last = growth.total if at is None else at
    if last > growth.total:
        raise ParameterError(f"--at {last} is not possible: {made.name} grows from 0 to {growth.total} {made.work} here")
    with Progress(f"{made.name}: {last:,} {made.work}", last) as progress:
        pieces = GROWTH_CHUNKS if progress.visible else 1
        for piece in range(1, pieces + 1):
            growth.advance(last * piece // pieces)
            progress.to(growth.done)


def still(arguments: Namespace) -> int:
    """Writes the picture of one moment of one scene."""
    from ..export import files

    out = Path(arguments.out)
    if out.suffix.lower() != ".png":
        raise ParameterError(f"{out} is no picture that can be written: end the name in .png")
    files.check_place(out)
    options = _options(arguments, hold=True, paced=False)
    files.install_signal_handler()
    from ..hosts import offscreen

    picture = offscreen.still(options, arguments.time, arguments.size)
    from ..export.picture import write_png

    write_png(out, picture)
    return 0


def film(arguments: Namespace) -> int:
    """Writes a film of one scene, or of all of them."""
    from ..export import files
    from ..export import film as films

    out = Path(arguments.out)
    films.check(out, arguments.size)
    if arguments.scene == "tour":
        arguments.scene = None
        options = _options(arguments, tour_seconds=arguments.seconds, paced=False)
    else:
        options = _options(arguments, hold=True, paced=False)
    files.install_signal_handler()
    pictures = _pictures(options, arguments.seconds, arguments.fps, arguments.size, f"film: {out.name}")
    films.write(out, pictures, arguments.fps, arguments.size)
    return 0


def map(arguments: Namespace) -> int:
    """Grows a planet with rivers and lakes, writes it as map files and prints what it holds."""
    from ..export import files
    from ..export.maps import formats, summary
    from ..tables.map_formats import MAP_FORMATS

    out, names = Path(arguments.out), arguments.formats or tuple(MAP_FORMATS)
    parameters = _map_parameters(arguments)
    formats.check_packages(names)
    files.check_adding(out)
    files.install_signal_handler()
    from ..catalogue.maps import map_planet

    growing = MAP_EFFORT / (MAP_EFFORT + formats.effort(names))
    with Progress(f"map: {out.name}", MAP_PARTS) as progress:
        planet = map_planet(
            arguments.seed, parameters, lambda stage, part: progress.to(int(MAP_PARTS * growing * part)), _processors()
        )
        formats.write(out, planet, names, lambda part: progress.to(int(MAP_PARTS * (growing + (1.0 - growing) * part))))
    print(summary.table(planet))
    return 0


def _map_parameters(arguments: Namespace) -> dict[str, Value]:
    """The parameters of `doublecone` that the words ask for; raises ParameterError."""
    from ..catalogue.generators import generator

    by_scene = read_scene_pairs(arguments.set)
    given = by_scene.pop("doublecone", {})
    for scene, pairs in by_scene.items():
        raise ParameterError(f"--set {scene}.{next(iter(pairs))} has no place in a map: it takes doublecone.land and .poles")
    for name in given.keys() & {"gn", "ln"}:
        raise ParameterError(f"--set doublecone.{name} has no place in a map: write --{name} {given[name]}")
    return generator("doublecone").complete({**given, "gn": arguments.gn, "ln": arguments.ln})


def _processors() -> int:
    """How many this process may use; as numba counts them, without importing it."""
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(os.environ.get("NUMBA_NUM_THREADS", ours))


def doctor(arguments: Namespace) -> int:
    """Prints what is installed and what is missing."""
    from . import doctor as report

    return report.run()


def _tour(arguments: Namespace, problem: str) -> int:
    """What the show would have been, as a film and a contact sheet in the current folder."""
    from ..export import files, picture
    from ..export import film as films

    whole = arguments.scene is None
    options = _options(
        arguments,
        seed=TOUR_SEED if arguments.seed is None else arguments.seed,
        tour_seconds=TOUR_S,
        hold=not whole,
        paced=False,
    )
    mp4 = films.has_av()
    out, sheet = Path(TOUR_FILM if mp4 else TOUR_FRAMES), Path(TOUR_SHEET)
    files.check_place(sheet)
    files.install_signal_handler()
    print(f"landfall: {problem}: rendering the tour to {out} and {sheet} instead", file=sys.stderr)
    wanted = set(picture.evenly(round(TOUR_S * TOUR_FPS), SHEET_PICTURES))
    kept: list[np.ndarray] = []

    def pictures() -> Iterator[np.ndarray]:
        for number, frame in enumerate(_pictures(options, TOUR_S, TOUR_FPS, TOUR_SIZE, "tour")):
            if number in wanted:
                kept.append(frame)
            yield frame

    if mp4:
        films.write_mp4(out, pictures(), TOUR_FPS, TOUR_SIZE)
    else:
        films.write_frames(out, pictures(), ours=True)
    picture.write_png(sheet, picture.contact_sheet(kept))
    return 0


def _pictures(options: ShowOptions, seconds: float, fps: int, size: tuple[int, int], label: str) -> Iterator[np.ndarray]:
    from ..hosts import offscreen

    with Progress(label, max(round(seconds * fps), 1)) as progress:
        yield from progress.over(offscreen.frames(options, seconds, fps, size))


def _options(arguments: Namespace, **more: Any) -> ShowOptions:
    """The show's options of the words; raises ParameterError."""
    from ..scenes.scenes import SCENES
    from ..show.options import ShowOptions

    if arguments.scene is not None and arguments.scene not in SCENES:
        raise ParameterError(f"there is no scene '{arguments.scene}': there are {', '.join(SCENES)}")
    scene, parameters = arguments.scene, read_scene_pairs(arguments.set)
    if arguments.heightmap:
        from ..catalogue import heightmap_in

        # Read once here, so that what is wrong with it is said before a window opens.
        heightmap_in.read(arguments.heightmap)
        scene = "heightmap"
        parameters.setdefault(scene, {})["file"] = arguments.heightmap
    elif scene is not None and SCENES[scene].needs_file and not parameters.get(scene, {}).get("file"):
        raise ParameterError(f"the scene '{scene}' needs a file: give it as --heightmap FILE")
    fields = {
        "scene": scene,
        "seed": arguments.seed,
        "look": arguments.look,
        "calm": arguments.calm,
        "quality": arguments.quality,
        "parameters": {name: values for name, values in parameters.items() if name != "surface"},
        **parameters.get("surface", {}),
        "precompiler": PRECOMPILER,
    }
    return ShowOptions(**{**fields, **more})
