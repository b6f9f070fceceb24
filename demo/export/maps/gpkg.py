"""The map as a GeoPackage, `world.gpkg`: one layer for each kind of object, written by pyogrio and GDAL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import shapely
from pyogrio import raw

from ...mapping.degrees import directions
from ...mapping.objects.records import PlanetMap
from ...mapping.objects.river_widths import discharge_of
from ...worlds.atlas import DOUBLE_CONE, Atlas
from ...worlds.doublecone import global_mesh as meshes
from .gpkg_layers import LAYERS, POINTS, RHOMBI, Layer, min_zoom
from .gpkg_styles import write_styles
from .rhombi import rhombus_rings
from .sphere import crs_wkt

# GDAL would write the time of the run.
DATE = "2000-01-01T00:00:00.000Z"
# The newest version that GDAL reads without a warning from 2.1 on.
VERSION = "1.2"
RHOMBI_CHUNK = 1 << 15
# Objects, or points, of which shapely has geometries at once: one takes several times the memory of its WKB.
AT_ONCE = 1 << 10
# The column of a region that tells which objects go on beyond it.
CUT = "cut"
# Whoever makes a world may do with it what he likes.
LICENCE = "CC0-1.0"
WHOLE = frozenset({"id", "order", "landmass", "sea", "lake", "catchment", "river", "tributary", "mouth_id", "source_lake"})


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None]) -> None:
    """Writes all layers and their styles. `path` must not exist. Raises OSError or RuntimeError of pyogrio's."""
    before = pyogrio.get_gdal_config_option("OGR_CURRENT_DATE")
    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": DATE})
    try:
        for number, layer in enumerate(LAYERS):
            _append(path, planet, layer, *_table(layer, planet))
            progress((number + 1) / (len(LAYERS) + 2))
        _append(path, planet, POINTS, *river_points(planet))
        for geometry, columns in rhombi_of(planet):
            _append(path, planet, RHOMBI, wkb_of(geometry), dict(zip(("id", "face", "row", "column"), columns, strict=True)))
    finally:
        pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": before})
    write_styles(path, DATE)
    progress(1.0)


def wkb_of(things: Sequence[Any] | np.ndarray, geometry: Callable[[Any], Any] = list) -> np.ndarray:
    """The WKB of things: objects of bytes, (len(things),). `geometry`: makes shapely's geometries of some of them."""
    made = np.empty(len(things), object)
    for begin in range(0, len(things), AT_ONCE):
        some = slice(begin, begin + AT_ONCE)
        made[some] = shapely.to_wkb(geometry(things[some]), byte_order=1)
    return made


def _table(layer: Layer, planet: PlanetMap) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """(WKB, columns) of a layer."""
    objects = layer.objects(planet)
    columns = {field: column([getattr(thing, field) for thing in objects], field) for field in layer.fields}
    order = np.argsort([-getattr(thing, layer.greatness) for thing in objects], kind="stable")
    rank = np.empty(len(objects), np.int64)
    rank[order] = np.arange(1, len(objects) + 1)
    columns["rank"] = rank
    zooms = [min_zoom(layer, thing, place) for thing, place in zip(objects, rank.tolist(), strict=True)]
    columns["min_zoom"] = np.array(zooms, np.int64)
    if layer.name in planet.cut:
        columns[CUT] = np.array([thing.id in planet.cut[layer.name] for thing in objects], bool)
    columns["source"] = np.full(len(objects), f"Landfall, {planet.code}", object)
    columns["licence"] = np.full(len(objects), LICENCE, object)
    return wkb_of(objects, lambda some: [layer.geometry(thing) for thing in some]), columns


def river_points(planet: PlanetMap) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The vertices of rivers: (WKB of points, columns with the river, the distance from its source, width and discharge)."""
    number, distance, width, places = ([np.zeros((0, *shape))] for shape in ((), (), (), (2,)))
    for river in planet.rivers:
        gone = 0.0
        for line, widths in zip(river.lines, river.widths_m, strict=True):
            along = gone + np.concatenate([[0.0], np.cumsum(step_km(line, planet.radius_m))])
            number.append(np.full(len(line), float(river.id)))
            distance.append(along)
            width.append(widths)
            places.append(line)
            gone = float(along[-1])
    wide = np.concatenate(width)
    columns = {
        "river": np.concatenate(number).astype(np.int64),
        "distance_km": np.concatenate(distance),
        "width_m": wide,
        "discharge_m3_s": discharge_of(wide),
    }
    return wkb_of(np.concatenate(places), shapely.points), columns


def step_km(line: np.ndarray, radius_m: float) -> np.ndarray:
    """The lengths in km of a line's steps along great circles: float64 (k - 1,)."""
    chord = np.sqrt((np.diff(directions(line), axis=0) ** 2).sum(axis=1))
    return chord * (1.0 + chord * chord / 24.0) * radius_m * 1e-3


def _append(
    path: Path,
    planet: PlanetMap,
    layer: Layer,
    wkb: np.ndarray,
    columns: dict[str, np.ndarray],
) -> None:
    """Adds rows to a layer, which is made when it does not exist yet."""
    raw.write(
        path,
        wkb,
        list(columns.values()),
        np.array(list(columns), object),
        layer=layer.name,
        driver="GPKG",
        geometry_type=layer.kind,
        crs=crs_wkt(planet.radius_m),
        append=path.exists(),
        promote_to_multi=False,
        dataset_options=None if path.exists() else {"VERSION": VERSION},
        layer_options={"DESCRIPTION": layer.description},
    )


def column(values: list[Any], field: str) -> np.ndarray:
    """The column `field` of a table: text as objects, bool, int64 or float64, (len(values),)."""
    if field in ("name", "mouth"):
        return np.array(values, object)
    if field == "closed":
        return np.array(values, bool)
    return np.array(values, np.int64 if field in WHOLE else np.float64)


def rhombi_of(planet: PlanetMap) -> Iterator[tuple[np.ndarray, list[np.ndarray]]]:
    """The rhombi of a map, as `rhombi` has them: of a region those that touch it."""
    for geometry, columns in rhombi(planet.gn, planet.atlas):
        if planet.region is None:
            yield geometry, columns
        else:
            area = shapely.union_all([shapely.box(*box) for box in planet.region.boxes])
            near = shapely.intersects(geometry, area)
            if near.any():
                yield geometry[near], [values[near] for values in columns]


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
