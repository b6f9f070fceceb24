"""The words of `--set`, NAME=VALUE or SCENE.NAME=VALUE, read as parameters by the tables of generators and scenes."""

from __future__ import annotations

from ..catalogue.generator import Generator
from ..scenes.scenes import SCENES
from ..worlds.parameters import Parameter, ParameterError, Value, row_of
from .settings import SURFACE


def read_pairs(pairs: list[str], generator: Generator) -> dict[str, Value]:
    """The parameters that NAME=VALUE words give, for `grow`; raises ParameterError."""
    return dict(_read_pair(name, value, generator.name, generator.parameters) for name, value in map(_split, pairs))


def read_scene_pairs(pairs: list[str]) -> dict[str, dict[str, Value]]:
    """scene -> name -> value that SCENE.NAME=VALUE words give, and those of `surface`; raises ParameterError."""
    given: dict[str, dict[str, Value]] = {}
    for path, value in map(_split, pairs):
        scene, dot, name = path.partition(".")
        if not dot:
            raise ParameterError(f"--set {path}={value} names no scene: write SCENE.NAME=VALUE, as in cuts.cuts=500")
        if scene not in SCENES and scene != "surface":
            raise ParameterError(f"--set {path}={value} names no scene: there are {', '.join(SCENES)}, and surface for all")
        known = SURFACE if scene == "surface" else SCENES[scene].parameter_table
        name, read = _read_pair(name, value, scene, known)
        given.setdefault(scene, {})[name] = read
    return given


def _split(pair: str) -> tuple[str, str]:
    name, sign, value = pair.partition("=")
    if not (sign and name and value):
        raise ParameterError(f"--set {pair} is not possible: write NAME=VALUE, as in cells=256")
    return name, value


def _read_pair(name: str, value: str, owner: str, known: tuple[Parameter, ...]) -> tuple[str, Value]:
    row = row_of(known, name)
    if row:
        return name, row.parse(value)
    raise ParameterError(f"{owner} has no parameter '{name}': it has {', '.join(parameter.name for parameter in known)}")
