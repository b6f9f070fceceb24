"""`sheets/`: chooses what is shown, surveys it in one walk over the planet, and draws sheet after sheet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ....mapping.degrees import degrees_of, directions
from ....mapping.objects.languages import Namer
from ....mapping.objects.records import Landmass, PlanetMap
from ....process.memory import trim_memory
from ...picture import save_png
from . import pen, sheet
from .climate_tints import weather_of
from .content import Scenery
from .map_window import View
from .projection import Azimuthal, EqualEarth
from .regions import GRID_COLUMNS, Region, regions_of
from .sheet import Heading
from .window_heights import survey

PIXELS_PER_POINT = 2.0
WORLD_WIDTH = 1500.0
REGION_WIDTH, REGION_HEIGHT = 1140.0, 800.0
# A landmass that shows so much of itself is the subject of its sheet; of others a sheet shows a part.
MOST_OF_IT = 0.6
# Of zlib: higher levels take twice the time for a twentieth of the size.
PNG_LEVEL, PNG_DPI = 3, 144
# Clockwise from the north.
SIDES = (
    "Northern",
    "North-Eastern",
    "Eastern",
    "South-Eastern",
    "Southern",
    "South-Western",
    "Western",
    "North-Western",
)
# Share of all work that the survey is.
SURVEY_PART = 0.3


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None]) -> None:
    """Makes the folder `path` with 00-NAME.png, the whole planet, and 01-NAME.png ..., the best region first."""
    land = land_grid(planet)
    world = world_view(planet, land)
    views = [world, *(region_view(planet, region) for region in regions_of(planet, land, REGION_WIDTH / REGION_HEIGHT))]
    weather = weather_of(planet)
    grounds = survey(views, planet, weather, PIXELS_PER_POINT, lambda part: progress(SURVEY_PART * part))
    name = planet_name(planet)
    path.mkdir()
    for number, view in enumerate(views):
        trim_memory()
        scenery = Scenery(planet, view)
        heading = world_heading(planet, name) if view.whole else region_heading(scenery, name)
        picture = sheet.draw(scenery, grounds[number], land, heading, PIXELS_PER_POINT)
        file = f"{number:02d}-{'-'.join((name if view.whole else heading.title).lower().split())}.png"
        save_png(path / file, picture, PNG_LEVEL, PNG_DPI)
        progress(SURVEY_PART + (1.0 - SURVEY_PART) * (number + 1) / len(views))


def land_grid(planet: PlanetMap) -> np.ndarray:
    """Share of land of each cell of a sheet of longitude and latitude from the north-west on: float32 (rows, columns)."""
    columns = GRID_COLUMNS
    areas = []
    for land in planet.landmasses:
        rings = [np.stack([ring[:, 0] + 180.0, 90.0 - ring[:, 1]], axis=1) for polygon in land.polygons for ring in polygon]
        areas.append(pen.path_of(rings, closed=True))
    return pen.coverage((columns, columns // 2), columns / 360.0, areas)


def world_view(planet: PlanetMap, land: np.ndarray) -> View:
    """The whole planet, cut along the meridian that crosses the least land."""
    area = (land * np.cos(np.radians(90.0 - (np.arange(len(land)) + 0.5) * 180.0 / len(land)))[:, None]).sum(axis=0)
    # Whole steps of the graticule, so that its middle meridian is one of its lines.
    cuts = np.arange(-180, 180, 30)
    column = ((cuts + 180) * len(area) // 360) % len(area)
    near = np.array([np.take(area, np.arange(c - 2, c + 3), mode="wrap").sum() for c in column])
    cut = float(cuts[int(np.argmin(near))])
    projection = EqualEarth((cut + 360.0) % 360.0 - 180.0)
    outline = projection.outline()
    scale = WORLD_WIDTH / float(np.ptp(outline[:, 0]))
    return View(projection, scale, planet.radius_m / 1000.0, WORLD_WIDTH, scale * float(np.ptp(outline[:, 1])))


def region_view(planet: PlanetMap, region: Region) -> View:
    """A rectangular window around the middle of a region."""
    radius_km = planet.radius_m / 1000.0
    projection = Azimuthal(region.longitude, region.latitude)
    return View(projection, REGION_WIDTH * radius_km / region.width_km, radius_km, REGION_WIDTH, REGION_HEIGHT)


def planet_name(planet: PlanetMap) -> str:
    """The planet's own, in the language of the seas."""
    return Namer(planet.seed).name("landmass", -1, len(planet.landmasses))


def world_heading(planet: PlanetMap, name: str) -> Heading:
    """Of the map of the whole planet."""
    return Heading(f"The World of {name}", f"{planet.code}, a sphere of {planet.radius_m / 1000.0:,.0f} km radius")


def region_heading(scenery: Scenery, planet_name: str) -> Heading:
    """Of a region: the landmass that fills most of it, or which part of that."""
    best: tuple[float, Landmass] | None = None
    size = round(scenery.view.width), round(scenery.view.height)
    for land, path in scenery.landmasses:
        area = float(pen.coverage(size, 1.0, [path]).sum())
        if land.name and (best is None or area > best[0]):
            best = area, land
    if best is None:
        return Heading("Open Sea", f"on the planet {planet_name}")
    area, land = best
    share = area * scenery.view.km_per_point**2 / max(land.area_km2, 1e-9)
    part = "" if share > MOST_OF_IT else f"{_side(scenery.view, land)} "
    return Heading(f"{part}{land.name}", f"on the planet {planet_name}")


def _side(view: View, land: Landmass) -> str:
    """Which part of a landmass a window shows."""
    outer = np.concatenate([polygon[0] for polygon in land.polygons])
    x, y = view.place(degrees_of(directions(outer).sum(axis=0))) - 0.5 * np.array([view.width, view.height])
    if np.hypot(x, y) < 0.12 * view.width:
        return "Central"
    # Seen from the window, the middle lies the other way.
    return SIDES[round(float(np.degrees(np.arctan2(-x, y))) / 45.0) % 8]
