"""The map as OpenStreetMap's nodes, ways and relations, with the tags that openstreetmap.org has for such things.

Coastlines have land on their left, rivers run downstream, and lines that meet share a node. Lakes and inland seas are
multipolygon relations. Positions are multiples of 1e-7 degrees, so vertices at one position become one node.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...mapping.objects.records import Lake, Landmass, Line, PlanetMap, Polygons, River, Sea
from .closing import EDGE, closing_lines
from .osm_ids import NodeRun, ids_of, kind_key, node_ids, node_runs
from .places import label_point

Tags = dict[str, str]
PER_DEGREE = 10_000_000
# openstreetmap.org accepts at most 2000 nodes a way, and editors rely on that.
MAX_WAY_NODES = 1900
CONTINENT_KM2, ISLAND_KM2 = 1.5e6, 100.0
VERTEX = "vertex"
# Keys that are looked through at once.
AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True)
class Point:
    """A node with tags; `kind` is a part of its id."""

    kind: str
    place: tuple[float, float]
    tags: Tags


@dataclass(frozen=True, slots=True)
class Way:
    """A line. `keys`: uint64 (k,), the positions along it as `keys_of` gives them. `kind` is a part of its id."""

    kind: str
    tags: Tags
    keys: np.ndarray


@dataclass(frozen=True, slots=True)
class Relation:
    """A group of ways. `members`: (way, role), the way as its index in the list of ways. `kind` is a part of its id."""

    kind: str
    tags: Tags
    members: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class OsmData:
    """All that is written.

    `nodes`: uint64 (k,), the distinct positions of vertices, ascending. `points`: nodes with tags. `runs`: both, in runs
    with ascending ids. `node_ids`: uint32, those of the nodes and then of the points. Other ids are int64.
    """

    nodes: np.ndarray
    points: tuple[Point, ...]
    ways: tuple[Way, ...]
    relations: tuple[Relation, ...]
    runs: tuple[NodeRun, ...]
    node_ids: np.ndarray
    way_ids: np.ndarray
    relation_ids: np.ndarray


def data_of(planet: PlanetMap) -> OsmData:
    """All nodes, ways and relations of a map."""
    ways: list[Way] = []
    relations: list[Relation] = []
    _coastlines(planet, ways)
    for sea in planet.seas[1:]:
        relations += _multipolygon("sea", sea.polygons, _inland_sea(sea), ways)
    for lake in planet.lakes:
        relations += _multipolygon("lake", lake.polygons, _lake(lake), ways)
    for stem in _stems(planet):
        relations += _waterway(stem, ways)
    points = tuple(_points(planet))
    nodes = _distinct([way.keys for way in ways])
    runs, of_nodes = _node_ids(nodes, points)
    return OsmData(nodes, points, tuple(ways), tuple(relations), runs, of_nodes, *_ids(ways, relations))


def _distinct(keys: list[np.ndarray]) -> np.ndarray:
    """All keys, ascending, each once. No more than them all is held at once, and a run of them."""
    found = np.concatenate([*keys, np.zeros(0, np.uint64)])
    found.sort()
    count = 0
    for begin in range(0, len(found), AT_ONCE):
        some = found[begin : begin + AT_ONCE]
        new = np.append(begin == 0 or some[0] != found[count - 1], some[1:] != some[:-1])
        some = some[new]
        found[count : count + len(some)] = some
        count += len(some)
    found.resize(count, refcheck=False)
    return found


def _node_ids(nodes: np.ndarray, points: tuple[Point, ...]) -> tuple[tuple[NodeRun, ...], np.ndarray]:
    """The runs and ids of nodes, as `OsmData` has them."""
    places = keys_of(np.array([point.place for point in points]).reshape(-1, 2))
    kinds = np.array([kind_key(point.kind) for point in points], np.uint64)
    vertex, ids = kind_key(VERTEX), np.empty(len(nodes) + len(points), np.uint32)
    runs = tuple(node_runs(nodes, places))
    for begin, end, some in runs:
        keys = np.concatenate([nodes[begin:end], places[some]])
        made = node_ids(keys, np.concatenate([np.full(end - begin, vertex), kinds[some]]))
        ids[begin:end], ids[len(nodes) + some] = made[: end - begin], made[end - begin :]
    return runs, ids


def _ids(ways: list[Way], relations: list[Relation]) -> tuple[np.ndarray, np.ndarray]:
    """The ids of ways and relations: of the kind and of three vertices, which are those of a relation's first way."""
    begun = np.empty((len(ways), 4), np.uint64)
    for row, way in zip(begun, ways, strict=True):
        row[0], row[1:3], row[3] = kind_key(way.kind), way.keys[:2], way.keys[-1]
    grouped = begun[[group.members[0][0] for group in relations]]
    grouped[:, 0] = [kind_key(group.kind) for group in relations]
    return ids_of(begun), ids_of(grouped)


