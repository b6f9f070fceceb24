"""Running orders: which worlds a show plays one after another; those of playlists, by the time of day."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..scenes.scenes import SCENES
from ..worlds.parameters import ParameterError

if TYPE_CHECKING:
    from ..worlds.parameters import Value
    from .options import ShowOptions

MINUTES = 24 * 60


@dataclass(frozen=True)
class Turn:
    """A world in a running order. `seed`: None for another one each time; `parameters`: beside those of the scene."""

    scene: str
    seed: int | None = None
    parameters: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Playlist:
    """Worlds that a user has put together.

    `turns`: at least one. `by_chance`: each is followed by any other. `hours`: the minutes of the day from which and until
    which it plays, which may lie on both sides of midnight; None: always. `look`: that of its worlds.
    """

    name: str
    turns: tuple[Turn, ...]
    by_chance: bool = False
    hours: tuple[int, int] | None = None
    look: str | None = None

    def plays_at(self, minute: int) -> bool:
        """Whether it plays at a minute of the day, 0..1439."""
        if self.hours is None:
            return True
        begins, ends = self.hours
        return (minute - begins) % MINUTES < ((ends - begins) % MINUTES or MINUTES)


def minute_of_day() -> int:
    """The present one by the clock of the user's time zone, 0..1439."""
    now = time.localtime()
    return 60 * now.tm_hour + now.tm_min


def playlist_at(playlists: Sequence[Playlist], minute: int) -> Playlist | None:
    """The first one that plays at a minute of the day; None where none does."""
    return next((playlist for playlist in playlists if playlist.plays_at(minute)), None)


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
