"""What OpenStreetMap data show: files that `osm` has written, or that JOSM or osmium have saved after changing them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import osmium

from ....mapping.edits.edit import EditsError
from ....mapping.objects.records import PlanetMap
from .. import osm
from .drawings import Drawings, Drawn

Tags = dict[str, str]
LABELS = {"continent": "landmass", "island": "landmass", "islet": "landmass", "sea": "sea", "ocean": "ocean"}
# Tags that say nothing of a thing beyond its kind, or that editors add.
OURS = {"name", "ele", "natural", "waterway", "place", "type", "water", "salt", "created_by", "closure_segment"}


@dataclass
class Elements:
    """Nodes, ways and relations by id: (place, tags), (nodes, tags), (members of kind way with their roles, tags)."""

    nodes: dict[int, tuple[tuple[float, float], Tags]] = field(default_factory=dict)
    ways: dict[int, tuple[list[int], Tags]] = field(default_factory=dict)
    relations: dict[int, tuple[list[int], Tags]] = field(default_factory=dict)


def drawings_of(planet: PlanetMap) -> Drawings:
    """What the OpenStreetMap data of a map show."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.osm.pbf"
        osm.write(path, planet, lambda part: None)
        return _drawings(elements_in(path), None)


def drawings_in(path: Path, base: Drawings) -> Drawings:
    """What a file shows; `base` tells ids of ours from those of new things. Raises EditsError."""
    elements = elements_in(path)
    numbers = {number for _, number in base.known}
    signs = [sum(sign * number in numbers for number in _all(elements)) for sign in (1, -1)]
    return _drawings(_signed(elements, -1 if signs[1] > signs[0] else 1), numbers)


def elements_in(path: Path) -> Elements:
    """Raises EditsError for a file that cannot be read."""
    try:
        return _from_xml(path) if path.suffix == ".osm" else _from_pbf(path)
    except (RuntimeError, OSError, ValueError, KeyError, ElementTree.ParseError) as error:
        reason = " ".join(str(error).split())[:160] or type(error).__name__
        raise EditsError(f"{path} cannot be read ({reason}): give a whole file of OpenStreetMap data") from None


def _from_pbf(path: Path) -> Elements:
    out = Elements()
    thing: Any
    for thing in osmium.FileProcessor(str(path)):
        if thing.deleted:
            continue
        tags = dict(thing.tags)
        if thing.is_node():
            out.nodes[thing.id] = (thing.lon, thing.lat), tags
        elif thing.is_way():
            out.ways[thing.id] = [node.ref for node in thing.nodes], tags
        elif thing.is_relation():
            out.relations[thing.id] = [member.ref for member in thing.members if member.type == "w"], tags
    return out


def _from_xml(path: Path) -> Elements:
    """Also the files of JOSM, whose deleted things are still there."""
    out = Elements()
    begun = ElementTree.iterparse(path, ("start", "end"))
    _, root = next(begun)
    if root.tag != "osm":
        raise ValueError("it is no OpenStreetMap XML")
    for event, thing in begun:
        if event != "end" or thing.tag not in ("node", "way", "relation"):
            continue
        if thing.get("action") != "delete" and thing.get("visible") != "false":
            number = int(thing.attrib["id"])
            tags = {tag.attrib["k"]: tag.attrib["v"] for tag in thing.iter("tag")}
            if thing.tag == "node":
                out.nodes[number] = (float(thing.attrib["lon"]), float(thing.attrib["lat"])), tags
            elif thing.tag == "way":
                out.ways[number] = [int(node.attrib["ref"]) for node in thing.iter("nd")], tags
            else:
                members = [int(x.attrib["ref"]) for x in thing.iter("member") if x.get("type") == "way"]
                out.relations[number] = members, tags
        root.clear()
    return out


def _all(elements: Elements) -> Iterator[int]:
    for number, (_, tags) in elements.nodes.items():
        if tags:
            yield number
    yield from elements.ways
    yield from elements.relations


def _signed(elements: Elements, sign: int) -> Elements:
    """The same with all ids multiplied by `sign`."""
    if sign == 1:
        return elements
    return Elements(
        {-number: node for number, node in elements.nodes.items()},
        {-number: ([-node for node in nodes], tags) for number, (nodes, tags) in elements.ways.items()},
        {-number: ([-way for way in ways], tags) for number, (ways, tags) in elements.relations.items()},
    )


def _drawings(elements: Elements, numbers: set[int] | None) -> Drawings:
    """`numbers`: ids of ours; all are where it is None."""
    out, used = Drawings(), {way for ways, _ in elements.relations.values() for way in ways}

    def add(thing: Drawn, number: int) -> None:
        out.add(thing, number if numbers is None or number in numbers else None)

    for number, (place, tags) in elements.nodes.items():
        kind = "peak" if tags.get("natural") == "peak" else LABELS.get(tags.get("place", ""))
        if kind or set(tags) - OURS:
            add(_drawn(kind or "other", tags, [np.array([place])]), number)
    for number, (nodes, tags) in elements.ways.items():
        line = _line(elements, nodes)
        if tags.get("natural") == "coastline":
            out.coast.append(line)
        elif "waterway" in tags:
            add(_drawn("river", {k: v for k, v in tags.items() if k != "width"}, [line]), number)
        elif tags.get("natural") == "water" and nodes[:1] == nodes[-1:]:
            add(_drawn(_water(tags), tags, [line]), number)
        elif tags and number not in used:
            add(_drawn("other", tags, [line]), number)
    for number, (ways, tags) in elements.relations.items():
        lines = [_line(elements, elements.ways[way][0]) for way in ways if way in elements.ways]
        if tags.get("natural") == "water" and lines:
            kind = _water(tags)
            add(_drawn(kind, tags, _rings(lines)), number)
            out.coast += lines if kind == "sea" else []
        elif tags.get("type") == "waterway" and lines:
            add(_drawn("stem", {k: v for k, v in tags.items() if k != "distance"}, lines[:1]), number)
    return out


def _water(tags: Tags) -> str:
    return "sea" if tags.get("salt") == "yes" and "water" not in tags else "lake"


def _line(elements: Elements, nodes: Iterable[int]) -> np.ndarray:
    places = [elements.nodes[node][0] for node in nodes if node in elements.nodes]
    return np.array(places, np.float64).reshape(-1, 2)


def _drawn(thing: str, tags: Tags, lines: Iterable[np.ndarray]) -> Drawn:
    height: Any = None
    if thing == "peak" and "ele" in tags:
        try:
            height = float(tags["ele"].removesuffix("m").strip())
        except ValueError:
            height = None
    facts = {name: value for name, value in tags.items() if name not in OURS}
    return Drawn(thing, tags.get("name", ""), tuple(line for line in lines if len(line)), height, facts)


def _rings(lines: list[np.ndarray]) -> list[np.ndarray]:
    """Lines joined where one ends and another begins; closed rings stay as they are."""
    rings, left = [], list(lines)
    while left:
        ring = left.pop(0)
        while len(ring) and (ring[0] != ring[-1]).any():
            on = next(
                (k for k, line in enumerate(left) if (line[0] == ring[-1]).all() or (line[-1] == ring[-1]).all()), None
            )
            if on is None:
                break
            line = left.pop(on)
            ring = np.concatenate([ring, (line if (line[0] == ring[-1]).all() else line[::-1])[1:]])
        rings.append(ring)
    return rings
