"""Sheets show what the relief says is there, wherever their windows lie; names and numbers on them can be told apart."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("skia")
pytest.importorskip("shapely")

from demo.catalogue.maps import map_planet
from demo.export.maps.sheets import book, pen, regions
from demo.export.maps.sheets.content import SheetContent

# What lies farther from any shore than this, in steps of the local mesh, is land or sea whatever it does between points.
# Ground at the level of the sea may be either.
CLEAR_STEPS, CLEAR_M = 0.7, 40.0


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
    looked = 0
    for seed in range(first, first + 50):
        planet = map_planet(seed, {"gn": 3, "ln": 3, "poles": "any" if seed % 2 else "ocean"})
        for window in windows_of(planet):
            content = SheetContent(planet, window)
            size = int(window.width), int(window.height)
            land = pen.coverage(size, 1.0, [path for _, path in content.landmasses])
            x, y = np.meshgrid(np.arange(4.5, window.width, 29.0), np.arange(4.5, window.height, 29.0))
            is_land, clear = clear_land(planet, *window.degrees(x, y))
            shown = land[y.astype(int), x.astype(int)] > 0.5
            assert (shown == is_land)[clear].all(), (seed, window)
            looked += int(clear.sum())
            # No line runs across the sheet: no step on paper is longer than its edge on the globe.
            for line in window.lines([line for coast in planet.coastlines for line in coast.lines]):
                assert np.hypot(*np.diff(line.points, axis=0).T).max() < 0.35 * window.points_per_radius
    assert looked > 100_000
