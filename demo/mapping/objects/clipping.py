"""The part of a planet's map that lies in a region: what crosses the region's edge ends there, and the rest is as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..region import Region
from . import outlines
from .records import Confluence, Lake, Line, PlanetMap, Polygons, River, Sea

Box = tuple[float, float, float, float]


@dataclass
class _Found:
    """What is kept of the map, by the names of its fields, and the ids of what has been cut."""

    kept: dict[str, Any] = field(default_factory=dict)
    cut: dict[str, frozenset[int]] = field(default_factory=dict)

    def keep(self, name: str, things: Iterable[Any], clip: Callable[[Any], tuple[Any, bool] | None]) -> None:
        """Keep what `clip` leaves of things: (the thing, whether it has been cut), or None where nothing is left."""
        left = [made for made in map(clip, things) if made is not None]
        self.kept[name] = tuple(thing for thing, _ in left)
        self.cut[name] = frozenset(thing.id for thing, was_cut in left if was_cut)


def clipped(made: PlanetMap, region: Region) -> PlanetMap:
    """The map of a region, from one of the whole planet that is true in the region. Needs shapely.

    An object keeps its id, its name and its figures, which count all of it. Peaks are numbered anew, by height.
    """
    found = _Found()
    for name in ("landmasses", "lakes", "catchments", "seas"):
        found.keep(name, getattr(made, name), lambda thing: _clipped_area(thing, region))
    found.keep("coastlines", made.coastlines, lambda coast: _clipped_coast(coast, region))
    found.keep("rivers", made.rivers, lambda river: _clipped_river(river, region))
    rivers = {river.id for river in found.kept["rivers"]}
    outlets = {river.source_lake for river in found.kept["rivers"]}
    found.kept["lakes"] = tuple(_with_outlet(lake, region, outlets) for lake in found.kept["lakes"])
    found.kept["seas"] = tuple(_labelled(sea, region) for sea in found.kept["seas"])
    found.kept["oceans"] = tuple(ocean for ocean in made.oceans if region.holds(ocean.label))
    found.kept["confluences"] = tuple(met for met in made.confluences if _meets(met, region, rivers))
    peaks = [peak for peak in made.peaks if region.holds(peak.point)]
    found.kept["peaks"] = tuple(replace(peak, id=k) for k, peak in enumerate(peaks))
    return replace(made, **found.kept, region=region, cut=found.cut)


def rivers_near(rivers: Sequence[River], region: Region) -> list[River]:
    """The parts of rivers that touch a region, without their widths; no part of a line is shortened."""
    found = []
    for river in rivers:
        lines = tuple(part for line in river.lines for part in _touching(line, region))
        if lines:
            found.append(replace(river, lines=lines))
    return found


def _touching(line: Line, region: Region) -> list[Line]:
    """The runs of a line's steps that have an end in a region, or may cross it."""
    near = np.zeros(len(line) - 1, bool)
    for box in region.boxes:
        near |= _near(line, box)
    ends = np.flatnonzero(np.diff(np.concatenate([[False], near, [False]])))
    return [line[a : b + 1] for a, b in zip(ends[::2], ends[1::2], strict=True)]


def _near(line: Line, box: Box) -> np.ndarray:
    """Which steps of a line have a bounding box that meets a box, bool (k - 1,)."""
    low, high = np.minimum(line[:-1, :2], line[1:, :2]), np.maximum(line[:-1, :2], line[1:, :2])
    met: np.ndarray = ((high >= box[:2]) & (low <= box[2:])).all(axis=1)
    return met


def _inside(line: np.ndarray, region: Region) -> bool:
    """Whether a line lies in one box of a region."""
    low, high = line[:, :2].min(axis=0), line[:, :2].max(axis=0)
    return any((low >= box[:2]).all() and (high <= box[2:]).all() for box in region.boxes)


def _clipped_area(thing: Any, region: Region) -> tuple[Any, bool] | None:
    """A thing with polygons."""
    if all(_inside(polygon[0], region) for polygon in thing.polygons):
        return (thing, False) if thing.polygons else None
    polygons = clipped_polygons(thing.polygons, region)
    return (replace(thing, polygons=polygons), True) if polygons else None


