"""What the show draws of a map over its relief: rivers, divides, where it rains, and names with their places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numba
import numpy as np

from ...maths.vectors import unit
from ...worlds.drainage import largest_feeders
from ...worlds.kernels import OPTIONS
from .edited_names import names_of
from .finer_mesh import FinerMesh
from .map_labels import Label, greatest_rivers, labels_of
from .scene_waters import SceneWaters
from .streams import Streams

if TYPE_CHECKING:
    from ..growth import MapGrowth
    from ..objects.naming import Names

# A catchment with at least this discharge at its mouth, m^3/s, is told from its neighbours.
NOTABLE_M3_S = 6000.0
OTHERS, SEA = -2, -1
DROPS = 5000
ROUTES = 48


@dataclass(frozen=True)
class MapContents:
    """What is drawn of a map; all places are unit vectors, float64. It is worked out when it is first asked for.

    The first pictures need little of it, and are not to wait for the rest.
    """

    waters: SceneWaters

    @property
    def dry(self) -> np.ndarray:
        """Float32 (4, n, n), 0 at samples with water, 1 away from it."""
        return self.waters.dry

    @property
    def finer(self) -> FinerMesh | None:
        """As in `SceneWaters`."""
        return self.waters.finer

    @property
    def streams(self) -> Streams:
        """The rivers."""
        return self.waters.streams

    @cached_property
    def divides(self) -> np.ndarray:
        """The ends of lines between catchments: (k, 2, 3)."""
        return divides_of(self.waters)

    @cached_property
    def rain(self) -> np.ndarray:
        """Where drops fall, as dense as the rain: (DROPS, 3)."""
        return _rain(self.waters)

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """Names, the most important first."""
        return labels_of(self.waters, self._names, self._greatest, self._named)

    @cached_property
    def routes(self) -> tuple[np.ndarray, ...]:
        """Main stems from mouth to source, (k, 3) each, the one with most water first."""
        return tuple(self.waters.place[way] for way in self._ways)

    @cached_property
    def stems(self) -> tuple[tuple[str, int], ...]:
        """For each route the name of its river, and how many of its points bear that name.

        Above a lake the river has another name.
        """
        return tuple((self._named.get(way[1], ""), _until_lake(self.waters, way)) for way in self._ways)

    @cached_property
    def _ways(self) -> list[list[int]]:
        return _ways(self.waters)

    @cached_property
    def _names(self) -> Names:
        return names_of(self.waters)

    @cached_property
    def _greatest(self) -> np.ndarray:
        """Numbers of the rivers that are named on the map."""
        return greatest_rivers(self.waters)

    @cached_property
    def _named(self) -> dict[int, str]:
        """The names of rivers by their last points: of the greatest and of those with a route."""
        ends = np.array([way[1] for way in self._ways], np.intp)
        least = self.waters.hydrology.passed_m3_s[np.concatenate([self.streams.own[self._greatest], ends])]
        return self._names.rivers(least.min(initial=np.inf))


def contents_of(growth: MapGrowth) -> MapContents:
    """The contents of the map of a planet that is grown in full."""
    return MapContents(growth.waters)


def divides_of(waters: SceneWaters) -> np.ndarray:
    """Lines between the notable catchments, unit vectors to their ends: float64 (k, 2, 3). The coast is not among them."""
    mouth = waters.hydrology.mouth_of_point
    notable = waters.hydrology.discharge_m3_s[mouth] >= NOTABLE_M3_S
    catchment = np.where(mouth < 0, SEA, np.where(notable, mouth, OTHERS))
    corner = waters.triangles.corner
    owner = catchment[corner]
    corner = corner[(owner != owner[:, :1]).any(axis=1)]
    owner = catchment[corner]
    following = np.roll(owner, -1, axis=1)
    border = (owner != following) & (owner != SEA) & (following != SEA)
    at = waters.place[corner]
    middle = 0.5 * (at + np.roll(at, -1, axis=1))
    centre = at.mean(axis=1)
    count = border.sum(axis=1)
    pairs = []
    for k in range(3):
        both = (count == 2) & border[:, k] & border[:, (k + 1) % 3]
        pairs.append(np.stack([middle[both, k], middle[both, (k + 1) % 3]], axis=1))
        alone = (count != 2) & border[:, k]
        pairs.append(np.stack([middle[alone, k], centre[alone]], axis=1))
    return _chained(unit(np.concatenate(pairs)))


def _chained(lines: np.ndarray) -> np.ndarray:
    """The same lines, ordered and turned so that many of them begin where the line before ends."""
    _, end = np.unique(lines.reshape(-1, 3).astype(np.float32), axis=0, return_inverse=True)
    order, turned = chain(end.reshape(-1, 2).astype(np.int32), int(end.max(initial=-1)) + 1)
    return np.where(turned[:, None, None], lines[order, ::-1], lines[order])


@numba.njit(**OPTIONS)
def chain(end: np.ndarray, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Walk along edges, int32 (k, 2), between `points` points: (order int64 (k,), which are walked backwards, bool (k,))."""
    # Edges by point.
    start = np.zeros(points + 1, np.int64)
    for k in range(end.shape[0]):
        start[end[k, 0] + 1] += 1
        start[end[k, 1] + 1] += 1
    start = np.cumsum(start)
    at, place = np.empty(2 * end.shape[0], np.int64), start.copy()
    for k in range(end.shape[0]):
        for side in range(2):
            at[place[end[k, side]]] = k
            place[end[k, side]] += 1
    order, turned = np.empty(end.shape[0], np.int64), np.zeros(end.shape[0], np.bool_)
    done, made = np.zeros(end.shape[0], np.bool_), 0
    # From the ends and forks of lines first; only rings are left then.
    for rings in range(2):
        for p in range(points):
            if rings == 0 and start[p + 1] - start[p] == 2:
                continue
            here, going = p, True
            while going:
                going = False
                for k in at[start[here] : start[here + 1]]:
                    if done[k]:
                        continue
                    done[k], order[made], turned[made] = True, k, end[k, 0] != here
                    here = end[k, 0] if turned[made] else end[k, 1]
                    made, going = made + 1, True
                    break
    return order, turned


