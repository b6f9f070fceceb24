"""The names that the show writes on a planet, with their places: landmasses, rivers, lakes and peaks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.vectors import unit
from ..local.peaks import summits_on
from ..objects.naming import Names
from .scene_waters import SceneWaters

# The greatest count of names of each kind.
LANDMASSES, RIVERS, LAKES, PEAKS = 5, 16, 10, 12
# Names of one kind keep at least this far apart, radians, so that they are spread over the planet.
APART = 0.17
# A shorter river, in radians, bears no name.
SHORTEST_RIVER = 0.04
# Its name stands at this part of a river, from the source to the mouth.
NAMED_AT = 0.62


@dataclass(frozen=True)
class Label:
    """A name of a `kind` (see `languages.KINDS`) and its place: a unit vector, float64 (3,), `height_m` above the sea."""

    name: str
    kind: str
    place: np.ndarray
    height_m: float

    def __post_init__(self) -> None:
        # A row of the places of a whole planet would keep all of them.
        object.__setattr__(self, "place", self.place.copy())


def labels_of(waters: SceneWaters, names: Names, rivers: np.ndarray, river_names: dict[int, str]) -> tuple[Label, ...]:
    """Landmasses, the greatest rivers and lakes, and the highest peaks, under the names that the map's files give them.

    `rivers`: numbers of the lines of `streams` to be named. `river_names`: names of rivers by their last own points.
    """
    made = [_landmass(waters, k, name) for k, name in enumerate(names.landmasses(LANDMASSES))]
    return (*made, *_rivers(waters, rivers, river_names), *_lakes(waters, names), *_peaks(waters, names))


def greatest_rivers(waters: SceneWaters) -> np.ndarray:
    """Numbers of the lines with most water that end in a sea, a lake or a basin: long ones, apart from each other."""
    streams = waters.streams
    last = streams.first[1:] - 1
    length = streams.run[last] - streams.run[streams.first[:-1]]
    whole = np.array([mouth != "river" for mouth in streams.mouth], bool) & (length > SHORTEST_RIVER)
    order = np.flatnonzero(whole)[np.argsort(-(streams.flow_m3_s[last] * length)[whole], kind="stable")]
    return order[_spread(streams.place[(streams.first[order] + streams.first[order + 1]) // 2], RIVERS)]


def _landmass(waters: SceneWaters, k: int, name: str) -> Label:
    """Its name at the inner point nearest to its centre of mass."""
    points = waters.hydrology.landmasses.points[k]
    at = waters.place[points]
    middle = (at * waters.globe.area_m2[points][:, None]).sum(axis=0)
    nearest = int(points[np.argmax(at @ middle)])
    return Label(name, "landmass", waters.place[nearest], float(waters.hydrology.surface_m[nearest]))


def _rivers(waters: SceneWaters, rivers: np.ndarray, river_names: dict[int, str]) -> list[Label]:
    """The name of each river at its middle; a river that goes on through a lake is named once."""
    streams, made = waters.streams, dict[str, Label]()
    for k in rivers:
        line = streams.line(k)
        middle = line.start + int(NAMED_AT * (line.stop - line.start))
        name = river_names.get(int(streams.own[k]))
        if name is not None and name not in made:
            made[name] = Label(name, "river", streams.place[middle], float(streams.height_m[middle]))
    return list(made.values())


def _lakes(waters: SceneWaters, names: Names) -> list[Label]:
    found = waters.hydrology.lakes
    places, order = _lake_places(waters), np.argsort(-found.area_m2, kind="stable")
    order = order[_spread(places[order], LAKES)]
    named = names.lakes(found.area_m2[order].min(initial=np.inf))
    return [Label(named[k], "lake", places[k], float(found.level_m[k])) for k in order.tolist()]


def _peaks(waters: SceneWaters, names: Names) -> list[Label]:
    hydrology = waters.hydrology
    summits = summits_on(hydrology, waters.globe.neighbour).point
    peaks = _spread(waters.place[summits], PEAKS)
    named = names.peaks(summits[: max(peaks, default=-1) + 1])
    return [Label(named[p], "peak", waters.place[p], float(hydrology.heights_m[p])) for p in summits[peaks].tolist()]


def _lake_places(waters: SceneWaters) -> np.ndarray:
    """The middle of the points of each lake, unit vectors (lakes, 3)."""
    lake_of_point = waters.hydrology.lake_of_point
    under = lake_of_point >= 0
    count = len(waters.hydrology.lakes)
    sums = [np.bincount(lake_of_point[under], waters.place[under, axis], count) for axis in range(3)]
    return unit(np.stack(sums, axis=1))


def _spread(places: np.ndarray, count: int) -> list[int]:
    """Numbers of the first `count` places, unit vectors (k, 3), that are APART from those before them."""
    found: list[int] = []
    for k, place in enumerate(places):
        if len(found) < count and (places[found] @ place < np.cos(APART)).all():
            found.append(k)
    return found
