"""PMTiles archives: written, and brought to a form in which the same tiles are the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pmtiles.reader import MmapSource, Reader, all_tiles
from pmtiles.tile import Compression, TileType, zxy_to_tileid
from pmtiles.writer import Writer

Tile = tuple[int, int, int, bytes]
E7 = 10_000_000
# Longitudes and latitudes that Web Mercator can show, in ten-millionths of a degree.
BOUNDS = (-180 * E7, -850_511_287, 180 * E7, 850_511_287)


def write_archive(path: Path, tiles: Iterable[Tile], kind: TileType, metadata: dict[str, Any]) -> int:
    """Writes (zoom, column, row, data) tiles and returns how many there were.

    `kind` MVT must come compressed with gzip. Raises OSError.
    """
    count = 0
    with open(path, "wb") as file:
        writer = Writer(file)
        for zoom, column, row, data in tiles:
            writer.write_tile(zxy_to_tileid(zoom, column, row), data)
            count += 1
        west, south, east, north = BOUNDS
        header = {
            "tile_type": kind,
            "tile_compression": Compression.GZIP if kind is TileType.MVT else Compression.NONE,
            "min_lon_e7": west,
            "min_lat_e7": south,
            "max_lon_e7": east,
            "max_lat_e7": north,
            "center_zoom": 0,
            "center_lon_e7": 0,
            "center_lat_e7": 0,
        }
        writer.finalize(header, metadata)
    return count


def tiles_of(path: Path) -> Iterator[Tile]:
    """All tiles of an archive in its own order, as they are compressed."""
    with open(path, "rb") as file:
        source = MmapSource(file)
        for (zoom, column, row), data in all_tiles(source):
            yield zoom, column, row, data


def metadata_of(path: Path) -> dict[str, Any]:
    """What an archive says of itself."""
    with open(path, "rb") as file:
        found: dict[str, Any] = Reader(MmapSource(file)).metadata()
        return found


def as_json(value: Any) -> bytes:
    """As compact JSON, UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
