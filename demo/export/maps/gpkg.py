"""The map as a GeoPackage, `world.gpkg`: one layer for each kind of object, written by pyogrio and GDAL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import shapely
from pyogrio import raw

from ...mapping.objects.records import PlanetMap
from ...worlds.atlas import DOUBLE_CONE, Atlas
from ...worlds.doublecone import global_mesh as meshes
from .places import multiline, multipolygon
from .rhombi import rhombus_rings
from .sphere import crs_wkt

# GDAL would write the time of the run.
DATE = "2000-01-01T00:00:00.000Z"
# The newest version that GDAL reads without a warning from 2.1 on.
VERSION = "1.2"
RHOMBI_CHUNK = 1 << 15


@dataclass(frozen=True)
class Layer:
    """One layer.

    `kind`: GDAL's name of the geometry's type. `objects`: what of a map is in the layer. `geometry`: that of one object, as
    shapely's. `fields`: the columns, each an attribute of the object.
    """

    name: str
    kind: str
    objects: Callable[[PlanetMap], tuple[Any, ...]]
    geometry: Callable[[Any], Any]
    fields: tuple[str, ...]


LAYERS = (
    Layer(
        "landmasses",
        "MultiPolygon",
        lambda planet: planet.landmasses,
        lambda land: multipolygon(land.polygons),
        ("id", "name", "area_km2", "highest_m"),
    ),
    Layer(
        "coastlines",
        "MultiLineString",
        lambda planet: planet.coastlines,
        lambda coast: multiline(coast.lines),
        ("id", "landmass", "sea", "length_km", "closed"),
    ),
    Layer(
        "seas",
        "MultiPolygon",
        lambda planet: planet.seas,
        lambda sea: multipolygon(sea.polygons),
        ("id", "name", "area_km2"),
    ),
    Layer(
        "lakes",
        "MultiPolygon",
        lambda planet: planet.lakes,
        lambda lake: multipolygon(lake.polygons),
        (
            "id",
            "name",
            "landmass",
            "area_km2",
            "volume_km3",
            "level_m",
            "depth_m",
            "inflow_m3_s",
            "evaporation_m3_s",
            "outflow_m3_s",
        ),
    ),
    Layer(
        "rivers",
        "MultiLineString",
        lambda planet: planet.rivers,
        lambda river: multiline(river.lines),
        (
            "id",
            "name",
            "landmass",
            "catchment",
            "length_km",
            "discharge_m3_s",
            "order",
            "width_m",
            "mouth",
            "mouth_id",
            "source_lake",
        ),
    ),
    Layer(
        "catchments",
        "MultiPolygon",
        lambda planet: planet.catchments,
        lambda catchment: multipolygon(catchment.polygons),
        ("id", "landmass", "river", "area_km2", "discharge_m3_s"),
    ),
    Layer(
        "peaks",
        "Point",
        lambda planet: planet.peaks,
        lambda peak: shapely.Point(peak.point),
        ("id", "name", "landmass", "height_m", "prominence_m"),
    ),
)


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None]) -> None:
    """Writes LAYERS and the layer `rhombi`. `path` must not exist. Raises OSError or RuntimeError of pyogrio's."""
    before = pyogrio.get_gdal_config_option("OGR_CURRENT_DATE")
    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": DATE})
    try:
        for number, layer in enumerate(LAYERS):
            objects = layer.objects(planet)
            columns = [column([getattr(thing, field) for thing in objects], field) for field in layer.fields]
            _append(
                path, planet, layer.name, layer.kind, [layer.geometry(thing) for thing in objects], layer.fields, columns
            )
            progress((number + 1) / (len(LAYERS) + 1))
        for geometry, columns in rhombi(planet.gn, planet.atlas):
            _append(path, planet, "rhombi", "Polygon", geometry, ("id", "face", "row", "column"), columns)
    finally:
        pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": before})


def _append(
    path: Path,
    planet: PlanetMap,
    name: str,
    kind: str,
    geometry: Sequence[Any] | np.ndarray,
    fields: Sequence[str],
    columns: list[np.ndarray],
) -> None:
    """Adds rows to a layer, which is made when it does not exist yet."""
    raw.write(
        path,
        np.array(shapely.to_wkb(geometry, byte_order=1), object) if len(geometry) else np.zeros(0, object),
        columns,
        np.array(fields, object),
        layer=name,
        driver="GPKG",
        geometry_type=kind,
        crs=crs_wkt(planet.radius_m),
        append=path.exists(),
        promote_to_multi=False,
        dataset_options=None if path.exists() else {"VERSION": VERSION},
    )


def column(values: list[Any], field: str) -> np.ndarray:
    """The column `field` of a table: text as objects, bool, int64 or float64, (len(values),)."""
    if field in ("name", "mouth"):
        return np.array(values, object)
    if field == "closed":
        return np.array(values, bool)
    whole = field in ("id", "order", "landmass", "sea", "catchment", "river", "mouth_id", "source_lake")
    return np.array(values, np.int64 if whole else np.float64)


def rhombi(gn: int, atlas: Atlas = DOUBLE_CONE) -> Iterator[tuple[np.ndarray, list[np.ndarray]]]:
    """The rhombi of the global mesh in runs: (shapely's polygons, the columns id, face, row and column)."""
    cells = 2**gn
    line = np.arange(cells)
    for face in range(4):
        step = max(1, RHOMBI_CHUNK // cells)
        for start in range(0, cells, step):
            row, column = (x.ravel() for x in np.meshgrid(line[start : start + step], line, indexing="ij"))
            rings = rhombus_rings(cells, face, row, column, atlas)
            number = meshes.rhombus_of(cells, face, row, column)
            yield shapely.polygons(rings), [number, np.full(row.size, face), row, column]
