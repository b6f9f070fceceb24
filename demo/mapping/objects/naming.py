"""Which objects of a planet bear which names: the same in the show and in the map's files.

Objects of a kind are named by importance, the most important first. The name comes from the mesh point that identifies an
object: a lake's lowest, a peak's own, a river's last. So the greatest objects have the same names whether all objects are
named or only these.
"""

from __future__ import annotations

import numpy as np

from ..waters.hydrology import NONE, Hydrology
from ..waters.stems import river_ends, stem_of_end
from .languages import Namer

# Smaller seas bear no name. Neither do rivers of a lower order and with less discharge.
NAMELESS_SEA_KM2 = 20_000.0
NAMED_ORDER, NAMED_M3_S = 2, 500.0


class Names:
    """The names of one planet's objects."""

    def __init__(self, seed: int, waters: Hydrology) -> None:
        self._namer, self._waters, self._of = Namer(seed), waters, waters.landmasses.landmass_of_point

    def landmasses(self, count: int | None = None) -> list[str]:
        """The names of all landmasses, or of the `count` largest, by area."""
        return [self._namer.name("landmass", k, k) for k in range(len(self._waters.landmasses))[:count]]

    def seas(self) -> list[str]:
        """The names of all seas, by area; "" for small ones."""
        areas = self._waters.landmasses.sea_area_m2
        named = [k == 0 or area * 1e-6 >= NAMELESS_SEA_KM2 for k, area in enumerate(areas)]
        return [self._namer.name("sea", NONE, k) if big else "" for k, big in enumerate(named)]

    def lakes(self, least_m2: float = 0.0) -> dict[int, str]:
        """By number, the names of all lakes of at least this area."""
        lakes = self._waters.lakes
        order = np.lexsort((lakes.bottom, -lakes.area_m2))
        return {int(k): self._at("lake", int(lakes.bottom[k])) for k in order if lakes.area_m2[k] >= least_m2}

    def rivers(self, least_m3_s: float = 0.0) -> dict[int, str]:
        """By last point (`stems.river_ends`), the names of all rivers that bear one and carry at least this discharge.

        All parts of a stem have one name, so a river keeps its name through lakes.
        """
        flow, order = self._waters.passed_m3_s, self._waters.order_of_point
        ends, stem = river_ends(self._waters), stem_of_end(self._waters)
        great = ends[(order[ends] >= NAMED_ORDER) | (flow[ends] >= NAMED_M3_S)]
        names: dict[int, str] = {}
        for end in great[flow[great] >= least_m3_s].tolist():
            if stem[end] not in names:
                names[stem[end]] = self._at("river", stem[end])
        return {end: names[stem[end]] for end in ends.tolist() if stem[end] in names and flow[end] >= least_m3_s}

    def peaks(self, points: np.ndarray) -> dict[int, str]:
        """By point, the names of peaks; `points` are those of the highest summits, in their order."""
        return {int(p): self._at("peak", int(p)) for p in points}

    def _at(self, kind: str, point: int) -> str:
        return self._namer.name(kind, int(self._of[point]), point)
