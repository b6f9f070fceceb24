"""What a GeoPackage shows: one that `gpkg` has written, or that QGIS has saved after changing it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import shapely
from pyogrio import raw

from ....mapping.edits.edit import EditsError
from ....mapping.objects.records import PlanetMap
from ..gpkg import CUT, column
from ..gpkg_layers import LAYERS, Layer
from .drawings import Drawings, Drawn

THINGS = {"peaks": "peak", "lakes": "lake", "rivers": "river", "landmasses": "landmass", "seas": "sea", "oceans": "ocean"}
COAST = {"landmasses", "coastlines"}
HEIGHTS = {"peaks": "height_m"}
# Columns that say nothing of a thing itself.
OURS = {"id", "name", "rank", "min_zoom", "source", "licence"}
SOURCE = "Landfall, "
OF_REGION = "{} is of a region: edits are laid on whole planets, so change a file of the whole map"


def code_in(path: Path) -> str | None:
    """The world code that the layers of a GeoPackage bear. Raises EditsError for a file that is none."""
    for layer in _layers(path):
        if layer in {row.name for row in LAYERS}:
            fields, _, columns = _read(path, layer)
            if CUT in fields:
                raise EditsError(OF_REGION.format(path))
            for text in columns[fields.index("source")] if "source" in fields else ():
                if isinstance(text, str) and text.startswith(SOURCE):
                    return text.removeprefix(SOURCE)
    return None


def drawings_in(path: Path, _: Drawings | None = None) -> Drawings:
    """What a GeoPackage shows. Raises EditsError."""
    out, there = Drawings(), _layers(path)
    for layer in LAYERS:
        if layer.name not in there:
            out.absent.add(THINGS.get(layer.name, layer.name))
            continue
        fields, shapes, columns = _read(path, layer.name)
        if "id" not in fields:
            raise EditsError(f"the layer {layer.name} of {path} has no column id: keep our columns")
        rows = zip(*columns, strict=True)
        for shape, row in zip(shapes, rows, strict=True):
            _add(out, layer, shape, dict(zip(fields, row, strict=True)))
    return out


def drawings_of(planet: PlanetMap) -> Drawings:
    """What the GeoPackage of a map shows."""
    out = Drawings()
    for layer in LAYERS:
        objects = layer.objects(planet)
        values = {name: column([getattr(thing, name) for thing in objects], name) for name in layer.fields}
        for k, thing in enumerate(objects):
            _add(out, layer, layer.geometry(thing), {name: values[name][k] for name in layer.fields})
    return out


def _layers(path: Path) -> list[str]:
    try:
        return [str(name) for name in pyogrio.list_layers(path)[:, 0]]
    except Exception as error:
        raise EditsError(f"{path} cannot be read ({' '.join(str(error).split())[:160]}): give a whole GeoPackage") from None


def _read(path: Path, layer: str) -> tuple[list[str], np.ndarray, list[np.ndarray]]:
    """(names of columns, shapely's shapes, the columns) of a layer."""
    try:
        meta, _, shapes, columns = raw.read(path, layer=layer)
        return [str(name) for name in meta["fields"]], shapely.from_wkb(shapes), list(columns)
    except Exception as error:
        raise EditsError(f"{path} cannot be read ({' '.join(str(error).split())[:160]}): give a whole GeoPackage") from None


def _add(out: Drawings, layer: Layer, shape: Any, row: dict[str, Any]) -> None:
    """Add a row of a layer; rows without a shape show nothing."""
    if shape is None or shape.is_empty:
        return
    lines = _lines(shape)
    if layer.name in COAST:
        # Land and shore are drawn twice: lines of both kinds are told apart.
        out.coast += [line for line in lines if layer.name == "landmasses"]
    facts = {name: _text(value) for name, value in row.items() if name in layer.fields and name not in OURS}
    height = row.get(HEIGHTS.get(layer.name, ""))
    facts.pop(HEIGHTS.get(layer.name, ""), None)
    thing = THINGS.get(layer.name, layer.name)
    known = None if _empty(row["id"]) else int(row["id"])
    name = row.get("name")
    high = None if height is None or _empty(height) else float(height)
    out.add(Drawn(thing, name if isinstance(name, str) else "", lines, high, facts), known)


def _lines(shape: Any) -> tuple[np.ndarray, ...]:
    """The points, lines and rings of a shape."""
    found: list[np.ndarray] = []
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon":
            found += [np.array(ring.coords)[:, :2] for ring in (part.exterior, *part.interiors)]
        else:
            found.append(np.array(part.coords)[:, :2])
    return tuple(found)


def _empty(value: Any) -> bool:
    return value is None or bool(value != value)


def _text(value: Any) -> str:
    """A value of a column, the same whatever type the file gave it."""
    if isinstance(value, float | np.floating):
        return f"{float(value):.9g}"
    return str(value)
