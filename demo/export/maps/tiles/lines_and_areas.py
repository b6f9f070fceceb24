"""Contours and areas of climate, from a raster of the planet by longitude and latitude."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import contourpy
import numpy as np
import rasterio.features
import shapely
from rasterio.transform import Affine

from ....mapping.objects.records import PlanetMap
from ....worlds.climate.laws import BIOMES, biome_of
from ..climate_grid import ClimateGrid
from .tile_features import Feature

# Pixels along the equator.
MOST_WIDTH, CLIMATE_WIDTH = 4096, 1440
ROWS = 64
# (step in metres, smallest zoom) of contours on land, the coarsest first; depths of isobaths with theirs.
STEPS = ((1000, 3), (500, 6))
HIGHEST_M = 12_000
DEPTHS = ((200, 4), (2000, 4), (4000, 3), (6000, 4), (8000, 5))
FLOOR_PART = 4
# Lines are thinned by this part of a pixel; shorter rings, in pixels, are left out.
THIN, LEAST_RING = 0.3, 8


@dataclass(frozen=True)
class PlanetRaster:
    """Heights at the corners of a grid, float32 (rows + 1, columns + 1) metres, from 90 north and 180 west on."""

    heights_m: np.ndarray

    @property
    def step(self) -> float:
        """Degrees between neighbours."""
        return 180.0 / (len(self.heights_m) - 1)


def raster_of(planet: PlanetMap) -> PlanetRaster:
    """As fine as the local mesh, or as MOST_WIDTH allows."""
    width = min(planet.raster_width, MOST_WIDTH)
    longitude = np.linspace(-180.0, 180.0, width + 1)
    latitude = np.linspace(90.0, -90.0, width // 2 + 1)
    parts = [planet.relief.sample(longitude[None, :], latitude[k : k + ROWS, None]) for k in range(0, len(latitude), ROWS)]
    return PlanetRaster(np.concatenate(parts))


def contours_of(raster: PlanetRaster) -> Iterator[Feature]:
    """Contours of land and isobaths: `height` in metres; `index` where the step is the coarsest."""
    levels = {}
    for step, zoom in reversed(STEPS):
        levels.update(dict.fromkeys(range(step, min(int(raster.heights_m.max()), HIGHEST_M) + 1, step), zoom))
    yield from _levels(raster, levels)
    yield from _levels(floor_of(raster), {-depth: zoom for depth, zoom in reversed(DEPTHS)})


def floor_of(raster: PlanetRaster) -> PlanetRaster:
    """The same without the small forms of the sea floor, on every FLOOR_PART-th row and column."""
    size, (rows, columns) = 2 * FLOOR_PART + 1, raster.heights_m.shape
    padded = np.pad(raster.heights_m, FLOOR_PART, mode="edge")
    across = np.mean([padded[:, k : k + columns : FLOOR_PART] for k in range(size)], axis=0)
    return PlanetRaster(np.mean([across[k : k + rows : FLOOR_PART] for k in range(size)], axis=0).astype(np.float32))


def _levels(raster: PlanetRaster, levels: dict[int, int]) -> Iterator[Feature]:
    """Contours at heights with their smallest zooms."""
    maker = contourpy.contour_generator(z=raster.heights_m, line_type="Separate", name="serial")
    for level, zoom in sorted(levels.items()):
        found: Any = maker.lines(float(level))
        lines = [_thinned(line, raster.step) for line in found if len(line) >= LEAST_RING]
        if lines:
            index = int(level % STEPS[0][0] == 0)
            yield Feature("contours", shapely.MultiLineString(lines), zoom, None, {"height": level, "index": index})


def _thinned(line: np.ndarray, step: float) -> shapely.LineString:
    """Degrees of a line in columns and rows of the raster."""
    places = np.stack([line[:, 0] * step - 180.0, 90.0 - line[:, 1] * step], axis=1)
    return shapely.simplify(shapely.LineString(places), THIN * step)


def climates_of(planet: PlanetMap, climate: ClimateGrid) -> Iterator[Feature]:
    """The biomes of land as areas that reach a little beyond the coasts: `biome` is an index into BIOMES."""
    step = 360.0 / CLIMATE_WIDTH
    longitude = -180.0 + step * (np.arange(CLIMATE_WIDTH) + 0.5)
    latitude = 90.0 - step * (np.arange(CLIMATE_WIDTH // 2) + 0.5)
    heights = np.concatenate(
        [planet.relief.sample(longitude[None, :], latitude[k : k + ROWS, None]) for k in range(0, len(latitude), ROWS)]
    )
    east, north = np.broadcast_arrays(longitude[None, :], latitude[:, None])
    temperature, rain = climate.at(east, north, heights)
    biome = biome_of(temperature, rain).astype(np.uint8)
    near = _near(heights > 0.0)
    parts = rasterio.features.shapes(biome, mask=near, transform=Affine(step, 0.0, -180.0, 0.0, -step, 90.0))
    found = [(int(value), shapely.geometry.shape(shape)) for shape, value in parts]
    # Steps of pixels become slants; neighbours keep their border in common.
    smooth = shapely.coverage_simplify([shape for _, shape in found], 3.0 * step, simplify_boundary=True)
    for number in sorted({value for value, _ in found}):
        areas = [shape for (value, _), shape in zip(found, smooth, strict=True) if value == number]
        polygons = [part for area in areas for part in shapely.get_parts(area)]
        yield Feature("climate", shapely.MultiPolygon(polygons), 0, None, {"biome": number, "name": BIOMES[number]})


def _near(land: np.ndarray) -> np.ndarray:
    """Land, bool (rows, columns), with three pixels around it."""
    for _ in range(3):
        grown = land | np.roll(land, 1, axis=1) | np.roll(land, -1, axis=1)
        grown[1:] |= land[:-1]
        grown[:-1] |= land[1:]
        land = grown
    return land
