"""SAVER_HOSTS: the programs that start Landfall when nobody is there, with the files that tell them to.

To add one, write a row. Its files are an `OwnFile` for each that is Landfall's alone, a `UsersFile` for one of the user's.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..process.assets import PACKAGE_FOLDER
from ..process.environment import home
from ..process.installation import INSTALLED, PROGRAM
from ..process.user_folders import data_home, settings_home
from .file_changes import OwnFile, UsersFile
from .idle_entries import KdeIdleCommand, MarkedLines, XScreenSaverProgram

LAUNCHER = "landfall-saver"
IDLE_S = 600
IDLE_TEXT = f"{IDLE_S // 60} minutes"


@dataclass(frozen=True)
class Places:
    """The folders into which files go: a user's, or the system's. `page`: of XScreenSaver's settings, None for a user's."""

    programs: Path
    data: Path
    settings: Path
    home: Path
    page: Path | None = None

    @property
    def launcher(self) -> Path:
        """The program that hosts start."""
        return self.programs / LAUNCHER


def users_places() -> Places:
    """Those of this user."""
    return Places(home() / ".local/bin", data_home(), settings_home(), home())


def systems_places(root: Path = Path("/")) -> Places:
    """For all users of the machine whose root folder is `root`."""
    local, pages = root / "usr/local", root / "usr/share/xscreensaver/config"
    return Places(local / "bin", local / "share", root / "etc/xdg", root / "root", pages)


Files = list[OwnFile | UsersFile]


@dataclass(frozen=True)
class SaverHost:
    """One row. `files` without the launcher; `after`: what is left to the user; `for_all`: whether --system is possible."""

    title: str
    files: Callable[[Places], Files]
    after: str
    for_all: bool = False


def launcher(places: Places) -> OwnFile:
    """A shell script, because hosts pass on little of the environment, and less of it as they please."""
    text = (
        "#!/bin/sh\n"
        f"# Starts Landfall as a screensaver. '{PROGRAM} install HOST --uninstall' removes it.\n"
        f'exec {shlex.join(start_words())} show "$@"\n'
    )
    return OwnFile(places.launcher, text.encode(), 0o755)


def start_words() -> list[str]:
    """The words that start Landfall from any folder, whatever the search path for programs is."""
    if INSTALLED:
        # Without -P a folder named landfall in the current one would be run instead.
        return [sys.executable, "-P", "-m", f"{__package__}.start"]
    return [sys.executable, str(PACKAGE_FOLDER.parent / "main.py")]


def _xscreensaver(places: Places) -> Files:
    if places.page:
        return [_page(places.page)]
    entry = f'GL: "Landfall" {shlex.quote(str(places.launcher))} --root'
    program = XScreenSaverProgram(str(places.launcher), entry)
    return [UsersFile(places.home / ".xscreensaver", program.add, program.remove)]


def _desktop(places: Places) -> Files:
    # Imports numpy by way of the scenes, which only this needs.
    from .saver_page import ABOUT

    path = _desktop_quoted(places.launcher)
    rows = {
        "Type": "Application",
        "Name": "Landfall",
        "Comment": ABOUT.partition(":")[0],
        "TryExec": str(places.launcher).replace("\\", "\\\\"),
        "Exec": f"{path} --root",
        "StartupNotify": "false",
        "Terminal": "false",
        "Categories": "Screensaver;",
        # Elsewhere it would stand among the programs.
        "OnlyShowIn": "MATE;XFCE;",
    }
    text = "\n".join(["[Desktop Entry]", *(f"{key}={value}" for key, value in rows.items()), ""])
    entry = OwnFile(places.data / "applications/screensavers" / f"{LAUNCHER}.desktop", text.encode())
    return [entry, _page(places.data / "xscreensaver/config")]


def _page(folder: Path) -> OwnFile:
    # As in `_desktop`.
    from .saver_page import page

    return OwnFile(folder / f"{LAUNCHER}.xml", page(LAUNCHER))


def _desktop_quoted(path: Path) -> str:
    """A path as a word of `Exec`: quoted by the Desktop Entry Specification, whose strings escape the backslash again."""
    if re.fullmatch(r"[\w/.+-]+", str(path)):
        return str(path)
    escaped = "".join(f"\\{sign}" if sign in '"`$\\' else sign for sign in str(path))
    return '"{}"'.format(escaped.replace("\\", "\\\\").replace("%", "%%"))


def _swayidle(places: Places) -> Files:
    command = f"timeout {IDLE_S} {shlex.quote(_idle_command(places))}"
    entry = MarkedLines((command,))
    return [UsersFile(places.settings / "swayidle/config", entry.add, entry.remove)]


def _hypridle(places: Places) -> Files:
    # A single # begins a comment there.
    command = _idle_command(places).replace("#", "##")
    entry = MarkedLines(("listener {", f"    timeout = {IDLE_S}", f"    on-timeout = {command}", "}"))
    return [UsersFile(places.settings / "hypr/hypridle.conf", entry.add, entry.remove)]


def _kde(places: Places) -> Files:
    # PowerDevil splits the command at spaces and knows double quotes alone; KConfig escapes the backslash.
    text = str(places.launcher).replace("\\", "\\\\")
    entry = KdeIdleCommand(f'"{text}" --saver' if " " in text else f"{text} --saver", IDLE_S)
    return [UsersFile(places.settings / "powerdevilrc", entry.add, entry.remove)]


def _idle_command(places: Places) -> str:
    return f"{shlex.quote(str(places.launcher))} --saver"


_CHOOSE = "choose Landfall in the list of screensavers:"
SAVER_HOSTS: dict[str, SaverHost] = {
    "xscreensaver": SaverHost("XScreenSaver", _xscreensaver, f"{_CHOOSE} xscreensaver-settings", for_all=True),
    "mate": SaverHost("MATE", _desktop, f"{_CHOOSE} mate-screensaver-preferences", for_all=True),
    "xfce": SaverHost("Xfce", _desktop, f"{_CHOOSE} xfce4-screensaver-preferences", for_all=True),
    "swayidle": SaverHost("swayidle", _swayidle, f"it begins after {IDLE_TEXT}, once swayidle is started again"),
    "hypridle": SaverHost("hypridle", _hypridle, f"it begins after {IDLE_TEXT}, once hypridle is started again"),
    "kde": SaverHost("Plasma 6", _kde, f"it begins after {IDLE_TEXT} on mains power, from the next login on"),
}
NO_HOST = {
    "gnome": "GNOME starts neither screensavers nor commands after idle time",
    "cinnamon": "Cinnamon starts neither screensavers of others nor commands after idle time",
    "light-locker": "light-locker shows a locked screen and starts nothing",
}
"""Where there is no way, and why."""
