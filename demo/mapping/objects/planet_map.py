"""A planet as map objects: `planet_map_of` runs all stages, from heights to a `PlanetMap`.

Heights and climate come from `worlds`; hydrology settles the waters on the global mesh; the local mesh is made strip by
strip, shores and courses are taken from each strip, and it is forgotten. What is kept grows with the lengths of shores and
rivers, not with the planet's area.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ...worlds.climate import climate_of
from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.growth import check_levels, grow
from ...worlds.parameters import Value
from ..local import catchments, courses, shores
from ..local.fine_mesh import FineMesh, belts_per_strip, fine_mesh_of, strip_of
from ..local.fine_relief import FineRelief
from ..local.strips import joined
from ..waters.hydrology import hydrology_of
from ..waters.landmasses import Globe, globe_of
from . import peaks
from .assembly import Features
from .records import PlanetMap
from .rivers import Assembly

Progress = Callable[[str, float], None]
Tops = tuple[np.ndarray, np.ndarray, np.ndarray]
Parts = tuple[shores.Arcs, catchments.Borders, courses.Chains, Tops]

# Part of the work that is done when all strips are.
STRIPPED = 0.5


def planet_map_of(
    seed: int, values: dict[str, Value], code: str, progress: Progress | None = None, threads: int = 1
) -> PlanetMap:
    """The map of a double-cone planet: `values` are all parameters of that generator (gn, ln, land, poles), `code` is its
    world code.

    `progress` is called with a stage's name and the part done, 0..1, of the whole. The same map on any number of threads.
    Raises ParameterError. Needs shapely.
    """
    tell = progress or (lambda stage, part: None)
    check_levels(int(values["gn"]), int(values["ln"]))
    # The local mesh is refined strip by strip below: the growth stops at the global one.
    tell("relief", 0.0)
    growth = grow(seed, values | {"ln": 0})
    growth.advance(growth.total)
    planet = growth.planet
    globe = globe_of(2**planet.gn)
    tell("climate", 0.05)
    climate = climate_of(planet.heights_m)
    tell("rivers and lakes", 0.1)
    waters = hydrology_of(planet.heights_m, climate, globe=globe, threads=threads)
    mesh = fine_mesh_of(planet, int(values["ln"]), waters, globe.neighbour)
    network = courses.network_of(mesh, waters)
    summits = peaks.summits_of(peaks.standing_m(waters), globe.neighbour, waters.landmasses, waters.sea_level_m)
    arcs, borders, chains, tops = _stripped(mesh, network, summits, tell, threads)
    tell("objects", STRIPPED)
    assembly = Assembly(mesh, waters, network, chains)
    features = Features(seed, globe, waters, mesh, shores.rings_of(arcs), borders, assembly, summits, tops)
    made = PlanetMap(
        code=code,
        seed=seed,
        gn=planet.gn,
        ln=mesh.ln,
        radius_m=globe.radius_m,
        land_ratio=float(waters.landmasses.area_m2.sum() / globe.area_m2.sum()),
        stretch=stretch_of(globe),
        landmasses=features.landmasses(),
        coastlines=features.coastlines(),
        seas=features.seas(),
        lakes=features.lakes(),
        rivers=features.rivers(),
        confluences=features.confluences(),
        catchments=features.catchments(),
        peaks=features.peaks(),
        relief=FineRelief(mesh, network),
    )
    tell("objects", 1.0)
    return made


def stretch_of(globe: Globe) -> tuple[float, float, float]:
    """How much longer parallels are on the sphere than on the cone: least, mean by area, most.

    On the cone a parallel is as long as its distance from the pole asks for; the greatest stretch is pi / 2 at the poles.
    """
    cells = globe.cells
    step = np.minimum(np.arange(2 * cells + 1), 2 * cells - np.arange(2 * cells + 1)) / cells
    ratio = np.divide(meshes.ring_sines(cells), step, out=np.full(len(step), 0.5 * np.pi), where=step > 0.0)
    weights = meshes.ring_weights(cells) * meshes.ring_counts(cells)
    return float(ratio.min()), float((ratio * weights).sum() / weights.sum()), float(ratio.max())


def _stripped(mesh: FineMesh, network: courses.Network, summits: peaks.Summits, tell: Progress, threads: int) -> Parts:
    """Shores, borders, courses and tops of all strips."""
    spans = list(_spans(mesh))
    done = 0
    lock = threading.Lock()

    def work(span: tuple[int, int]) -> Parts:
        nonlocal done
        first, last = span
        strip = strip_of(mesh, max(first - 1, 0), last)
        owner = courses.owners_of(mesh, network, strip)
        arcs = shores.arcs_of(mesh, network, strip, owner, first, last)
        borders = catchments.borders_of(mesh, network, strip, owner, first, last)
        # The last ring, a pole, has no belt of its own.
        beyond = last + (last == 2 * mesh.cells)
        chains = courses.chains_of(mesh, network, strip, owner, first, beyond)
        tops = peaks.tops_of(mesh, strip, owner, summits, first, beyond)
        with lock:
            done += 1
            tell("coasts and courses", 0.15 + (STRIPPED - 0.15) * (done / len(spans)))
        return arcs, borders, chains, tops

    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(work, spans))
    else:
        parts = [work(span) for span in spans]
    arcs, borders, chains, tops = zip(*parts, strict=True)
    columns = (np.concatenate(column) for column in zip(*tops, strict=True))
    return joined(arcs, "vertices"), joined(borders, "vertices"), joined(chains, "vertex"), tuple(columns)


def _spans(mesh: FineMesh) -> Iterator[tuple[int, int]]:
    belts, per = 2 * mesh.cells, belts_per_strip(mesh)
    for first in range(0, belts, per):
        yield first, min(first + per, belts)
