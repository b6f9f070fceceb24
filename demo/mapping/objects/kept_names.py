"""The names of an edited planet: what was there before keeps its name, and what is new has one that no other has."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..waters.hydrology import Hydrology
from ..waters.stems import river_ends, stem_of_end
from .naming import NAMED_M3_S, NAMED_ORDER, NAMELESS_SEA_KM2, NONE, Names

# What is new is numbered from here on where a thing's number is not a point of the mesh.
NEW = 1 << 24


class KeptNames(Names):
    """The names of `waters`, the planet as edited; `before`: those of it without edits, whose summits are `summits`."""

    def __init__(self, before: Names, waters: Hydrology, summits: np.ndarray) -> None:
        super().__init__(0, waters)
        self._namer = before._namer
        self._was = before._waters
        self._old_land, self._old_seas = before.landmasses(), before.seas()
        self._old_lakes = _by_point(self._was.lakes.bottom, before.lakes())
        self._old_rivers = before.rivers()
        self._old_peaks = before.peaks(summits)

    def landmasses(self, count: int | None = None) -> list[str]:
        """As in `Names`; a landmass has the name of the one that it shares most points with."""
        old, new = self._was.landmasses.landmass_of_point, self._of
        named = _shared(old, new, len(self._waters.landmasses), self._old_land)
        return [
            named.get(k) or self._namer.name("landmass", k, NEW + k) for k in range(len(self._waters.landmasses))[:count]
        ]

    def seas(self) -> list[str]:
        """As in `Names`; a sea has the name of the one that it shares most points with."""
        areas = self._waters.landmasses.sea_area_m2
        old, new = self._was.landmasses.sea_of_point, self._waters.landmasses.sea_of_point
        named = _shared(old, new, len(areas), self._old_seas)
        big = [k == 0 or area * 1e-6 >= NAMELESS_SEA_KM2 for k, area in enumerate(areas)]
        return [named.get(k) or (self._namer.name("sea", NONE, NEW + k) if big[k] else "") for k in range(len(areas))]

    def lakes(self, least_m2: float = 0.0) -> dict[int, str]:
        """As in `Names`."""
        lakes = self._waters.lakes
        order = np.lexsort((lakes.bottom, -lakes.area_m2))
        return {
            int(k): self._old_lakes.get(int(lakes.bottom[k])) or self._at("lake", int(lakes.bottom[k]))
            for k in order
            if lakes.area_m2[k] >= least_m2
        }

    def rivers(self, least_m3_s: float = 0.0) -> dict[int, str]:
        """As in `Names`."""
        flow, order = self._waters.passed_m3_s, self._waters.order_of_point
        ends, stem = river_ends(self._waters), stem_of_end(self._waters)
        names: dict[int, str] = {}
        for end in ends.tolist():
            if stem[end] not in names and stem[end] in self._old_rivers:
                names[stem[end]] = self._old_rivers[stem[end]]
        for end in ends[(order[ends] >= NAMED_ORDER) | (flow[ends] >= NAMED_M3_S)].tolist():
            if stem[end] not in names:
                names[stem[end]] = self._at("river", stem[end])
        return {end: names[stem[end]] for end in ends.tolist() if stem[end] in names and flow[end] >= least_m3_s}

    def peaks(self, points: np.ndarray) -> dict[int, str]:
        """As in `Names`."""
        return {int(p): self._old_peaks.get(int(p)) or self._at("peak", int(p)) for p in points}


def _by_point(points: np.ndarray, names: Mapping[int, str]) -> dict[int, str]:
    return {int(points[k]): name for k, name in names.items()}


def _shared(old: np.ndarray, new: np.ndarray, count: int, names: list[str]) -> dict[int, str]:
    """By number, the name of the old part that each new one shares most points with, given once, to the largest first."""
    both = (old >= 0) & (new >= 0)
    pairs, points = np.unique(np.stack([new[both], old[both]], axis=1), axis=0, return_counts=True)
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -points))
    named, given = dict[int, str](), set[int]()
    for k, was in pairs[order].tolist():
        if k < count and k not in named and was not in given:
            named[k] = names[was]
            given.add(was)
    return named
