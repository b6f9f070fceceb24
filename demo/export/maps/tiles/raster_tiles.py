"""Raster tiles: heights in the Terrarium form, and the sheet's tints of land, each as a pyramid that is cut row by row.

Both are sampled at the deepest zoom in one walk from north to south; each lesser zoom is the mean of four pixels of the one
below. No more than a row of tiles of each zoom is held.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from PIL import Image

from ....mapping.objects.records import PlanetMap
from ..sheets.climate_tints import ClimateTints
from ..sheets.painting import land_tints
from .archive import Tile
from .planes import Plane
from .zooms import TILE, raster_zoom

# Terrarium: metres above -32768 in three bytes, the last one for parts of a metre.
DATUM = 32_768.0
# Heights are rounded, to 1 m at this zoom and to half as much at each further one: a slope of 0.0004. The rest is noise.
# The deep sea has colours alone, and is rounded FLOOR times as coarsely.
METRE_ZOOM = 5
FLOOR, DEEP_M = 8.0, -64.0
TINT_QUALITY = 82
# Rows of pixels that are sampled at once.
SAMPLES = 1 << 18


def terrarium(heights_m: np.ndarray, zoom: int) -> bytes:
    """A tile of heights, float32 (TILE, TILE) metres, as a lossless WebP picture."""
    fine = 2.0 ** min(zoom - METRE_ZOOM, 8)
    parts = np.where(heights_m < DEEP_M, fine / FLOOR, fine)
    value = (np.round(heights_m.astype(np.float64) * parts) / parts + DATUM).clip(0.0, 65_535.99)
    whole = np.floor(value)
    red, green = np.divmod(whole.astype(np.int64), 256)
    blue = ((value - whole) * 256.0).astype(np.int64)
    picture = Image.fromarray(np.stack([red, green, blue], axis=-1).astype(np.uint8))
    return _saved(picture, lossless=True, quality=20, method=1)


def tinted(colours: np.ndarray, _zoom: int) -> bytes:
    """A tile of colours, float32 (TILE, TILE, 3), 0..255."""
    picture = Image.fromarray(np.clip(colours + 0.5, 0.0, 255.0).astype(np.uint8))
    return _saved(picture, quality=TINT_QUALITY, method=4)


def _saved(picture: Image.Image, **how: int | bool) -> bytes:
    file = io.BytesIO()
    picture.save(file, "WEBP", **how)
    return file.getvalue()


@dataclass
class Pyramid:
    """A pyramid that grows upwards as rows of its deepest zoom come in.

    `encode(values, zoom)` makes a tile. `upper`: for each zoom, the upper half of a row of tiles that waits for its lower.
    """

    encode: Callable[[np.ndarray, int], bytes]
    upper: dict[int, np.ndarray] = field(default_factory=dict)

    def tiles(self, values: np.ndarray, zoom: int, row: int) -> Iterator[Tile]:
        """The tiles of one row, float32 (TILE, TILE 2^zoom, ...), and those above that it completes; all nan is no tile."""
        for column in range(values.shape[1] // TILE):
            part = values[:, column * TILE : (column + 1) * TILE]
            if not np.isnan(part).all():
                yield zoom, column, row, self.encode(np.nan_to_num(part), zoom)
        if zoom == 0:
            return
        half = halved(values)
        if row % 2 == 0:
            self.upper[zoom] = half
        else:
            yield from self.tiles(np.concatenate([self.upper.pop(zoom), half]), zoom - 1, row // 2)


def halved(values: np.ndarray) -> np.ndarray:
    """Means of four pixels each; nan where one of them is."""
    columns = values[:, ::2] + values[:, 1::2]
    mean: np.ndarray = 0.25 * (columns[::2] + columns[1::2])
    return mean


def rows_of(
    planet: PlanetMap, tints: ClimateTints, plane: Plane, progress: Callable[[float], None]
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """(row, heights, colours) of all rows of tiles at the deepest zoom, from the top.

    Heights are float32 (TILE, width), metres, of the ground; colours float32 (TILE, width, 3); nan where the plane is empty.
    """
    across = 2 ** raster_zoom(planet)
    width = across * TILE
    x = (np.arange(width) + 0.5) / width
    for row in range(across):
        heights = np.full((TILE, width), np.nan, np.float32)
        colours = np.full((TILE, width, 3), np.nan, np.float32)
        step = max(SAMPLES // width, 1)
        for top in range(0, TILE, step):
            y = (row * TILE + np.arange(top, min(top + step, TILE)) + 0.5) / width
            longitude, latitude = plane.to_degrees(*np.broadcast_arrays(x[None, :], y[:, None]))
            there = ~np.isnan(longitude)
            if there.any():
                _sample(planet, tints, longitude, latitude, there, heights[top : top + step], colours[top : top + step])
            progress((row * TILE + top + len(y)) / width)
        yield row, heights, colours


def _sample(
    planet: PlanetMap,
    tints: ClimateTints,
    longitude: np.ndarray,
    latitude: np.ndarray,
    there: np.ndarray,
    heights: np.ndarray,
    colours: np.ndarray,
) -> None:
    """Fills the pixels that are `there` with what is at their places."""
    longitude, latitude = longitude[there], latitude[there]
    # The relief works out whole belts of the planet, from north to south each of them once.
    order = np.argsort(-latitude, kind="stable")
    found = np.empty(len(order), np.float32)
    found[order] = planet.relief.sample(longitude[order], latitude[order])
    heights[there] = found
    colours[there] = land_tints(found, *tints.at(longitude, latitude))
