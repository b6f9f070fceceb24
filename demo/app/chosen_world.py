"""The world that a command line names: by --seed and --set, or whole by --code."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable

from ..catalogue.generator import Generator
from ..catalogue.generators import generator
from ..catalogue.world_code import WorldCode, read_code
from ..worlds.parameters import ParameterError, Value
from .assignments import read_pairs, read_scene_pairs
from .option_values import DateSeed

MAP_GENERATORS = ("map", "doublecone")
"""Generators whose worlds `map` can write. They grow the same relief from the same parameters."""
MAP_OPTIONS = ("gn", "ln")
"""Parameters of a map that are options of their own."""
SHOWN = ("finest", "edits")
"""Those of the generator `map` that say what the show makes of a planet."""


def code_of(arguments: Namespace, whole: bool = True) -> WorldCode | None:
    """The world that --code names, None without one; raises ParameterError, also for a --seed beside it.

    `whole`: as in `Generator.complete`.
    """
    if arguments.code is None:
        return None
    if "seed" in arguments.given:
        raise ParameterError("--code and --seed both name the seed: give one of them")
    return read_code(arguments.code, whole)


def tell_date_seed(made: Generator, seed: int | None, given: dict[str, Value]) -> None:
    """Print the code of a world whose seed came from the date, so that it can be found again tomorrow."""
    if isinstance(seed, DateSeed):
        print(made.code(seed, given), flush=True)


def check_once(code: WorldCode, names: Iterable[str]) -> None:
    """Raises ParameterError for the first of these parameters: a code already gives every parameter of its world."""
    for name in names:
        raise ParameterError(f"--code already gives {name}: change it in the code, or give --seed in place of --code")


def world_to_grow(arguments: Namespace) -> tuple[Generator, int, dict[str, Value]]:
    """(generator, seed, parameters) for `grow`; raises ParameterError."""
    made = generator(arguments.name)
    given = read_pairs(arguments.set, made)
    code = code_of(arguments)
    if code is None:
        return made, arguments.seed, given
    if code.generator is not made:
        raise ParameterError(
            f"--code names a world of {code.generator.name}, not of {made.name}: write grow {code.generator.name}"
        )
    check_once(code, given)
    return made, code.seed, code.parameters


def world_to_map(arguments: Namespace) -> tuple[int, dict[str, Value]]:
    """(seed, parameters) of the planet for `map`, whatever the size of its meshes; raises ParameterError."""
    given, code = _map_parameters(arguments), code_of(arguments, whole=False)
    if code is None:
        sizes = {name: getattr(arguments, name) for name in MAP_OPTIONS}
        return arguments.seed, relief_of(generator(MAP_GENERATORS[0]).complete({**given, **sizes}, whole=False))
    if code.generator.name not in MAP_GENERATORS:
        raise ParameterError(
            f"--code names a world of {code.generator.name}: a map takes those of {' and '.join(MAP_GENERATORS)}"
        )
    check_once(code, [*given, *(name for name in MAP_OPTIONS if name in arguments.given)])
    if code.parameters.get("edits"):
        raise ParameterError(f"--code names edits: give --edits {code.parameters['edits']} in its place")
    return code.seed, relief_of(code.parameters)


def relief_of(values: dict[str, Value]) -> dict[str, Value]:
    """The parameters of a map's planet without those that are for the show."""
    return {name: value for name, value in values.items() if name not in SHOWN}


def _map_parameters(arguments: Namespace) -> dict[str, Value]:
    """What --set gives for a map: map.NAME and doublecone.NAME mean the same."""
    given: dict[str, Value] = {}
    for scene, pairs in read_scene_pairs(arguments.set).items():
        for name, value in pairs.items():
            if scene not in MAP_GENERATORS:
                raise ParameterError(f"--set {scene}.{name} has no place in a map: it takes map.land and map.poles")
            if name in SHOWN:
                raise ParameterError(f"--set {scene}.{name} has no place in a map: it is for the show")
            if name in MAP_OPTIONS:
                raise ParameterError(f"--set {scene}.{name} has no place in a map: write --{name} {value}")
            if given.setdefault(name, value) != value:
                raise ParameterError(f"--set gives {name} twice, for {' and '.join(MAP_GENERATORS)}: give it once")
    return given
