"""What a map's files say, found by other people's tools: it reads nothing but the written files.

`python -m benchmarks.map_oracle FOLDER` prints the figures of a folder with world.osm.pbf, world.gpkg and relief.tif.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyogrio
import rasterio
import shapely

RADIUS_M = 6.371e6
# Samples a pixel along rivers.
SAMPLES = 8


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


@dataclass(frozen=True)
class Climbs:
    """How far rivers rise in relief.tif above an earlier place, between whose pixels heights are bilinear.

    `part_over_10_m`: of the length of all rivers. `over_100_m`: rivers that rise by more. `great_over_10_m`: those with
    more than 1,000 m3/s.
    """

    part_over_10_m: float
    over_100_m: int
    great_over_10_m: int


def climbs(folder: Path) -> Climbs:
    """See `Climbs`."""
    with rasterio.open(folder / "relief.tif") as file:
        heights = file.read(1).astype(np.float64)
    rivers, columns = layer(folder, "rivers")
    length, high, over, great = 0.0, 0.0, 0, 0
    for river, discharge in zip(rivers, columns["discharge_m3_s"], strict=True):
        place, part = _walked(shapely.get_parts(river), 360.0 / heights.shape[1])
        ground = _bilinear(heights, place)
        rise = ground - np.minimum.accumulate(ground)
        length, high = length + part.sum(), high + part[rise > 10.0].sum()
        over += rise.max() > 100.0
        great += discharge > 1000.0 and rise.max() > 10.0
    return Climbs(high / length, over, great)


def _walked(lines: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """(places along lines, the length that each stands for in degrees of latitude)."""
    places, parts = [], []
    for line in map(shapely.get_coordinates, lines):
        along = np.diff(line, axis=0)
        lengths = np.hypot(along[:, 0] * np.cos(np.radians(line[:-1, 1])), along[:, 1])
        count = np.maximum(np.abs(along).max(axis=1) / step * SAMPLES, 1.0).astype(int)
        k = np.repeat(np.arange(len(along)), count)
        part = (np.arange(len(k)) - np.repeat(np.cumsum(count) - count, count) + 0.5) / count[k]
        places.append(line[k] + part[:, None] * along[k])
        parts.append(lengths[k] / count[k])
    return np.concatenate(places), np.concatenate(parts)


def _bilinear(heights: np.ndarray, place: np.ndarray) -> np.ndarray:
    rows, columns = heights.shape
    x, y = (place[:, 0] + 180.0) / 360.0 * columns - 0.5, (90.0 - place[:, 1]) / 180.0 * rows - 0.5
    i, j = np.floor(x).astype(int), np.clip(np.floor(y).astype(int), 0, rows - 2)
    u, v = x - i, np.clip(y - j, 0.0, 1.0)
    west, east = i % columns, (i + 1) % columns
    upper = (1 - u) * heights[j, west] + u * heights[j, east]
    return (1 - v) * upper + v * ((1 - u) * heights[j + 1, west] + u * heights[j + 1, east])


def disagreements(folder: Path) -> dict[str, int]:
    """How many things say something else than their geometry, or relief.tif, by what is wrong."""
    catchments, catchment = layer(folder, "catchments")
    lakes, lake = layer(folder, "lakes")
    peaks, peak = layer(folder, "peaks")
    _, river = layer(folder, "rivers")
    _, outlet = layer(folder, "outlets")
    with rasterio.open(folder / "relief.tif") as file:
        heights = file.read(1)
    with_river = set(river["source_lake"].tolist())
    stem = dict(zip(river["id"].tolist(), river["stem_id"].tolist(), strict=True))
    named = dict(zip(river["id"].tolist(), river["name"].tolist(), strict=True))
    deep = lake["area_km2"] * lake["depth_m"] * 1e-3
    whole = dict(zip(catchment["id"], catchment["area_km2"], strict=True))
    upstream = np.array([whole[k] for k in river["catchment"]])
    return {
        "catchments of another area": int((np.abs(area_km2(catchments) / catchment["area_km2"] - 1.0) > 5e-3).sum()),
        "lakes of another area": int((np.abs(area_km2(lakes) / lake["area_km2"] - 1.0) > 5e-3).sum()),
        "lakes that hold too much": int((lake["volume_km3"] > deep * (1 + 1e-9)).sum()),
        "peaks of another height in the raster": int((np.abs(_tops(heights, peaks) - peak["ele_raster"]) > 0.01).sum()),
        "rivers that rise": int((river["source_m"] < river["mouth_m"]).sum()),
        "rivers of more land than their catchment": int((river["upstream_km2"] > upstream * (1 + 1e-9)).sum()),
        "lakes that run out without a river": sum(
            flow > 0.0 and k not in with_river for k, flow in zip(lake["id"], lake["outflow_m3_s"], strict=True)
        ),
        "rivers with another name than their stem": sum(named[k] != named[end] for k, end in stem.items()),
        "rivers that end with their stem and go on": _ended(river),
        "outlets at another level": int((outlet["level_m"] != lake["level_m"][outlet["lake"]]).sum()),
    }


def _ended(river: dict[str, np.ndarray]) -> int:
    """How many lakes with a river out have no river in of the same stem, though rivers flow in."""
    out = dict(zip(river["source_lake"].tolist(), river["stem_id"].tolist(), strict=True))
    into: dict[int, set[int]] = {}
    for mouth, lake, stem in zip(river["mouth"], river["mouth_id"].tolist(), river["stem_id"].tolist(), strict=True):
        if mouth == "lake":
            into.setdefault(lake, set()).add(stem)
    return sum(lake in out and out[lake] not in stems for lake, stems in into.items())


def lakes_over(folder: Path, areas_km2: tuple[float, ...]) -> list[int]:
    """How many lakes are larger than each area, by their polygons."""
    return [int((area_km2(layer(folder, "lakes")[0]) > area).sum()) for area in areas_km2]


def wet_share(folder: Path) -> float:
    """The part of the pixels well within lakes whose ground lies at or below the lake's level."""
    lakes, lake = layer(folder, "lakes")
    with rasterio.open(folder / "relief.tif") as file:
        heights = file.read(1)
    rows, columns = heights.shape
    step = 360.0 / columns
    under = all_of = 0
    for polygon, level in zip(lakes, lake["level_m"], strict=True):
        west, south, east, north = shapely.bounds(polygon)
        i = np.arange(int((west + 180.0) / step), min(int((east + 180.0) / step) + 1, columns))
        j = np.arange(int((90.0 - north) / step), min(int((90.0 - south) / step) + 1, rows))
        x, y = np.meshgrid(-180.0 + step * (i + 0.5), 90.0 - step * (j + 0.5))
        inside = shapely.contains_xy(polygon, x, y)
        under += int((heights[np.ix_(j, i)][inside] <= level + 0.5).sum())
        all_of += int(inside.sum())
    return under / max(all_of, 1)


