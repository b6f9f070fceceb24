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
from ...mapping.objects.records import PlanetMap, River
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
# Objects, or points, that have geometries at once: shapely's take several times the memory of their WKB.
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


class InRuns:
    """A column of a table whose values are made AT_ONCE at a time, when pyogrio comes to them: it takes them one by one.

    `make`: makes the values first .. last - 1.
    """

    def __init__(self, count: int, make: Callable[[int, int], Sequence[Any]], dtype: type = object) -> None:
        self._count, self._make, self.dtype = count, make, np.dtype(dtype)
        self._begin = self._end = 0
        self._values: Sequence[Any] = ()

    def __len__(self) -> int:
        return self._count

    @property
    def shape(self) -> tuple[int]:
        """As an array has it."""
        return (self._count,)

    def __getitem__(self, k: int) -> Any:
        if not self._begin <= k < self._end:
            if not 0 <= k < self._count:
                raise IndexError(k)
            self._begin = k - k % AT_ONCE
            self._end = min(self._begin + AT_ONCE, self._count)
            # Before the next ones, not beside them.
            self._values = ()
            self._values = self._make(self._begin, self._end)
        return self._values[k - self._begin]


Table = tuple[InRuns, dict[str, Any]]
"""(WKB, columns)."""


def wkb_of(things: Sequence[Any] | np.ndarray, geometry: Callable[[Any], Any] = list) -> InRuns:
    """The WKB of things. `geometry`: makes shapely's geometries of some of them."""

    def make(first: int, last: int) -> Sequence[bytes]:
        made: Sequence[bytes] = shapely.to_wkb(geometry(things[first:last]), byte_order=1)
        return made

    return InRuns(len(things), make)


def _table(layer: Layer, planet: PlanetMap) -> Table:
    """That of a layer."""
    objects = layer.objects(planet)
    columns: dict[str, Any] = {field: column([getattr(thing, field) for thing in objects], field) for field in layer.fields}
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


def river_points(planet: PlanetMap) -> Table:
    """The vertices of rivers, with the river, the distance from its source, width and discharge."""
    lines = [(river, k) for river in planet.rivers for k in range(len(river.lines))]
    begins = np.cumsum([0] + [len(river.lines[k]) for river, k in lines])

    def part(values: Callable[[River, int], np.ndarray], first: int, last: int) -> np.ndarray:
        """Of the vertices first .. last - 1; `values`: those of a line of a river."""
        low, high = np.searchsorted(begins, [first, last - 1], side="right") - 1
        whole = np.concatenate([values(*lines[k]) for k in range(low, high + 1)])
        return whole[first - begins[low] : last - begins[low]]

    def along_km(river: River, k: int) -> np.ndarray:
        gone = 0.0
        for line in river.lines[: k + 1]:
            along = gone + np.concatenate([[0.0], np.cumsum(step_km(line, planet.radius_m))])
            gone = float(along[-1])
        return along

    def of(values: Callable[[River, int], np.ndarray], kind: type = np.float64) -> InRuns:
        return InRuns(int(begins[-1]), lambda first, last: part(values, first, last).tolist(), kind)

    def points(first: int, last: int) -> Sequence[bytes]:
        places = part(lambda river, k: river.lines[k], first, last)
        made: Sequence[bytes] = shapely.to_wkb(shapely.points(places), byte_order=1)
        return made

    columns = {
        "river": of(lambda river, k: np.full(len(river.lines[k]), river.id), np.int64),
        "distance_km": of(along_km),
        "width_m": of(lambda river, k: river.widths_m[k]),
        "discharge_m3_s": of(lambda river, k: discharge_of(river.widths_m[k])),
    }
    return InRuns(int(begins[-1]), points), columns


def step_km(line: np.ndarray, radius_m: float) -> np.ndarray:
    """The lengths in km of a line's steps along great circles: float64 (k - 1,)."""
    chord = np.sqrt((np.diff(directions(line), axis=0) ** 2).sum(axis=1))
    return chord * (1.0 + chord * chord / 24.0) * radius_m * 1e-3


def _append(
    path: Path,
    planet: PlanetMap,
    layer: Layer,
    wkb: InRuns,
    columns: dict[str, Any],
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
