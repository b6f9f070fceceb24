"""Sheets show what the relief says is there, wherever their windows lie; names and numbers on them can be told apart."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("skia")
pytest.importorskip("shapely")

from demo.catalogue.maps import map_planet
from demo.export.maps.sheets import book, furniture, pen, placement, regions, sheet
from demo.export.maps.sheets.content import SheetContent
from demo.export.maps.sheets.lettering import Lettering
from demo.export.maps.sheets.placement import PlacedText

# What lies farther from any shore than this, in steps of the local mesh, is land or sea whatever it does between points.
# Ground at the level of the sea may be either.
CLEAR_STEPS, CLEAR_M = 0.7, 40.0
# Between the places that are asked lies a neck of land or of sea this often, of over 100,000 places.
NECKS = 2


def clear_land(planet, longitude: np.ndarray, latitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(where there is land, where that is certain because it is the same all around)."""

    def dry(longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        # Lakes are land too, with water at a level of their own.
        return planet.relief.water(longitude, latitude) != 0.0

    step = CLEAR_STEPS * 90.0 / 2 ** (planet.gn + planet.ln)
    land = dry(longitude, latitude)
    clear = (np.abs(latitude) < 90.0 - 2.0 * step) & (np.abs(planet.relief.sample(longitude, latitude)) > CLEAR_M)
    for turn in np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False):
        around = np.clip(latitude + step * np.sin(turn), -90.0, 90.0)
        east = longitude + step * np.cos(turn) / np.maximum(np.cos(np.radians(around)), 0.05)
        clear &= dry(east, around) == land
    return land, clear


def windows_of(planet, count: int = 6):
    """Windows of many sizes all over a planet, and one whose antipode lies on a coast."""
    random = np.random.default_rng(planet.seed)
    for _ in range(count):
        longitude, latitude = random.uniform(-180.0, 180.0), np.degrees(np.arcsin(random.uniform(-1.0, 1.0)))
        yield book.region_window(planet, regions.Region(longitude, latitude, random.uniform(2000.0, 9000.0)))
    for coast in planet.coastlines[:3]:
        longitude, latitude = coast.lines[0][len(coast.lines[0]) // 2]
        # Beside a vertex and between two.
        yield book.region_window(planet, regions.Region((longitude + 360.01) % 360.0 - 180.0, -latitude + 0.01, 5000.0))


@pytest.mark.parametrize("first", range(1, 201, 50))
def test_a_sheets_pixels_have_the_colour_of_what_the_relief_says_is_there(first):
    looked = wrong = 0
    for seed in range(first, first + 50):
        planet = map_planet(seed, {"gn": 3, "ln": 3, "poles": "any" if seed % 2 else "ocean"})
        for window in windows_of(planet):
            content = SheetContent(planet, window)
            size = int(window.width), int(window.height)
            land = pen.coverage(size, 1.0, [path for _, path in content.landmasses])
            x, y = np.meshgrid(np.arange(4.5, window.width, 29.0), np.arange(4.5, window.height, 29.0))
            is_land, clear = clear_land(planet, *window.degrees(x, y))
            shown = land[y.astype(int), x.astype(int)] > 0.5
            wrong += int((shown != is_land)[clear].sum())
            assert wrong <= NECKS, (seed, window)
            looked += int(clear.sum())
            # No line runs across the sheet: no step on paper is longer than its edge on the globe.
            for line in window.lines([line for coast in planet.coastlines for line in coast.lines]):
                assert np.hypot(*np.diff(line.points, axis=0).T).max() < 0.35 * window.points_per_radius
    assert looked > 100_000


def sheets_of(planet):
    """(content, title) of all sheets of regions, as the book makes them."""
    land, titles = book.land_grid(planet), []
    for region in regions.regions_of(planet, land, book.REGION_WIDTH / book.REGION_HEIGHT):
        content = SheetContent(planet, book.region_window(planet, region))
        titles.append(book.region_title(content, "Lar", titles).title)
        yield content, titles[-1]


def test_no_two_sheets_have_one_title_and_none_shows_an_empty_ocean():
    shown = 0
    for seed in range(1, 16):
        planet = map_planet(seed, {"gn": 3, "ln": 2, "land": (0.05, 0.3, 0.6)[seed % 3]})
        sheets = list(sheets_of(planet))
        assert len({title for _, title in sheets}) == len(sheets), seed
        for content, _ in sheets:
            window = content.window
            x, y = np.meshgrid(np.arange(5.0, window.width, 20.0), np.arange(5.0, window.height, 20.0))
            assert (planet.relief.water(*window.degrees(x, y)) != 0.0).mean() > 0.06, seed
        shown += len(sheets)
    assert shown > 45


def test_a_title_that_is_taken_is_not_used_again():
    planet = map_planet(3, {"gn": 4, "ln": 2})
    content, _ = next(sheets_of(planet))
    taken: list[str] = []
    for _ in range(60):
        taken.append(book.region_title(content, "Lar", taken).title)
    assert len(set(taken)) == 60


@pytest.mark.parametrize("latitude", [0.0, 62.0, 79.0, 86.0, 90.0, -88.0])
def test_numbers_along_a_frame_do_not_collide(latitude, monkeypatch):
    written: dict[str, list[tuple[float, float]]] = {}

    def note(canvas, text, side, edge, place):
        half = 0.5 * pen.typeset(text, furniture.NUMBERS).length
        written.setdefault(side, []).append((place - half, place + half))

    monkeypatch.setattr(furniture, "_number", note)
    planet = map_planet(1, {"gn": 2, "ln": 1})
    for width_km in (2600.0, 4500.0, 6400.0):
        written.clear()
        window = book.region_window(planet, regions.Region(17.0, latitude, width_km))
        surface = sheet.skia.Surface.MakeRaster(sheet.skia.ImageInfo.MakeN32Premul(64, 64))
        with surface as canvas:
            furniture.neat_line(canvas, window)
        assert len(written) >= 2
        for spans in written.values():
            ordered = sorted(spans)
            assert all(a[1] + 2.0 < b[0] for a, b in pairwise(ordered)), (latitude, width_km)


def test_no_letter_is_cut_off_at_the_edge_of_the_world():
    """The map of the whole planet is an oval, and land goes on beyond its edge."""
    for seed in range(1, 9):
        planet = map_planet(seed, {"gn": 3, "ln": 2, "land": 0.55})
        grid_of_land = book.land_grid(planet)
        window = book.world_window(planet, grid_of_land)
        content = SheetContent(planet, window)
        size = int(window.width / placement.CELL), int(window.height / placement.CELL)
        outline = pen.path_of([window.outline()], closed=True)
        inside = pen.coverage(size, 1.0 / placement.CELL, [outline])
        grid = sheet.label_grid(content, size)
        dry = pen.coverage(size, 1.0 / placement.CELL, [path for _, path in content.landmasses])
        placed = [item for item in Lettering(content, grid, dry).compose() if isinstance(item, PlacedText)]
        letters = pen.coverage(size, 1.0 / placement.CELL, [item.path for item in placed])
        assert len(placed) > 3 and (letters[inside < 0.99] == 0.0).all(), seed
