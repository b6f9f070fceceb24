"""Playlists: worlds that a user has put together, and the hours at which they play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..worlds.parameters import Value

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


def playlist_at(playlists: Sequence[Playlist], minute: int) -> Playlist | None:
    """The first one that plays at a minute of the day; None where none does."""
    return next((playlist for playlist in playlists if playlist.plays_at(minute)), None)
