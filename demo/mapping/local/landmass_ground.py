"""The stage of the waters of landmasses: a piece has those of some landmasses, by their numbers.

They are settled in Python, of which a process runs one thread at a time. So processes share them out, and threads would not.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np

from ...worlds.atlas import ATLASES
from ...worlds.climate.mesh_climate import Climate
from ..waters.hydrology import RIVER_M3_S
from ..waters.landmass_waters import Lakes, LandmassWaters, waters_of
from ..waters.landmasses import Globe, Landmasses, Shore
from .engines import Engine, Numbers
from .kept_parts import VERSION, Arrays, Keeper, key_of
from .shared_arrays import Shared, arrays_of

# Points of the landmasses of a piece, where these are small.
POINTS = 1 << 12
# The arrays of a `Globe`, and those of a `LandmassWaters` beside its shore and lakes.
_GLOBE = ("neighbour", "length_m", "area_m2")
_OWN = tuple(field.name for field in fields(LandmassWaters) if field.name not in ("shore", "lakes"))


@dataclass(frozen=True)
class LandmassGround:
    """All that the waters of landmasses are settled from.

    `heights_m`: float32 (points,). `point`: int32, the mesh numbers of landmasses, one after the other; those of landmass k
    are begins[k] .. begins[k + 1] - 1. `least_m2`: the area of the smallest lake in a valley. The datum is the sea's level.
    """

    globe: Globe
    climate: Climate
    heights_m: np.ndarray
    point: np.ndarray
    begins: np.ndarray
    least_m2: float

    kind: ClassVar[str] = "waters"

    @cached_property
    def digest(self) -> str:
        """As in `Stage`."""
        globe, climate = self.globe, self.climate
        facts = VERSION, self.kind, globe.cells, globe.radius_m, globe.atlas.name, self.least_m2
        told = hashlib.sha256(repr(facts).encode())
        for values in (self.heights_m, climate.temperature_c, climate.rain_mm, climate.evaporation_mm, climate.runoff_mm):
            told.update(np.ascontiguousarray(values).data)
        return told.hexdigest()

    def shared(self) -> Shared:
        """As in `Stage`."""
        arrays = {name: getattr(self.globe, name) for name in _GLOBE} | arrays_of("climate", self.climate)
        arrays |= {name: getattr(self, name) for name in ("heights_m", "point", "begins")}
        facts = {"cells": self.globe.cells, "radius_m": self.globe.radius_m, "atlas": self.globe.atlas.name}
        return Shared(arrays, facts | {"least_m2": self.least_m2})

    @classmethod
    def of(cls, shared: Shared) -> LandmassGround:
        """The stage whose `shared` has returned this."""
        arrays, facts = shared.arrays, shared.facts
        place = facts["cells"], facts["radius_m"], *(arrays[name] for name in _GLOBE), ATLASES[facts["atlas"]]
        own = arrays["heights_m"], arrays["point"], arrays["begins"], facts["least_m2"]
        return cls(Globe(*place), shared.parts("climate", Climate), *own)

    def pieces(self) -> list[Numbers]:
        """The numbers of all landmasses, the largest first; small ones are together."""
        made, count = list[Numbers](), 0
        for k, (begin, end) in enumerate(pairwise(self.begins.tolist())):
            if made and count + end - begin <= POINTS:
                made[-1] += (k,)
                count += end - begin
            else:
                made.append((k,))
                count = end - begin
        return made

    def piece(self, numbers: Numbers, keep: Keeper) -> Arrays:
        """The waters of landmasses, for `waters_in`."""

        def make() -> Arrays:
            return {f"{k}.{name}": values for k in numbers for name, values in _flat(self._waters(k)).items()}

        return keep(key_of(self.digest, self.kind, np.array(numbers, np.int64)), make)

    def _waters(self, number: int) -> LandmassWaters:
        points = self.point[self.begins[number] : self.begins[number + 1]]
        return waters_of(self.globe, points, self.heights_m, self.climate, 0.0, RIVER_M3_S, self.least_m2)


def waters_by(
    engine: Engine, globe: Globe, climate: Climate, masses: Landmasses, heights_m: np.ndarray, least_m2: float
) -> list[LandmassWaters]:
    """The waters of all landmasses, by those who make an engine's pieces; the sea's level is the datum."""
    begins = np.cumsum([0, *map(len, masses.points)])
    point = np.concatenate([np.zeros(0, np.int32), *masses.points])
    stage = LandmassGround(globe, climate, heights_m, point, begins, least_m2)
    pieces = stage.pieces()
    made = engine.made(stage, pieces, lambda done: None)
    return [waters for numbers, arrays in zip(pieces, made, strict=True) for waters in _waters_in(numbers, arrays)]


def _flat(waters: LandmassWaters) -> Arrays:
    arrays = {name: getattr(waters, name) for name in _OWN} | arrays_of("lakes", waters.lakes)
    land, shore = np.array([waters.shore.land]), waters.shore
    return arrays | {"land": land, "point": shore.point, "around": shore.neighbour, "length_m": shore.length_m}


def _waters_in(numbers: Numbers, arrays: Arrays) -> Iterator[LandmassWaters]:
    """The waters of the landmasses of a piece."""
    by_landmass = defaultdict[str, Arrays](dict)
    for name, values in arrays.items():
        number, _, field = name.partition(".")
        by_landmass[number][field] = values
    for k in numbers:
        found = by_landmass[str(k)]
        shore = Shore(int(found["land"][0]), found["point"], found["around"], found["length_m"])
        lakes = Lakes(**{field.name: found[f"lakes.{field.name}"] for field in fields(Lakes)})
        yield LandmassWaters(shore, lakes, **{name: found[name] for name in _OWN})
