"""Stages of a planetary map, for measures that need neither its objects nor their names."""

from __future__ import annotations

from typing import NamedTuple

from demo.catalogue.generators import generator
from demo.mapping.local import courses, fine_mesh, shores
from demo.mapping.local.planet_mesh import fine_mesh_of
from demo.mapping.local.strips import joined
from demo.mapping.objects import outlines
from demo.mapping.objects.planet_parts import by_water
from demo.mapping.objects.records import Polygons
from demo.mapping.waters.drainage_mesh import drainage_mesh_of
from demo.mapping.waters.hydrology import Hydrology, hydrology_of
from demo.mapping.waters.landmasses import globe_of
from demo.worlds.climate.mesh_climate import climate_of
from demo.worlds.doublecone.local_mesh import Planet
from demo.worlds.parameters import Value


class Stages(NamedTuple):
    """The drained planet, its waters, the local mesh that they are laid on, and the network of its rivers."""

    planet: Planet
    waters: Hydrology
    mesh: fine_mesh.FineMesh
    network: courses.Network


def stages_of(seed: int, parameters: dict[str, Value]) -> Stages:
    """The stages of the map that `map_planet` makes of the same planet, up to the courses of rivers."""
    maker = generator("doublecone")
    values = maker.complete(parameters)
    growth = maker.grow(seed, values | {"ln": 0})
    growth.advance(growth.total)
    planet, ln = drainage_mesh_of(growth.planet, int(values["ln"]))
    globe = globe_of(2**planet.gn, atlas=planet.atlas)
    climate = climate_of(planet.heights_m, atlas=planet.atlas)
    least = fine_mesh.least_lake_m2(globe.cells, ln, globe.radius_m)
    waters = hydrology_of(planet.heights_m, climate, globe=globe, least_lake_m2=least)
    mesh = fine_mesh_of(planet, ln, waters, globe.neighbour)
    return Stages(planet, waters, mesh, courses.network_of(mesh, waters))


def coasts_of(stages: Stages) -> list[shores.Ring]:
    """The shores of all seas."""
    seas = len(stages.waters.landmasses.sea_area_m2)
    return [ring for ring in shores_of(stages) if ring.body < seas]


def lakes_of(stages: Stages) -> list[Polygons]:
    """The polygons of all lakes, as the map has them."""
    lakes = by_water(shores_of(stages), len(stages.waters.landmasses.sea_area_m2))[1]
    return [outlines.areas(ring.vertices[::-1] for ring in lakes[k]) for k in range(len(stages.waters.lakes))]


def shores_of(stages: Stages) -> list[shores.Ring]:
    """The shores of all seas and lakes, as the map's coastlines and lakes have them before they are cut at 180 degrees."""
    mesh, network = stages.mesh, stages.network
    belts, per = 2 * mesh.cells, fine_mesh.belts_per_strip(mesh)
    arcs = []
    for first in range(0, belts, per):
        last = min(first + per, belts)
        strip = fine_mesh.strip_of(mesh, first, last)
        owner = courses.owners_of(mesh, network, strip)
        arcs.append(shores.arcs_of(mesh, network, strip, owner, first, last))
    return shores.rings_of(joined(arcs, "vertices"))
