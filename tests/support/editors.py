"""Edits of a map's files as QGIS, JOSM and osmium make them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import shapely
from pyogrio import list_layers, raw

Rows = list[dict[str, Any]]


def save_gpkg(
    source: Path, target: Path, changes: dict[str, Callable[[Rows], Rows]], left_out: tuple[str, ...] = ()
) -> None:
    """All layers of a GeoPackage but rhombi and river_points, with changed rows; a row's shape is its `geometry`."""
    for layer, _ in list_layers(source):
        if layer in ("rhombi", "river_points", "layer_styles", *left_out):
            continue
        meta, _, shapes, columns = raw.read(source, layer=layer)
        fields = list(meta["fields"])
        rows = [
            {"geometry": shape, **dict(zip(fields, row, strict=True))}
            for shape, row in zip(shapely.from_wkb(shapes), zip(*columns, strict=True), strict=True)
        ]
        rows = changes.get(layer, lambda same: same)(rows)
        table = [np.array([row[name] for row in rows], column.dtype) for name, column in zip(fields, columns, strict=True)]
        wkb = np.array(shapely.to_wkb([row["geometry"] for row in rows]), object)
        raw.write(
            target,
            wkb,
            table,
            np.array(fields, object),
            layer=layer,
            driver="GPKG",
            geometry_type=meta["geometry_type"],
            crs=meta["crs"],
            append=target.exists(),
            promote_to_multi=False,
        )


class Josm:
    """A file of JOSM: what is changed is marked, what is deleted stays, what is new has negative ids of its own."""

    def __init__(self, source: Path) -> None:
        self.tree = ElementTree.parse(source)
        self.root = self.tree.getroot()
        self._next = -(1 << 40)
        self.nodes = {node.attrib["id"]: node for node in self.root.iter("node")}

    def tagged(self, kind: str, **tags: str) -> list[ElementTree.Element]:
        """All nodes, ways or relations with these tags."""
        return [thing for thing in self.root.iter(kind) if tags.items() <= self.tags(thing).items()]

    def tags(self, thing: ElementTree.Element) -> dict[str, str]:
        return {tag.attrib["k"]: tag.attrib["v"] for tag in thing.iter("tag")}

    def tag(self, thing: ElementTree.Element, key: str, value: str) -> None:
        thing.set("action", "modify")
        for tag in thing.iter("tag"):
            if tag.attrib["k"] == key:
                tag.set("v", value)
                return
        ElementTree.SubElement(thing, "tag", k=key, v=value)

    def delete(self, thing: ElementTree.Element) -> None:
        thing.set("action", "delete")

    def places(self, way: ElementTree.Element) -> np.ndarray:
        nodes = [self.nodes[nd.attrib["ref"]] for nd in way.iter("nd")]
        return np.array([(float(node.attrib["lon"]), float(node.attrib["lat"])) for node in nodes])

    def node(self, place: tuple[float, float], **tags: str) -> str:
        self._next -= 1
        made = ElementTree.SubElement(self.root, "node", id=str(self._next), action="modify", visible="true")
        made.set("lon", f"{place[0]:.7f}")
        made.set("lat", f"{place[1]:.7f}")
        for key, value in tags.items():
            ElementTree.SubElement(made, "tag", k=key, v=value)
        self.nodes[str(self._next)] = made
        return str(self._next)

    def way(self, places: list[tuple[float, float]], **tags: str) -> None:
        closed = len(places) > 3 and places[0] == places[-1]
        nodes = [self.node(place) for place in (places[:-1] if closed else places)]
        self._next -= 1
        made = ElementTree.SubElement(self.root, "way", id=str(self._next), action="modify", visible="true")
        for node in [*nodes, *nodes[: 1 if closed else 0]]:
            ElementTree.SubElement(made, "nd", ref=node)
        for key, value in tags.items():
            ElementTree.SubElement(made, "tag", k=key, v=value)

    def save(self, target: Path) -> None:
        self.tree.write(target, encoding="utf-8", xml_declaration=True)
