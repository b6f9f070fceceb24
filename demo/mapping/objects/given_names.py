"""Names that edits give to the objects of a map."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import shapely

from ..degrees import directions
from ..edits import edit as acts
from ..edits.edit import Edit
from .records import PlanetMap

FIELDS = {
    "peak": "peaks",
    "lake": "lakes",
    "river": "rivers",
    "landmass": "landmasses",
    "sea": "seas",
    "ocean": "oceans",
}


def named(planet: PlanetMap, edits: Iterable[Edit], step: float) -> tuple[PlanetMap, list[tuple[Edit, str]]]:
    """(the map with the names that edits give, edits whose thing is not there); `step`: that of the global mesh, a chord."""
    missing: list[tuple[Edit, str]] = []
    for edit in edits:
        if edit.name is None or edit.act == acts.DELETED:
            continue
        near = nearest(planet, edit, 2.0 * step)
        if near is None:
            missing.append((edit, f"no {edit.thing} is there that could bear the name {edit.name}"))
        else:
            planet = _renamed(planet, edit.thing, near, edit.name)
    return planet, missing


def nearest(planet: PlanetMap, edit: Edit, most: float) -> int | None:
    """The number of the object of an edit's kind that is nearest to its place, None beyond the chord `most`."""
    here = directions(np.array(edit.place))
    things = getattr(planet, FIELDS[edit.thing])
    for number, thing in enumerate(things if edit.thing in ("lake", "landmass") else ()):
        rings = [shapely.Polygon(polygon[0], polygon[1:]) for polygon in thing.polygons]
        if any(shapely.contains_xy(ring, *edit.place) for ring in rings):
            return number
    places = [_places(edit.thing, thing) for thing in things]
    if not places:
        return None
    apart = [
        float(((directions(vertices) - here) ** 2).sum(axis=1).min()) if len(vertices) else np.inf for vertices in places
    ]
    best = int(np.argmin(apart))
    far = most if edit.thing in ("peak", "river", "lake") else np.inf
    return best if apart[best] <= far * far else None


def _places(kind: str, thing: Any) -> np.ndarray:
    """Places of an object, (k, 2) degrees: of areas their outer shores."""
    if kind == "peak":
        return np.array([thing.point])
    if kind in ("sea", "ocean"):
        return np.array([thing.label])
    if kind == "river":
        return np.concatenate(thing.lines)
    rings = [polygon[0] for polygon in thing.polygons]
    return np.concatenate(rings) if rings else np.zeros((0, 2))


def _renamed(planet: PlanetMap, kind: str, number: int, name: str) -> PlanetMap:
    """The map with another name of one object; of a river that of its whole stem, and the ocean's is that of sea 0."""
    things = list(getattr(planet, FIELDS[kind]))
    same = {number}
    if kind == "river":
        same = {k for k, river in enumerate(things) if river.stem_id == things[number].stem_id}
    changed: dict[str, Any] = {FIELDS[kind]: tuple(replace(x, name=name) if k in same else x for k, x in enumerate(things))}
    if kind in ("sea", "ocean") and number == 0:
        other = "oceans" if kind == "sea" else "seas"
        changed[other] = tuple(replace(x, name=name) if k == 0 else x for k, x in enumerate(getattr(planet, other)))
    return replace(planet, **changed)
