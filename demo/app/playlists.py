"""Playlists of the user's file: a table [playlist.NAME] each, with `worlds`, and if wanted `order`, `hours` and `look`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..catalogue.world_code import read_code
from ..scenes.scenes import SCENES
from ..show.playlist import Playlist, Turn
from ..tables.looks import LOOKS
from ..worlds.parameters import ParameterError
from .outside_settings import PLAYLIST, line_of, read_file, settings_file

LIST, CHANCE = "list", "chance"


def playlists(refused: Callable[[ParameterError], None]) -> tuple[Playlist, ...]:
    """Those of the file, in its order. `refused` is called with what is wrong with one, which then does not count."""
    # What is wrong with the file as a whole was said when the other settings were read.
    text, tables = read_file(lambda error: None)
    found = []
    for name, rows in _tables(tables).items():
        table = f"{PLAYLIST}.{name}"
        try:
            found.append(_playlist(name, rows))
        except _WrongKey as error:
            line = line_of(text, table, error.key) if error.key else line_of(text, "", table)
            where = ".".join(filter(None, (table, error.key)))
            refused(ParameterError(f"{settings_file()}, line {line}, {where}: {error}"))
    return tuple(found)


def _tables(tables: dict[str, Any]) -> dict[str, Any]:
    given = tables.get(PLAYLIST, {})
    return given if isinstance(given, dict) else {"": given}


class _WrongKey(Exception):
    """A value of a playlist is not possible."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(words)
        self.key = key


def _playlist(name: str, rows: Any) -> Playlist:
    if not isinstance(rows, dict) or not rows.get("worlds"):
        raise _WrongKey("", 'a playlist is a table with worlds, as [playlist.evening] and below it worlds = ["plasma"]')
    for key in rows:
        if key not in _READERS:
            raise _WrongKey(key, f"there is no such setting: there are {', '.join(_READERS)}")
    read = {}
    for key, value in rows.items():
        try:
            read[key] = _READERS[key](value)
        except ParameterError as error:
            raise _WrongKey(key, str(error)) from None
    return Playlist(name, read["worlds"], read.get("order", False), read.get("hours"), read.get("look"))


def _worlds(value: Any) -> tuple[Turn, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise ParameterError(f'{value!r} is not possible: it takes a list of scenes and codes, as ["plasma", "cuts-5-7"]')
    return tuple(_turn(word) for word in value)


def _turn(word: str) -> Turn:
    if word in SCENES and not SCENES[word].needs_file:
        return Turn(word)
    if "-" not in word:
        names = ", ".join(name for name, scene in SCENES.items() if not scene.needs_file)
        raise ParameterError(f"there is no scene '{word}': there are {names}, and codes of worlds")
    code = read_code(word)
    if code.generator.name not in SCENES:
        raise ParameterError(f"'{word}' is a world of {code.generator.name}, which no scene shows")
    return Turn(code.generator.name, code.seed, code.parameters)


def _by_chance(value: Any) -> bool:
    if value not in (LIST, CHANCE):
        raise ParameterError(f"{value!r} is not possible: it takes {LIST} or {CHANCE}")
    return bool(value == CHANCE)


def _hours(value: Any) -> tuple[int, int]:
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-4]):([0-5]\d)", str(value), re.ASCII)
    if not match:
        raise ParameterError(f"{value!r} is not possible: it takes two times of the day, as 18:00-23:30")
    hour, minute, last_hour, last_minute = map(int, match.groups())
    return 60 * hour + minute, 60 * last_hour + last_minute


def _look(value: Any) -> str:
    if value not in LOOKS:
        raise ParameterError(f"{value!r} is not possible: it takes {', '.join(LOOKS)}")
    return str(value)


_READERS: dict[str, Callable[[Any], Any]] = {"worlds": _worlds, "order": _by_chance, "hours": _hours, "look": _look}
