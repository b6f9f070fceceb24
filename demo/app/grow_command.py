"""`grow`: one world's heights as a file, with its climate and waters where it is carved or they are asked for."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import numpy as np

from ..catalogue.generator import Generator
from ..export import files, heightmap_out
from ..scenes.scenes import SCENES
from ..worlds.growth import Growth
from ..worlds.parameters import ParameterError
from .chosen_world import tell_date_seed, world_to_grow
from .progress import Progress

CHUNKS = 50


def run(arguments: Namespace) -> int:
    """Grows the world and writes its heights."""
    made, seed, given = world_to_grow(arguments)
    out = Path(arguments.out)
    heightmap_out.check(out, arguments.packed, arguments.climate)
    files.install_signal_handler()
    tell_date_seed(made, seed, given)
    growth = made.grow(seed, given)
    if arguments.packed:
        heightmap_out.check_packed(growth.atlas)
    in_npz = out.suffix.lower() == ".npz"
    growth.keeps_ground = in_npz
    _advance(growth, made, arguments.at)
    carved = growth.done > growth.stages["grown"]
    layers = _layers(growth, made.name) if arguments.climate or (in_npz and carved) else {}
    heightmap_out.write(out, made.snapshot(growth, given), arguments.packed, layers)
    return 0


def _layers(growth: Growth, name: str) -> dict[str, np.ndarray]:
    """The layers of a world at the size that its scene gives it, unless its heights are in metres as they are."""
    # Imports numba.
    from ..worlds.layers import layers_of

    if growth.unit == "m":
        return layers_of(growth, growth.size, 1.0).arrays()
    scene = SCENES[name]
    relief = float(growth.heights.max()) - float(growth.sea_level)
    return layers_of(growth, scene.size_m, scene.relief_m / max(relief, 1e-9)).arrays()


def _advance(growth: Growth, made: Generator, at: int | None) -> None:
    """Advances to step `at`: in pieces where a bar is drawn, otherwise at once. The heights are the same."""
    last = growth.total if at is None else at
    if last > growth.total:
        raise ParameterError(f"--at {last} is not possible: {made.name} grows from 0 to {made.amount(growth.total)} here")
    with Progress(f"{made.name}: {made.amount(last)}", last) as progress:
        pieces = CHUNKS if progress.visible else 1
        for piece in range(1, pieces + 1):
            growth.advance(last * piece // pieces)
            progress.to(growth.done)
