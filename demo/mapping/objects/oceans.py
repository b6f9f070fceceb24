"""The oceans of a planet: the parts of its one connected sea, each around a place far from land, and their names."""

from __future__ import annotations

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ..degrees import directions
from ..local.mesh_places import place_of
from .languages import Namer
from .planet_parts import PlanetParts, pair
from .records import Ocean, Sea

# The middles of two oceans lie at least this far apart, in degrees, and as far from land as this at least. There are at most
# MOST of them.
APART, OPEN, MOST = 55.0, 9.0, 6
# Middles are among the points of a mesh of so many cells from a pole to the equator: small islands count for nothing there.
CELLS = 32
# Numbers by which oceans beyond the first are named; seas have smaller ones.
FIRST_NUMBER = 1 << 20


def oceans_of(parts: PlanetParts, seas: tuple[Sea, ...]) -> tuple[Ocean, ...]:
    """The oceans, the widest first, which has the name of the first of the `seas`; none where there is no sea."""
    if not seas:
        return ()
    globe, sea = parts.globe, parts.waters.landmasses.sea_of_point == 0
    places = meshes.from_faces(globe.atlas.positions(globe.cells + 1))
    middles = _middles(places, sea, _coarse(globe.cells))
    nearest = np.argmax(np.stack([_cosines(places[sea], places[k : k + 1])[:, 0] for k in middles]), axis=0)
    area = np.bincount(nearest, weights=globe.area_m2[sea], minlength=len(middles)) * 1e-6
    label = place_of(parts.mesh, parts.own)
    names = _names(parts.mesh.planet.seed, [sea.name for sea in seas], len(middles))
    return tuple(Ocean(k, names[k], float(area[k]), pair(label[point])) for k, point in enumerate(middles))


def ocean_at(oceans: tuple[Ocean, ...], longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
    """The number of the ocean that water at each place in degrees would belong to: int64, of the places' shape."""
    places = directions(np.stack([longitude, latitude], axis=-1))
    middles = directions(np.array([ocean.label for ocean in oceans]))
    nearest: np.ndarray = np.argmax(places @ middles.T, axis=-1)
    return nearest


def _names(seed: int, seas: list[str], count: int) -> list[str]:
    """Of `count` oceans; `seas`: the names of all seas."""
    found, number, namer = seas[:1], FIRST_NUMBER, Namer(seed)
    while len(found) < count:
        name = namer.name("sea", -1, number)
        number += 1
        if name not in seas:
            found.append(name)
    return found


def _coarse(cells: int) -> np.ndarray:
    """The points of the mesh that a mesh of at most CELLS cells has too."""
    every = max(cells // CELLS, 1)
    number = np.arange(meshes.point_count(cells))
    return np.unique(meshes.to_faces(number, cells)[:, ::every, ::every])


def _middles(places: np.ndarray, sea: np.ndarray, points: np.ndarray) -> list[int]:
    """The points of the sea farthest from land, each of them APART from those before it."""
    wet, dry = points[sea[points]], points[~sea[points]]
    if not len(wet) or not len(dry):
        return [int(np.flatnonzero(sea)[0])]
    nearest = np.concatenate([_cosines(places[part], places[dry]).max(axis=1) for part in np.array_split(wet, 16)])
    found: list[int] = []
    for k in np.argsort(nearest, kind="stable").tolist():
        is_open = nearest[k] < np.cos(np.radians(OPEN)) or not found
        if is_open and len(found) < MOST:
            here = places[wet[k : k + 1]]
            if all(_cosines(here, places[other : other + 1])[0, 0] < np.cos(np.radians(APART)) for other in found):
                found.append(int(wet[k]))
    return found


def _cosines(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Of the angles between unit vectors (k, 3) and (m, 3): float64 (k, m), the same bits on every processor."""
    return sum(one[:, axis, None] * other[None, :, axis] for axis in range(3))
