"""The format `tiles`: a folder of PMTiles archives and of the tables that go with them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

from pmtiles.tile import TileType

from ....mapping.objects.records import PlanetMap
from ..climate_grid import climate_grid_of
from ..sheets.climate_tints import ClimateTints, climate_tints_of
from . import tables, vector_tiles
from .archive import Tile, write_archive
from .lines_and_areas import climates_of, contours_of, raster_of
from .planes import PLANES, Plane
from .raster_tiles import Pyramid, rows_of, terrarium, tinted
from .tile_features import Feature, features_of, graticule
from .zooms import TILE, raster_zoom, vector_zoom

Progress = Callable[[float], None]

# The part of the work that the vector tiles of each plane after the first are, which has nearly all of them.
LATER = 0.08


def write(path: Path, planet: PlanetMap, progress: Progress) -> None:
    """Writes the folder. Raises OSError or RuntimeError."""
    path.mkdir()
    (path / "world.json").write_bytes(tables.about(planet))
    (path / "objects.json").write_bytes(tables.objects(planet))
    (path / "courses.bin").write_bytes(tables.courses(planet, lambda part: progress(0.05 * part)))
    write_rasters(path, planet, lambda part: progress(0.05 + 0.2 * part))
    features = all_features(planet)
    for left, plane in zip(reversed(range(len(PLANES))), PLANES, strict=True):
        vector_tiles.write(path / f"{plane.name}world.pmtiles", plane, features, vector_zoom(planet))
        progress(1.0 - LATER * left)


def all_features(planet: PlanetMap) -> list[Feature]:
    """All that the vector tiles show."""
    climates = climates_of(planet, climate_grid_of(planet))
    contours = contours_of(raster_of(planet))
    return list(itertools.chain(climates, features_of(planet), contours, graticule()))


def write_rasters(folder: Path, planet: PlanetMap, progress: Progress) -> None:
    """Heights and tints of all planes."""
    tints = climate_tints_of(planet)
    for number, plane in enumerate(PLANES):
        _write_plane(folder, planet, plane, tints, _part(progress, number))


def _part(progress: Progress, plane: int) -> Progress:
    return lambda part: progress((plane + part) / len(PLANES))


def _write_plane(folder: Path, planet: PlanetMap, plane: Plane, tints: ClimateTints, progress: Progress) -> None:
    heights, colours = Pyramid(terrarium), Pyramid(tinted)
    dem: list[Tile] = []
    tinted_tiles: list[Tile] = []
    for row, metres, colour in rows_of(planet, tints, plane, progress):
        dem += heights.tiles(metres, raster_zoom(planet), row)
        tinted_tiles += colours.tiles(colour, raster_zoom(planet), row)
    for name, tiles in (("relief", dem), ("tints", tinted_tiles)):
        about = {"name": f"{plane.name}{name}", "type": "baselayer", "format": "webp", "tile_size": TILE}
        if name == "relief":
            about["encoding"] = "terrarium"
        write_archive(folder / f"{plane.name}{name}.pmtiles", sorted(tiles), TileType.WEBP, about)
