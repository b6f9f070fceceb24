"""The tables beside the tiles: what the world is, all its objects, and the courses of its rivers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ....mapping.objects.languages import Namer
from ....mapping.objects.records import PlanetMap, Polygons
from ....mapping.objects.river_widths import discharge_of
from ....worlds.climate.laws import BIOMES
from ..gpkg import step_km
from ..gpkg_layers import LAYERS
from ..places import label_point
from ..sheets.painting import LAKE, SEA
from .archive import as_json
from .planes import CAP, DISC_RADIUS, DISCS
from .tile_features import name_zoom, ranked
from .zooms import raster_zoom, vector_zoom

FORM = 1
"""The version of these tables' form, which a viewer compares with its own."""

# The tables of `objects.json` by the kinds of things, with the layers of the GeoPackage that have their fields.
KINDS = {"land": "landmasses", "ocean": "oceans", "sea": "seas", "lake": "lakes", "river": "rivers", "peak": "peaks"}
MOST_TILTED = 25.0
FIRST = ("id", "name", "longitude", "latitude", "whole", "zoom")
# Fields of a point of a river's course in `courses.bin`, float32 each, little-endian.
COURSE = ("longitude", "latitude", "distance_km", "height_m", "discharge_m3_s")
BIOME_COLOURS = (
    "#ffffff", "#f3f6f8", "#c9d0c4", "#7f9f8a", "#d9c9a3", "#cfd193", "#8fb573", "#5b9a6b", "#ecd29c", "#dcc46f", "#9dbb5e",
    "#4f9a54",
)  # fmt: skip


def about(planet: PlanetMap) -> bytes:
    """`world.json`: what a viewer has to know before it shows anything."""
    return as_json(
        {
            "form": FORM,
            "name": Namer(planet.seed).name("landmass", -1, len(planet.landmasses)),
            "code": planet.code,
            "radius_m": planet.radius_m,
            "gn": planet.gn,
            "ln": planet.ln,
            "land_ratio": round(planet.land_ratio, 4),
            "zooms": {"raster": raster_zoom(planet), "vector": vector_zoom(planet)},
            "polar": {"cap": CAP, "radius": DISC_RADIUS, "discs": DISCS},
            "highest_m": round(max((peak.height_m for peak in planet.peaks), default=0.0)),
            "depths": SEA,
            "lake": LAKE,
            "biomes": list(zip(BIOMES, BIOME_COLOURS, strict=True))[1:],
            "middle": _middle(planet),
            "counts": {kind: len(_things(planet, kind)) for kind in KINDS},
        }
    )


def _middle(planet: PlanetMap) -> tuple[float, float]:
    """A place on the largest landmass, not far from the equator: what a viewer looks at first."""
    largest = max(planet.landmasses, key=lambda land: (land.area_km2, -land.id), default=None)
    longitude, latitude = label_point(largest.polygons) if largest else (0.0, 0.0)
    return round(longitude, 2), round(min(max(latitude, -MOST_TILTED), MOST_TILTED), 2)


def objects(planet: PlanetMap) -> bytes:
    """`objects.json`: for each kind its fields and a row for each object, the greatest first.

    Before the fields of the GeoPackage stand `id`, `name`, a place, and the zoom at which the whole object fills a view. A
    river has the number of its first point in `courses.bin`, and how many follow.
    """
    fields = {row.name: [name for name in row.fields if name not in ("id", "name")] for row in LAYERS}
    course = dict(_courses_begin(planet))
    tables = {}
    for kind, layer in KINDS.items():
        more = ["course", "points"] if kind == "river" else []
        rows = []
        for thing, _, zoom in ranked(layer, _things(planet, kind)):
            place, whole = _place(kind, thing)
            start = [thing.id, thing.name, *(round(x, 4) for x in place), whole, zoom]
            rest = [_figure(getattr(thing, name)) for name in fields[layer]]
            rows.append(start + rest + (list(course[thing.id]) if more else []))
        tables[kind] = {
            "fields": [*FIRST, *fields[layer], *more],
            "rows": rows,
        }
    return as_json(tables)


def _things(planet: PlanetMap, kind: str) -> tuple[Any, ...]:
    """All of a kind. The one connected sea is its oceans."""
    found: tuple[Any, ...] = getattr(planet, KINDS[kind])
    return tuple(sea for sea in found if sea.id) if kind == "sea" else found


def _figure(value: Any) -> Any:
    """With five significant digits, as many as anybody reads."""
    return float(f"{value:.5g}") if isinstance(value, float) else value


def _place(kind: str, thing: Any) -> tuple[tuple[float, float], float]:
    """(a place on the thing, the zoom at which it fills a view)."""
    if kind == "peak":
        return thing.point, 7.0
    if kind == "river":
        line = max(thing.lines, key=len)
        middle = line[len(line) // 2]
        return (float(middle[0]), float(middle[1])), name_zoom(max(thing.length_km, 1.0) ** 2 / 16.0)
    if kind in ("ocean", "sea"):
        return thing.label, name_zoom(thing.area_km2)
    return label_point(_polygons(thing)), name_zoom(thing.area_km2)


def _polygons(thing: Any) -> Polygons:
    found: Polygons = thing.polygons
    return found


def _courses_begin(planet: PlanetMap) -> Iterator[tuple[int, tuple[int, int]]]:
    """(id, (first point, points)) of all rivers."""
    first = 0
    for river in planet.rivers:
        points = sum(map(len, river.lines))
        yield river.id, (first, points)
        first += points


def courses(planet: PlanetMap, progress: Callable[[float], None]) -> bytes:
    """`courses.bin`: the vertices of all rivers downstream, float32 (points, 5), the fields of COURSE.

    Heights are those of the ground under a river, and of the water at its ends; they never rise.
    """
    parts = [_course(planet, river) for river in planet.rivers]
    points = np.concatenate([np.zeros((0, len(COURSE))), *parts])
    # The relief works out whole belts of the planet, from north to south each of them once.
    order = np.argsort(-points[:, 1], kind="stable")
    ground = np.empty(len(points))
    for k in range(0, len(order), 1 << 16):
        here = order[k : k + (1 << 16)]
        ground[here] = planet.relief.sample(points[here, 0], points[here, 1])
        progress((k + len(here)) / len(order))
    first = 0
    for river, part in zip(planet.rivers, parts, strict=True):
        last = first + len(part)
        points[first:last, 3] = np.minimum.accumulate(ground[first:last].clip(river.mouth_m, river.source_m))
        first = last
    return points.astype("<f4").tobytes()


def _course(planet: PlanetMap, river: Any) -> np.ndarray:
    """The points of one river, float64 (k, 5), without their heights."""
    gone, found = 0.0, []
    for line, widths in zip(river.lines, river.widths_m, strict=True):
        along = gone + np.concatenate([[0.0], np.cumsum(step_km(line, planet.radius_m))])
        found.append(np.column_stack([line, along, np.zeros(len(line)), discharge_of(widths)]))
        gone = float(along[-1])
    return np.concatenate(found)
