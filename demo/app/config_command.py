"""`config`: what is set outside of the command line, and a file of settings to begin with."""

from __future__ import annotations

import json
import textwrap
from argparse import Namespace

from ..export import files
from ..process.installation import PROGRAM
from ..process.stderr import say
from ..worlds.parameters import ParameterError
from .outside_settings import COMMANDS, outside, settings_file, settings_in_file
from .settings import Setting

WIDTH = 110
HEAD = """\
# Settings of Landfall. The command line comes before LANDFALL_NAME in the environment, and that before this file.
# Take the # away from a line to set it. What stands behind the = is the default; "" is as good as no setting.
"""

PLAYLISTS = """\
# A playlist: scenes and codes of worlds for the show, in the place of all scenes in order. There may be several, and the
# first that plays at the time of day counts.
# [playlist.evening]
# worlds = ["plasma", "cuts", "simplex-5-7"]
# order = "chance"        # or "list", one after another: the default
# hours = "18:00-23:30"   # always unless given
# look = "natural"        # as --look takes it
"""


def run(arguments: Namespace) -> int:
    """Prints what is set, or writes the file; 1 where something that is set does not count."""
    return _init() if arguments.init else _tell()


def _init() -> int:
    path = settings_file()
    if path.exists():
        raise files.ExportError(f"{path} is there already: edit it, or move it away first")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(template())
    except OSError as error:
        raise files.ExportError(f"cannot write {path} ({error.strerror}): name another folder by XDG_CONFIG_HOME") from None
    print(f"wrote {path}: all settings with their defaults")
    return 0


def _tell() -> int:
    path, refused = settings_file(), list[ParameterError]()
    rows = [(command, row) for command in COMMANDS for row in outside(command, (), [], refused.append)]
    missing = "" if path.exists() else f' (not there: "{PROGRAM} config --init" writes it)'
    print(f"{'settings file':<22}{path}{missing}")
    for command, row in rows:
        value = " ".join(row.value) if isinstance(row.value, list) else str(row.value)
        print(f"{f'{command}.{row.setting.name}':<22}{value}  ({row.where.rpartition(', ')[0] or row.where})")
    # Variables count for all commands, and a file may be wrong as a whole.
    for words in dict.fromkeys(map(str, refused)):
        say(words)
    return 1 if refused else 0


def template() -> str:
    """The file with all settings, each in a comment with its default."""
    return "\n".join([HEAD, *(_table(command) for command in COMMANDS), PLAYLISTS])


def _table(command: str) -> str:
    rows = [f"[{command}]"]
    for setting in settings_in_file(command):
        words = textwrap.wrap(setting.words, WIDTH)
        rows += ["", *(f"# {line}" for line in words), f"# {setting.name} = {_default(setting, command)}"]
    return "\n".join([*rows, ""])


def _default(setting: Setting, command: str) -> str:
    """The default as TOML."""
    if setting.repeated:
        return "[]"
    if not setting.metavar:
        return "false"
    text = setting.defaults[command]
    try:
        float(text)
    except ValueError:
        return json.dumps(text)
    return text
