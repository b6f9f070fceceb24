"""Running orders: which worlds a show plays one after another; those of playlists, by the time of day."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..scenes.scenes import SCENES
from ..worlds import hashing
from ..worlds.parameters import ParameterError
from .playlist import Turn, playlist_at

if TYPE_CHECKING:
    from .options import ShowOptions

CHANCE_STREAM = 101


def minute_of_day() -> int:
    """The present one by the clock of the user's time zone, 0..1439."""
    now = time.localtime()
    return 60 * now.tm_hour + now.tm_min


def scenes_in_turn(options: ShowOptions) -> list[Turn]:
    """Those that are shown where no playlist plays. A scene that needs a file is among them only if it was given one.

    Raises ParameterError for an unknown scene.
    """
    for name in [*options.parameters, *([options.scene] if options.scene else [])]:
        if name not in SCENES:
            raise ParameterError(f"there is no scene '{name}': there are {', '.join(SCENES)}")
    if options.scene and options.hold:
        return [Turn(options.scene)]
    given = [name for name, values in options.parameters.items() if values.get("file")]
    return [Turn(name) for name, scene in SCENES.items() if not scene.needs_file or name in given]


def running_order(options: ShowOptions, minute: int) -> tuple[list[Turn], bool]:
    """The turns at a minute of the day, and whether they follow one another by chance. Raises ParameterError."""
    scenes, playlist = scenes_in_turn(options), playlist_at(options.playlists, minute)
    return (list(playlist.turns), playlist.by_chance) if playlist else (scenes, False)


def first_scene(options: ShowOptions, minute: int) -> str:
    """The scene that is shown first. Raises ParameterError."""
    return options.scene or running_order(options, minute)[0][0].scene


class RunningOrder:
    """The turns of a show, the place in them that was asked for last, and how many worlds have been `made` so far."""

    def __init__(self, options: ShowOptions, seed: int, minute: Callable[[], int]) -> None:
        """`seed`: of what is left to chance; `minute` gives that of the day. Raises ParameterError for unknown scenes."""
        self._options, self._seed, self._minute = options, seed, minute
        self._turns, self._by_chance = running_order(options, minute())
        self.made = 0
        self.place = [turn.scene for turn in self._turns].index(options.scene) if options.scene else 0

    def __len__(self) -> int:
        return len(self._turns)

    def turn(self, place: int) -> Turn:
        """The turn at a place, from 0."""
        return self._turns[place]

    def after(self) -> int:
        """The place of the turn that follows; the time of day may have brought another playlist."""
        turns, self._by_chance = running_order(self._options, self._minute())
        if turns != self._turns:
            self._turns, self.place = turns, len(turns) - 1
        others = len(turns) - 1
        on = 1 + hashing.bits(self._seed, CHANCE_STREAM, self.made) % others if self._by_chance and others else 1
        return (self.place + on) % len(turns)
