"""What is written on a sheet: which names, in which style, in which order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import skia

from ....mapping.objects.oceans import ocean_at
from . import painting, pen, placement
from .content import SheetContent
from .pen import TextStyle
from .placement import Box, GridArea, LabelGrid, PlacedText

SEA_BLUE, WATER_BLUE, LAND_BROWN, PEAK_BROWN = "#2f6790", "#21618c", "#4a4136", "#54402c"
SEA_HALO, PEAK_HALO = "#dcebf2", "#fbf8ee"
# The smallest areas that bear names, in cells.
LEAST_LAND, LEAST_SEA, LEAST_LAKE = 130.0, 900.0, 140.0
# Larger areas, in cells, bear their names inside.
LARGE_LAND, LARGE_LAKE = 2_500.0, 1_500.0
# The borders between oceans are found in steps of so many cells.
COARSE = 4
# How far the name of the ocean stays off shore, in points.
OFF_SHORE = 22.0
# (least cells, sizes): the sizes that are tried, the largest first.
LAND_SIZES = (
    (60_000.0, (30.0, 25.0, 21.0, 17.0)),
    (14_000.0, (20.0, 17.0, 14.0)),
    (2_500.0, (13.0, 11.0)),
    (0.0, (8.5, 7.5)),
)
SEA_SIZES, LAKE_SIZES = (32.0, 26.0, 20.0, 15.0, 11.0), (13.0, 11.0, 9.5, 8.0)
PEAK_STYLE = TextStyle(7.6, PEAK_BROWN, halo=1.2)
# (least discharge in m3/s, size).
RIVER_SIZES = ((20_000.0, 11.0), (6_000.0, 9.6), (1_500.0, 8.6), (0.0, 7.6))
MOST_RIVERS, LEAST_NAMED_RIVER, MOST_LAKES = 70, 60.0, 40


@dataclass(frozen=True)
class PeakMark:
    """The outline of the triangle that marks a peak."""

    path: skia.Path


class Lettering:
    """Finds places for all names of a sheet and for the marks of its peaks.

    `land`: float32 of the shape of `grid.lines`, the share of land of each cell.
    """

    def __init__(self, content: SheetContent, grid: LabelGrid, land: np.ndarray) -> None:
        self.content, self.grid, self.land = content, grid, land
        self.size = (land.shape[1], land.shape[0])
        self.placed: list[PlacedText | PeakMark] = []

    def compose(self) -> list[PlacedText | PeakMark]:
        """All texts and marks in drawing order. The most important names come first and have the best places."""
        # No peak is marked on the box of the title.
        peaks = [(peak, point) for peak, point in self.content.peaks if self.grid.free(*_mark_box(point))]
        for _, point in peaks:
            self.grid.take(*_mark_box(point))
        self._landmasses(large=True)
        self._seas()
        self._lakes(large=True)
        for peak, point in peaks:
            self.placed.append(_mark(point))
            self._add(placement.beside(self.grid, f"{peak.name} {peak.height_m:.0f}".strip(), PEAK_STYLE, point, 5.0))
        self._rivers()
        self._lakes(large=False)
        self._landmasses(large=False)
        return self.placed

    def _landmasses(self, large: bool) -> None:
        """Large ones have their names inside in spaced capitals, small ones beside."""
        for land, path in self.content.landmasses:
            area = self._area(path)
            cells = area.cells
            if not land.name or cells < LEAST_LAND or (cells > LARGE_LAND) != large:
                continue
            sizes = next(sizes for least, sizes in LAND_SIZES if cells >= least)
            if large:
                self._add(placement.within(self.grid, land.name.upper(), TextStyle(0.0, LAND_BROWN, halo=1.8), area, sizes))
            else:
                self._beside(land.name, TextStyle(sizes[-1], LAND_BROWN, halo=1.3), area)

    def _seas(self) -> None:
        """Oceans have their names where they are widest; inland seas have theirs where there is room."""
        inland = self.content.inland_seas
        water = (1.0 - self.land) * self._covered([pen.path_of([self.content.window.outline()], closed=True)])
        water *= 1.0 - self._covered(inland.values())
        for sea in self.content.planet.seas:
            if not sea.name or (sea.id and sea.id not in inland):
                continue
            if sea.id:
                style = TextStyle(0.0, WATER_BLUE, italic=True, halo=1.2, halo_colour=SEA_HALO)
                area = self._area(inland[sea.id])
                if area.cells >= LEAST_SEA:
                    self._add(placement.within(self.grid, f"Sea of {sea.name}", style, area, LAKE_SIZES))
            else:
                self._oceans(water)

    def _oceans(self, water: np.ndarray) -> None:
        """The name of each ocean in its part of the open sea."""
        style = TextStyle(0.0, SEA_BLUE, italic=True, halo=1.2, halo_colour=SEA_HALO)
        part = self._ocean_of_cell()
        for ocean in self.content.planet.oceans:
            area, words = GridArea(water * (part == ocean.id)), f"{ocean.name} Ocean".upper()
            if area.cells >= LEAST_SEA:
                self._add(placement.within(self.grid, words, style, area, SEA_SIZES, _near_shore(water)))

    def _ocean_of_cell(self) -> np.ndarray:
        """The number of the ocean that each cell would belong to: int64 (height, width)."""
        columns, rows = self.size
        x, y = np.meshgrid(np.arange(0, columns, COARSE) * placement.CELL, np.arange(0, rows, COARSE) * placement.CELL)
        coarse = ocean_at(self.content.planet.oceans, *self.content.window.degrees(x, y))
        return np.repeat(np.repeat(coarse, COARSE, axis=0), COARSE, axis=1)[:rows, :columns]

    def _lakes(self, large: bool) -> None:
        """Large ones have their names inside where there is room, small ones beside."""
        for lake, path in self.content.lakes[:MOST_LAKES]:
            cells = lake.area_km2 / self.content.window.km_per_point**2
            if not lake.name or cells < LEAST_LAKE or (cells > LARGE_LAKE) != large:
                continue
            style = TextStyle(8.5 if cells > 300.0 else 7.5, WATER_BLUE, italic=True, halo=1.2)
            area = self._area(path)
            inside = placement.within(self.grid, f"Lake {lake.name}", style, area, LAKE_SIZES) if large else None
            self._add(inside)
            if inside is None:
                self._beside(f"{'Lake' if large else 'L.'} {lake.name}", style, area)

    def _rivers(self) -> None:
        named = [drawn for drawn in self.content.rivers if drawn.river.name and drawn.length >= LEAST_NAMED_RIVER]
        for drawn in named[:MOST_RIVERS]:
            size = next(size for least, size in RIVER_SIZES if drawn.river.discharge_m3_s >= least)
            style = TextStyle(size, WATER_BLUE, italic=True, spacing=0.06 * size, halo=1.3)
            self._add(placement.following(self.grid, drawn.river.name, style, drawn.lines))

    def _add(self, text: PlacedText | None) -> None:
        """A text that found no place is left out."""
        if text is not None:
            self.placed.append(text)

    def _beside(self, text: str, style: TextStyle, area: GridArea) -> None:
        """Beside the middle of an area, as far off as its half width."""
        rows, columns = np.nonzero(area.share > 0.5)
        if not len(rows):
            return
        point = np.array([area.column + columns.mean() + 0.5, area.row + rows.mean() + 0.5]) * placement.CELL
        gap = min(0.5 * placement.CELL * float(np.ptp(columns)), 14.0) + 3.0
        self._add(placement.beside(self.grid, text, style, point, gap))

    def _area(self, path: skia.Path) -> GridArea:
        """How an area covers the cells around it."""
        bounds, (columns, rows) = path.getBounds(), self.size
        left, right = (
            int(np.clip(x / placement.CELL, 0, columns)) for x in (bounds.left(), bounds.right() + placement.CELL)
        )
        top, bottom = (int(np.clip(y / placement.CELL, 0, rows)) for y in (bounds.top(), bounds.bottom() + placement.CELL))
        if right <= left or bottom <= top:
            return GridArea(np.zeros((0, 0), np.float32))
        corner = left * placement.CELL, top * placement.CELL
        share = pen.coverage((right - left, bottom - top), 1.0 / placement.CELL, [path], corner=corner)
        return GridArea(share, top, left)

    def _covered(self, paths: Iterable[skia.Path]) -> np.ndarray:
        """How areas cover the cells of the whole grid: float32 (height, width)."""
        return pen.coverage(self.size, 1.0 / placement.CELL, paths)


def draw(canvas: skia.Canvas, placed: Iterable[PlacedText | PeakMark]) -> None:
    """Draws texts and marks in their order."""
    for item in placed:
        if isinstance(item, PlacedText):
            pen.draw_text(canvas, item.path, item.style)
        else:
            canvas.drawPath(item.path, pen.stroke(PEAK_HALO, 1.2, 0.8))
            canvas.drawPath(item.path, pen.fill(PEAK_BROWN))


def _mark(point: np.ndarray) -> PeakMark:
    x, y = point.tolist()
    return PeakMark(pen.path_of([np.array([[x - 2.7, y + 1.7], [x + 2.7, y + 1.7], [x, y - 3.2]])], closed=True))


def _mark_box(point: np.ndarray) -> Box:
    """The room that the mark of a peak takes."""
    x, y = point.tolist()
    return x - 3.5, y - 4.0, x + 3.5, y + 2.5


def _near_shore(water: np.ndarray) -> np.ndarray:
    """How close to a shore each cell is: float32, 0 well away from it."""
    return painting.blurred((1.0 - water).astype(np.float32), OFF_SHORE)
