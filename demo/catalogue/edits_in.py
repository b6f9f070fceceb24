"""Edits of a planet from the `edits.json` of a map, for the growth that lays them on that planet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..mapping.edits.edit import EditsError
from ..worlds.parameters import ParameterError, Value
from .edits_file import FILE, read
from .generators import generator
from .world_code import read_code

if TYPE_CHECKING:
    from ..mapping.edits.edit import Round


def rounds_in(file: str, seed: int, values: dict[str, Value]) -> tuple[Round, ...]:
    """The rounds of edits in a file; `values` are all parameters of the generator `map` but those that name files.

    Raises ParameterError, in one line, for a file that is missing, damaged, of another version, or of another world.
    """
    try:
        edits = read(Path(file))
    except EditsError as error:
        raise ParameterError(str(error)) from None
    except OSError as error:
        raise ParameterError(f"cannot read {file} ({error.strerror}): give {FILE} of a map's folder") from None
    try:
        found = read_code(edits.code, whole=False)
    except ParameterError as error:
        raise ParameterError(f"{file} is of a world that cannot be grown ({error})") from None
    made = generator("doublecone")
    known = {row.name for row in made.parameters}
    code = made.code(seed, {name: value for name, value in values.items() if name in known}, whole=False)
    if code != plain_code(found.seed, found.parameters):
        raise ParameterError(f"{file} is of the world {edits.code}, not of {code}: give the edits of this world")
    return edits.rounds


def plain_code(seed: int, values: dict[str, Value]) -> str:
    """The code of a map's planet, of whose parameters a map takes the relief's alone and none of carving."""
    taken, made = {row.name for row in generator("map").parameters}, generator("doublecone")
    return made.code(seed, {row.name: values[row.name] for row in made.parameters if row.name in taken}, whole=False)
