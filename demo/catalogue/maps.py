"""The map of a planet from its seed and parameters, for the command `map`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..mapping.local.memory_plan import USUAL_PLAN, MemoryPlan, plan_of
from ..mapping.region import Region, region_around
from ..worlds import limits
from ..worlds.parameters import Value
from .generators import generator

if TYPE_CHECKING:
    from ..mapping.edits.edit import Round
    from ..mapping.local.engines import Engine
    from ..mapping.local.kept_parts import Keeper
    from ..mapping.objects.edit_outcomes import Outcome
    from ..mapping.objects.planet_map import Progress
    from ..mapping.objects.records import PlanetMap


def map_planet(seed: int, parameters: dict[str, Value], progress: Progress | None = None, threads: int = 1) -> PlanetMap:
    """The map of a double-cone planet; `parameters` are those of that generator (gn, ln, land, poles).

    `progress` is called with the name of a stage and the part of the whole that is done, 0..1. The map does not depend on
    the number of `threads`. Raises ParameterError. Needs shapely.
    """
    return map_edited_planet(seed, parameters, (), progress, threads)[0]


def plan_within(parameters: dict[str, Value], megabytes: int, threads: int, writing: float) -> MemoryPlan:
    """The plan of a planet's map within so many megabytes, as `plan_of` takes them; raises ParameterError."""
    # Imports numba.
    from ..mapping.waters.drainage_mesh import drainage_level

    values = generator("doublecone").complete(parameters, whole=False)
    gn, ln = int(values["gn"]), int(values["ln"])
    return plan_of(gn, ln, drainage_level(gn, ln), megabytes, threads, writing)


def region_of(seed: int, parameters: dict[str, Value], around: tuple[float, float, float]) -> tuple[Region, str]:
    """(the square of so many km `around` a place, (longitude, latitude, km); the world's code). Raises ParameterError."""
    maker = generator("doublecone")
    values = maker.complete(parameters, whole=False)
    limits.region(values, around[2])
    width = 4 * 2 ** (int(values["gn"]) + int(values["ln"]))
    return region_around(*around, width, limits.EARTH_RADIUS_KM * 1e3), maker.code(seed, values, whole=False)


def map_region(
    seed: int,
    parameters: dict[str, Value],
    region: Region,
    progress: Progress | None = None,
    threads: int = 1,
    keep: Keeper | None = None,
    engine: Engine | None = None,
) -> PlanetMap:
    """The map of a region of a planet; else as `map_edited_planet`."""
    # Imports numba.
    from ..mapping.local.kept_parts import unkept
    from ..mapping.objects.region_map import region_map_of

    maker = generator("doublecone")
    values = maker.complete(parameters, whole=False)
    code = maker.code(seed, values, whole=False)
    return region_map_of(seed, values, code, region, progress, threads, keep or unkept, engine)


def map_edited_planet(
    seed: int,
    parameters: dict[str, Value],
    rounds: tuple[Round, ...],
    progress: Progress | None = None,
    threads: int = 1,
    keep: Keeper | None = None,
    plan: MemoryPlan | None = None,
    engine: Engine | None = None,
) -> tuple[PlanetMap, list[Outcome]]:
    """The map of a planet under rounds of edits, and what has become of each edit; otherwise as `map_planet`.

    `keep`: keeps finished pieces of the local mesh, for a process that does the same after this one. `plan`: what is in
    memory at once; the map is the same under any plan. `engine`: has the pieces made, unless the threads of this process do.
    """
    # Imports numba.
    from ..mapping.local.kept_parts import unkept
    from ..mapping.objects import edit_outcomes, given_names
    from ..mapping.objects.planet_map import planet_map_of

    maker = generator("doublecone")
    values = maker.complete(parameters, whole=False)
    limits.mapped(values)
    code = maker.code(seed, values, whole=False)
    keep, plan = keep or unkept, plan or USUAL_PLAN
    made, edited = planet_map_of(seed, values, code, progress, threads, rounds, keep, plan, engine)
    if edited is None:
        return made, []
    honoured = [trace.edit for trace in edited.traces if not trace.problem]
    made, missing = given_names.named(made, honoured, edited.ground.step)
    return made, edit_outcomes.outcomes_of(made, edited, missing)
