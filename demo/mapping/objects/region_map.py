"""The map of a region: the whole planet on its drained mesh, and the local mesh where the region needs it.

Which coasts, lakes, rivers and catchments there are is settled on the drained mesh, with their ids and names. So lines of
the drained mesh stand in for those of the local mesh outside the region, and every object is closed. Then the region is cut
out. What lies in it has the bits of the whole planet's map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...worlds.parameters import Value
from ..local import blocks, courses, lake_beds, peaks, shores
from ..local.engines import Engine, Threads
from ..local.fine_mesh import FineMesh, belts_per_strip
from ..local.kept_parts import Keeper, digest_of, unkept
from ..local.memory_plan import USUAL_PLAN
from ..local.planet_mesh import fine_mesh_of
from ..local.region_blocks import RegionBlocks
from ..local.region_relief import RegionRelief
from ..local.sections import Groundwork, Lines, joined_lines, section_parts, sections_of
from ..local.strips import joined
from ..region import Region
from .assembly import assembled
from .clipping import clipped
from .naming import Names
from .planet_map import STRIPPED, Lakeland, Progress, Settled, on_sphere, settled
from .planet_parts import PlanetParts, by_water
from .records import NONE, PlanetMap, River
from .river_courses import RiverSystem, river_system_of

# Pixels along rivers are worked out this far beyond the region, in parts of a step of the drained mesh.
BEYOND = 0.75


def region_map_of(
    seed: int,
    values: dict[str, Value],
    code: str,
    region: Region,
    progress: Progress | None = None,
    threads: int = 1,
    keep: Keeper = unkept,
    engine: Engine | None = None,
) -> PlanetMap:
    """The map of a region; the other arguments are those of `planet_map_of`. Needs shapely."""
    tell = progress or (lambda stage, part: None)
    base = settled(seed, values, tell, threads, engine)
    engine = engine or Threads(threads, keep)
    mesh = fine_mesh_of(
        base.planet,
        base.ln,
        base.waters,
        base.globe.neighbour,
        lambda bare: blocks.needed_by(bare, blocks.triangles_in(bare, region))[1],
        engine,
    )
    network = courses.network_of(mesh, base.waters)
    summits = peaks.summits_on(base.waters, base.globe.neighbour)
    lakes = Lakeland(len(base.waters.landmasses.sea_area_m2), len(base.waters.lakes), base.globe.radius_m)
    asked = blocks.blocks_of(mesh, blocks.triangles_in(mesh, region))
    digest = digest_of(mesh, network, summits, lakes, base.waters.lakes.area_m2)
    made = _made(RegionBlocks.asked_for(Groundwork(mesh, network, summits, lakes, digest), asked), tell, engine)
    arcs, borders, chains, tops, beds = _with_the_rest(base, mesh, network, summits, lakes, asked, made)
    tell("objects", STRIPPED)
    rivers = river_system_of(mesh, base.waters, network, chains)
    coasts, lake_shores = by_water(shores.rings_of(arcs), lakes.seas)
    names, own = Names(seed, base.waters), network.own
    parts = PlanetParts(base.globe, base.waters, mesh, coasts, lake_shores, borders, own, rivers, summits, tops, names, beds)
    near = region.widened(int(BEYOND * mesh.steps))
    whole = assembled(parts, code, RegionRelief(mesh, asked, made), near, threads)
    known = blocks.corners_of(mesh, np.concatenate(asked))
    whole = replace(whole, rivers=_certain(whole.rivers, rivers, mesh, network, known))
    tell("objects", 1.0)
    return replace(clipped(whole, region), gn=int(values["gn"]), ln=int(values["ln"]))


def _made(stage: RegionBlocks, tell: Progress, engine: Engine) -> list[blocks.BlockParts]:
    """All blocks, in their order."""
    pieces = stage.pieces()

    def told(done: int) -> None:
        tell("coasts and courses", 0.15 + (STRIPPED - 0.15) * (done / len(pieces)))

    return [stage.parts_of(number, arrays) for number, arrays in enumerate(engine.made(stage, pieces, told))]


def _with_the_rest(
    base: Settled,
    mesh: FineMesh,
    network: courses.Network,
    summits: peaks.Summits,
    lakes: Lakeland,
    asked: Sequence[np.ndarray],
    made: Sequence[blocks.BlockParts],
) -> Lines:
    """What blocks have, and what the drained mesh has outside them; tops of blocks alone."""
    coarse = fine_mesh_of(base.planet, 0, base.waters, base.globe.neighbour)
    outside = np.ones(len(mesh.triangles.place), bool)
    outside[np.concatenate(asked)] = False
    links = courses.network_of(coarse, base.waters)
    work, plan = Groundwork(coarse, links, summits, lakes), USUAL_PLAN
    sections = sections_of(coarse.cells, coarse.steps, plan.points, belts_per_strip(coarse))
    lines = joined_lines([section_parts(work, section, outside)[0] for section in sections])
    arcs, borders, chains = on_sphere(*lines[:3], coarse.planet.atlas)
    beds = lines[4]
    own = network.own
    chains = replace(chains, vertex=own[chains.vertex], toward=own[chains.toward], wet=own[chains.wet])
    fine = on_sphere(
        joined([one.arcs for one in made], "vertices"),
        joined([one.borders for one in made], "vertices"),
        blocks.joined_chains([one.chains for one in made]),
        mesh.planet.atlas,
    )
    return (
        joined([fine[0], arcs], "vertices"),
        joined([fine[1], borders], "vertices"),
        blocks.joined_chains([fine[2], chains]),
        peaks.distinct_tops([one.tops for one in made]),
        lake_beds.joined_beds([*(one.beds for one in made), beds]),
    )


def _certain(
    rivers: tuple[River, ...], system: RiverSystem, mesh: FineMesh, network: courses.Network, known: np.ndarray
) -> tuple[River, ...]:
    """Rivers that do not say which river they end in where that is not known.

    Of three rivers that meet beside one global point the local mesh tells which ends in which. `known`: bool (points,).
    """
    many = np.zeros(len(known), bool)
    many[network.cell[np.diff(network.first) > 2]] = True
    unknown = many & ~known
    ends = mesh.receiver[[course.way.last for course in system.courses]] if system.courses else np.zeros(0, np.int64)
    return tuple(
        replace(river, mouth_id=NONE) if river.mouth == "river" and unknown[end] else river
        for river, end in zip(rivers, ends.tolist(), strict=True)
    )
