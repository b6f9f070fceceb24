"""What is written on a sheet: which names, in which letters, in which order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from . import painting, pen, placement
from .content import Scenery
from .pen import Letters
from .placement import Places

if TYPE_CHECKING:
    import skia

SEA_BLUE, WATER_BLUE, LAND_BROWN, PEAK_BROWN = "#2f6790", "#21618c", "#4a4136", "#54402c"
SEA_HALO = "#dcebf2"
# Areas that bear names, in square points, and the sizes that are tried, the largest first.
LEAST_LAND, LEAST_SEA, LEAST_LAKE = 130.0, 900.0, 140.0
# How far the name of the ocean stays off shore, in points.
OFF_SHORE = 22.0
LAND_SIZES = (
    (60_000.0, (30.0, 25.0, 21.0, 17.0)),
    (14_000.0, (20.0, 17.0, 14.0)),
    (2_500.0, (13.0, 11.0)),
    (0.0, (8.5, 7.5)),
)
SEA_SIZES, LAKE_SIZES = (32.0, 26.0, 20.0, 15.0, 11.0), (13.0, 11.0, 9.5, 8.0)
PEAK_LETTERS = Letters(7.6, PEAK_BROWN, halo=1.2)
RIVER_SIZES = ((20_000.0, 11.0), (6_000.0, 9.6), (1_500.0, 8.6), (0.0, 7.6))
MOST_RIVERS, LEAST_NAMED_RIVER, MOST_LAKES = 70, 60.0, 40


class Lettering:
    """Writes all names of a sheet; `land` is the share of land of each cell of the grid of `places`."""

    def __init__(self, canvas: skia.Canvas, scenery: Scenery, places: Places, land: np.ndarray) -> None:
        self.canvas, self.scenery, self.places, self.land = canvas, scenery, places, land
        self.size = (land.shape[1], land.shape[0])
        # None stands on the box of the title.
        self.peaks = [(peak, point) for peak, point in scenery.peaks if places.free(*_mark(point))]

    def write(self) -> None:
        """What matters most comes first and has the best places."""
        for _, point in self.peaks:
            self.places.take(*_mark(point))
        self._landmasses(large=True)
        self._seas()
        self._lakes(large=True)
        self._peaks()
        self._rivers()
        self._lakes(large=False)
        self._landmasses(large=False)

    def _landmasses(self, large: bool) -> None:
        """Large ones inside in spaced capitals, small ones beside."""
        for land, path in self.scenery.landmasses:
            area = self._area(path)
            cells = area.cells
            is_large = cells > 2_500.0
            if not land.name or cells < LEAST_LAND or is_large != large:
                continue
            sizes = next(sizes for least, sizes in LAND_SIZES if cells >= least)
            if large:
                self._spread(land.name.upper(), Letters(0.0, LAND_BROWN, halo=1.8), area, sizes)
            else:
                self._beside(land.name, Letters(sizes[-1], LAND_BROWN, halo=1.3), area)

    def _seas(self) -> None:
        """The open sea where it is widest; inland seas as far as they have room."""
        inland = self.scenery.inland_seas
        water = (1.0 - self.land) * self._covered([pen.path_of([self.scenery.view.outline()], closed=True)])
        water *= 1.0 - self._covered(inland.values())
        for sea in self.scenery.planet.seas:
            if not sea.name or (sea.id and sea.id not in inland):
                continue
            area = self._area(inland[sea.id]) if sea.id else placement.Area(water)
            if area.cells < LEAST_SEA:
                continue
            if sea.id == 0:
                letters = Letters(0.0, SEA_BLUE, italic=True, halo=1.2, halo_colour=SEA_HALO)
                self._spread(f"{sea.name} Ocean".upper(), letters, area, SEA_SIZES, _narrow(water))
            else:
                letters = Letters(0.0, WATER_BLUE, italic=True, halo=1.2, halo_colour=SEA_HALO)
                self._spread(f"Sea of {sea.name}", letters, area, LAKE_SIZES)

    def _lakes(self, large: bool) -> None:
        for lake, path in self.scenery.lakes[:MOST_LAKES]:
            cells = lake.area_km2 / self.scenery.view.km_per_point**2
            if not lake.name or cells < LEAST_LAKE or (cells > 1_500.0) != large:
                continue
            letters = Letters(8.5 if cells > 300.0 else 7.5, WATER_BLUE, italic=True, halo=1.2)
            area = self._area(path)
            inside = large and self._spread(f"Lake {lake.name}", letters, area, LAKE_SIZES)
            if not inside:
                self._beside(f"{'Lake' if large else 'L.'} {lake.name}", letters, area)

    def _peaks(self) -> None:
        for peak, point in self.peaks:
            x, y = point.tolist()
            triangle = np.array([[x - 2.7, y + 1.7], [x + 2.7, y + 1.7], [x, y - 3.2]])
            self.canvas.drawPath(pen.path_of([triangle], closed=True), pen.stroke("#fbf8ee", 1.2, 0.8))
            self.canvas.drawPath(pen.path_of([triangle], closed=True), pen.fill(PEAK_BROWN))
            text = f"{peak.name} {peak.height_m:.0f}".strip()
            path = placement.beside(self.places, pen.word(text, PEAK_LETTERS), PEAK_LETTERS, point, 5.0)
            if path is not None:
                pen.write(self.canvas, path, PEAK_LETTERS)

    def _rivers(self) -> None:
        named = [course for course in self.scenery.courses if course.river.name and course.length >= LEAST_NAMED_RIVER]
        for course in named[:MOST_RIVERS]:
            size = next(size for least, size in RIVER_SIZES if course.river.discharge_m3_s >= least)
            letters = Letters(size, WATER_BLUE, italic=True, spacing=0.06 * size, halo=1.3)
            path = placement.following(self.places, course.river.name, letters, course.lines)
            if path is not None:
                pen.write(self.canvas, path, letters)

    def _spread(
        self, text: str, letters: Letters, area: placement.Area, sizes: tuple[float, ...], narrow: np.ndarray | None = None
    ) -> bool:
        found = placement.within(self.places, text, letters, area, sizes, narrow)
        if found is not None:
            pen.write(self.canvas, found.path, found.letters)
        return found is not None

    def _beside(self, text: str, letters: Letters, area: placement.Area) -> None:
        """Beside the middle of an area, as far off as its half width."""
        rows, columns = np.nonzero(area.share > 0.5)
        if not len(rows):
            return
        point = np.array([area.column + columns.mean() + 0.5, area.row + rows.mean() + 0.5]) * placement.CELL
        gap = min(0.5 * placement.CELL * float(np.ptp(columns)), 14.0) + 3.0
        path = placement.beside(self.places, pen.word(text, letters), letters, point, gap)
        if path is not None:
            pen.write(self.canvas, path, letters)

    def _area(self, path: skia.Path) -> placement.Area:
        """What an area covers of the cells around it."""
        bounds, (columns, rows) = path.getBounds(), self.size
        left, right = (
            int(np.clip(x / placement.CELL, 0, columns)) for x in (bounds.left(), bounds.right() + placement.CELL)
        )
        top, bottom = (int(np.clip(y / placement.CELL, 0, rows)) for y in (bounds.top(), bounds.bottom() + placement.CELL))
        if right <= left or bottom <= top:
            return placement.Area(np.zeros((0, 0), np.float32))
        corner = left * placement.CELL, top * placement.CELL
        return placement.Area(
            pen.coverage((right - left, bottom - top), 1.0 / placement.CELL, [path], corner=corner), top, left
        )

    def _covered(self, paths: Iterable[skia.Path]) -> np.ndarray:
        """What of each cell of the whole grid areas cover."""
        return pen.coverage(self.size, 1.0 / placement.CELL, paths)


def _mark(point: np.ndarray) -> tuple[float, float, float, float]:
    """The box of a peak's mark."""
    x, y = point.tolist()
    return x - 3.5, y - 4.0, x + 3.5, y + 2.5


def _narrow(water: np.ndarray) -> np.ndarray:
    """How near the shore each cell of an area is: 0 well away from it."""
    return painting.blurred((1.0 - water).astype(np.float32), OFF_SHORE)
