"""ShowOptions: what is to be shown. Apart from `show`, because OpenGL is imported there, and no host may have that yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..scenes.scenes import SCENES
from ..worlds.parameters import ParameterError, Value


@dataclass(frozen=True)
class ShowOptions:
    """What is to be shown.

    `scene` None: all in order, for ever; `seed` None: from the clock; `parameters`: scene -> name -> value;
    `mesh`: the triangles of the ground, 'square' or 'isosceles'; `levels`: its levels of detail are coloured;
    `precompiler`: the module that compiles ahead in child processes;
    `tour_seconds`: every scene once, shortened to this total; `hold`: stay in the given scene; `calm`: flights that are
    slower and turn more gently; `quality`: a name of QUALITIES; None for that of the renderer where it is steered, else the
    highest; `steered`: draw what the measured time allows, as only a live show does.
    """

    scene: str | None = None
    seed: int | None = None
    look: str = "natural"
    parameters: dict[str, dict[str, Value]] = field(default_factory=dict)
    tour_seconds: float | None = None
    hold: bool = False
    caption: bool = True
    calm: bool = False
    quality: str | None = None
    steered: bool = True
    mesh: str = "square"
    levels: bool = False
    precompiler: str | None = None

    @property
    def order(self) -> list[str]:
        """The scenes that are shown, in turn: those that need a file only where there is one. Raises ParameterError for a
        scene that there is not."""
        for name in [*self.parameters, *([self.scene] if self.scene else [])]:
            if name not in SCENES:
                raise ParameterError(f"there is no scene '{name}': there are {', '.join(SCENES)}")
        if self.scene and self.hold:
            return [self.scene]
        given = [name for name, values in self.parameters.items() if values.get("file")]
        return [name for name, scene in SCENES.items() if not scene.needs_file or name in given]