def _tops(heights: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The greatest height of the pixel of each point and of those around it."""
    rows, columns = heights.shape
    place = shapely.get_coordinates(points)
    i, j = ((place[:, 0] + 180.0) / 360.0 * columns).astype(int), ((90.0 - place[:, 1]) / 180.0 * rows).astype(int)
    side = np.arange(-1, 2)
    beside = np.clip(j[:, None, None] + side[:, None], 0, rows - 1), (i[:, None, None] + side) % columns
    return heights[beside].max(axis=(1, 2), initial=-np.inf)


def broken_references(file: Path) -> int:
    """How many objects osmium misses that others in the file refer to."""
    done = subprocess.run(["osmium", "check-refs", "-r", str(file)], capture_output=True, text=True)
    missing = sum(map(int, re.findall(r"missing: (\d+)", done.stdout + done.stderr)))
    return missing if done.returncode == 0 else max(missing, 1)


def waters_of_gdal_km2(file: Path) -> float:
    """The area of lakes and inland seas in OpenStreetMap's file, as GDAL's driver puts them together."""
    waters = pyogrio.raw.read(file, layer="multipolygons", where="natural = 'water'")[2]
    return float(area_km2(shapely.from_wkb(waters)).sum())


def waters_km2(folder: Path) -> float:
    """The same in the GeoPackage: all but sea 0, which is the ocean."""
    seas, columns = layer(folder, "seas")
    return float(area_km2(layer(folder, "lakes")[0]).sum() + area_km2(seas[columns["id"] > 0]).sum())


def malformed(folder: Path) -> dict[str, int]:
    """How many geometries are not what they should be, by what is wrong."""
    areas = np.concatenate([layer(folder, name)[0] for name in ("landmasses", "seas", "lakes", "catchments")])
    coasts, rivers = layer(folder, "coastlines")[0], layer(folder, "rivers")[0]
    one, other = shapely.STRtree(rivers).query(rivers, predicate="crosses")
    return {
        "areas that are not valid": int((~shapely.is_valid(areas)).sum()),
        "coastlines that cross themselves": int((~shapely.is_simple(coasts)).sum()),
        "rivers that cross another or themselves": int((one < other).sum() + (~shapely.is_simple(rivers)).sum()),
    }


def main(folder: Path) -> None:
    """Prints all figures."""
    wrong, land = land_of_osmcoastline(folder / "world.osm.pbf")
    print(f"osmcoastline: {wrong} errors and warnings, {land:,.0f} of {land_km2(folder):,.0f} km2 of land")
    print(climbs(folder))
    print(disagreements(folder) | malformed(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
