"""The map as OpenStreetMap data: `world.osm.pbf` and `world.osm`, written by osmium.

The conventions are those of openstreetmap.org: coastlines have land on their left, rivers run downstream, lakes are
multipolygon relations, and lines that meet share a node. Positions are multiples of 1e-7 degrees, so vertices at one
position become one node. Ids are positive and sorted; nodes come before ways, and ways before relations.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import osmium

from ...mapping.objects.records import Lake, Landmass, Line, PlanetMap, River, Sea
from .places import label_point

Tags = dict[str, str]
PER_DEGREE = 10_000_000
# openstreetmap.org accepts at most 2000 nodes a way, and editors rely on that.
MAX_WAY_NODES = 1900
CONTINENT_KM2, ISLAND_KM2 = 1.5e6, 100.0
NODE_CHUNK = 1 << 16
BUFFER_BYTES = 4 << 20


@dataclass(frozen=True)
class Way:
    """A line. `keys`: uint64 (k,), the positions along it as `keys_of` gives them."""

    tags: Tags
    keys: np.ndarray


@dataclass(frozen=True)
class Relation:
    """A group of ways. `members`: (way, role), the way as its index in the list of ways."""

    tags: Tags
    members: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class OsmData:
    """All that is written.

    `nodes`: uint64 (k,), distinct keys of `keys_of` in ascending order. `points`: (longitude, latitude, tags) of the nodes
    with tags; they follow the `nodes`.
    """

    nodes: np.ndarray
    points: tuple[tuple[float, float, Tags], ...]
    ways: tuple[Way, ...]
    relations: tuple[Relation, ...]


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None]) -> None:
    """Writes the objects of a map in the format of `path`'s ending, .osm.pbf or .osm.

    Raises OSError or RuntimeError of osmium's when the file cannot be written.
    """
    data = data_of(planet)
    header = osmium.io.Header()
    header.set("generator", "landfall")
    writer = osmium.SimpleWriter(str(path), BUFFER_BYTES, header, True)
    total = len(data.nodes) + len(data.points) + len(data.ways) + len(data.relations)
    try:
        for done, (add, thing) in enumerate(_objects(data, osmium.osm.mutable)):
            getattr(writer, add)(thing)
            if done % NODE_CHUNK == 0:
                progress(done / total)
        writer.close()
    except RuntimeError:
        # osmium 4 ends the process when a failed writer is deleted with objects in its buffer. So it is never deleted.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(writer))
        raise
    progress(1.0)


def _objects(data: OsmData, mutable: Any) -> Iterator[tuple[str, Any]]:
    """(method of the writer, object) of all objects, in the order of a sorted file."""
    for start in range(0, len(data.nodes), NODE_CHUNK):
        for number, place in enumerate(places_of(data.nodes[start : start + NODE_CHUNK]).tolist(), start + 1):
            yield "add_node", mutable.Node(id=number, version=1, location=place)
    for number, (longitude, latitude, tags) in enumerate(data.points, len(data.nodes) + 1):
        yield "add_node", mutable.Node(id=number, version=1, location=(longitude, latitude), tags=tags)
    for number, way in enumerate(data.ways, 1):
        nodes = (np.searchsorted(data.nodes, way.keys) + 1).tolist()
        yield "add_way", mutable.Way(id=number, version=1, nodes=nodes, tags=way.tags)
    for number, relation in enumerate(data.relations, 1):
        members = [("w", way + 1, role) for way, role in relation.members]
        yield "add_relation", mutable.Relation(id=number, version=1, members=members, tags=relation.tags)


def data_of(planet: PlanetMap) -> OsmData:
    """All nodes, ways and relations of a map."""
    ways: list[Way] = []
    relations: list[Relation] = []
    for coast in planet.coastlines:
        for line in coast.lines:
            ways += _pieces(line, {"natural": "coastline"})
    for lake in planet.lakes:
        relations.append(_multipolygon(lake, ways))
    for river in planet.rivers:
        relations += _waterway(river, ways)
    keys = [way.keys for way in ways]
    nodes = np.unique(np.concatenate(keys)) if keys else np.zeros(0, np.uint64)
    return OsmData(nodes, tuple(_points(planet)), tuple(ways), tuple(relations))


def keys_of(line: Line) -> np.ndarray:
    """One number a vertex, uint64 (k,): latitude and longitude in units of 1e-7 degrees. Sorted keys run from the south."""
    whole = np.rint(line * PER_DEGREE).astype(np.int64) + np.array([180, 90]) * PER_DEGREE
    return (whole[:, 1].astype(np.uint64) << np.uint64(32)) | whole[:, 0].astype(np.uint64)


def places_of(keys: np.ndarray) -> np.ndarray:
    """The degrees of keys: float64 (k, 2)."""
    longitude = (keys & np.uint64(0xFFFFFFFF)).astype(np.int64) - 180 * PER_DEGREE
    latitude = (keys >> np.uint64(32)).astype(np.int64) - 90 * PER_DEGREE
    return np.stack([longitude, latitude], axis=1) / PER_DEGREE


def _pieces(line: Line, tags: Tags) -> list[Way]:
    """A line as ways of at most MAX_WAY_NODES nodes; each begins with the node with which the one before ends."""
    keys = keys_of(line)
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])]
    if len(keys) < 2:
        return []
    count = -(-(len(keys) - 1) // (MAX_WAY_NODES - 1))
    cuts = np.linspace(0, len(keys) - 1, count + 1).round().astype(int)
    return [Way(tags, keys[a : b + 1]) for a, b in itertools.pairwise(cuts)]


def _multipolygon(lake: Lake, ways: list[Way]) -> Relation:
    """A lake. Appends the ways of its rings to `ways`."""
    members = []
    for polygon in lake.polygons:
        for number, ring in enumerate(polygon):
            pieces = _pieces(ring, {})
            members += [(len(ways) + k, "inner" if number else "outer") for k in range(len(pieces))]
            ways += pieces
    tags = {"type": "multipolygon", "natural": "water", "water": "lake", "ele": _number(lake.level_m)}
    if lake.outlet is None:
        tags["salt"] = "yes"
    return Relation(_named(tags, lake.name), tuple(members))


def _waterway(river: River, ways: list[Way]) -> list[Relation]:
    """A river. Appends its ways to `ways`; when there are several, returns the relation that groups them."""
    first = len(ways)
    for line, widths in zip(river.lines, river.widths_m, strict=True):
        tags = {"waterway": "river", "width": _number(float(np.mean(widths)))}
        ways += _pieces(line, _named(tags, river.name))
    count = len(ways) - first
    if count < 2:
        return []
    tags = {"type": "waterway", "waterway": "river", "distance": _number(river.length_km)}
    return [Relation(_named(tags, river.name), tuple((first + k, "main_stream") for k in range(count)))]


def _points(planet: PlanetMap) -> Iterator[tuple[float, float, Tags]]:
    """Peaks, and labels for landmasses and seas that have names."""
    for peak in planet.peaks:
        tags = {"natural": "peak", "ele": _number(peak.height_m), "prominence": _number(peak.prominence_m)}
        yield *peak.point, _named(tags, peak.name)
    for land in planet.landmasses:
        if land.name:
            yield *label_point(land.polygons), _named({"place": _place_of(land)}, land.name)
    for sea in planet.seas:
        if sea.name:
            yield *sea.label, _named({"place": _sea_place(sea)}, sea.name)


def _place_of(land: Landmass) -> str:
    if land.area_km2 >= CONTINENT_KM2:
        return "continent"
    return "island" if land.area_km2 >= ISLAND_KM2 else "islet"


def _sea_place(sea: Sea) -> str:
    return "ocean" if sea.id == 0 else "sea"


def _named(tags: Tags, name: str) -> Tags:
    return {**tags, "name": name} if name else tags


def _number(value: float) -> str:
    """With at most one decimal, and without it when it is 0."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")
