"""`map --edits`: from the file that is given to the edits of a world, and what is said of them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..catalogue.edits_file import FILE, Edits, fingerprint, read, text_of
from ..catalogue.generators import generator
from ..catalogue.maps import map_edited_planet
from ..catalogue.world_code import read_code
from ..mapping.edits.edit import EditsError
from ..worlds.parameters import ParameterError, Value
from .chosen_world import world_to_map

if TYPE_CHECKING:
    from ..mapping.objects.edit_outcomes import Outcome

# The format whose packages read files of an ending.
READERS = {".gpkg": ("gpkg",), ".osm": ("osm",), ".pbf": ("pbf",), ".json": ()}
NAMES = ("seed", "code", "set", "gn", "ln")


def formats_to_read(arguments: Namespace) -> tuple[str, ...]:
    """The formats whose packages --edits needs, none without it; raises ParameterError for a file that cannot be."""
    if arguments.edits is None:
        return ()
    path = Path(arguments.edits)
    if path.suffix not in READERS:
        raise ParameterError(
            f"--edits {path} is no .osm, .osm.pbf, .gpkg or {FILE}: give a map's file that you have changed"
        )
    if not path.is_file():
        raise ParameterError(f"there is no file {path}: give --edits a map's file that you have changed")
    return READERS[path.suffix]


def world_to_edit(arguments: Namespace) -> tuple[int, dict[str, Value]]:
    """(seed, parameters) of the world of --edits, as its file says, or else the command line. Raises ParameterError."""
    from ..export.maps.edits import given_back  # imports pyogrio or osmium

    try:
        code = given_back.code_of(Path(arguments.edits))
    except EditsError as error:
        raise ParameterError(str(error)) from None
    if code is None:
        return world_to_map(arguments)
    try:
        found = read_code(code, whole=False)
    except ParameterError as error:
        raise ParameterError(f"{arguments.edits} is of a world that cannot be grown ({error})") from None
    if any(name in arguments.given for name in NAMES):
        named = _code(*world_to_map(arguments))
        if named != _code(found.seed, found.parameters):
            raise ParameterError(f"{arguments.edits} is of the world {code}, not of {named}: name no world beside --edits")
    return found.seed, found.parameters


def edits_of(
    path: Path, seed: int, parameters: dict[str, Value], progress: Callable[[str, float], None], threads: int
) -> Edits:
    """All edits of a world: those that it had, and those that a file adds. Raises ParameterError."""
    from ..export.maps.edits import given_back

    code = _code(seed, parameters)
    try:
        had, source = given_back.earlier(path, code), fingerprint(path)
        if path.suffix == ".json":
            return had
        if source in had.sources:
            # The same file again: the same world.
            count = had.sources.index(source) + 1
            return replace(had, rounds=had.rounds[:count], sources=had.sources[:count])
        before, _ = map_edited_planet(seed, parameters, had.rounds, progress, threads)
        found = given_back.changes(path, before)
    except EditsError as error:
        raise ParameterError(str(error)) from None
    rounds = (*had.rounds, tuple(found.edits)) if found.edits else had.rounds
    sources = (*had.sources, source) if found.edits else had.sources
    return Edits(code, rounds, sources, tuple(found.refused))


def kept_beside(out: Path, code: str, edits: Edits | None = None) -> dict[str, str]:
    """`edits.json` as a file beside a map, by its name; nothing where there is none to be written."""
    kept = file_beside(out, edits, code)
    return {FILE: text_of(kept)} if kept else {}


def file_beside(out: Path, edits: Edits | None, code: str) -> Edits | None:
    """What `edits.json` is to hold; None where there is none to be written.

    A map without edits takes the place of one with edits, so its folder must not say that it has any.
    """
    if edits is None and (out / FILE).is_file():
        try:
            read(out / FILE)
        except EditsError as error:
            raise ParameterError(f"{error}, or choose another folder") from None
        return Edits(code)
    return edits


def account_of(outcomes: list[Outcome], edits: Edits) -> str:
    """What is said of all edits: how far each reaches, and what cannot be honoured."""
    kept = [outcome for outcome in outcomes if not outcome.problem]
    lines = [f"edits: {len(kept)} honoured"]
    lines += [f"  {outcome.edit}{_reach(outcome)}" for outcome in kept]
    failed = [f"{outcome.edit}: {outcome.problem}" for outcome in outcomes if outcome.problem] + list(edits.refused)
    if failed:
        lines += [f"cannot be honoured: {len(failed)}", *(f"  {line}" for line in failed)]
    return "\n".join(lines)


def _reach(outcome: Outcome) -> str:
    high = "" if outcome.height_m is None else f", {outcome.height_m:,.0f} m high"
    if not outcome.reach_km:
        return high
    many = "catchment" if outcome.catchments == 1 else "catchments"
    return f"{high}: reaches {outcome.reach_km:,.0f} km, {outcome.catchments} {many}"


def _code(seed: int, parameters: dict[str, Value]) -> str:
    made = generator("doublecone")
    return made.code(seed, made.complete(parameters, whole=False), whole=False)
