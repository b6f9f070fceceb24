"""What a sheet shows of a map: areas and lines on its paper, rivers with their widths, and the peaks worth a mark."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ....mapping.objects.records import Lake, Landmass, Peak, PlanetMap, River
from . import pen
from .map_window import View

if TYPE_CHECKING:
    import skia

# Rivers shorter than this many points are left out, and lakes smaller than so many square points.
LEAST_RIVER, WHOLE_LEAST_RIVER, LEAST_LAKE = 9.0, 13.0, 1.2
# Width of a river on paper: from a source to one as wide as BROAD_M.
THIN, BROAD, WHOLE_BROAD, BROAD_M = 0.32, 2.0, 1.1, 2500.0
WIDTH_STEPS = 10
PEAK_SPACING, WHOLE_PEAK_SPACING = 46.0, 90.0
# Hills are no peaks: of the most prominent one's prominence at least this part.
LEAST_PROMINENCE = 0.14


@dataclass(frozen=True)
class Course:
    """A river on paper: `lines` of points (k, 2) with a width in points a vertex, downstream."""

    river: River
    lines: list[np.ndarray]
    widths: list[np.ndarray]

    @cached_property
    def length(self) -> float:
        """Of all its lines, in points."""
        return sum(length_of(line) for line in self.lines)


class Scenery:
    """The objects of one map in one view, worked out as they are asked for."""

    def __init__(self, planet: PlanetMap, view: View) -> None:
        self.planet, self.view = planet, view

    @cached_property
    def landmasses(self) -> list[tuple[Landmass, skia.Path]]:
        """Those in the window, as areas."""
        areas = ((land, self.view.rings(land.polygons)) for land in self.planet.landmasses)
        return [(land, pen.path_of(rings, closed=True)) for land, rings in areas if rings]

    @cached_property
    def lakes(self) -> list[tuple[Lake, skia.Path]]:
        """Those in the window that are large enough to be seen, the largest first."""
        least = LEAST_LAKE * self.view.km_per_point**2
        large = sorted((lake for lake in self.planet.lakes if lake.area_km2 >= least), key=lambda lake: -lake.area_km2)
        areas = ((lake, self.view.rings(lake.polygons)) for lake in large)
        return [(lake, pen.path_of(rings, closed=True)) for lake, rings in areas if rings]

    @cached_property
    def coasts(self) -> list[np.ndarray]:
        """Shores of the sea."""
        return [line for _, line in self.view.lines([line for coast in self.planet.coastlines for line in coast.lines])]

    @cached_property
    def inland_seas(self) -> dict[int, skia.Path]:
        """Seas without a way to the ocean, as areas by their id: what their shores enclose."""
        shores = [(coast.sea, line) for coast in self.planet.coastlines if coast.sea for line in coast.lines]
        rings: dict[int, list[np.ndarray]] = {}
        for k, ring in self.view.lines([line for _, line in shores]):
            rings.setdefault(shores[k][0], []).append(ring)
        return {sea: pen.path_of(parts, closed=True) for sea, parts in rings.items()}

    @cached_property
    def courses(self) -> list[Course]:
        """Rivers in the window that are long enough to be seen, the greatest first."""
        least = WHOLE_LEAST_RIVER if self.view.whole else LEAST_RIVER
        broad = WHOLE_BROAD if self.view.whole else BROAD
        long = [river for river in self.planet.rivers if river.length_km >= least * self.view.km_per_point]
        parts = [(k, *part) for k, river in enumerate(long) for part in zip(river.lines, river.widths_m, strict=True)]
        found = [Course(river, [], []) for river in long]
        for number, points in self.view.lines([line for _, line, _ in parts]):
            k, _, width_m = parts[number]
            found[k].lines.append(points)
            found[k].widths.append(THIN + (broad - THIN) * np.minimum(np.asarray(width_m) / BROAD_M, 1.5) ** 0.7)
        found = [course for course in found if course.length >= least]
        return sorted(found, key=lambda course: (-course.river.discharge_m3_s, course.river.id))

    @cached_property
    def peaks(self) -> list[tuple[Peak, np.ndarray]]:
        """The most prominent in the window, none of them near another."""
        spacing = WHOLE_PEAK_SPACING if self.view.whole else PEAK_SPACING
        chosen: list[tuple[Peak, np.ndarray]] = []
        for peak in sorted(self.planet.peaks, key=lambda peak: (-peak.prominence_m, -peak.height_m, peak.id)):
            point = self.view.place(np.array(peak.point))
            if peak.prominence_m < LEAST_PROMINENCE * chosen[0][0].prominence_m if chosen else False:
                break
            if self.view.inside(point, -12.0) and all(np.hypot(*(point - other)) > spacing for _, other in chosen):
                chosen.append((peak, point))
        return chosen


def tapering(course: Course) -> list[tuple[float, skia.Path]]:
    """A river as (width, path) of runs of nearly the same width, each beginning where the one before ends."""
    runs: list[tuple[float, skia.Path]] = []
    for line, widths in zip(course.lines, course.widths, strict=True):
        level = np.rint((widths - THIN) / (BROAD - THIN) * WIDTH_STEPS).astype(int)
        cuts = np.flatnonzero(np.diff(level)) + 1
        edges = [0, *cuts.tolist(), len(line) - 1]
        for first, last in pairwise(edges):
            if last > first:
                width = THIN + (BROAD - THIN) * float(level[first]) / WIDTH_STEPS
                runs.append((width, pen.path_of([line[first : last + 1]])))
    return runs


def length_of(line: np.ndarray) -> float:
    """Of a line of points."""
    return float(np.hypot(*np.diff(line, axis=0).T).sum())