def _rain(waters: SceneWaters) -> np.ndarray:
    """Places of drops, spread evenly over the yearly rain on land, in a scattered order: unit vectors (DROPS, 3)."""
    on_land = waters.hydrology.landmasses.landmass_of_point >= 0
    total = np.cumsum(np.where(on_land, waters.climate.rain_mm, 0.0) * waters.globe.area_m2)
    wanted = (np.arange(DROPS) + 0.5) / DROPS * total[-1]
    points = np.searchsorted(total, wanted)
    # The stride has no common divisor with DROPS, so neighbours are scattered over time.
    return waters.place[points][np.arange(DROPS) * 1973 % DROPS]


def _ways(waters: SceneWaters, count: int = ROUTES) -> list[list[int]]:
    """Mesh points of the main stems of the rivers with most water at the sea, from mouth to source, lakes included."""
    hydrology = waters.hydrology
    receiver, flow = hydrology.receiver_of_point, hydrology.discharge_m3_s
    flowing = np.flatnonzero(receiver >= 0)
    largest = largest_feeders(receiver, flow, flowing)
    coast = flowing[hydrology.landmasses.landmass_of_point[receiver[flowing]] < 0]
    coast = coast[np.lexsort((coast, -flow[coast]))][:count]
    ways = []
    for point in coast.tolist():
        way = [int(receiver[point])]
        while point >= 0 and (hydrology.order_of_point[point] > 0 or hydrology.lake_of_point[point] >= 0):
            way.append(point)
            point = int(largest[point])
        if len(way) > 2:
            ways.append(way)
    return ways


def _until_lake(waters: SceneWaters, way: list[int]) -> int:
    """How many points of a way belong to its river below any lake."""
    lakes = np.flatnonzero(waters.hydrology.lake_of_point[way] >= 0)
    return int(lakes[0]) if len(lakes) else len(way)
