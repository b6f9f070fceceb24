"""LAYERS: the layers of a map's GeoPackage, what is in them, and how QGIS draws them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import shapely

from ...mapping.objects.records import Lake, PlanetMap
from .places import multiline, multipolygon

# Kilometres of a pixel at zoom 0, where 256 pixels go around the equator; a thing is worth showing from PIXELS on.
ZOOM_0_KM, PIXELS = 156.0, 4.0
# So many lines or points are worth showing at zoom 0, and four times as many with each further one.
FIRST = 8
MOST_ZOOM = 14


@dataclass(frozen=True)
class Outlet:
    """Where a lake runs over into a river."""

    id: int
    lake: int
    river: int
    level_m: float
    discharge_m3_s: float
    point: tuple[float, float]


@dataclass(frozen=True)
class Layer:
    """One layer.

    `kind`: GDAL's name of the geometry's type. `objects`: what of a map is in the layer. `geometry`: that of one object, as
    shapely's. `fields`: the columns, each an attribute of the object. `greatness`: what ranks objects, the greatest first.
    `colour`, `width_mm`: of QGIS's lines, areas or marks.
    """

    name: str
    kind: str
    description: str
    objects: Callable[[PlanetMap], tuple[Any, ...]]
    geometry: Callable[[Any], Any]
    fields: tuple[str, ...]
    greatness: str
    colour: str
    width_mm: float = 0.2


def outlets_of(planet: PlanetMap) -> tuple[Outlet, ...]:
    """By lake."""
    river = {river.source_lake: river.id for river in planet.rivers}
    return tuple(_outlet(lake, river[lake.id]) for lake in planet.lakes if lake.outlet is not None)


def _outlet(lake: Lake, river: int) -> Outlet:
    assert lake.outlet is not None
    return Outlet(lake.id, lake.id, river, lake.level_m, lake.outflow_m3_s, lake.outlet)


def min_zoom(layer: Layer, thing: Any, rank: int) -> int:
    """The smallest zoom of a web map at which to show an object: areas by their size, others by their rank, from 1."""
    if layer.greatness == "area_km2":
        wanted = math.log2(PIXELS * ZOOM_0_KM / math.sqrt(max(thing.area_km2, 1.0)))
    else:
        wanted = 0.5 * math.log2(rank / FIRST)
    return min(max(math.ceil(wanted), 0), MOST_ZOOM)


LAYERS = (
    Layer(
        "landmasses",
        "MultiPolygon",
        "Land with its lakes, within one or more coastlines.",
        lambda planet: planet.landmasses,
        lambda land: multipolygon(land.polygons),
        ("id", "name", "area_km2", "highest_m"),
        "area_km2",
        "238,232,213",
    ),
    Layer(
        "coastlines",
        "MultiLineString",
        "Shores between a landmass and a sea, land on the left; the cut along the 180th meridian is no part of them.",
        lambda planet: planet.coastlines,
        lambda coast: multiline(coast.lines),
        ("id", "landmass", "sea", "length_km", "closed"),
        "length_km",
        "70,100,140",
        0.3,
    ),
    Layer(
        "seas",
        "MultiPolygon",
        "Water at the datum: the ocean is sea 0, the others are inland seas.",
        lambda planet: planet.seas,
        lambda sea: multipolygon(sea.polygons),
        ("id", "name", "area_km2"),
        "area_km2",
        "190,215,232",
    ),
    Layer(
        "oceans",
        "Point",
        "Middles of the parts of sea 0, far from land; water belongs to the ocean whose middle is nearest.",
        lambda planet: planet.oceans,
        lambda ocean: shapely.Point(ocean.label),
        ("id", "name", "area_km2"),
        "area_km2",
        "70,110,160",
        1.2,
    ),
    Layer(
        "catchments",
        "MultiPolygon",
        "Land that drains to one mouth.",
        lambda planet: planet.catchments,
        lambda catchment: multipolygon(catchment.polygons),
        ("id", "landmass", "river", "area_km2", "discharge_m3_s"),
        "area_km2",
        "0,0,0,0",
    ),
    Layer(
        "lakes",
        "MultiPolygon",
        "Lakes at their levels; inflow = evaporation + outflow.",
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
        "area_km2",
        "150,195,225",
    ),
    Layer(
        "rivers",
        "MultiLineString",
        "Rivers from source to mouth, with figures at the mouth; stem_id is the river in which a stem through lakes ends.",
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
            "source_m",
            "mouth_m",
            "upstream_km2",
            "stem_id",
        ),
        "discharge_m3_s",
        "80,140,200",
        0.35,
    ),
    Layer(
        "confluences",
        "Point",
        "Where the river tributary ends in river; the discharge is that of river below it.",
        lambda planet: planet.confluences,
        lambda confluence: shapely.Point(confluence.point),
        ("id", "river", "tributary", "discharge_m3_s"),
        "discharge_m3_s",
        "40,90,160",
        0.8,
    ),
    Layer(
        "outlets",
        "Point",
        "Where lakes run over.",
        outlets_of,
        lambda outlet: shapely.Point(outlet.point),
        ("id", "lake", "river", "level_m", "discharge_m3_s"),
        "discharge_m3_s",
        "40,90,160",
        1.0,
    ),
    Layer(
        "peaks",
        "Point",
        "Summits; ele_raster is the greatest height within a pixel in relief.tif.",
        lambda planet: planet.peaks,
        lambda peak: shapely.Point(peak.point),
        ("id", "name", "landmass", "height_m", "prominence_m", "ele_raster"),
        "prominence_m",
        "120,80,50",
        1.4,
    ),
)

POINTS = Layer(
    "river_points",
    "Point",
    "Vertices of rivers, with width and discharge there.",
    lambda planet: (),
    lambda point: point,
    (),
    "discharge_m3_s",
    "80,140,200",
    0.4,
)
RHOMBI = Layer(
    "rhombi",
    "Polygon",
    "Cells of the global mesh: a rhombus for each point but the poles.",
    lambda planet: (),
    lambda rhombus: rhombus,
    (),
    "id",
    "0,0,0,0",
)
