"""The map as OpenStreetMap data: `world.osm.pbf` and `world.osm`, written by osmium.

Objects are sorted: nodes, then ways, then relations, each by id. The ids of `world.osm.pbf` are positive, because many tools
take no others. Those of `world.osm` are the same numbers, negative: an editor such as JOSM takes positive ones for objects
of the real Earth, and would send changes of them to openstreetmap.org.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import osmium

from ...mapping.objects.records import PlanetMap
from .osm_ids import NodeRun
from .osm_objects import OsmData, data_of, places_of

BUFFER_BYTES = 4 << 20
HEAD_BYTES = 4096
WHOLE = (-180.0, -90.0, 180.0, 90.0)


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None]) -> None:
    """Writes the objects of a map in the format of `path`'s ending, .osm.pbf or .osm.

    Raises OSError or RuntimeError of osmium's when the file cannot be written.
    """
    data = data_of(planet)
    for_editors = path.suffix == ".osm"
    writer = osmium.SimpleWriter(str(path), BUFFER_BYTES, _header(planet), True)
    total = len(data.node_ids) + len(data.ways) + len(data.relations)
    try:
        for done in _added(data, writer, -1 if for_editors else 1):
            progress(done / total)
        writer.close()
    except RuntimeError:
        # osmium 4 ends the process when a failed writer is deleted with objects in its buffer. So it is never deleted.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(writer))
        raise
    if for_editors:
        _forbid_upload(path)
    progress(1.0)


def _header(planet: PlanetMap) -> osmium.io.Header:
    header = osmium.io.Header()
    header.set("generator", "landfall")
    header.set("sorting", "Type_then_ID")
    header.set("xml_josm_upload", "false")
    for box in planet.region.boxes if planet.region else (WHOLE,):
        header.add_box(osmium.osm.Box(*box))
    return header


def _forbid_upload(path: Path) -> None:
    """Turns upload="false", the most that osmium can write, into "never": JOSM then refuses instead of asking."""
    with path.open("r+b") as file:
        place = file.read(HEAD_BYTES).index(b'upload="false"')
        file.seek(place)
        file.write(b'upload="never"')


def _added(data: OsmData, writer: Any, sign: int) -> Iterator[int]:
    """Adds all objects in the order of a sorted file; yields now and then how many. Things with negative ids are new."""
    version, mutable = 1 if sign > 0 else 0, osmium.osm.mutable
    way_ids, relation_ids = (sign * ids for ids in (data.way_ids, data.relation_ids))
    count, done = len(data.node_ids), 0
    for run in data.runs:
        yield done
        _add_nodes(data, run, writer, sign, version)
        done += run.end - run.begin + len(run.points)
    yield count
    for k in np.argsort(data.way_ids).tolist():
        way = data.ways[k]
        nodes = (sign * data.node_ids[np.searchsorted(data.nodes, way.keys)].astype(np.int64)).tolist()
        writer.add_way(mutable.Way(id=int(way_ids[k]), version=version, nodes=nodes, tags=way.tags))
    yield count + len(data.ways)
    for k in np.argsort(data.relation_ids).tolist():
        group = data.relations[k]
        members = [("w", int(way_ids[way]), role) for way, role in group.members]
        writer.add_relation(mutable.Relation(id=int(relation_ids[k]), version=version, members=members, tags=group.tags))


def _add_nodes(data: OsmData, run: NodeRun, writer: Any, sign: int, version: int) -> None:
    """Adds the nodes of a run in the order of their ids."""
    mutable, vertices = osmium.osm.mutable, run.end - run.begin
    # One for all vertices: the writer copies what it is given, and a new one takes as long as that.
    node, add = mutable.Node(version=version), writer.add_node
    number = np.concatenate([np.arange(run.begin, run.end), len(data.nodes) + run.points])
    ids = data.node_ids[number].astype(np.int64)
    order = np.argsort(ids)
    places = np.concatenate([places_of(data.nodes[run.begin : run.end]), np.zeros((len(run.points), 2))])
    for k, one, place in zip(order.tolist(), (sign * ids[order]).tolist(), places[order].tolist(), strict=True):
        if k < vertices:
            node.id, node.location = one, place
            add(node)
        else:
            point = data.points[run.points[k - vertices]]
            add(mutable.Node(id=one, version=version, location=point.place, tags=point.tags))