def keys_of(line: Line) -> np.ndarray:
    """One number a vertex, uint64 (k,): latitude and longitude in units of 1e-7 degrees. Sorted keys run from the south."""
    whole = np.rint(line * PER_DEGREE).astype(np.int64) + np.array([180, 90]) * PER_DEGREE
    return (whole[:, 1].astype(np.uint64) << np.uint64(32)) | whole[:, 0].astype(np.uint64)


def places_of(keys: np.ndarray) -> np.ndarray:
    """The degrees of keys: float64 (k, 2)."""
    longitude = (keys & np.uint64(0xFFFFFFFF)).astype(np.int64) - 180 * PER_DEGREE
    latitude = (keys >> np.uint64(32)).astype(np.int64) - 90 * PER_DEGREE
    return np.stack([longitude, latitude], axis=1) / PER_DEGREE


def _pieces(kind: str, line: Line, tags: Tags) -> list[Way]:
    """A line as ways of at most MAX_WAY_NODES nodes; each begins with the node with which the one before ends."""
    keys = keys_of(line)
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])]
    if len(keys) < 2:
        return []
    count = -(-(len(keys) - 1) // (MAX_WAY_NODES - 1))
    cuts = np.linspace(0, len(keys) - 1, count + 1).round().astype(int)
    return [Way(kind, tags, keys[a : b + 1]) for a, b in itertools.pairwise(cuts)]


def _coastlines(planet: PlanetMap, ways: list[Way]) -> None:
    """Appends the shores of the ocean. Inland seas are water in the land, as lakes are."""
    coast: Tags = {"natural": "coastline"}
    lines = [line for shore in planet.coastlines if shore.sea == 0 for line in shore.lines]
    for line in lines:
        ways += _pieces("coastline", line, coast)
    if planet.region:
        # At a region's edge coasts end, as those of every extract do.
        return
    reaches = any((np.abs(rings[0][:, 0]) == EDGE).any() for land in planet.landmasses for rings in land.polygons)
    for line in closing_lines(lines, reaches):
        ways += _pieces("closing", line, coast | {"closure_segment": "yes"})


def _multipolygon(kind: str, polygons: Polygons, tags: Tags, ways: list[Way]) -> list[Relation]:
    """An area, unless it has no polygon. Appends the ways of its rings to `ways`."""
    members = []
    for polygon in polygons:
        for number, ring in enumerate(polygon):
            pieces = _pieces(kind, ring, {})
            members += [(len(ways) + k, "inner" if number else "outer") for k in range(len(pieces))]
            ways += pieces
    return [Relation(kind, {"type": "multipolygon", "natural": "water"} | tags, tuple(members))] if members else []


def _lake(lake: Lake) -> Tags:
    tags = {"water": "lake", "ele": _number(lake.level_m)}
    if lake.outlet is None:
        tags["salt"] = "yes"
    return _named(tags, lake.name)


def _inland_sea(sea: Sea) -> Tags:
    return _named({"salt": "yes"}, sea.name)


def _stems(planet: PlanetMap) -> list[list[River]]:
    """The rivers of each stem downstream: what runs out of a lake has at least as much land upstream as what runs in."""
    stems: dict[int, list[River]] = {}
    for river in sorted(planet.rivers, key=lambda river: river.upstream_km2):
        stems.setdefault(river.stem_id if river.stem_id >= 0 else river.id, []).append(river)
    return [stems[k] for k in sorted(stems)]


def _waterway(stem: list[River], ways: list[Way]) -> list[Relation]:
    """The rivers of one stem. Appends their ways to `ways`; when there are several, returns the relation of them."""
    first, name = len(ways), stem[-1].name
    for river in stem:
        for line, widths in zip(river.lines, river.widths_m, strict=True):
            tags = {"waterway": "river", "width": _number(float(np.mean(widths)))}
            ways += _pieces("river", line, _named(tags, river.name))
    count = len(ways) - first
    if count < 2:
        return []
    tags = {"type": "waterway", "waterway": "river", "distance": _number(sum(river.length_km for river in stem))}
    return [Relation("river", _named(tags, name), tuple((first + k, "main_stream") for k in range(count)))]


def _points(planet: PlanetMap) -> Iterator[Point]:
    """Peaks, and labels for landmasses and seas that have names."""
    for peak in planet.peaks:
        tags = {"natural": "peak", "ele": _number(peak.height_m), "prominence": _number(peak.prominence_m)}
        yield Point("peak", peak.point, _named(tags, peak.name))
    for land in planet.landmasses:
        if land.name:
            yield Point("landmass", label_point(land.polygons), _named({"place": _place_of(land)}, land.name))
    for ocean in planet.oceans:
        yield Point("sea", ocean.label, _named({"place": "ocean"}, ocean.name))
    for sea in planet.seas:
        if sea.id and sea.name:
            yield Point("sea", sea.label, _named({"place": "sea"}, sea.name))


def _place_of(land: Landmass) -> str:
    if land.area_km2 >= CONTINENT_KM2:
        return "continent"
    return "island" if land.area_km2 >= ISLAND_KM2 else "islet"


def _named(tags: Tags, name: str) -> Tags:
    return {**tags, "name": name} if name else tags


def _number(value: float) -> str:
    """With at most one decimal, and without it when it is 0."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")
