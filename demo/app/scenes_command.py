"""`scenes`: the table of scenes and their parameters, and of the generators that no scene shows."""

from __future__ import annotations

import sys
from argparse import Namespace

from ..catalogue.generators import GENERATORS
from ..scenes.scenes import SCENES
from ..worlds.parameters import Parameter
from .settings import SURFACE


def run(arguments: Namespace) -> int:
    """Prints the table."""
    for name in [*SCENES, *(name for name in GENERATORS if name not in SCENES)]:
        _print_generator(name)
    print("surface: how the ground is drawn, in all scenes (for 'show', 'still' and 'film')")
    for parameter in SURFACE:
        _print_parameter(parameter, parameter.format(parameter.default))
    print()
    print("Set them with --set SCENE.NAME=VALUE for show, still and film, and with --set NAME=VALUE for grow.")
    return 0


def _print_generator(name: str) -> None:
    scene = SCENES.get(name)
    generator = scene.generator if scene else GENERATORS[name]
    title = f"{name}: {generator.title}, {generator.source}" + ("" if scene else " (no scene; for 'grow')")
    # Titles are in their own languages, which not every terminal can write.
    letters = sys.stdout.encoding or "utf-8"
    print(title.encode(letters, "replace").decode(letters))
    for parameter in generator.parameters:
        default = parameter.format(parameter.default)
        if scene and parameter.name in scene.parameters:
            default += f"; {parameter.format(scene.parameters[parameter.name])} in the scene"
        if parameter.printed is not None:
            default += f"; {parameter.format(parameter.printed)} with method=as-printed"
        _print_parameter(parameter, default)
    print()


def _print_parameter(parameter: Parameter, default: str) -> None:
    print(f"  {parameter.name:<13}{parameter.help}")
    print(f"  {'':<13}{parameter.describe()} (default: {default})")