def clipped_polygons(polygons: Polygons, region: Region) -> Polygons:
    """The parts of polygons in a region."""
    import shapely

    found = []
    for polygon in polygons:
        if any(_near(polygon[0], box).any() or _around(polygon[0], box) for box in region.boxes):
            whole = shapely.Polygon(polygon[0], polygon[1:])
            found += [whole.intersection(shapely.box(*box)) for box in region.boxes]
    return outlines.polygons_of(shapely.union_all(found)) if found else ()


def _around(ring: np.ndarray, box: Box) -> bool:
    """Whether a ring's bounding box meets a box."""
    return bool((ring.max(axis=0) >= box[:2]).all() and (ring.min(axis=0) <= box[2:]).all())


def _clipped_coast(coast: Any, region: Region) -> tuple[Any, bool] | None:
    if all(_inside(line, region) for line in coast.lines):
        return coast, False
    lines = tuple(part for line in coast.lines for part in clipped_line(line, region))
    return (replace(coast, lines=lines, closed=False), True) if lines else None


def _clipped_river(river: River, region: Region) -> tuple[River, bool] | None:
    if all(_inside(line, region) for line in river.lines):
        return river, False
    both = [np.column_stack(row) for row in zip(river.lines, river.widths_m, strict=True)]
    parts = [part for line in both for part in clipped_line(line, region)]
    lines, widths = tuple(part[:, :2].copy() for part in parts), tuple(part[:, 2].copy() for part in parts)
    return (replace(river, lines=lines, widths_m=widths), True) if lines else None


def clipped_line(line: np.ndarray, region: Region) -> list[np.ndarray]:
    """The parts of a line in a region, in its direction: float64 (k, 2 or more), degrees first; further columns are linear.

    A part that only touches the edge is none.
    """
    return [part for box in region.boxes for part in _in_box(line, box)]


def _in_box(line: np.ndarray, box: Box) -> list[np.ndarray]:
    parts: list[list[np.ndarray]] = []
    before = -1
    for k in np.flatnonzero(_near(line, box)).tolist():
        a, b = line[k], line[k + 1]
        low, high = _within(a, b - a, box)
        if low >= high:
            continue
        if before != k or low > 0.0:
            parts.append([a if low == 0.0 else _on_edge(a + low * (b - a), box)])
        parts[-1].append(b if high == 1.0 else _on_edge(a + high * (b - a), box))
        before = k + 1 if high == 1.0 else -1
    return [np.array(part) for part in parts]


def _within(place: np.ndarray, step: np.ndarray, box: Box) -> tuple[float, float]:
    """The parts of a step, 0..1, between which it lies in a box; the first is not the lower one where it misses it."""
    low, high = 0.0, 1.0
    for axis in range(2):
        if step[axis] != 0.0:
            ends = sorted((edge - place[axis]) / step[axis] for edge in (box[axis], box[axis + 2]))
            low, high = max(low, ends[0]), min(high, ends[1])
    return low, high


def _on_edge(place: np.ndarray, box: Box) -> np.ndarray:
    """A place that lies on a box's edge but for rounding."""
    out: np.ndarray = place.copy()
    out[:2] = np.clip(out[:2], box[:2], box[2:])
    return out


def _with_outlet(lake: Lake, region: Region, outlets: set[int]) -> Lake:
    here = lake.outlet is not None and region.holds(lake.outlet) and lake.id in outlets
    return lake if here else replace(lake, outlet=None)


def _labelled(sea: Sea, region: Region) -> Sea:
    """A sea whose label lies in the region."""
    import shapely

    if region.holds(sea.label):
        return sea
    largest = max((shapely.Polygon(rings[0], rings[1:]) for rings in sea.polygons), key=lambda part: part.area)
    place = shapely.point_on_surface(largest)
    return replace(sea, label=(place.x, place.y))


def _meets(met: Confluence, region: Region, rivers: set[int]) -> bool:
    return region.holds(met.point) and met.river in rivers and met.tributary in rivers
