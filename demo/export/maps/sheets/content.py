"""What a sheet shows of a map: areas and lines on its paper, rivers with their widths, and the peaks worth a mark."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import skia

from ....mapping.objects.records import Lake, Landmass, Peak, PlanetMap, River
from . import pen
from .map_window import MapWindow
from .mesh_sheets import rhombi_in

# Shorter rivers, in points, and smaller lakes, in square points, are left out.
LEAST_RIVER, WHOLE_LEAST_RIVER, LEAST_LAKE = 9.0, 13.0, 1.2
# Width of a river on paper in points, at its source and where it is BROAD_M metres wide.
THIN, BROAD, WHOLE_BROAD, BROAD_M = 0.32, 2.0, 1.1, 2500.0
WIDTH_STEPS = 10
PEAK_SPACING, WHOLE_PEAK_SPACING = 46.0, 90.0
# A peak has at least this part of the prominence of the most prominent one; below that it is a hill.
LEAST_PROMINENCE = 0.14


@dataclass(frozen=True)
class RiverOnPaper:
    """The parts of a river in the window, downstream.

    `lines`: float64 (k, 2) each, points of paper. `widths`: float64 (k,) each, in points.
    """

    river: River
    lines: list[np.ndarray]
    widths: list[np.ndarray]

    @cached_property
    def length(self) -> float:
        """Of all lines together, in points."""
        return sum(length_of(line) for line in self.lines)


class SheetContent:
    """The objects of one map in one window, each kind worked out when it is first asked for."""

    def __init__(self, planet: PlanetMap, window: MapWindow, rhombi: bool = False) -> None:
        """`rhombi`: whether those of the global mesh are outlined."""
        self.planet, self.window = planet, window
        self.rhombi = rhombi_in(window, planet) if rhombi else []

    @cached_property
    def landmasses(self) -> list[tuple[Landmass, skia.Path]]:
        """Those in the window, as areas."""
        areas = ((land, self.window.rings(land.polygons)) for land in self.planet.landmasses)
        return [(land, pen.path_of(rings, closed=True)) for land, rings in areas if rings]

    @cached_property
    def lakes(self) -> list[tuple[Lake, skia.Path]]:
        """Those in the window that are large enough to be seen, as areas, the largest first."""
        least = LEAST_LAKE * self.window.km_per_point**2
        large = sorted((lake for lake in self.planet.lakes if lake.area_km2 >= least), key=lambda lake: -lake.area_km2)
        areas = ((lake, self.window.rings(lake.polygons)) for lake in large)
        return [(lake, pen.path_of(rings, closed=True)) for lake, rings in areas if rings]

    @cached_property
    def coasts(self) -> list[np.ndarray]:
        """The shores of the seas: lines of points, float64 (k, 2) each."""
        return [
            line.points for line in self.window.lines([line for coast in self.planet.coastlines for line in coast.lines])
        ]

    @cached_property
    def inland_seas(self) -> dict[int, skia.Path]:
        """The seas without a way to the ocean by their ids, as areas."""
        areas = ((sea.id, self.window.rings(sea.polygons)) for sea in self.planet.seas if sea.id)
        return {sea: pen.path_of(rings, closed=True) for sea, rings in areas if rings}

    @cached_property
    def rivers(self) -> list[RiverOnPaper]:
        """Those in the window that are long enough to be seen, the one with the most water first."""
        least = WHOLE_LEAST_RIVER if self.window.whole else LEAST_RIVER
        broad = WHOLE_BROAD if self.window.whole else BROAD
        long = [river for river in self.planet.rivers if river.length_km >= least * self.window.km_per_point]
        parts = [(k, *part) for k, river in enumerate(long) for part in zip(river.lines, river.widths_m, strict=True)]
        found = [RiverOnPaper(river, [], []) for river in long]
        for line in self.window.lines([line for _, line, _ in parts]):
            k, _, width_m = parts[line.number]
            shown = np.asarray(width_m)[line.first : line.first + len(line.points)]
            found[k].lines.append(line.points)
            found[k].widths.append(THIN + (broad - THIN) * np.minimum(shown / BROAD_M, 1.5) ** 0.7)
        found = [drawn for drawn in found if drawn.length >= least]
        return sorted(found, key=lambda drawn: (-drawn.river.discharge_m3_s, drawn.river.id))

    @cached_property
    def peaks(self) -> list[tuple[Peak, np.ndarray]]:
        """The most prominent ones in the window with their points of paper, (2,); no two are close to each other."""
        spacing = WHOLE_PEAK_SPACING if self.window.whole else PEAK_SPACING
        chosen: list[tuple[Peak, np.ndarray]] = []
        for peak in sorted(self.planet.peaks, key=lambda peak: (-peak.prominence_m, -peak.height_m, peak.id)):
            if chosen and peak.prominence_m < LEAST_PROMINENCE * chosen[0][0].prominence_m:
                break
            point = self.window.place(np.array(peak.point))
            if self.window.inside(point, -12.0) and all(np.hypot(*(point - other)) > spacing for _, other in chosen):
                chosen.append((peak, point))
        return chosen


def tapering(drawn: RiverOnPaper) -> list[tuple[float, skia.Path]]:
    """A river as (width, path) of stretches of nearly equal width; each begins where the one before ends."""
    stretches: list[tuple[float, skia.Path]] = []
    for line, widths in zip(drawn.lines, drawn.widths, strict=True):
        level = np.rint((widths - THIN) / (BROAD - THIN) * WIDTH_STEPS).astype(int)
        cuts = np.flatnonzero(np.diff(level)) + 1
        edges = [0, *cuts.tolist(), len(line) - 1]
        for first, last in pairwise(edges):
            if last > first:
                width = THIN + (BROAD - THIN) * float(level[first]) / WIDTH_STEPS
                stretches.append((width, pen.path_of([line[first : last + 1]])))
    return stretches


def length_of(line: np.ndarray) -> float:
    """The length of a line of points (k, 2)."""
    return float(np.hypot(*np.diff(line, axis=0).T).sum())
