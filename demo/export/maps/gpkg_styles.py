"""The table `layer_styles` of a GeoPackage, from which QGIS takes the looks of its layers."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from .gpkg_layers import LAYERS, POINTS, RHOMBI, Layer

# As QGIS makes it.
_TABLE = """
CREATE TABLE layer_styles (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog TEXT(256), f_table_schema TEXT(256),
  f_table_name TEXT(256), f_geometry_column TEXT(256), styleName TEXT(30), styleQML TEXT, styleSLD TEXT,
  useAsDefault BOOLEAN, description TEXT, owner TEXT(30), ui TEXT(30), update_time DATETIME)
"""
_ROW = "INSERT INTO layer_styles VALUES (NULL, '', '', ?, 'geom', ?, ?, NULL, 1, ?, '', NULL, ?)"
_CONTENTS = (
    "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change)"
    " VALUES ('layer_styles', 'attributes', 'layer_styles', 'How QGIS draws the layers.', ?)"
)


def write_styles(path: Path, date: str) -> None:
    """Adds the table to the GeoPackage at `path`. Raises OSError when it cannot be written."""
    try:
        with contextlib.closing(sqlite3.connect(path)) as file, file:
            file.execute(_TABLE)
            file.executemany(
                _ROW, [(layer.name, layer.name, qml(layer), layer.description, date) for layer in (*LAYERS, POINTS, RHOMBI)]
            )
            file.execute(_CONTENTS, (date,))
    except sqlite3.Error as error:
        raise OSError(str(error)) from error


def qml(layer: Layer) -> str:
    """A layer's style in QGIS's form: one symbol for all."""
    colour = layer.colour if layer.colour.count(",") == 3 else f"{layer.colour},255"
    if layer.kind == "Point":
        kind, symbol = "marker", "SimpleMarker"
        facts = {"name": "circle", "color": colour, "size": f"{layer.width_mm:g}", "size_unit": "MM", "outline_style": "no"}
    elif "Line" in layer.kind:
        kind, symbol = "line", "SimpleLine"
        facts = {"line_color": colour, "line_width": f"{layer.width_mm:g}", "line_width_unit": "MM"}
    else:
        kind, symbol = "fill", "SimpleFill"
        facts = {"color": colour, "style": "solid", "outline_color": "110,130,150,160", "outline_width": "0.1"}
    rows = "".join(f'<prop k="{name}" v="{value}"/>' for name, value in facts.items())
    return (
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>"
        '<qgis version="3.0.0" styleCategories="Symbology"><renderer-v2 type="singleSymbol" symbollevels="0"><symbols>'
        f'<symbol type="{kind}" name="0" alpha="1"><layer class="{symbol}" enabled="1" pass="0">{rows}</layer></symbol>'
        "</symbols></renderer-v2></qgis>"
    )
