"""The relief as a GeoTIFF, `relief.tif`: float32 metres by longitude and latitude, written by rasterio."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import rasterio
from rasterio.transform import Affine
from rasterio.windows import Window

from ...mapping.local.relief_sampler import ReliefSampler
from ...mapping.objects.records import PlanetMap, RiverPixels
from ...mapping.region import Region
from ...process.stderr import silent_stderr
from .sphere import crs_wkt

TILE = 256
# Heights that are sampled at once.
SAMPLES = 1 << 18


class Raster(NamedTuple):
    """What the file is made from. `pixels`: those that it has of the raster of the whole planet."""

    code: str
    radius_m: float
    pixels: Region
    relief: ReliefSampler
    river_pixels: RiverPixels


def raster_of(planet: PlanetMap) -> Raster:
    """The raster of a map."""
    return Raster(planet.code, planet.radius_m, pixels_of(planet), planet.relief, planet.river_pixels)


def pixels_of(planet: PlanetMap) -> Region:
    """The pixels of the raster of the whole planet that the file has; that is as wide as the local mesh has steps."""
    width = planet.raster_width
    return planet.region or Region(width, 0, 0, width, width // 2)


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None], threads: int = 1) -> None:
    """Writes the raster of a map; as `write_raster` does."""
    write_raster(path, raster_of(planet), progress, threads)


def write_raster(path: Path, raster: Raster, progress: Callable[[float], None], threads: int = 1) -> None:
    """Writes the heights of the ground at the centres of the pixels; the planet is never held as a whole.

    Pixels around rivers hold those of `objects.river_pixels`. The file is the same on any number of `threads`.

    Raises OSError or RuntimeError of rasterio's when the file cannot be written.
    """
    with ThreadPoolExecutor(threads) as pool:
        _write(path, raster, progress, threads, pool.map if threads > 1 else map)
    _check(path)


def _write(
    path: Path, raster: Raster, progress: Callable[[float], None], threads: int, each: Callable[..., Iterable[np.ndarray]]
) -> None:
    """The same, unchecked; `each`: calls a function with each of some arguments, as `map` does."""
    file = rasterio.open(path, "w", **_profile(raster), NUM_THREADS=threads)
    try:
        file.update_tags(AREA_OR_POINT="Area", world=raster.code)
        file.set_band_description(1, "height of the ground above the datum")
        file.set_band_unit(1, "m")
        for top in range(0, file.height, TILE):
            values = _heights(raster, top, min(TILE, file.height - top), progress, each)
            raster.river_pixels.put(values, raster.pixels, top)
            with silent_stderr():
                file.write(values, 1, window=Window(0, top, file.width, len(values)))
    finally:
        with silent_stderr():
            file.close()


def _profile(raster: Raster) -> dict[str, Any]:
    """rasterio's description of the file."""
    pixels = raster.pixels
    width, height, step = pixels.columns, pixels.rows, 360.0 / pixels.width
    profile = {
        "driver": "GTiff",
        "width": width,
        "height": height,
        "count": 1,
        "dtype": "float32",
        "crs": rasterio.crs.CRS.from_wkt(crs_wkt(raster.radius_m)),
        "transform": Affine(step, 0.0, pixels.west, 0.0, -step, pixels.north),
        "compress": "deflate",
        "predictor": 3,
        "BIGTIFF": "IF_SAFER",
    }
    if min(width, height) >= TILE:
        profile |= {"tiled": True, "blockxsize": TILE, "blockysize": TILE}
    return profile


def _heights(
    raster: Raster,
    top: int,
    rows: int,
    progress: Callable[[float], None],
    each: Callable[..., Iterable[np.ndarray]],
) -> np.ndarray:
    """Some rows of the file from `top` on: float32 (rows, columns), metres."""
    pixels, step = raster.pixels, 360.0 / raster.pixels.width
    longitude = -180.0 + step * ((pixels.left + np.arange(pixels.columns)) % pixels.width + 0.5)
    # Whole rows from north to south: the relief works out whole belts of the planet, and in this order each of them once.
    chunk = max(SAMPLES // pixels.columns, 1)

    def sampled(row: int) -> np.ndarray:
        latitude = 90.0 - step * (pixels.top + np.arange(top + row, top + min(row + chunk, rows)) + 0.5)
        return raster.relief.sample(longitude[None, :], latitude[:, None])

    made = []
    # Told by this thread, whose turn it is while GDAL's messages are heard.
    for heights in each(sampled, range(0, rows, chunk)):
        made.append(heights)
        progress((top + sum(map(len, made))) / pixels.rows)
    return np.concatenate(made)


def _check(path: Path) -> None:
    """Raises OSError when a block is missing: GDAL does not report a disk that is full when it closes the file."""
    with rasterio.open(path) as file:
        for (row, column), _ in file.block_windows(1):
            place, size = (file.get_tag_item(f"BLOCK_{what}_{column}_{row}", "TIFF", 1) for what in ("OFFSET", "SIZE"))
            if place is None or int(place) + int(size) > path.stat().st_size:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
