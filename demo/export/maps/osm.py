"""The map as OpenStreetMap data: `world.osm.pbf` and `world.osm`, through osmium.

Conventions are those of openstreetmap.org: coastlines have land on their left, rivers run downstream, lakes are
multipolygon relations, and what meets shares a node. Positions are whole 1e-7 degrees there, so two vertices that are one
place become one node; ids are positive and sorted, nodes before ways before relations.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...mapping.objects.records import Lake, Landmass, Line, PlanetMap, River, Sea
from .places import label_point

Tags = dict[str, str]
PER_DEGREE = 10_000_000
# openstreetmap.org takes ways of up to 2000 nodes, and editors count on it.
MAX_WAY_NODES = 1900
CONTINENT_KM2, ISLAND_KM2 = 1.5e6, 100.0
NODE_CHUNK = 1 << 16
BUFFER_BYTES = 4 << 20


@dataclass(frozen=True)
class Way:
    """`tags`, and the positions along it, uint64 (k,) keys of `key_of`."""

    tags: Tags
    keys: np.ndarray


@dataclass(frozen=True)
class Relation:
    """`tags`, and (way, role) of its members; the way is a number into the list of ways."""

    tags: Tags
    members: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Data:
    """What is written: `nodes`, sorted uint64 keys without repetition, then `points`, nodes with tags of their own."""

    nodes: np.ndarray
    points: tuple[tuple[float, float, Tags], ...]
    ways: tuple[Way, ...]
    relations: tuple[Relation, ...]


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None]) -> None:
    """Writes the objects of a map in the form that the ending of `path` names: .osm.pbf or .osm.

    Raises OSError or RuntimeError of osmium's where a file cannot be written.
    """
    import osmium

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
        # osmium 4 ends the process when a writer that has failed is deleted with objects still in its buffer: never do.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(writer))
        raise
    progress(1.0)


def _objects(data: Data, mutable: Any) -> Iterator[tuple[str, Any]]:
    """(the writer's method, the object) of everything, in the order of a sorted file."""
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


def data_of(planet: PlanetMap) -> Data:
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
    return Data(nodes, tuple(_points(planet)), tuple(ways), tuple(relations))


def key_of(line: Line) -> np.ndarray:
    """One number a vertex, uint64 (k,): its latitude and longitude in whole 1e-7 degrees, so that nodes sort by place."""
    whole = np.rint(line * PER_DEGREE).astype(np.int64) + np.array([180, 90]) * PER_DEGREE
    return (whole[:, 1].astype(np.uint64) << np.uint64(32)) | whole[:, 0].astype(np.uint64)


def places_of(keys: np.ndarray) -> np.ndarray:
    """Degrees, float64 (k, 2), of the numbers that `key_of` gives."""
    longitude = (keys & np.uint64(0xFFFFFFFF)).astype(np.int64) - 180 * PER_DEGREE
    latitude = (keys >> np.uint64(32)).astype(np.int64) - 90 * PER_DEGREE
    return np.stack([longitude, latitude], axis=1) / PER_DEGREE


def _pieces(line: Line, tags: Tags) -> list[Way]:
    """A line as ways of no more than MAX_WAY_NODES; each begins with the node that the one before ends with."""
    keys = key_of(line)
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])]
    if len(keys) < 2:
        return []
    count = -(-(len(keys) - 1) // (MAX_WAY_NODES - 1))
    cuts = np.linspace(0, len(keys) - 1, count + 1).round().astype(int)
    return [Way(tags, keys[a : b + 1]) for a, b in itertools.pairwise(cuts)]


def _multipolygon(lake: Lake, ways: list[Way]) -> Relation:
    """A lake; appends the ways of its rings to `ways`."""
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
    """A river as ways, appended to `ways`, and where they are more than one a relation that holds them together."""
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
    """Peaks and the places that bear names."""
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
    """At most one digit after the point, and none where it is 0."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")
