"""`show`: in the host that the options choose, or as files where there is no display and no host was asked for."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..hosts import hosts
from ..hosts.errors import HostError
from ..process import crashes, memory
from ..process.stderr import say
from ..worlds.parameters import ParameterError
from .show_options import show_options

if TYPE_CHECKING:
    import numpy as np

    from ..show.options import ShowOptions
    from ..show.remembering import Memory


def run(arguments: Namespace) -> int:
    """Plays the show to its end."""
    crashes.watch()
    # Until the first picture, after which the host resumes them.
    memory.hold_collections()
    try:
        return _show(arguments)
    finally:
        memory.resume_collections()


def _show(arguments: Namespace) -> int:
    arguments, options = _possible(arguments)
    given = {
        option.name: getattr(arguments, option.name.replace("-", "_"))
        for host in hosts.HOSTS.values()
        for option in host.options
        if option.name in arguments.given
    }
    host = hosts.chosen(given)
    problem = host.problem()
    if problem is None:
        remember = _remember if arguments.history == "on" else None
        keep_last = partial(_keep_last, wallpaper=arguments.wallpaper)
        fps = arguments.fps or host.fps
        asked = hosts.Request(arguments.size, fps, _save, remember, keep_last, arguments.monitors, arguments.bezel, given)
        return host.run(options, asked)
    if given:
        raise HostError(f"{problem}: run it in a desktop session, or use 'still' or 'film'")
    # Here and below: what writes files is loaded only when a file is written, so that the first picture comes sooner.
    from . import tour

    memory.resume_collections()
    return tour.run(arguments, problem)


def _possible(arguments: Namespace) -> tuple[Namespace, ShowOptions]:
    """The arguments and what they ask for; those of the command line alone where the rest is not possible with them.

    A host shows nobody why a screensaver has ended.
    """
    try:
        return arguments, show_options(arguments)
    except ParameterError as error:
        if arguments.plain is None:
            raise
        say(f"{error}: what is set outside of the command line is left out")
        return arguments.plain, show_options(arguments.plain)


def _remember(world: Memory, picture: np.ndarray) -> None:
    # Loads Pillow, long after the first picture.
    from ..export import history

    history.remember(world.code, world.kept, picture)


def _keep_last(picture: np.ndarray, wallpaper: bool) -> None:
    """The last picture of a screensaver. Nobody is told where it cannot be kept, but in the log."""
    from . import wallpaper as desktop

    path = desktop.picture_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _save(path, picture)
        if wallpaper:
            desktop.wear(path, picture)
    except (OSError, RuntimeError) as error:
        say(error)


def _save(path: Path, picture: np.ndarray) -> None:
    # Few shows save a picture, and the first one of all comes sooner without.
    from ..export.picture import write_png

    write_png(path, picture)
