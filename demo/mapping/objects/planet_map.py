"""A planet as map objects: `planet_map_of` runs all stages, from heights to a `PlanetMap`.

Heights and climate come from `worlds`. Hydrology settles the waters on the global mesh, or on a finer one
(`drainage_mesh`). The local mesh is made section by section; shores and courses are taken from each section, and then
its heights are dropped, or kept on a disk. So memory grows with the lengths of shores and rivers, and not with the planet's
area.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...worlds.atlas import DOUBLE_CONE, Atlas
from ...worlds.climate.mesh_climate import Climate, climate_of
from ...worlds.doublecone.growth import Planet, grow
from ...worlds.parameters import Value
from ..degrees import laid
from ..edits.edit import Round
from ..edits.edited_planet import EditedPlanet, edited_planet
from ..local import catchments, courses, peaks, shores
from ..local.engines import Engine, Threads
from ..local.fine_mesh import belts_per_strip, least_lake_m2
from ..local.kept_parts import Keeper, digest_of, unkept
from ..local.landmass_ground import waters_by
from ..local.memory_plan import USUAL_PLAN, MemoryPlan
from ..local.mesh_places import whole
from ..local.planet_mesh import fine_mesh_of
from ..local.relief_ground import ReliefGround
from ..local.sections import Groundwork, Lines, Section, joined_lines, lines_of, sections_of
from ..waters.drainage_mesh import drainage_mesh_of
from ..waters.hydrology import Hydrology, hydrology_of
from ..waters.landmass_waters import LandmassWaters
from ..waters.landmasses import Globe, Landmasses, globe_of
from .assembly import Others, assembled
from .kept_names import KeptNames
from .naming import Names
from .planet_parts import PlanetParts, by_water
from .records import PlanetMap
from .river_courses import river_system_of

Progress = Callable[[str, float], None]


class Lakeland(NamedTuple):
    """How many seas and lakes there are, and the planet's radius."""

    seas: int
    lakes: int
    radius_m: float


# The part of the work that is done when all sections are done.
STRIPPED = 0.3


def planet_map_of(
    seed: int,
    values: dict[str, Value],
    code: str,
    progress: Progress | None = None,
    threads: int = 1,
    rounds: tuple[Round, ...] = (),
    keep: Keeper = unkept,
    plan: MemoryPlan = USUAL_PLAN,
    engine: Engine | None = None,
) -> tuple[PlanetMap, EditedPlanet | None]:
    """The map of a double-cone planet: `values` are all parameters of that generator (gn, ln, land, poles), `code` is its
    world code. `rounds`: of edits; then the planet under these edits is returned too.

    `progress` is called with the name of a stage and the part of the whole work that is done, 0..1. The map is the same on
    any number of threads, under any plan and by any engine. `keep`: keeps finished pieces. `engine`: has them made, unless
    the threads of this process do. Raises ParameterError. Needs shapely.
    """
    tell = progress or (lambda stage, part: None)
    planet, ln, globe, climate, least, waters = settled(seed, values, tell, threads, engine)
    names, edited = Names(seed, waters), None
    if rounds:
        edited = edited_planet(planet, ln, globe, climate, waters, rounds, least, threads)
        names = KeptNames(names, edited.waters, peaks.summits_on(waters, globe.neighbour).point)
        planet, waters = edited.planet, edited.waters
    by_others = engine is not None
    engine = engine or Threads(min(threads, plan.threads), keep)
    mesh = fine_mesh_of(planet, ln, waters, globe.neighbour, engine=engine)
    network = courses.network_of(mesh, waters)
    summits = peaks.summits_on(waters, globe.neighbour)
    lakes = Lakeland(len(waters.landmasses.sea_area_m2), len(waters.lakes), globe.radius_m)
    digest = digest_of(mesh, network, summits, lakes, waters.lakes.area_m2) if keep is not unkept else ""
    work = Groundwork(mesh, network, summits, lakes, digest)
    sections = sections_of(mesh.cells, mesh.steps, plan.points, belts_per_strip(mesh))
    arcs, borders, chains, tops, beds = made_lines(work, sections, tell, engine)
    tell("objects", STRIPPED)
    rivers = river_system_of(mesh, waters, network, chains)
    coasts, lake_shores = by_water(shores.rings_of(arcs), len(waters.landmasses.sea_area_m2))
    parts = PlanetParts(globe, waters, mesh, coasts, lake_shores, borders, network.own, rivers, summits, tops, names, beds)
    ground = ReliefGround(work, np.array(sections, np.int64), plan.kept_bytes)
    others = Others(engine, ground) if by_others and threads > 1 and len(tops.number) else None
    made = assembled(parts, code, ground.relief(keep), threads=threads, others=others)
    tell("objects", 1.0)
    return replace(made, gn=int(values["gn"]), ln=int(values["ln"])), edited


class Settled(NamedTuple):
    """A planet whose waters are settled.

    `planet`: on its drained mesh. `ln`: the local levels beyond that. `least_m2`: the area of the smallest lake.
    """

    planet: Planet
    ln: int
    globe: Globe
    climate: Climate
    least_m2: float
    waters: Hydrology


def settled(seed: int, values: dict[str, Value], tell: Progress, threads: int, engine: Engine | None = None) -> Settled:
    """The stages that need the whole planet, on its drained mesh: relief, climate and waters, without edits.

    `engine`: has the waters of landmasses settled where there are several `threads`, unless this process does.
    """
    tell("relief", 0.0)
    planet, ln = drainage_mesh_of(_planet(seed, values), int(values["ln"]))
    globe = globe_of(2**planet.gn, atlas=planet.atlas)
    tell("climate", 0.05)
    climate = climate_of(planet.heights_m, atlas=planet.atlas)
    tell("rivers and lakes", 0.1)
    least = least_lake_m2(globe.cells, ln, globe.radius_m)

    def each(masses: Landmasses) -> list[LandmassWaters]:
        assert engine is not None
        return waters_by(engine, globe, climate, masses, planet.heights_m, least)

    others = each if engine is not None and threads > 1 else None
    waters = hydrology_of(planet.heights_m, climate, globe=globe, threads=threads, least_lake_m2=least, each=others)
    return Settled(planet, ln, globe, climate, least, waters)


def _planet(seed: int, values: dict[str, Value]) -> Planet:
    """The relief of the global mesh; the local mesh is refined later, strip by strip."""
    growth = grow(seed, values | {"ln": 0})
    growth.advance(growth.total)
    return growth.planet


def made_lines(work: Groundwork, sections: Sequence[Section], tell: Progress, engine: Engine) -> Lines:
    """The shores, borders, courses, tops and lake beds of a whole planet."""

    def told(done: int) -> None:
        tell("coasts and courses", 0.15 + (STRIPPED - 0.15) * (done / len(sections)))

    parts = engine.made(work, sections, told)
    arcs, borders, chains, tops, beds = joined_lines([lines_of(part) for part in parts])
    return *on_sphere(arcs, borders, chains, work.mesh.planet.atlas), tops, beds


def on_sphere(
    coasts: shores.Arcs, divides: catchments.Borders, ways: courses.Chains, atlas: Atlas
) -> tuple[shores.Arcs, catchments.Borders, courses.Chains]:
    """Lines of strips or blocks, which count latitude in steps of the mesh, in degrees of latitude."""
    if atlas is DOUBLE_CONE:
        return coasts, divides, ways
    return (
        replace(coasts, vertices=whole(laid(coasts.vertices, atlas))),
        replace(divides, vertices=whole(laid(divides.vertices, atlas))),
        replace(ways, shore=whole(laid(ways.shore, atlas))),
    )
