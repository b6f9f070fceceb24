"""World codes: the short text that names a world, read back into what grows it. `Generator.code` writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..worlds.parameters import ParameterError, Value, row_of
from .code_grammar import split
from .generator import Generator
from .generators import generator

_FORM = "algorithm-version-seed and -name=value for each parameter, as in plasma-3-7-land=0.5"


@dataclass(frozen=True)
class WorldCode:
    """What a world code names. `parameters` are complete: the code's values, and the generator's defaults for the rest."""

    generator: Generator
    seed: int
    parameters: dict[str, Value]


def read_code(text: str, whole: bool = True) -> WorldCode:
    """What the world code `text` names: the inverse of `Generator.code`. `whole`: as in `Generator.complete`.

    Raises ParameterError, in one line that begins with the code, for a text of another form, an unknown algorithm, a
    version other than this program's, a seed that is no integer, an unknown or repeated parameter, and a bad value.
    """
    try:
        return _read(text, whole)
    except ParameterError as error:
        raise ParameterError(f"the world code '{text}' cannot be read: {error}") from None


def _read(text: str, whole: bool) -> WorldCode:
    head, pairs = split(text)
    if len(head) != 3:
        raise ParameterError(f"a code is {_FORM}")
    name, version, seed = head
    source = generator(name)
    _check_version(source, version)
    return WorldCode(source, _read_seed(seed), source.complete(_read_values(source, pairs), whole))


def _check_version(source: Generator, version: str) -> None:
    if version != str(source.version):
        raise ParameterError(
            f"it asks for version {version} of {source.name}, and this program has version {source.version}"
        )


def _read_seed(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,4000}", text):
        raise ParameterError(f"'{text}' is not a seed, which is an integer")
    return int(text)


def _read_values(source: Generator, pairs: list[tuple[str, str]]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for name, text in pairs:
        if name in values:
            raise ParameterError(f"it gives {name} twice")
        # A name that the generator does not have keeps its text: `Generator.complete` refuses it by name.
        row = row_of(source.parameters, name)
        values[name] = row.parse(text) if row else text
    return values
