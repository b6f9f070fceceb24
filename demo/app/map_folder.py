"""`--map`: the planet of a map's folder, edits included, as the show's scene of maps takes it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ..catalogue.edits_file import FILE, read
from ..catalogue.edits_in import plain_code
from ..catalogue.generators import generator
from ..catalogue.world_code import WorldCode, read_code
from ..mapping.edits.edit import EditsError
from ..tables.map_formats import MAP_FORMATS
from ..worlds import limits
from ..worlds.parameters import ParameterError, Value
from .chosen_world import MAP_GENERATORS

SCENE = "map"
# Files of a map's folder that hold the code of its world.
_TILES = f"{MAP_FORMATS['tiles'].file}/world.json"
CODED = (MAP_FORMATS["json"].file, _TILES, f"{MAP_FORMATS['site'].file}/{_TILES}")
# Of finer meshes the show lays out so many levels: more heights would take longer to prepare than a world is flown.
FINEST = 9


def world_in(folder: Path) -> tuple[int, dict[str, Value]]:
    """(seed, parameters of the generator `map`) of the planet in a map's folder. Raises ParameterError in one line."""
    if not folder.is_dir():
        raise ParameterError(f"there is no folder {folder}: make a map with 'map {folder}'")
    place = next((folder / name for name in CODED if (folder / name).is_file()), folder / CODED[0])
    found = _world(place)
    made = generator(SCENE)
    values = {row.name: found.parameters[row.name] for row in made.parameters if row.name in found.parameters}
    if int(values["gn"]) + int(values["ln"]) > FINEST:
        values["finest"] = FINEST
    if _has_edits(folder, plain_code(found.seed, found.parameters), place):
        values["edits"] = os.path.abspath(folder / FILE)
    return found.seed, made.complete(values)


def _world(place: Path) -> WorldCode:
    """The world whose code a file holds."""
    try:
        code = json.loads(place.read_text(encoding="utf-8"))["code"]
    except FileNotFoundError:
        raise ParameterError(
            f"the folder {place.parent} holds no {place.name}: give --map a map's folder, or add it with --formats json"
        ) from None
    except OSError as error:
        raise ParameterError(f"cannot read {place} ({error.strerror}): make it readable") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ParameterError(f"{place} is damaged, for it holds no world code: write the map again") from None
    try:
        found = read_code(str(code), whole=False)
        if found.generator.name in MAP_GENERATORS:
            limits.mapped(found.parameters)
    except ParameterError as error:
        raise ParameterError(f"{place} is of a world that cannot be grown ({error})") from None
    if found.generator.name not in MAP_GENERATORS:
        raise ParameterError(f"{place} is of a world of {found.generator.name}: a map is one of doublecone")
    return found


def _has_edits(folder: Path, code: str, place: Path) -> bool:
    """Whether the folder of the map of a world, which `place` holds the code of, has edits of it."""
    if not (folder / FILE).is_file():
        return False
    try:
        edits = read(folder / FILE)
        if not edits.rounds:
            return False
        found = read_code(edits.code, whole=False)
    except (EditsError, ParameterError) as error:
        raise ParameterError(f"{folder / FILE} cannot be used ({error}): write the map again") from None
    except OSError as error:
        raise ParameterError(f"cannot read {folder / FILE} ({error.strerror}): make it readable") from None
    if plain_code(found.seed, found.parameters) != code:
        raise ParameterError(f"{folder / FILE} is of the world {edits.code}, {place.name} of {code}: write the map again")
    return True
