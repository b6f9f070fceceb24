"""What the vector tiles show: geometry in degrees, the zoom from which it is shown, and the few attributes that draw it.

All else about an object stands in `objects.json`, by its id.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import shapely

from ....mapping.objects.records import LonLat, PlanetMap, River
from ....mapping.objects.river_widths import discharge_of
from ..gpkg_layers import LAYERS, min_zoom
from ..places import label_point, multiline, multipolygon

_LAYERS = {layer.name: layer for layer in LAYERS}
# A river is drawn in stretches of nearly equal discharge: a stretch ends where this has grown by a factor.
GROWTH, LEAST_M3_S = 2.0, 8.0
# Kilometres of a pixel at zoom 0, where 512 pixels go around the equator; names are shown where their area is this wide.
ZOOM_0_KM, NAME_PIXELS = 78.0, 40.0
MERIDIANS = ((30, 0), (10, 3), (5, 5), (2, 7))


@dataclass(frozen=True)
class Feature:
    """One feature. `zoom`: the smallest at which it is in a tile. `id`: None for what is no object."""

    layer: str
    shape: Any
    zoom: int
    id: int | None = None
    properties: dict[str, Any] = field(default_factory=dict)


def features_of(planet: PlanetMap) -> Iterator[Feature]:
    """All of a planet's own objects, layer by layer."""
    yield from _land(planet)
    yield from _water(planet)
    yield from _rivers(planet)
    yield from _peaks(planet)
    yield from _names(planet)


def ranked(layer: str, things: tuple[Any, ...]) -> list[tuple[Any, int, int]]:
    """(object, rank from 1, smallest zoom) for objects of a layer of the GeoPackage.

    Its zooms are those of tiles of 256 pixels. In these, of 512, areas and rivers are as large a zoom earlier.
    """
    row = _LAYERS[layer]
    order = sorted(range(len(things)), key=lambda k: (-getattr(things[k], row.greatness), k))
    earlier = 0 if layer == "peaks" else 1
    return [(things[k], rank, max(min_zoom(row, things[k], rank) - earlier, 0)) for rank, k in enumerate(order, 1)]


def _land(planet: PlanetMap) -> Iterator[Feature]:
    zooms = {}
    for land, rank, zoom in ranked("landmasses", planet.landmasses):
        zooms[land.id] = zoom
        yield Feature("land", multipolygon(land.polygons), zoom, land.id, {"rank": rank})
    for coast in planet.coastlines:
        yield Feature("coast", multiline(coast.lines), zooms[coast.landmass], coast.id, {"landmass": coast.landmass})


def _water(planet: PlanetMap) -> Iterator[Feature]:
    """Seas are in all tiles: they cover the land's tints, which reach beyond the coasts."""
    for sea, rank, _ in ranked("seas", planet.seas):
        kind = "sea" if sea.id else "ocean"
        yield Feature("water", multipolygon(sea.polygons), 0, sea.id, {"kind": kind, "rank": rank})
    for lake, rank, zoom in ranked("lakes", planet.lakes):
        yield Feature("water", multipolygon(lake.polygons), zoom, lake.id, {"kind": "lake", "rank": rank})


def _rivers(planet: PlanetMap) -> Iterator[Feature]:
    for river, rank, zoom in ranked("rivers", planet.rivers):
        for discharge, shape in stretches(river):
            yield Feature("rivers", shape, zoom, river.id, {"rank": rank, "discharge": discharge})
        if river.name:
            shape = max(river.lines, key=len)
            name = {"name": river.name, "rank": rank}
            yield Feature("river_names", shapely.LineString(shape), min(zoom + 1, 14), river.id, name)


def stretches(river: River) -> list[tuple[float, Any]]:
    """(greatest discharge in m3/s, line) of the stretches of a river downstream; each begins where the one before ends."""
    found: dict[int, list[np.ndarray]] = {}
    for line, widths in zip(river.lines, river.widths_m, strict=True):
        discharge = np.maximum(discharge_of(widths), LEAST_M3_S)
        level = np.floor(np.log2(discharge / LEAST_M3_S) / math.log2(GROWTH)).astype(int)
        cuts = np.flatnonzero(np.diff(level)) + 1
        for first, last in pairwise([0, *cuts.tolist(), len(line) - 1]):
            if last > first:
                found.setdefault(int(level[first]), []).append(line[first : last + 1])
    return [(LEAST_M3_S * GROWTH**level, shapely.MultiLineString(lines)) for level, lines in sorted(found.items())]


def _peaks(planet: PlanetMap) -> Iterator[Feature]:
    for peak, rank, zoom in ranked("peaks", planet.peaks):
        words = {"name": peak.name, "rank": rank, "height": round(peak.height_m)}
        yield Feature("peaks", shapely.Point(peak.point), zoom, peak.id, words)


def _names(planet: PlanetMap) -> Iterator[Feature]:
    """Places for the names of areas, the largest first: the tiles keep this order, and so do colliding labels."""
    found: list[tuple[float, str, Any, str, LonLat]] = []
    found += [(ocean.area_km2, "ocean", ocean, f"{ocean.name} Ocean", ocean.label) for ocean in planet.oceans]
    found += [(sea.area_km2, "sea", sea, f"Sea of {sea.name}", sea.label) for sea in planet.seas if sea.id]
    found += [(land.area_km2, "land", land, land.name, label_point(land.polygons)) for land in planet.landmasses]
    found += [(lake.area_km2, "lake", lake, f"L. {lake.name}", label_point(lake.polygons)) for lake in planet.lakes]
    for area, kind, thing, words, place in sorted(found, key=lambda row: (-row[0], row[1], row[2].id)):
        if thing.name:
            zoom = name_zoom(area)
            properties = {"name": words, "kind": kind, "size": zoom}
            yield Feature("names", shapely.Point(place), max(math.floor(zoom), 0), thing.id, properties)


def name_zoom(area_km2: float) -> float:
    """The zoom from which an area is wide enough for its name."""
    return round(min(max(math.log2(NAME_PIXELS * ZOOM_0_KM / math.sqrt(max(area_km2, 1.0))), 0.0), 12.0), 2)


def graticule() -> Iterator[Feature]:
    """Meridians and parallels: every 30, 10, 5 and 2 degrees. Those of the finer steps end short of the poles."""
    seen: set[tuple[str, int]] = set()
    for step, zoom in MERIDIANS:
        reach = 90 if step == MERIDIANS[0][0] else 80
        for degree in range(-180, 180, step):
            if ("meridian", degree) not in seen:
                seen.add(("meridian", degree))
                line = [(degree, latitude) for latitude in range(-reach, reach + 1)]
                yield Feature("graticule", shapely.LineString(line), zoom, None, {"degree": degree, "kind": "meridian"})
        for degree in range(-90 + step, 90, step):
            if ("parallel", degree) not in seen:
                seen.add(("parallel", degree))
                line = [(longitude, degree) for longitude in range(-180, 181)]
                yield Feature("graticule", shapely.LineString(line), zoom, None, {"degree": degree, "kind": "parallel"})
