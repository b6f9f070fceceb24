"""How deep the pyramids of a planet's tiles go: as deep as its local mesh has something to show."""

from __future__ import annotations

from ....mapping.objects.records import PlanetMap

# A raster tile is 512 pixels wide: the equator of the local mesh fills 2^(gn + ln + 2) of them.
TILE, TILE_LEVELS = 512, 9
# Lines are drawn smoothly for so many zooms beyond the rasters'; programs enlarge the deepest tiles further.
FINER_LINES = 5
MOST_RASTER, MOST_VECTOR = 9, 14


def raster_zoom(planet: PlanetMap) -> int:
    """The deepest zoom of the rasters, at which a pixel on the equator is a step of the local mesh."""
    return min(max(planet.gn + planet.ln + 2 - TILE_LEVELS, 0), MOST_RASTER)


def vector_zoom(planet: PlanetMap) -> int:
    """The deepest zoom of the vector tiles: 8 for gn + ln = 10."""
    return min(raster_zoom(planet) + FINER_LINES, MOST_VECTOR)
