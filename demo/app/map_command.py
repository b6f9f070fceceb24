"""`map`: a planet with rivers and lakes, as map files."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from ..catalogue.maps import map_planet
from ..export import files
from ..export.maps import formats, summary
from ..tables.map_formats import USUAL
from .chosen_world import world_to_map
from .progress import Progress
from .settings import SHEETS

# The effort of the map itself, in the parts of MAP_FORMATS, and the steps of the progress bar.
MAP_EFFORT, STEPS = 8.0, 1000
# The part of the map by which most of its kernels have been compiled.
COMPILED = 0.15


def run(arguments: Namespace) -> int:
    """Grows the planet, writes its files and prints what it holds."""
    out, names = Path(arguments.out), arguments.formats or USUAL
    seed, parameters = world_to_map(arguments)
    formats.check_packages(names)
    formats.check_place(out)
    files.install_signal_handler()
    growing = MAP_EFFORT / (MAP_EFFORT + formats.effort(names))
    with Progress(f"map: {out.name}", STEPS, settles=int(STEPS * growing * COMPILED)) as progress:
        planet = map_planet(seed, parameters, lambda stage, part: progress.to(int(STEPS * growing * part)), _processors())
        writing = 1.0 - growing
        rhombi = arguments.sheets == SHEETS[1]
        formats.write(out, planet, names, lambda part: progress.to(int(STEPS * (growing + writing * part))), rhombi)
    print(summary.table(planet))
    return 0


def _processors() -> int:
    """The number that this process may use, counted as numba does, without importing numba."""
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(os.environ.get("NUMBA_NUM_THREADS", ours))
