"""What the objects of a planet's map are made of: its waters, shores, borders, rivers, summits and names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..local.catchments import Borders
from ..local.fine_mesh import FineMesh
from ..local.lake_beds import LakeBeds
from ..local.peaks import Summits, Tops
from ..local.shores import Ring
from ..waters.hydrology import Hydrology
from ..waters.landmasses import Globe
from .naming import Names
from .records import LonLat
from .river_courses import RiverSystem


@dataclass(frozen=True)
class PlanetParts:
    """The parts of one planet.

    `coasts`: the shores of seas. `shores`: the shores of each lake. `own`: int64 (points,), the local mesh numbers of the
    global points. `beds`: what the lakes hold.
    """

    globe: Globe
    waters: Hydrology
    mesh: FineMesh
    coasts: list[Ring]
    shores: dict[int, list[Ring]]
    borders: Borders
    own: np.ndarray
    rivers: RiverSystem
    summits: Summits
    tops: Tops
    names: Names
    beds: LakeBeds

    def landmass_of(self, point: int) -> int:
        """The landmass of a global point; -1 in the sea."""
        return int(self.waters.landmasses.landmass_of_point[point])


def by_water(rings: list[Ring], seas: int) -> tuple[list[Ring], dict[int, list[Ring]]]:
    """(the shores of the `seas` seas, the shores of each lake)."""
    shores: dict[int, list[Ring]] = {}
    for ring in rings:
        if ring.body >= seas:
            shores.setdefault(ring.body - seas, []).append(ring)
    return [ring for ring in rings if ring.body < seas], shores


def pair(place: np.ndarray) -> LonLat:
    """A place in degrees, (2,), as two floats."""
    return float(place[0]), float(place[1])
