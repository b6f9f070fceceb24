"""The objects of land: landmasses, coastlines and peaks."""

from __future__ import annotations

import numpy as np

from . import outlines
from .peak_heights import climbed, raster_tops
from .planet_parts import PlanetParts, pair
from .records import Coastline, Landmass, Lines, Peak, ReliefSampler, RiverPixels
from .river_lines import place_of

# (global point, local mesh number, height in metres, prominence in metres)
RankedTop = tuple[int, int, float, float]


def landmasses_of(parts: PlanetParts, tops: list[RankedTop]) -> tuple[Landmass, ...]:
    """By area on the global mesh, the largest first."""
    by_mass: dict[int, list[np.ndarray]] = {}
    for ring in parts.coasts:
        by_mass.setdefault(parts.landmass_of(ring.land), []).append(ring.vertices)
    highest = [float(parts.waters.heights_m[points].max()) for points in parts.waters.landmasses.points]
    for point, _, height, _ in tops:
        mass = parts.landmass_of(point)
        highest[mass] = max(highest[mass], height)
    made, names = [], parts.names.landmasses()
    for k, above in enumerate(highest):
        polygons = outlines.areas(by_mass.get(k, []))
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


def ranked_tops(parts: PlanetParts, relief: ReliefSampler) -> list[RankedTop]:
    """The tops of all summits, the highest first. The pass below a summit is that of the global mesh.

    Of summits that have the same top the first one of them counts.
    """
    tops = parts.tops
    number, height = climbed(parts.mesh, relief, tops.number)
    at = np.argsort(parts.summits.point)
    gained = height.astype(np.float64) - parts.waters.heights_m[tops.point]
    prominence = parts.summits.prominence_m[at] + gained
    rows = zip(tops.point.tolist(), number.tolist(), height.tolist(), prominence.tolist(), strict=True)
    ranked = sorted(rows, key=lambda row: (-row[2], row[0]))
    first = {row[1]: row for row in reversed(ranked)}
    return [row for row in ranked if first[row[1]] == row]


def peaks_of(parts: PlanetParts, tops: list[RankedTop], relief: ReliefSampler, rivers: RiverPixels) -> tuple[Peak, ...]:
    """By height, the highest first."""
    numbers = np.array([number for _, number, _, _ in tops], np.int64)
    here = place_of(parts.mesh, numbers)
    names = parts.names.peaks(parts.summits.point)
    raster = raster_tops(relief, rivers, 4 * parts.mesh.fine_cells, here).tolist()
    return tuple(
        Peak(k, names[point], parts.landmass_of(point), pair(here[k]), height, prominence, raster[k])
        for k, (point, _, height, prominence) in enumerate(tops)
    )


def _rejoined(lines: Lines) -> Lines:
    """The parts of a cut ring; the last part goes on where the ring began."""
    if len(lines) > 1 and (lines[0][0] == lines[-1][-1]).all():
        return (np.concatenate([lines[-1], lines[0][1:]]), *lines[1:-1])
    return lines
