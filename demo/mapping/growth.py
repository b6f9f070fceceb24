"""The planetary map as a growth: the double cone's relief, then valleys, then lakes.

Source: the Habr article "Procedural generation of planetary maps". Steps 1 .. gn + ln are those of `worlds.doublecone`. The
next step cuts the valleys that rivers have graded. The last LAKE_STEPS steps fill the lakes to their levels.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from ..worlds.doublecone import growth as doublecone
from ..worlds.doublecone.global_mesh import to_faces
from ..worlds.growth import RELIEF, Growth, Marks
from ..worlds.parameters import Value
from .edits.edit import Round
from .shown.scene_waters import Bed, SceneWaters, scene_waters_of
from .waters.drainage_mesh import drainage_level

LAKE_STEPS = 16


class MapGrowth(Growth):
    """gn + ln levels of relief, one step of valleys, LAKE_STEPS of lakes.

    Where that is more than the parameter `finest`, the relief has fewer levels. Edits are laid on with the valleys.
    `heights` are metres above the sea; under a lake they are its surface. `above` is heights above the water.
    """

    unit = "m"
    size = doublecone.RADIUS_M

    def __init__(
        self, seed: int, parameters: dict[str, Value], rounds: tuple[Round, ...] = (), bed: Bed | None = None
    ) -> None:
        """`rounds`: of edits. `bed`: this planet's own, if another growth has found it already; otherwise it is worked out
        when it is needed."""
        gn, ln = int(parameters["gn"]), int(parameters["ln"])
        levels = min(gn + ln, max(int(parameters["finest"]), drainage_level(gn, ln)))
        self._dry = doublecone.grow(seed, parameters | {"ln": levels - gn})
        self.atlas = self._dry.atlas
        super().__init__(seed, self._dry.n)
        self._parameters = parameters
        self._ln, self._levels, self._rounds = ln, levels, rounds
        self._waters: SceneWaters | None = None
        self._bed = bed
        self.total = self._dry.total + 1 + LAKE_STEPS
        self.heights = self._dry.heights

    @property
    def waters(self) -> SceneWaters:
        """The waters of this planet, once its relief is grown. They are worked out once and held by this growth."""
        if self._waters is None:
            self._waters = scene_waters_of(self._dry.planet, self._ln, self._levels, self._rounds)
        return self._waters

    def again(self, grow: Callable[[], Growth], steps: Collection[int]) -> Growth:
        """The same planet at step 0, with its waters known already."""
        return MapGrowth(self.seed, self._parameters, self._rounds, self._bed)

    @property
    def stages(self) -> dict[str, int]:
        """The relief of the double cone, the valleys cut into it, and the lakes, with which the planet is complete."""
        return {"relief": self._dry.total, "valleys": self._dry.total + 1, **super().stages}

    @property
    def rain_mm(self) -> np.ndarray | None:
        return to_faces(self.waters.climate.rain_mm, self.waters.cells) if self.done >= self._dry.total else None

    @property
    def sea_level(self) -> float:
        return self._dry.sea_level if self.done <= self._dry.total else 0.0

    def _advance(self, to: int) -> None:
        relief = min(to, self._dry.total)
        self._dry.advance(max(relief, self._dry.done))
        if to <= self._dry.total:
            self.heights = self._dry.heights
            return
        if self._bed is None:
            self._bed = self.waters.bed
        self.heights, self.above = self._bed.filled((to - self._dry.total - 1) / LAKE_STEPS)

    def marks(self, first: int, last: int, relief: float = RELIEF) -> Marks:
        """Outlines of rhombi, as the double cone has them."""
        return self._dry.marks(first, min(last, self._dry.gn)) if first < self._dry.gn else Marks.none()


def grow(seed: int, parameters: dict[str, Value], rounds: tuple[Round, ...] = ()) -> MapGrowth:
    """A planet at step 0, the octahedron, under `rounds` of edits; raises ParameterError as `doublecone.grow` does."""
    return MapGrowth(seed, parameters, rounds)
