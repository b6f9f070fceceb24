"""The planetary map as a growth: the double cone's relief, then valleys, then lakes. Atlas DOUBLE_CONE.

Source: the Habr article "Procedural generation of planetary maps". Steps 1 .. gn + ln are those of `worlds.doublecone`; the
next one cuts the valleys that rivers have graded, the last LAKE_STEPS fill the lakes to their levels.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from ..worlds.atlas import DOUBLE_CONE
from ..worlds.doublecone import growth as doublecone
from ..worlds.growth import Growth, Marks
from ..worlds.parameters import Value
from .shown.scene_waters import Bed, Survey, survey_of

LAKE_STEPS = 16
# A scene grows its world twice, to know it and to show it: what is shown of the waters of the last few is kept.
KEPT = 2
_kept: OrderedDict[tuple, Bed] = OrderedDict()
_lock = threading.Lock()


class MapGrowth(Growth):
    """gn + ln levels of relief, one step of valleys, LAKE_STEPS of lakes. Heights in metres above the sea, lakes' surfaces
    included."""

    atlas = DOUBLE_CONE
    unit = "m"
    size = doublecone.RADIUS_M

    def __init__(self, seed: int, parameters: dict[str, Value]) -> None:
        self._dry = doublecone.grow(seed, parameters)
        super().__init__(seed, self._dry.n)
        self._key = (seed, *sorted(parameters.items()))
        self._ln = self._dry.ln
        self._survey: Survey | None = None
        self.total = self._dry.total + 1 + LAKE_STEPS
        self.heights = self._dry.heights

    @property
    def survey(self) -> Survey:
        """The waters of this planet; from step gn on. Worked out once and held by this growth."""
        if self._survey is None:
            self._survey = survey_of(self._dry.planet, self._ln)
            with _lock:
                _kept[self._key] = self._survey.bed
                while len(_kept) > KEPT:
                    _kept.popitem(last=False)
        return self._survey

    @property
    def _bed(self) -> Bed:
        """Worked out once, whatever the count of growths."""
        with _lock:
            kept = _kept.get(self._key)
        return self.survey.bed if kept is None else kept

    @property
    def sea_level(self) -> float:
        return self._dry.sea_level if self.done <= self._dry.total else 0.0

    def _advance(self, to: int) -> None:
        relief = min(to, self._dry.total)
        self._dry.advance(max(relief, self._dry.done))
        if to <= self._dry.total:
            self.heights = self._dry.heights
            return
        self.heights, self.above = self._bed.filled((to - self._dry.total - 1) / LAKE_STEPS)
        if to == self.total and self._survey is None:
            # Known before and shown now: there is no third time.
            with _lock:
                _kept.pop(self._key, None)

    def marks(self, first: int, last: int) -> Marks:
        """Outlines of rhombi, as the double cone has them."""
        return self._dry.marks(first, min(last, self._dry.gn)) if first < self._dry.gn else Marks.none()


def grow(seed: int, parameters: dict[str, Value]) -> MapGrowth:
    """A planet at step 0, the octahedron; raises ParameterError as `doublecone.grow` does."""
    return MapGrowth(seed, parameters)
