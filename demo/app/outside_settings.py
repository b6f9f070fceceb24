"""What is set outside of the command line: by LANDFALL_* variables and by the user's file, which they come before.

The file is TOML: a table for each command, and in it options by the names that they have on the command line. An empty text
or list is as good as nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..process.user_folders import settings_home
from ..worlds.parameters import ParameterError
from .settings import Setting, settings_of

COMMANDS = ("show", "still", "film", "grow", "map")
PLAYLIST = "playlist"
"""The table of the file that holds playlists, by their names."""
# A host says these on its command line, and only there.
NOT_SETTINGS = ("saver", "root", "window-id")
ON, OFF = ("1", "on", "true", "yes"), ("0", "off", "false", "no")
# An option, and those that would name another world, or the same thing twice: from farther away they give way to it.
GIVE_WAY = {
    "code": {"scene", "seed", "set", "heightmap", "map", "gn", "ln", "playlist"},
    "scene": {"code", "heightmap", "map", "playlist"},
    "seed": {"code", "map"},
    "set": {"code"},
    "heightmap": {"code", "scene", "map", "playlist"},
    "map": {"code", "scene", "seed", "heightmap", "playlist"},
    "playlist": {"code", "scene", "heightmap", "map"},
    "gn": {"code"},
    "ln": {"code"},
}

Value = str | bool | list[str]


@dataclass(frozen=True)
class Outside:
    """An option that is set outside: its value as the command line would give it, and where that stands."""

    setting: Setting
    value: Value
    where: str


def settings_file() -> Path:
    """The user's file, which need not exist."""
    return settings_home() / "landfall" / "config.toml"


def outside(
    command: str, on_the_line: Iterable[str], pairs: list[str], refused: Callable[[ParameterError], None]
) -> list[Outside]:
    """What counts for `command` beside the options on its command line and its `--set` pairs.

    `refused` is called with what is wrong in a place, which then does not count; it may raise that error.
    """
    if command not in COMMANDS:
        return []
    taken, found = set(on_the_line), []
    same = {pair.partition("=")[0].removeprefix("surface.") for pair in pairs if pair.startswith("surface.")}
    for layer in (_variables(command, refused), _of_file(command, refused)):
        hidden = taken.union(same, *(GIVE_WAY.get(name, set()) for name in taken)) - {"set"}
        hidden |= {"set"} if "code" in taken else set()
        new = [row for row in layer if row.setting.name not in hidden]
        found += [row for row in new if _is_possible(row, command, refused)]
        taken |= {row.setting.name for row in new}
    return found


def _is_possible(row: Outside, command: str, refused: Callable[[ParameterError], None]) -> bool:
    try:
        check(row, command)
    except ParameterError as error:
        refused(ParameterError(f"{row.where}: {str(error).removeprefix('--')}"))
        return False
    return True


def check(row: Outside, command: str) -> None:
    """Raises ParameterError where the option does not take the value. Where only the tables know, they are loaded."""
    name, value = row.setting.name, row.value
    if isinstance(value, str):
        row.setting.read(value)
    if name == "scene":
        # Here and below: a start without such settings comes sooner.
        from ..scenes.scenes import SCENES

        if value not in SCENES and value != row.setting.defaults[command]:
            raise ParameterError(f"there is no scene '{value}': there are {', '.join(SCENES)}")
    if name == "code":
        from ..catalogue.world_code import read_code

        read_code(str(value))
    if name == "set" and command != "grow" and isinstance(value, list):
        from .assignments import read_scene_pairs

        read_scene_pairs(value)


def _variables(command: str, refused: Callable[[ParameterError], None]) -> Iterator[Outside]:
    for setting in settings_in_file(command):
        name = f"LANDFALL_{setting.key.upper()}"
        text = os.environ.get(name, "").strip()
        if not text:
            continue
        try:
            yield Outside(setting, _from_text(setting, text), name)
        except ParameterError as error:
            refused(ParameterError(f"{name}: {error}"))


def _from_text(setting: Setting, text: str) -> Value:
    if setting.repeated:
        return text.split()
    if setting.metavar:
        return text
    if text.lower() not in ON + OFF:
        raise ParameterError(f"'{text}' is not possible: it takes on or off")
    return text.lower() in ON


def settings_in_file(command: str) -> list[Setting]:
    """The options of a command that may be set outside, in the table's order."""
    return [setting for setting in settings_of(command) if setting.name not in NOT_SETTINGS]


def _of_file(command: str, refused: Callable[[ParameterError], None]) -> Iterator[Outside]:
    path = settings_file()
    text, tables = read_file(refused)
    for table, rows in tables.items():
        if table == PLAYLIST:
            continue
        if table not in COMMANDS or not isinstance(rows, dict):
            line, tables_there = line_of(text, "", table), ", ".join((*COMMANDS, PLAYLIST))
            refused(ParameterError(f"{path}, line {line}: there is no table [{table}]: there are {tables_there}"))
        elif table == command:
            yield from _rows_of(path, text, table, rows, refused)


def _rows_of(
    path: Path, text: str, table: str, rows: dict[str, Any], refused: Callable[[ParameterError], None]
) -> Iterator[Outside]:
    known = {setting.name: setting for setting in settings_in_file(table)}
    for name, value in rows.items():
        where = f"{path}, line {line_of(text, table, name)}, {table}.{name}"
        try:
            row = Outside(_known(known, name), _from_toml(_known(known, name), value), where)
        except ParameterError as error:
            refused(ParameterError(f"{where}: {error}"))
            continue
        if row.value not in ("", []):
            yield row


def _known(known: dict[str, Setting], name: str) -> Setting:
    if name not in known:
        raise ParameterError(f"there is no such setting: there are {', '.join(known)}")
    return known[name]


def read_file(refused: Callable[[ParameterError], None]) -> tuple[str, dict[str, Any]]:
    """The text of the user's file and its tables; both are empty where there is no file, or none that can be read."""
    path = settings_file()
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return "", {}
    except OSError as error:
        refused(ParameterError(f"{path} cannot be read ({error.strerror}): make it readable"))
        return "", {}
    except UnicodeDecodeError as error:
        refused(ParameterError(f"{path} is not UTF-8 at byte {error.start}: save it as UTF-8"))
        return "", {}
    # Few users have a file.
    import tomllib

    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        refused(ParameterError(f"{path} is no TOML: {error}"))
        return "", {}


def _from_toml(setting: Setting, value: object) -> Value:
    if not setting.metavar:
        if not isinstance(value, bool):
            raise ParameterError(f"{value!r} is not possible: it takes true or false")
        return value
    if setting.repeated:
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise ParameterError(f'{value!r} is not possible: it takes a list, as ["{setting.metavar}"]')
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ParameterError(f"{value!r} is not possible: it takes a text or a number")
    return str(value)


def line_of(text: str, table: str, key: str) -> int:
    """The number of the line in which a key of a table stands, or the table itself without one; from 1."""
    current, plain = "", re.escape(key)
    wanted = re.compile(rf"\s*(\[\s*)?[\"']?{plain}[\"']?\s*[=.\]]" if not table else rf"\s*[\"']?{plain}[\"']?\s*=")
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[\s*([^\]]*?)\s*\]", line)
        current = head[1].strip("\"'") if head else current
        if wanted.match(line) and (not table or current == table):
            return number
        if table and not current and re.match(rf"\s*{re.escape(table)}\s*\.\s*{plain}\s*=", line):
            return number
    return 1
