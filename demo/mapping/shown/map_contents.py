"""What the show draws of a map over its relief: rivers, divides, where it rains, and names with their places."""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from ...worlds.kernels import OPTIONS
from ..objects.naming import Names
from ..objects.peaks import standing_m, summits_of
from ..waters.hydrology import NONE
from .scene_waters import Survey
from .streams import Streams

LANDMASSES, RIVERS, LAKES, PEAKS = 5, 16, 10, 12
# A catchment is told from its neighbours from this discharge at its mouth on, m^3/s.
NOTABLE_M3_S = 6000.0
OTHERS, SEA = -2, -1
DROPS = 5000
# Names of one kind keep at least this far apart, radians, so that they come from all over the planet.
APART = 0.17


@dataclass(frozen=True)
class Label:
    """A name and its place, unit (3,), at `height_m` above the sea; `kind` as in `names.KINDS`."""

    name: str
    kind: str
    place: np.ndarray
    height_m: float


@dataclass(frozen=True)
class Chart:
    """`divides`: float64 (k, 2, 3), unit vectors to the ends of lines between catchments. `rain`: float64 (DROPS, 3), unit
    vectors to where drops fall, as dense as the rain. `labels`: the most important first. `routes`: float64 (k, 3) each,
    main stems from mouth to source, that with most water first; `stems`: the name of each, and how many of its points bear
    it: a river above a lake has another one. `dry`: float32 (4, n, n), 0 at samples with water, 1 away
    from it."""

    streams: Streams
    divides: np.ndarray
    rain: np.ndarray
    labels: tuple[Label, ...]
    routes: tuple[np.ndarray, ...]
    stems: tuple[tuple[str, int], ...]
    dry: np.ndarray


def chart_of(survey: Survey) -> Chart:
    """The chart of a surveyed planet."""
    ways = _ways(survey)
    ends = [way[1] for way in ways]
    rivers = _greatest_rivers(survey)
    least = survey.waters.passed_m3_s[np.concatenate([survey.streams.own[rivers], np.array(ends, np.intp)])]
    names = Names(survey.seed, survey.waters)
    named = names.rivers(least.min(initial=np.inf))
    labels = labels_of(survey, names, rivers, named)
    routes = tuple(survey.place[way] for way in ways)
    stems = tuple((named.get(end, ""), _until_lake(survey, way)) for end, way in zip(ends, ways, strict=True))
    return Chart(survey.streams, divides_of(survey), _rain(survey), labels, routes, stems, survey.dry)


def divides_of(survey: Survey) -> np.ndarray:
    """Lines between the notable catchments: float64 (k, 2, 3); the coast is none."""
    mouth = survey.waters.mouth_of_point
    notable = survey.waters.discharge_m3_s[mouth] >= NOTABLE_M3_S
    catchment = np.where(mouth < 0, SEA, np.where(notable, mouth, OTHERS))
    corner = survey.triangles.corner
    owner = catchment[corner]
    corner = corner[(owner != owner[:, :1]).any(axis=1)]
    owner = catchment[corner]
    following = np.roll(owner, -1, axis=1)
    border = (owner != following) & (owner != SEA) & (following != SEA)
    at = survey.place[corner]
    middle = 0.5 * (at + np.roll(at, -1, axis=1))
    centre = at.mean(axis=1)
    count = border.sum(axis=1)
    pairs = []
    for k in range(3):
        both = (count == 2) & border[:, k] & border[:, (k + 1) % 3]
        pairs.append(np.stack([middle[both, k], middle[both, (k + 1) % 3]], axis=1))
        alone = (count != 2) & border[:, k]
        pairs.append(np.stack([middle[alone, k], centre[alone]], axis=1))
    lines = np.concatenate(pairs)
    return _chained(lines / np.sqrt((lines * lines).sum(axis=2, keepdims=True)))


def _chained(lines: np.ndarray) -> np.ndarray:
    """The same lines, in such an order and direction that many begin where the one before ends."""
    _, end = np.unique(lines.reshape(-1, 3).astype(np.float32), axis=0, return_inverse=True)
    order, turned = chain(end.reshape(-1, 2).astype(np.int32), int(end.max(initial=-1)) + 1)
    return np.where(turned[:, None, None], lines[order, ::-1], lines[order])


@numba.njit(**OPTIONS)
def chain(end, points):
    """An order of edges int32 (k, 2) between `points` points in which they are walked along, and which of them backwards."""
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
    # From the ends and forks of lines first; what is left are rings.
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


def _rain(survey: Survey) -> np.ndarray:
    """Places of drops, spread evenly over the yearly rain on land, in an order without meaning."""
    rain = np.where(survey.waters.landmasses.landmass_of_point >= 0, survey.climate.rain_mm, 0.0) * survey.globe.area_m2
    total = np.cumsum(rain)
    wanted = (np.arange(DROPS) + 0.5) / DROPS * total[-1]
    points = np.searchsorted(total, wanted)
    # A stride without a common divisor scatters neighbours over time.
    return survey.place[points][np.arange(DROPS) * 1973 % DROPS]


