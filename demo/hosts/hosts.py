"""HOSTS: the table of the places in which the show plays live, and the contract that each of them keeps.

A host is one module in this folder and one row of the table. The module holds two functions:

    problem() -> str | None
        Why the host cannot play on this machine, as one clause; None when it can, or when only opening its window tells.

    run(options: ShowOptions, request: Request) -> int
        Plays the show until the user, or whatever program the host belongs to, ends it, and returns the exit status 0.
        Raises HostError when there is no window or no OpenGL.

Within `run` a host

1. starts the compiler first (`player.compiling`), because opening a window takes time too;
2. opens its window by `context.open_window`, which makes an OpenGL 3.3 core context current on the main thread; OpenGL and
   the show are imported only after that;
3. makes one Show of the window's size, puts its first picture on screen before anything else (`player.first_picture`), and
   calls its `close` however the playing ends;
4. in every frame hands on the events that it understands (`act`, `pointer`, `wheel`), calls `resize` when the window's size
   has changed, `update` with at most LONGEST_STEP_S seconds, `draw` while the window is visible, and swaps the buffers;
5. is the only one that waits: at most `request.fps` frames a second, and no more than the show wants. It leaves the idle
   time of the desktop alone, unless it is a window that somebody watches (`display.keep_awake`);
6. ends when `wants_quit` is set, writes a still with `request.save` when `wants_still` is set, and remembers the world that
   `memory` returns with `request.remember`; `tell` says on screen what came of it.

`player.play` does 4 to 6 for any window that pygame knows. `offscreen` is not in the table: it draws single pictures and
films, and plays nothing live. Importing this module needs the standard library only, so that help comes at once.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..process.power import power_now
from ..process.priority import give_way
from ..tables.monitors import MONITORS
from ..worlds.parameters import ParameterError

if TYPE_CHECKING:
    import numpy as np

    from ..show.options import ShowOptions
    from ..show.remembering import Memory

WINDOW_ID_TAKES = "the number of an X window, decimal or 0x..."
# A screensaver that is to draw no more pictures a second than this spares the processors, too.
SPARING_FPS = 30


@dataclass(frozen=True)
class HostOption:
    """An option of the command line that belongs to one host. The option table of the program includes these rows.

    `metavar`, `takes`, `read` and `aliases` are those of any option; `metavar` "" is a flag. An option chooses its host,
    unless the user gives an option of a later row as well.
    """

    name: str
    help: str
    metavar: str = ""
    takes: str = ""
    read: Callable[[str], Any] = str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Request:
    """What a host is asked for.

    `size`: (width, height) of a window in pixels. `fps`: the largest number of frames per second. `given`: the values of
    the host's own options by their names; only those that the user gave. `save` writes a still, uint8 (height, width, 3),
    to a path; `remember` puts a world with such a picture into the history (None: there is none); both raise OSError or
    RuntimeError. `keep_last`, where there is one, takes the last picture of a screensaver that its user has ended.
    `monitors`, `bezel`: as `adjacent_monitors.spanning` takes them.
    """

    size: tuple[int, int]
    fps: int
    save: Callable[[Path, np.ndarray], None]
    remember: Callable[[Memory, np.ndarray], None] | None = None
    keep_last: Callable[[np.ndarray], None] | None = None
    monitors: str = MONITORS[0]
    bezel: int = 0
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Host:
    """One row: `module` keeps the contract above; `fps` is its frame rate unless the user names one.

    `endures`: nobody watches and nobody is there to start it again, so that it goes on where a world cannot be grown, and
    spares a battery.
    """

    name: str
    module: str
    fps: int
    options: tuple[HostOption, ...]
    endures: bool = False

    def problem(self) -> str | None:
        """Why this host cannot play here, as one clause; None when it can."""
        return importlib.import_module(self.module, __package__).problem()

    def run(self, options: ShowOptions, request: Request) -> int:
        """Plays the show to its end; the exit status. Raises HostError."""
        if self.endures:
            give_way()
        frugal = self.endures and power_now().on_battery
        spares = self.endures and request.fps <= SPARING_FPS
        given = replace(options, endures=self.endures, frugal=frugal, spares=spares)
        return importlib.import_module(self.module, __package__).run(given, request)


def window_number(text: str) -> int | None:
    """An X window's number, decimal or 0x hexadecimal; None for what can be none."""
    try:
        number = int(text, 0)
    except ValueError:
        return None
    return number if 0 < number < 2**32 else None


def read_window_id(text: str) -> int:
    """An X window's number, decimal or 0x hexadecimal; raises ParameterError."""
    number = window_number(text)
    if number is None:
        raise ParameterError(f"--window-id={text} is not possible: it takes {WINDOW_ID_TAKES}")
    return number


_ROOT_HELP = "draw into $XSCREENSAVER_WINDOW, or the root window, until ended from outside"
_WINDOW_ID_HELP = "draw into that window of another program"
_SAVER_HELP = "fill the screen, and end on a key, a click or a moved pointer"

HOSTS: dict[str, Host] = {
    host.name: host
    for host in (
        Host("window", ".window", fps=60, options=(HostOption("fullscreen", "fill the screen"),)),
        Host("saver", ".saver", fps=60, options=(HostOption("saver", _SAVER_HELP),), endures=True),
        Host(
            "x11_window",
            ".x11_window",
            fps=30,
            options=(
                HostOption("root", _ROOT_HELP, aliases=("-root",)),
                HostOption("window-id", _WINDOW_ID_HELP, "ID", WINDOW_ID_TAKES, read_window_id, ("-window-id",)),
            ),
            endures=True,
        ),
    )
}
"""The first row plays unless an option chooses another."""


def chosen(given: Mapping[str, Any]) -> Host:
    """The host that these options choose, by name: the last row with one of them, or the first row of all."""
    named = [host for host in HOSTS.values() if any(option.name in given for option in host.options)]
    return named[-1] if named else next(iter(HOSTS.values()))
