"""What a map's files say, found by other people's tools: it reads nothing but the written files.

`python tests/support/map_oracle.py FOLDER` prints the figures of a folder with world.osm.pbf, world.gpkg and relief.tif.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyogrio
import shapely

RADIUS_M = 6.371e6


def layer(folder: Path, name: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """(geometry as shapely's, columns by name) of a layer of the GeoPackage."""
    facts, _, geometry, columns = pyogrio.raw.read(folder / "world.gpkg", layer=name)
    return shapely.from_wkb(geometry), dict(zip(facts["fields"].tolist(), columns, strict=True))


def area_km2(geometry: np.ndarray) -> np.ndarray:
    """Areas on the sphere, less holes; the sine of latitude is taken as linear along an edge."""
    sheared = shapely.transform(geometry, lambda xy: np.stack([np.radians(xy[:, 0]), np.sin(np.radians(xy[:, 1]))], 1))
    return shapely.area(sheared) * RADIUS_M**2 * 1e-6


def land_of_osmcoastline(file: Path) -> tuple[int, float]:
    """(errors and warnings that osmcoastline reports, km^2 of the land polygons that it makes)."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "land.db"
        words = ["osmcoastline", "--max-points=0", "--bbox-overlap=0", "--verbose", "-o", str(made), str(file)]
        done = subprocess.run(words, capture_output=True, text=True)
        counts = [
            int(line.split()[2]) for line in (done.stdout + done.stderr).splitlines() if line.startswith("There were ")
        ]
        if done.returncode or len(counts) != 2:
            counts = [max(done.returncode, 1)]
        polygons = shapely.from_wkb(pyogrio.raw.read(made, layer="land_polygons")[2])
    return sum(counts), float(area_km2(polygons).sum())


def land_km2(folder: Path) -> float:
    """The area of the GeoPackage's landmasses and inland seas: what lies within the ocean's shores."""
    seas, columns = layer(folder, "seas")
    return float(area_km2(layer(folder, "landmasses")[0]).sum() + area_km2(seas[columns["id"] > 0]).sum())


def main(folder: Path) -> None:
    """Prints all figures."""
    wrong, land = land_of_osmcoastline(folder / "world.osm.pbf")
    print(f"osmcoastline: {wrong} errors and warnings, {land:,.0f} of {land_km2(folder):,.0f} km2 of land")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