def labels_of(survey: Survey, names: Names, rivers: np.ndarray, named: dict[int, str]) -> tuple[Label, ...]:
    """Landmasses, the greatest rivers and lakes, and the highest peaks, under the names that the map's files give them.

    `rivers`: lines of `streams`; `named`: names of rivers by their last own points.
    """
    waters, streams = survey.waters, survey.streams
    made = [_landmass(survey, k, name) for k, name in enumerate(names.landmasses(LANDMASSES))]
    for k in rivers:
        line = streams.line(k)
        middle = line.start + int(0.62 * (line.stop - line.start))
        if int(streams.own[k]) in named:
            name = named[int(streams.own[k])]
            made.append(Label(name, "river", streams.place[middle], float(streams.height_m[middle])))
    places, lakes = _lake_places(survey), np.argsort(-waters.lakes.area_m2, kind="stable")
    lakes = lakes[_spread(places[lakes], LAKES)]
    named = names.lakes(waters.lakes.area_m2[lakes].min(initial=np.inf))
    made += [Label(named[k], "lake", places[k], float(waters.lakes.level_m[k])) for k in lakes.tolist()]
    summits = summits_of(standing_m(waters), survey.globe.neighbour, waters.landmasses, waters.sea_level_m).point
    peaks = _spread(survey.place[summits], PEAKS)
    named = names.peaks(summits[: max(peaks, default=-1) + 1])
    made += [Label(named[p], "peak", survey.place[p], float(waters.heights_m[p])) for p in summits[peaks].tolist()]
    return tuple(made)


def _spread(places: np.ndarray, count: int) -> list[int]:
    """Numbers of the first `count` places, unit (k, 3), that are APART from those before."""
    found: list[int] = []
    for k, place in enumerate(places):
        if len(found) < count and (places[found] @ place < np.cos(APART)).all():
            found.append(k)
    return found


def _lake_places(survey: Survey) -> np.ndarray:
    """The middle of each lake's points, unit (lakes, 3)."""
    of = survey.waters.lake_of_point
    under = of >= 0
    sums = [np.bincount(of[under], survey.place[under, axis], len(survey.waters.lakes)) for axis in range(3)]
    middle = np.stack(sums, axis=1)
    return middle / np.sqrt((middle * middle).sum(axis=1, keepdims=True))


def _landmass(survey: Survey, k: int, name: str) -> Label:
    """At the inner point nearest to the middle of its mass."""
    points = survey.waters.landmasses.points[k]
    at = survey.place[points]
    middle = (at * survey.globe.area_m2[points][:, None]).sum(axis=0)
    nearest = int(points[np.argmax(at @ middle)])
    return Label(name, "landmass", survey.place[nearest], float(survey.waters.surface_m[nearest]))


def _greatest_rivers(survey: Survey) -> np.ndarray:
    """Lines with most water that end in a sea, a lake or a basin, of some length, apart from each other."""
    streams = survey.streams
    last = streams.first[1:] - 1
    length = streams.run[last] - streams.run[streams.first[:-1]]
    whole = np.array([mouth != "river" for mouth in streams.mouth], bool) & (length > 0.04)
    order = np.flatnonzero(whole)[np.argsort(-(streams.flow_m3_s[last] * length)[whole], kind="stable")]
    return order[_spread(streams.place[(streams.first[order] + streams.first[order + 1]) // 2], RIVERS)]


def _ways(survey: Survey, count: int = 48) -> list[list[int]]:
    """Mesh points of the main stems of the rivers with most water at the sea, from mouth to source, lakes included."""
    waters = survey.waters
    receiver, flow = waters.receiver_of_point, waters.discharge_m3_s
    rising = np.flatnonzero(receiver >= 0)
    rising = rising[np.lexsort((-rising, flow[rising]))]
    largest = np.full(len(receiver), NONE, np.int64)
    largest[receiver[rising]] = rising
    coast = rising[waters.landmasses.landmass_of_point[receiver[rising]] < 0][::-1][:count]
    ways = []
    for point in coast.tolist():
        way = [int(receiver[point])]
        while point >= 0 and (waters.order_of_point[point] > 0 or waters.lake_of_point[point] >= 0):
            way.append(point)
            point = int(largest[point])
        if len(way) > 2:
            ways.append(way)
    return ways


def _until_lake(survey: Survey, way: list[int]) -> int:
    """How many of the points of a way are those of its river below any lake."""
    lakes = np.flatnonzero(survey.waters.lake_of_point[way] >= 0)
    return int(lakes[0]) if len(lakes) else len(way)
