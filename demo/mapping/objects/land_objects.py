"""The objects of land: landmasses, coastlines and peaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..local.mesh_places import place_of
from ..local.peak_heights import Climbed
from . import outlines
from .planet_parts import PlanetParts, pair
from .records import Coastline, Landmass, Lines, Peak, RiverPixels


class RankedTop(NamedTuple):
    """The top of a summit.

    `point`: its global point. `number`: its local mesh number. `pixel`, `ground_m`: as in `peak_heights.Climbed`, (9,).
    """

    point: int
    number: int
    height_m: float
    prominence_m: float
    pixel: np.ndarray
    ground_m: np.ndarray


def landmasses_of(parts: PlanetParts, tops: list[RankedTop]) -> tuple[Landmass, ...]:
    """By area on the global mesh, the largest first."""
    by_mass: dict[int, list[np.ndarray]] = {}
    for ring in parts.coasts:
        by_mass.setdefault(parts.landmass_of(ring.land), []).append(ring.vertices)
    highest = [float(parts.waters.heights_m[points].max()) for points in parts.waters.landmasses.points]
    for top in tops:
        mass = parts.landmass_of(top.point)
        highest[mass] = max(highest[mass], top.height_m)
    made, names = [], parts.names.landmasses()
    rings = [by_mass.get(k, []) for k in range(len(highest))]
    for k, (above, polygons) in enumerate(zip(highest, outlines.areas_of_all(rings), strict=True)):
        area = outlines.area_m2(polygons, parts.globe.radius_m) * 1e-6
        made.append(Landmass(k, names[k], polygons, area, above))
    return tuple(made)


def coastlines_of(parts: PlanetParts) -> tuple[Coastline, ...]:
    """By sea, then by landmass."""
    made = []
    for k, ring in enumerate(parts.coasts):
        whole = outlines.closed(ring.vertices)
        lines = _rejoined(outlines.cut(whole))
        length = outlines.length_m(whole, parts.globe.radius_m) * 1e-3
        closed = len(lines) == 1 and bool((lines[0][0] == lines[0][-1]).all())
        made.append(Coastline(k, parts.landmass_of(ring.land), ring.body, lines, length, closed))
    return tuple(made)


def ranked_tops(parts: PlanetParts, climb: Callable[[np.ndarray], Climbed]) -> list[RankedTop]:
    """The tops of all summits, the highest first. The pass below a summit is that of the global mesh.

    `climb`: finds the tops that local points lead to, by their numbers. Of summits that have the same top the first one
    of them counts.
    """
    tops = parts.tops
    made = climb(tops.number)
    order = np.argsort(parts.summits.point)
    at = order[np.searchsorted(parts.summits.point[order], tops.point)]
    gained = made.height_m.astype(np.float64) - parts.waters.heights_m[tops.point]
    prominence = parts.summits.prominence_m[at] + gained
    columns = tops.point.tolist(), made.number.tolist(), made.height_m.tolist(), prominence.tolist()
    rows = map(RankedTop, *columns, made.pixel, made.ground_m)
    ranked = sorted(rows, key=lambda top: (-top.height_m, top.point))
    first = {top.number: top for top in reversed(ranked)}
    return [top for top in ranked if first[top.number] is top]


def peaks_of(parts: PlanetParts, tops: list[RankedTop], rivers: RiverPixels) -> tuple[Peak, ...]:
    """By height, the highest first; `rivers`: the pixels of the raster along rivers."""
    here = place_of(parts.mesh, np.array([top.number for top in tops], np.int64))
    names = parts.names.peaks(parts.summits.point)
    made = []
    for k, top in enumerate(tops):
        raster = float(rivers.replaced(top.pixel, top.ground_m).max())
        mass = parts.landmass_of(top.point)
        made.append(Peak(k, names[top.point], mass, pair(here[k]), top.height_m, top.prominence_m, raster))
    return tuple(made)


def _rejoined(lines: Lines) -> Lines:
    """The parts of a cut ring; the last part goes on where the ring began."""
    if len(lines) > 1 and (lines[0][0] == lines[-1][-1]).all():
        return (np.concatenate([lines[-1], lines[0][1:]]), *lines[1:-1])
    return lines
