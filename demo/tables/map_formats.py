"""MAP_FORMATS: the files that `map` writes, in the order in which they are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MAP_PACKAGES = frozenset({"shapely"})
"""Packages that growing the map needs, whatever the formats."""

# Packages whose name for pip differs from their name for `import`.
_DISTRIBUTIONS = {"skia": "skia-python"}


@dataclass(frozen=True)
class MapFormat:
    """One row.

    `file`: its name in the map's folder. `module`: of demo/export/maps; its `write(path, planet, progress)` makes the file.
    `packages`: those that it imports, by their import names. `effort`: how long it takes, in parts of the sum over all rows.
    """

    file: str
    module: str
    packages: frozenset[str]
    effort: float


MAP_FORMATS: dict[str, MapFormat] = {
    "pbf": MapFormat("world.osm.pbf", "osm", frozenset({"osmium", "shapely"}), 2.0),
    "osm": MapFormat("world.osm", "osm", frozenset({"osmium", "shapely"}), 2.5),
    "gpkg": MapFormat("world.gpkg", "gpkg", frozenset({"pyogrio", "shapely"}), 3.0),
    "tif": MapFormat("relief.tif", "geotiff", frozenset({"rasterio"}), 4.0),
    "sheets": MapFormat("sheets", "sheets.book", frozenset({"skia", "shapely"}), 24.0),
    "json": MapFormat("summary.json", "summary", frozenset(), 0.1),
}


def packages_of(names: Iterable[str]) -> list[str]:
    """Import names of the packages that a map in these formats needs, sorted."""
    return sorted(MAP_PACKAGES.union(*(MAP_FORMATS[name].packages for name in names)))


def distribution_of(package: str) -> str:
    """The name by which pip installs a package."""
    return _DISTRIBUTIONS.get(package, package)
