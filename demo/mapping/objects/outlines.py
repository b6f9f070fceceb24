"""Lines and areas on the sphere in degrees: unwrapped, measured, cut at the 180th meridian, closed along the poles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..degrees import directions
from .records import Lines, Polygons

# Only maps need shapely, and the show runs without it, so the functions that need it import it themselves.
if TYPE_CHECKING:
    import shapely

# Areas whose outlines are looked at together.
AT_ONCE = 256


def unwrapped(line: np.ndarray) -> np.ndarray:
    """A line, (k, 2) degrees, with its longitudes made continuous by whole turns; a new array."""
    step = np.diff(line[:, 0])
    turns = np.cumsum((step < -180.0).astype(np.int64) - (step > 180.0))
    out = line.copy()
    out[1:, 0] += 360.0 * turns
    return out


def closed(ring: np.ndarray) -> np.ndarray:
    """A ring with its first vertex repeated at its end."""
    return np.concatenate([ring, ring[:1]])


def length_m(line: np.ndarray, radius_m: float) -> float:
    """The length in metres of a line, (k, 2) degrees, along great circles."""
    position = directions(line)
    chord = np.sqrt((np.diff(position, axis=0) ** 2).sum(axis=1))
    return float((chord * (1.0 + chord * chord / 24.0)).sum() * radius_m)


def area_m2(polygons: Polygons, radius_m: float) -> float:
    """The area in m^2 of polygons on the sphere, less their holes.

    The sine of latitude is taken as linear along an edge.
    """
    total = 0.0
    for polygon in polygons:
        for ring in polygon:
            sine = np.sin(np.radians(ring[:, 1]))
            # Anticlockwise: eastward along the southern side.
            total -= float((np.diff(np.radians(ring[:, 0])) * (sine[:-1] + sine[1:])).sum()) / 2.0
    return total * radius_m * radius_m


def cut(line: np.ndarray) -> Lines:
    """A line cut where it crosses the 180th meridian; both parts end there at the same latitude.

    `line`: float64 (k, 2 or more) degrees, without a vertex on that meridian. Further columns are interpolated at the cut.
    """
    flat = unwrapped(line)
    sheet = np.floor((flat[:, 0] + 180.0) / 360.0).astype(np.int64)
    parts, begun = [], 0
    # Where the last part ends and the next one begins.
    there = flat[:0]
    for k in np.flatnonzero(np.diff(sheet)).tolist():
        a, b = flat[k], flat[k + 1]
        meridian = 360.0 * max(sheet[k], sheet[k + 1]) - 180.0
        here, there = there, (a + (meridian - a[0]) / (b[0] - a[0]) * (b - a))[None]
        there[0, 0] = meridian
        parts.append(_shifted(np.concatenate([here, flat[begun : k + 1], there]), sheet[k]))
        begun = k + 1
    parts.append(_shifted(np.concatenate([there, flat[begun:]]), sheet[-1]))
    return tuple(part for part in parts if len(part) > 1)


def _shifted(line: np.ndarray, sheet: int) -> np.ndarray:
    """One part, moved in place to -180..180, without vertices that repeat the vertex before."""
    line[:, 0] -= 360.0 * sheet
    return line[np.concatenate([[True], (np.diff(line[:, :2], axis=0) != 0.0).any(axis=1)])]


def areas(rings: Iterable[np.ndarray]) -> Polygons:
    """The connected area on the left of all these rings, float64 (k, 2) degrees each, without a repeated end.

    A ring around a pole is closed along the pole. Needs shapely.
    """
    return next(areas_of_all([list(rings)]))


def areas_of_all(all_rings: Sequence[Sequence[np.ndarray]]) -> Iterator[Polygons]:
    """`areas` of the rings of each of many things, in their order."""
    for begin in range(0, len(all_rings), AT_ONCE):
        some = all_rings[begin : begin + AT_ONCE]
        one = [k for k, rings in enumerate(some) if len(rings) == 1]
        flat = [closed(some[k][0]) for k in one]
        alone = {k: ring for k, ring, whole in zip(one, flat, _alone(flat), strict=True) if whole}
        yield from (((alone[k],),) if k in alone else _cut_areas(rings) for k, rings in enumerate(some))


def _cut_areas(rings: Sequence[np.ndarray]) -> Polygons:
    """`areas`, of any rings."""
    import shapely

    around, outer, holes = [], [], []
    for ring in rings:
        flat = unwrapped(closed(ring))
        turn = round((flat[-1, 0] - flat[0, 0]) / 360.0)
        if turn:
            around.append(_sheets([_to_pole(ring, turn)], []))
        elif _signed(flat) > 0.0:
            outer.append(flat)
        else:
            holes.append(flat)
    if around:
        region = shapely.intersection_all(around)
    elif outer:
        return polygons_of(_sheets(outer, holes))
    else:
        region = shapely.box(-180.0, -90.0, 180.0, 90.0)
    if holes:
        region = region.difference(_together([_sheets([hole[::-1]], []) for hole in holes]))
    return polygons_of(region)


def _alone(rings: Sequence[np.ndarray]) -> np.ndarray:
    """Which of these closed rings is all of the outline of the area within it: nearly all are. bool, one for each."""
    import shapely

    if not rings:
        return np.zeros(0, bool)
    counts = np.array([len(ring) for ring in rings])
    begin, of = np.cumsum(counts) - counts, np.repeat(np.arange(len(rings)), counts)
    vertices = np.concatenate(rings)
    x, y = vertices.T
    within = of[:-1] == of[1:]
    step = np.append(np.where(within, np.abs(np.diff(x)), 0.0), 0.0)
    twice = np.append(np.where(within, x[:-1] * y[1:] - x[1:] * y[:-1], 0.0), 0.0)
    found = (np.maximum.reduceat(np.abs(x), begin) <= 180.0) & (np.maximum.reduceat(step, begin) <= 180.0)
    found &= np.add.reduceat(twice, begin) > 0.0
    left = found[of]
    # Numbered without gaps, as shapely wants it.
    number = (np.cumsum(found) - 1)[of[left]]
    found[found] = shapely.is_valid(shapely.polygons(shapely.linearrings(vertices[left], indices=number)))
    return found


def _signed(ring: np.ndarray) -> float:
    x, y = ring[:, 0], ring[:, 1]
    return float((x[:-1] * y[1:] - x[1:] * y[:-1]).sum())


def _to_pole(ring: np.ndarray, turn: int) -> np.ndarray:
    """A ring that goes once around the planet, closed along the pole on its left; (k, 2) degrees."""
    pole = 90.0 if turn > 0 else -90.0
    # It begins at the vertex nearest to the pole, so the way to the pole crosses nothing.
    flat = unwrapped(closed(np.roll(ring, -int(np.argmin(np.abs(ring[:, 1] - pole))), axis=0)))
    return np.concatenate([flat, [[flat[-1, 0], pole], [flat[0, 0], pole]], flat[:1]])


def _sheets(outer: list[np.ndarray], holes: list[np.ndarray]) -> shapely.Geometry:
    """The polygons of unwrapped rings, brought into -180..180."""
    import shapely

    parts = []
    for shell in outer:
        low, high = shell[:, 0].min(), shell[:, 0].max()
        inner = []
        for hole in holes:
            # Shifted by whole turns to where the shell is.
            turned = (hole + np.array([360.0 * k, 0.0]) for k in range(-2, 3))
            inner += [hole for hole in turned if low <= hole[0, 0] <= high]
        inner = [hole for hole in inner if low <= hole[:, 0].min() and hole[:, 0].max() <= high]
        whole = shapely.Polygon(shell, inner)
        if not whole.is_valid:
            # Two thinned lines within one triangle may cross.
            whole = shapely.make_valid(whole)
        for sheet in range(int(np.floor((low + 180.0) / 360.0)), int(np.ceil((high + 180.0) / 360.0))):
            west = 360.0 * sheet - 180.0
            if low >= west and high <= west + 360.0:
                part = whole
            else:
                part = whole.intersection(shapely.box(west, -90.0, west + 360.0, 90.0))
            parts.append(shapely.transform(part, lambda xy, by=360.0 * sheet: xy - [by, 0.0]))
    return shapely.union_all(parts) if len(parts) > 1 else parts[0]


def _together(areas: list[shapely.Geometry]) -> shapely.Geometry:
    """The union of areas. They hardly ever touch, and then nothing need be worked out."""
    import shapely

    parts = shapely.get_parts(areas)
    if all(part.geom_type == "Polygon" for part in parts):
        whole = shapely.multipolygons(parts)
        if shapely.is_valid(whole):
            return whole
    return shapely.union_all(areas)


def polygons_of(region: shapely.Geometry) -> Polygons:
    """The polygons of a geometry, with their outer rings anticlockwise."""
    import shapely

    found = [part for part in shapely.get_parts(region) if part.geom_type == "Polygon" and part.area > 0.0]
    found = [shapely.orient_polygons(part) for part in found]
    polygons = [tuple(shapely.get_coordinates(ring) for ring in [p.exterior, *p.interiors]) for p in found]
    return tuple(sorted(polygons, key=lambda polygon: (-len(polygon[0]), tuple(polygon[0].min(axis=0)))))
