"""Assembly: from the parts of a planet to its map, with the numbers, measures and names of all objects."""

from __future__ import annotations

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ..waters.landmasses import Globe
from .land_objects import coastlines_of, landmasses_of, peaks_of, ranked_tops
from .planet_parts import PlanetParts
from .records import PlanetMap, ReliefSampler
from .water_objects import catchments_of, confluences_of, lakes_of, rivers_of, seas_of


def assembled(parts: PlanetParts, code: str, relief: ReliefSampler) -> PlanetMap:
    """The map of a planet; `code` is its world code. Needs shapely."""
    globe, planet = parts.globe, parts.mesh.planet
    tops, lakes, rivers = ranked_tops(parts), lakes_of(parts), rivers_of(parts)
    return PlanetMap(
        code=code,
        seed=planet.seed,
        gn=planet.gn,
        ln=parts.mesh.ln,
        radius_m=globe.radius_m,
        land_ratio=float(parts.waters.landmasses.area_m2.sum() / globe.area_m2.sum()),
        stretch=stretch_of(globe),
        landmasses=landmasses_of(parts, tops),
        coastlines=coastlines_of(parts),
        seas=seas_of(parts),
        lakes=lakes,
        rivers=rivers,
        confluences=confluences_of(parts),
        catchments=catchments_of(parts, lakes, rivers),
        peaks=peaks_of(parts, tops),
        relief=relief,
    )


def stretch_of(globe: Globe) -> tuple[float, float, float]:
    """How many times longer parallels are on the sphere than on the cone: least, mean by area, most.

    On the cone a parallel is as long as its distance from the pole. The greatest stretch is pi / 2, at the poles.
    """
    cells = globe.cells
    step = np.minimum(np.arange(2 * cells + 1), 2 * cells - np.arange(2 * cells + 1)) / cells
    ratio = np.divide(meshes.ring_sines(cells), step, out=np.full(len(step), 0.5 * np.pi), where=step > 0.0)
    weights = meshes.ring_weights(cells) * meshes.ring_counts(cells)
    return float(ratio.min()), float((ratio * weights).sum() / weights.sum()), float(ratio.max())
