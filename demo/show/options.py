"""ShowOptions: what a show is to show.

Apart from `show`, which imports OpenGL: no host may do that before its window is open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..tables.coarse_rules import SAMPLE
from ..tables.keys import Switches
from ..tables.looks import NATURAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..geometry.view import Part
    from ..scenes.hours import Hour
    from ..worlds.parameters import Value
    from .playlist import Playlist


@dataclass(frozen=True)
class ShowOptions:
    """What a show is to show.

    `scene`: the first one, and the only one with `hold`; None: all in order, for ever.
    `seed`: of the first world; None: from the clock.
    `look`, `normals`, `wire`, `borders`: where the switches of these names stand at the beginning.
    `parameters`: scene -> name -> value.
    `tour_seconds`: every scene is shown once, shortened so that all of them take this long; None: no tour.
    `hold`: stay in the given scene.
    `caption`: show the captions.
    `calm`: fly slower and turn more gently.
    `less_motion`: says, when a flight is planned, whether the desktop asks for `calm` as well; None: nobody is asked.
    `part`: what is shown of the picture; None: all of it.
    `clock`: seconds that other shows go by as well, which then are never ahead or behind; None: none do.
    `hours`: gives the viewer's hour for each world as it begins; None: worlds have hours of their own.
    `quality`: a name of QUALITIES; None: the renderer's where the show is paced, else the highest.
    `paced`: draw what the measured time allows, as only a live show does.
    `mesh`: the triangles of the ground, 'square' or 'isosceles'; 'auto': as the quality has them.
    `coarse`: the height of a group of vertices far away, one of `coarse_rules.RULES`.
    `levels`: colour the ground by its levels of detail.
    `endures`: nobody attends to it: a world that cannot be grown is said in one line and another one is tried later, where
    another show ends; and no growth is kept to be run backwards.
    `frugal`: unless a quality is given, draw no more than 'low' has.
    `spares`: where there is no GPU, leave a third of the processors to other programs.
    `precompiler`: the module that compiles ahead in child processes; None: nothing is compiled ahead.
    `playlists`: the first that plays at the time of day takes the place of all scenes in order.
    """

    scene: str | None = None
    seed: int | None = None
    look: str = NATURAL
    normals: str | None = None
    wire: bool = False
    borders: bool = False
    parameters: dict[str, dict[str, Value]] = field(default_factory=dict)
    tour_seconds: float | None = None
    hold: bool = False
    caption: bool = True
    calm: bool = False
    less_motion: Callable[[], bool] | None = None
    part: Part | None = None
    clock: Callable[[], float] | None = None
    hours: Callable[[], Hour] | None = None
    quality: str | None = None
    paced: bool = True
    mesh: str = "auto"
    coarse: str = SAMPLE
    levels: bool = False
    endures: bool = False
    frugal: bool = False
    spares: bool = False
    precompiler: str | None = None
    playlists: tuple[Playlist, ...] = ()

    @property
    def switches(self) -> Switches:
        """What keys switch, as it stands at the beginning."""
        return Switches(look=self.look, normals=self.normals, wire=self.wire, borders=self.borders)
