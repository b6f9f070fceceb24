"""The relief as a GeoTIFF: `relief.tif`, float32 metres by longitude and latitude, through rasterio."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ...mapping.objects.records import PlanetMap
from .sphere import crs_wkt

TILE = 256
# Heights that are asked for at once.
SAMPLES = 1 << 18


def size_of(planet: PlanetMap) -> tuple[int, int]:
    """(width, height) of the picture in pixels: along the equator as many as the local mesh has steps."""
    width = 4 * 2 ** (planet.gn + planet.ln)
    return width, width // 2


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None]) -> None:
    """Writes the heights of the ground at the pixels' centres, rows by rows, the planet never being held at once.

    Raises OSError or RuntimeError of rasterio's where the file cannot be written.
    """
    import rasterio
    from rasterio.transform import Affine
    from rasterio.windows import Window

    width, height = size_of(planet)
    step = 360.0 / width
    # Whole rows from north to south: the relief works out whole belts of the planet, each of them but once then.
    chunk = max(SAMPLES // width, 1)
    profile = {
        "driver": "GTiff",
        "width": width,
        "height": height,
        "count": 1,
        "dtype": "float32",
        "crs": rasterio.crs.CRS.from_wkt(crs_wkt(planet.radius_m)),
        "transform": Affine(step, 0.0, -180.0, 0.0, -step, 90.0),
        "compress": "deflate",
        "predictor": 3,
        "BIGTIFF": "IF_SAFER",
    }
    if min(width, height) >= TILE:
        profile |= {"tiled": True, "blockxsize": TILE, "blockysize": TILE}
    file = rasterio.open(path, "w", **profile)
    try:
        file.update_tags(AREA_OR_POINT="Area", world=planet.code)
        file.set_band_description(1, "height of the ground above the datum")
        file.set_band_unit(1, "m")
        longitude = -180.0 + step * (np.arange(width) + 0.5)
        for top in range(0, height, TILE):
            rows = min(TILE, height - top)
            values = np.empty((rows, width), np.float32)
            for row in range(0, rows, chunk):
                latitude = 90.0 - step * (np.arange(top + row, top + min(row + chunk, rows)) + 0.5)
                values[row : row + chunk] = planet.relief.sample(longitude[None, :], latitude[:, None])
                progress((top + row + len(latitude)) / height)
            with _silent_stderr():
                file.write(values, 1, window=Window(0, top, width, rows))
    finally:
        with _silent_stderr():
            file.close()
    _check(path)


def _check(path: Path) -> None:
    """Raises OSError when a block is missing: GDAL says nothing of a disk that is full when it closes the file."""
    import rasterio

    with rasterio.open(path) as file:
        for (row, column), _ in file.block_windows(1):
            place, size = (file.get_tag_item(f"BLOCK_{what}_{column}_{row}", "TIFF", 1) for what in ("OFFSET", "SIZE"))
            if place is None or int(place) + int(size) > path.stat().st_size:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """libtiff prints what it then returns as an error, and no setting of GDAL's keeps it from that."""
    sys.stderr.flush()
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)
