"""The folder `sheets/`: chooses the windows, samples their heights in one walk over the planet, and draws each sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from ....mapping.degrees import degrees_of, directions
from ....mapping.objects.languages import Namer
from ....mapping.objects.records import Landmass, PlanetMap
from ....process.memory import trim_memory
from ...picture import save_png
from . import pen, sheet
from .climate_tints import climate_tints_of
from .content import SheetContent
from .map_window import MapWindow
from .mesh_sheets import coastal_rhombus, island_region, rhombus_picture
from .projection import Azimuthal, EqualEarth
from .regions import GRID_COLUMNS, Region, regions_of
from .sheet import SheetTitle
from .window_heights import heights_in

PIXELS_PER_POINT = 2.0
WORLD_WIDTH = 1500.0
REGION_WIDTH, REGION_HEIGHT = 1140.0, 800.0
# A sheet bears the plain name of a landmass when it shows more than this share of it.
MOST_OF_IT = 0.6
# zlib's level: higher ones take twice the time and save a twentieth of the size.
PNG_LEVEL, PNG_DPI = 3, 144
# The parts of a landmass, clockwise from the north.
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
# The share of all work that sampling the heights takes.
SAMPLING_PART = 0.3


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None], rhombi: bool = False) -> None:
    """Makes the folder `path` with 00-NAME.png, the whole planet, and 01-NAME.png ..., the regions, the best one first.

    `rhombi`: those of the global mesh are dotted on all sheets; island-NAME.png shows them on an island of middle size, and
    rhombus-NUMBER.png one of them with its local mesh.
    """
    land, aspect = land_grid(planet), REGION_WIDTH / REGION_HEIGHT
    world = world_window(planet, land)
    windows = [world, *(region_window(planet, region) for region in regions_of(planet, land, aspect))]
    island = island_region(planet, aspect) if rhombi else None
    if island:
        windows.append(region_window(planet, island))
    tints = climate_tints_of(planet)
    grounds = heights_in(windows, planet, tints, PIXELS_PER_POINT, lambda part: progress(SAMPLING_PART * part))
    name = planet_name(planet)
    titles: list[str] = []
    path.mkdir()
    for number, window in enumerate(windows):
        trim_memory()
        content = SheetContent(planet, window, rhombi)
        title = world_title(planet, name) if window.whole else region_title(content, name, titles)
        titles.append(title.title)
        picture = sheet.draw(content, grounds[number], land, title, PIXELS_PER_POINT)
        kind = "island" if island and number == len(windows) - 1 else f"{number:02d}"
        file = f"{kind}-{'-'.join((name if window.whole else title.title).lower().split())}.png"
        save_png(path / file, picture, PNG_LEVEL, PNG_DPI)
        progress(SAMPLING_PART + (1.0 - SAMPLING_PART) * (number + 1) / len(windows))
    if island:
        mesh = coastal_rhombus(planet, windows[-1])
        picture = rhombus_picture(planet, mesh, PIXELS_PER_POINT)
        save_png(path / f"rhombus-{mesh.number}.png", picture, PNG_LEVEL, PNG_DPI)


def land_grid(planet: PlanetMap) -> np.ndarray:
    """The share of land on a grid of longitude and latitude, from the north-west on: float32 (rows, columns)."""
    columns = GRID_COLUMNS
    areas = []
    for land in planet.landmasses:
        rings = [np.stack([ring[:, 0] + 180.0, 90.0 - ring[:, 1]], axis=1) for polygon in land.polygons for ring in polygon]
        areas.append(pen.path_of(rings, closed=True))
    return pen.coverage((columns, columns // 2), columns / 360.0, areas)


def world_window(planet: PlanetMap, land: np.ndarray) -> MapWindow:
    """The whole planet, cut along the meridian that crosses the least land."""
    area = (land * np.cos(np.radians(90.0 - (np.arange(len(land)) + 0.5) * 180.0 / len(land)))[:, None]).sum(axis=0)
    # At whole steps of the graticule, so that the middle meridian is one of its lines.
    cuts = np.arange(-180, 180, 30)
    column = ((cuts + 180) * len(area) // 360) % len(area)
    near = np.array([np.take(area, np.arange(c - 2, c + 3), mode="wrap").sum() for c in column])
    cut = float(cuts[int(np.argmin(near))])
    projection = EqualEarth((cut + 360.0) % 360.0 - 180.0)
    outline = projection.outline()
    scale = WORLD_WIDTH / float(np.ptp(outline[:, 0]))
    return MapWindow(projection, scale, planet.radius_m / 1000.0, WORLD_WIDTH, scale * float(np.ptp(outline[:, 1])))


def region_window(planet: PlanetMap, region: Region) -> MapWindow:
    """A rectangular window around the middle of a region."""
    radius_km = planet.radius_m / 1000.0
    projection = Azimuthal(region.longitude, region.latitude)
    return MapWindow(projection, REGION_WIDTH * radius_km / region.width_km, radius_km, REGION_WIDTH, REGION_HEIGHT)


def planet_name(planet: PlanetMap) -> str:
    """The name of the planet, in the language of the seas."""
    return Namer(planet.seed).name("landmass", -1, len(planet.landmasses))


def world_title(planet: PlanetMap, name: str) -> SheetTitle:
    """The title of the map of the whole planet."""
    return SheetTitle(f"The World of {name}", f"{planet.code}, a sphere of {planet.radius_m / 1000.0:,.0f} km radius")


def region_title(content: SheetContent, planet_name: str, taken: Sequence[str] = ()) -> SheetTitle:
    """The title of a region: the landmass that fills most of it, or the part of that landmass that is shown.

    `taken`: the titles of other sheets. Then it is a title by what else the sheet shows: another landmass, or the greatest
    river, lake or peak.
    """
    subtitle = f"on the planet {planet_name}"
    titles = [title for title in _titles(content) if title not in taken]
    if titles:
        return SheetTitle(titles[0], subtitle)
    count = 2
    while f"Open Sea {count}" in taken:
        count += 1
    return SheetTitle(f"Open Sea {count}" if "Open Sea" in taken else "Open Sea", subtitle)


def _titles(content: SheetContent) -> Iterator[str]:
    """Titles for a region, the best first."""
    size = round(content.window.width), round(content.window.height)
    areas = [(float(pen.coverage(size, 1.0, [path]).sum()), land) for land, path in content.landmasses if land.name]
    areas = sorted(areas, key=lambda pair: -pair[0])
    for area, land in areas:
        share = area * content.window.km_per_point**2 / max(land.area_km2, 1e-9)
        yield land.name if share > MOST_OF_IT else f"{_side(content.window, land)} {land.name}"
    named = [drawn.river.name for drawn in content.rivers] + [lake.name for lake, _ in content.lakes]
    for name in [*named, *(peak.name for peak, _ in content.peaks)]:
        if name and areas:
            yield f"{areas[0][1].name} around {name}"


def _side(window: MapWindow, land: Landmass) -> str:
    """The part of a landmass that a window shows: one of SIDES, or "Central"."""
    outer = np.concatenate([polygon[0] for polygon in land.polygons])
    x, y = window.place(degrees_of(directions(outer).sum(axis=0))) - 0.5 * np.array([window.width, window.height])
    if np.hypot(x, y) < 0.12 * window.width:
        return "Central"
    # Seen from the window, the landmass's middle lies the other way.
    return SIDES[round(float(np.degrees(np.arctan2(-x, y))) / 45.0) % 8]
