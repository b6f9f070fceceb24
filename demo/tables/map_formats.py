"""The names of the formats that `map` writes, in the order in which they are written."""

from __future__ import annotations

MAP_FORMATS = ("pbf", "osm", "gpkg", "tif", "sheets", "json")
