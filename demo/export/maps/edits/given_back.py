"""Edits from whatever file is given: `edits.json`, or a map's file that somebody has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import shapely

from ....catalogue import edits_file
from ....catalogue.edits_file import Edits
from ....mapping.edits.edit import EditsError
from ....mapping.objects.records import PlanetMap
from ....mapping.waters.drainage_mesh import drainage_level
from ..places import multipolygon
from . import gpkg_drawings, osm_drawings
from .differences import Differences
from .gpkg_drawings import OF_REGION

SUMMARY = "summary.json"
# A file that lacks more than this part of a world's things is of another world.
MOST_GONE = 0.5


def code_of(path: Path) -> str | None:
    """The code of the world that a file is of, as it or its folder says; None where neither does. Raises EditsError."""
    if path.suffix == ".json":
        return edits_file.read(path).code
    inside = gpkg_drawings.code_in(path) if path.suffix == ".gpkg" else None
    if inside is None and "region" in _summary_beside(path):
        raise EditsError(OF_REGION.format(path))
    return inside or _code_beside(path)


def earlier(path: Path, code: str) -> Edits:
    """The edits that the world of a file had already: those of its folder, or of `edits.json` itself. Raises EditsError."""
    place = path if path.suffix == ".json" else path.parent / edits_file.FILE
    if not place.is_file():
        return Edits(code)
    found = edits_file.read(place)
    if found.code != code:
        raise EditsError(f"{place} is of the world {found.code}, not of {code}: put the file into its own folder")
    return found


def changes(path: Path, before: PlanetMap) -> Differences:
    """What differs between a changed file and the map that it was written from. Raises EditsError."""
    was = gpkg_drawings.drawings_of(before) if path.suffix == ".gpkg" else osm_drawings.drawings_of(before)
    now = gpkg_drawings.drawings_in(path) if path.suffix == ".gpkg" else osm_drawings.drawings_in(path, was)
    there = [key for key in was.known if key[0] not in now.absent]
    kept = sum(key in now.known and now.known[key].same_place(was.known[key]) for key in there)
    if not there or kept < (1.0 - MOST_GONE) * len(there):
        raise EditsError(f"{path} is of another world than {before.code}, or lacks most of it: give the whole file")
    land = [multipolygon(mass.polygons) for mass in before.landmasses]
    try:
        return Differences(was, now, land, 90.0 / 2 ** drainage_level(before.gn, before.ln))
    except (ValueError, IndexError, shapely.errors.ShapelyError) as error:
        reason = " ".join(str(error).split())[:160]
        raise EditsError(f"{path} holds shapes that cannot be compared ({reason}): mend them in the editor") from None


def _code_beside(path: Path) -> str | None:
    code = _summary_beside(path).get("code")
    return None if code is None else str(code)


def _summary_beside(path: Path) -> dict[str, Any]:
    """What the summary in a file's folder holds; nothing where there is none."""
    try:
        found = json.loads((path.parent / SUMMARY).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
