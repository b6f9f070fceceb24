"""Differences between a map's file as it was written and as it came back: edits, and what is none, with the reasons."""

from __future__ import annotations

import numpy as np
import shapely

from ....mapping.edits import edit as acts
from ....mapping.edits.edit import ACTS, Edit
from ....mapping.edits.edited_ground import rounded
from ..places import label_point
from .drawings import Drawings, Drawn, line_key

# Heights in files of OpenStreetMap have one decimal.
SAME_M = 0.06
# Lines of edits are thinned to this part of a step of the global mesh.
THIN_PART = 0.05
# An area of coast with fewer square degrees is left by rounding.
LEAST_AREA = 1e-9
LINES = {"river"}
WORKED_OUT = "is worked out from the rest: change what it comes from"


class Differences:
    """`edits`, in the order of the file that was written, and `refused`: lines that say what cannot be honoured, and why.

    `land`: shapely's areas of the land as it was. `step`: degrees of a step of the global mesh.
    """

    def __init__(self, was: Drawings, now: Drawings, land: list[shapely.MultiPolygon], step: float) -> None:
        self.edits: list[Edit] = []
        self.refused: list[str] = []
        self._step, self._now = step, now
        for (kind, number), thing in was.known.items():
            if kind in now.absent:
                continue
            after = now.known.get((kind, number))
            if after is None:
                self._gone(thing)
            else:
                self._changed(thing, after)
        for thing in now.new:
            self._new(thing)
        if "landmass" not in now.absent:
            self._coasts(was.coast, now.coast, land)
        off = [edit for edit in self.edits if not _on_map(edit)]
        self.refused += [f"{edit}: it is not on the map, or its height is no number" for edit in off]
        self.edits = [edit for edit in self.edits if _on_map(edit)]

    def _gone(self, thing: Drawn) -> None:
        if acts.DELETED in ACTS.get(thing.thing, ()):
            before = self._thinned(thing.lines[0]) if thing.thing in LINES else ()
            self.edits.append(Edit(thing.thing, acts.DELETED, _at(thing), before=before))
        elif thing.thing in ACTS:
            # Without its name no more than a label is gone; land and sea go with their coasts.
            self._refuse(thing, "deleted", "its land or sea is still there: change the coast")
        elif thing.thing != "stem":
            self._refuse(thing, "deleted", WORKED_OUT)

    def _changed(self, was: Drawn, now: Drawn) -> None:
        moved, at = not was.same_place(now), _at(was)
        name = now.name or None
        renamed = now.name != was.name
        if renamed and not now.name:
            self._refuse(was, "without a name", "names are changed, not taken away")
            renamed = False
        if was.thing == "stem":
            if renamed:
                self.edits.append(Edit("river", acts.RENAMED, at, name))
            return
        high = now.height_m is not None and was.height_m is not None and abs(now.height_m - was.height_m) > SAME_M
        if moved and acts.MOVED in ACTS.get(was.thing, ()):
            self._moved(was, now, at, name)
        elif moved and was.thing not in ("landmass",):
            self._refuse(was, "moved", WORKED_OUT if was.thing != "ocean" else "labels stand where there is most room")
        if high and not moved:
            self.edits.append(Edit(was.thing, acts.HEIGHT, at, name if renamed else None, now.height_m))
        elif renamed and not moved and acts.RENAMED in ACTS.get(was.thing, ()):
            self.edits.append(Edit(was.thing, acts.RENAMED, at, name))
        for fact in sorted(set(was.facts) | set(now.facts)):
            if was.facts.get(fact, "") != now.facts.get(fact, ""):
                self._refuse(was, f"{fact} changed", WORKED_OUT if fact in was.facts else "a map holds no such thing")

    def _moved(self, was: Drawn, now: Drawn, at: tuple[float, float], name: str | None) -> None:
        lines = tuple(self._thinned(line) for line in now.lines)
        before = self._thinned(was.lines[0]) if was.thing in LINES else ()
        height = None
        if was.thing == "peak":
            height = now.height_m if now.height_m is not None else was.height_m
        if was.thing == "lake":
            at = rounded([label_point(_polygons(was.lines))])[0]
        self.edits.append(Edit(was.thing, acts.MOVED, at, name, height, lines, before))

    def _new(self, thing: Drawn) -> None:
        if acts.ADDED not in ACTS.get(thing.thing, ()):
            reason = "a map holds no such thing" if thing.thing == "other" else WORKED_OUT
            if thing.thing in ("landmass", "sea"):
                # The coast says where it is.
                reason = "" if self._now.coast else reason
            if reason:
                self._refuse(thing, "added", reason)
            return
        height = thing.height_m if thing.thing == "peak" else None
        shape = () if thing.thing == "peak" else tuple(self._thinned(line) for line in thing.lines)
        if thing.thing == "lake" and not _polygons(thing.lines):
            self._refuse(thing, "added", "its shore is not closed")
            return
        self.edits.append(Edit(thing.thing, acts.ADDED, _at(thing), thing.name or None, height, shape))

    def _coasts(self, was: list[np.ndarray], now: list[np.ndarray], land: list[shapely.MultiPolygon]) -> None:
        """Areas between the coasts as they were and as they are."""
        old, new = {line_key(line): line for line in was}, {line_key(line): line for line in now}
        lines = [line for key, line in old.items() if key not in new] + [line for key, line in new.items() if key not in old]
        if not lines:
            return
        ends, times = np.unique(
            np.rint(np.concatenate([line[[0, -1]] for line in lines]) * 1e7).astype(np.int64), axis=0, return_counts=True
        )
        if (times % 2).any():
            place = ends[times % 2 == 1][0] / 1e7
            self.refused.append(f"coast at {place[0]:.3f}, {place[1]:.3f} changed: it is not closed there")
            return
        before = shapely.union_all(land)
        areas = shapely.get_parts(shapely.polygonize([shapely.union_all([shapely.LineString(line) for line in lines])]))
        segments = [line for line in lines if len(line) > 1]
        for area in areas:
            inside = shapely.point_on_surface(area)
            if area.area < LEAST_AREA or not _odd(segments, inside):
                continue
            act = acts.LOWERED if shapely.contains(before, inside) else acts.RAISED
            rings = tuple(self._thinned(np.array(ring.coords)) for ring in (area.exterior, *area.interiors))
            self.edits.append(Edit("coast", act, rounded([(inside.x, inside.y)])[0], shape=rings))

    def _thinned(self, line: np.ndarray) -> tuple[tuple[float, float], ...]:
        if len(line) < 3:
            return rounded(line)
        return rounded(shapely.get_coordinates(shapely.LineString(line).simplify(THIN_PART * self._step)))

    def _refuse(self, thing: Drawn, what: str, reason: str) -> None:
        named = f" {thing.name}" if thing.name else ""
        kind = "river" if thing.thing == "stem" else thing.thing
        x, y = _at(thing)
        self.refused.append(f"{kind}{named} at {x:.3f}, {y:.3f} {what}: {reason}")


