"""`map`: a planet with rivers and lakes, as map files."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..catalogue.generators import generator
from ..catalogue.maps import map_edited_planet, map_region, plan_within, region_of
from ..export import files
from ..export.block_store import store_in
from ..export.maps import formats, summary
from ..process.memory import reuse_memory
from ..tables.map_formats import REGIONAL, USUAL, size_of_region
from ..worlds import limits
from ..worlds.parameters import ParameterError
from .chosen_world import world_to_map
from .map_edits import account_of, edits_of, formats_to_read, kept_beside, world_to_edit
from .map_engine import check_engine, engine_for, threads_of
from .map_progress import STEPS, shares_for, shares_of
from .progress import Progress
from .settings import SHEETS


def run(arguments: Namespace) -> int:
    """Grows the planet, or what a region needs of it, writes its files and prints what it holds."""
    check_engine(arguments)
    reuse_memory()
    if arguments.region:
        return _run_region(arguments)
    out, names = Path(arguments.out), arguments.formats or USUAL
    reading = formats_to_read(arguments)
    formats.check_packages((*names, *reading))
    seed, parameters = world_to_edit(arguments) if arguments.edits else world_to_map(arguments)
    values = generator("doublecone").complete(parameters, whole=False)
    limits.mapped(values)
    threads = threads_of(arguments)
    # Each worker has the whole budget, and makes one section at once.
    at_once = 1 if arguments.workers or arguments.scheduler else threads
    plan = plan_within(parameters, arguments.memory, at_once, formats.most_bytes(names, threads))
    formats.check_place(out)
    files.install_signal_handler()
    # A changed file is compared with the map that it was, which is grown first.
    maps = 2 if reading else 1
    growing, settles = shares_of(names, int(values["gn"]), int(values["ln"]), maps)
    with (
        store_in(out, arguments.blocks) as keep,
        engine_for(arguments, keep) as engine,
        Progress(f"map: {out.name}", STEPS, settles=settles) as progress,
    ):
        edits, grown = None, 0.0

        def grow(stage: str, part: float) -> None:
            progress.to(int(STEPS * (grown + growing / maps * part)))

        if arguments.edits:
            edits = edits_of(Path(arguments.edits), seed, parameters, grow, threads)
            grown = growing * (1.0 - 1.0 / maps)
        rounds = edits.rounds if edits else ()
        planet, outcomes = map_edited_planet(seed, parameters, rounds, grow, threads, keep, plan, engine)
        beside = kept_beside(out, planet.code, edits)
        rhombi, writing = arguments.sheets == SHEETS[1], 1.0 - growing

        def tell(part: float) -> None:
            progress.to(int(STEPS * (growing + writing * part)))

        formats.write(out, planet, names, tell, rhombi, beside, threads, keep if engine else None)
    print(summary.table(planet))
    if edits is not None:
        print(account_of(outcomes, edits))
    return 0


def _run_region(arguments: Namespace) -> int:
    out, names = Path(arguments.out), arguments.formats or REGIONAL
    if arguments.edits:
        raise ParameterError("--region and --edits are not possible together: edits are laid on a whole planet")
    if "memory" in arguments.given:
        raise ParameterError("--region and --memory are not possible together: a region's blocks are all in memory")
    formats.check_regional(names)
    formats.check_packages(names)
    seed, parameters = world_to_map(arguments)
    formats.check_place(out)
    edges, code = region_of(seed, parameters, arguments.region)
    files.install_signal_handler()
    size = size_of_region(int(parameters["gn"]), edges.pixels)
    growing, settles = shares_for(names, size)
    beside, threads = kept_beside(out, code), threads_of(arguments)
    with (
        store_in(out, arguments.blocks) as keep,
        engine_for(arguments, keep) as engine,
        Progress(f"map: {out.name}", STEPS, settles=settles) as progress,
    ):

        def grow(stage: str, part: float) -> None:
            progress.to(int(STEPS * growing * part))

        planet = map_region(seed, parameters, edges, grow, threads, keep, engine)
        writing = 1.0 - growing

        def tell(part: float) -> None:
            progress.to(int(STEPS * (growing + writing * part)))

        formats.write(out, planet, names, tell, False, beside, threads)
    print(summary.table(planet))
    return 0
