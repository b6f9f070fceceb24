"""Extents of islands and inland seas: are they as long from east to west as from north to south, at every latitude?

The double cone stretches parallels by up to pi / 2 towards the poles; the relief is to show nothing of that. Lengths are
true ones, in the plane that touches the sphere at a form's middle.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from demo.catalogue.generators import generator
from demo.mapping.waters.landmasses import Globe, globe_of, landmasses_of
from demo.worlds.doublecone.global_mesh import from_faces

# Forms of so many points of the mesh count: what is smaller has the mesh's own shape, what is larger lies in many belts.
LEAST, MOST = 20, 1000
# Degrees of latitude, north or south.
BELTS = ((0, 20), (20, 40), (40, 90))


def stretch_by_belt(seeds: range, gn: int) -> list[float]:
    """Extents from east to west over those from north to south, pooled over the planets of `seeds`, by belt of BELTS."""
    globe = globe_of(2**gn)
    found = np.concatenate([_extents(globe, seed, gn) for seed in seeds])
    belts = [found[(found[:, 0] >= low) & (found[:, 0] < high)] for low, high in BELTS]
    return [float(here[:, 1].sum() / here[:, 2].sum()) for here in belts]


def _extents(globe: Globe, seed: int, gn: int) -> np.ndarray:
    """(forms, 3) of one planet: latitude of the middle in degrees, and the standard deviations eastwards and northwards."""
    growth = generator("doublecone").grow(seed, {"gn": gn})
    growth.advance(gn)
    parts = landmasses_of(globe, growth.planet.heights_m)
    place = from_faces(globe.atlas.positions(globe.cells + 1))
    forms = [form for part in (parts.landmass_of_point, parts.sea_of_point) for form in _forms(part)]
    return np.array([_extent(place, globe.area_m2, form) for form in forms]).reshape(-1, 3)


def _forms(part: np.ndarray) -> list[np.ndarray]:
    """The points of each part of LEAST to MOST points, from the part of each point, -1 for none."""
    order = np.argsort(part, kind="stable")
    bounds = np.searchsorted(part[order], np.arange(part.max() + 2))
    return [order[a:b] for a, b in pairwise(bounds) if LEAST <= b - a <= MOST]


def _extent(place: np.ndarray, area_m2: np.ndarray, form: np.ndarray) -> tuple[float, float, float]:
    place, area = place[form], area_m2[form] / area_m2[form].sum()
    middle = area @ place
    middle /= np.linalg.norm(middle)
    east = np.cross([0.0, 1.0, 0.0], middle)
    east /= np.linalg.norm(east)
    along = [place @ axis for axis in (east, np.cross(middle, east))]
    wide, high = (float(np.sqrt(area @ (x - area @ x) ** 2)) for x in along)
    return abs(float(np.degrees(np.arcsin(middle[1])))), wide, high
