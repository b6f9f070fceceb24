"""`grow`: one world's heights as a file."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..catalogue.generator import Generator
from ..export import files, heightmap_out
from ..worlds.growth import Growth
from ..worlds.parameters import ParameterError
from .chosen_world import world_to_grow
from .progress import Progress

CHUNKS = 50


def run(arguments: Namespace) -> int:
    """Grows the world and writes its heights."""
    made, seed, given = world_to_grow(arguments)
    out = Path(arguments.out)
    heightmap_out.check(out, arguments.packed)
    files.install_signal_handler()
    growth = made.grow(seed, given)
    if arguments.packed:
        heightmap_out.check_packed(growth.atlas)
    _advance(growth, made, arguments.at)
    heightmap_out.write(out, made.snapshot(growth, given), arguments.packed)
    return 0


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