def _on_map(edit: Edit) -> bool:
    places = np.array([edit.at, *(place for line in edit.shape for place in line), *edit.before])
    return bool((np.abs(places) <= (180.0, 90.0)).all()) and bool(np.isfinite(edit.height_m or 0.0))


def _at(thing: Drawn) -> tuple[float, float]:
    """A place of a thing: of a line its middle vertex, of a lake one inside."""
    if thing.thing in ("lake", "landmass") and len(thing.lines[0]) > 2:
        polygons = _polygons(thing.lines)
        if polygons:
            return rounded([label_point(polygons)])[0]
    line = thing.lines[0]
    return rounded([line[len(line) // 2]])[0]


def _polygons(lines: tuple[np.ndarray, ...]) -> tuple[tuple[np.ndarray, ...], ...]:
    """The areas inside closed lines; none where one is open."""
    if any(len(line) < 4 or (line[0] != line[-1]).any() for line in lines):
        return ()
    areas = shapely.get_parts(shapely.polygonize([shapely.union_all([shapely.LineString(line) for line in lines])]))
    return tuple((np.array(area.exterior.coords),) for area in areas)


def _odd(lines: list[np.ndarray], point: shapely.Point) -> bool:
    """Whether a point lies inside an odd number of the loops that lines make up."""
    a, b = np.concatenate([line[:-1] for line in lines]), np.concatenate([line[1:] for line in lines])
    across = (np.minimum(a[:, 1], b[:, 1]) <= point.y) & (point.y < np.maximum(a[:, 1], b[:, 1]))
    a, b = a[across], b[across]
    crossed = a[:, 0] + (point.y - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1]) < point.x
    return bool(crossed.sum() % 2)
