"""Assembly: from the parts of a planet to its map, with the numbers, measures and names of all objects."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...worlds.atlas import EVEN_CONE
from ...worlds.doublecone import global_mesh as meshes
from ..local.engines import Engine
from ..local.peak_heights import Climbed, climbed
from ..local.relief_ground import ReliefGround, climbed_by
from ..local.relief_sampler import ReliefSampler
from ..region import Region
from ..waters.landmasses import Globe
from .catchment_ground import areas_by
from .clipping import rivers_near
from .land_objects import coastlines_of, landmasses_of, peaks_of, ranked_tops
from .oceans import oceans_of
from .planet_parts import PlanetParts
from .records import PlanetMap, Polygons, Stretch
from .river_pixels import river_pixels
from .water_objects import (
    catchment_areas,
    catchment_count,
    catchments_of,
    confluences_of,
    lakes_of,
    rivers_of,
    seas_of,
    upstream_m2,
    with_rivers,
    with_upstream,
)

Result = TypeVar("Result")


class Others(NamedTuple):
    """Those who make an engine's pieces, and what they make them from."""

    engine: Engine
    ground: ReliefGround

    def climbed(self, numbers: np.ndarray) -> Climbed:
        """The tops that local points of these numbers lead to."""
        return climbed_by(self.engine, self.ground, numbers)

    def areas(self, parts: PlanetParts) -> list[Polygons]:
        """The areas of all catchments."""
        return areas_by(self.engine, self.ground.digest, parts.borders, catchment_count(parts))


def assembled(
    parts: PlanetParts,
    code: str,
    relief: ReliefSampler,
    region: Region | None = None,
    threads: int = 1,
    others: Others | None = None,
) -> PlanetMap:
    """The map of a planet; `code` is its world code. `region`: where pixels along rivers are wanted, if not everywhere.

    It is the same on any number of `threads`. `others`: work on what they can, unless this process does. Needs shapely.
    """
    globe, planet = parts.globe, parts.mesh.planet
    # What is asked of the relief is the work of kernels and of the disk, which leave Python to the other objects.
    with ThreadPoolExecutor(1) as pool:

        def beside(work: Callable[..., Result], *arguments: Any) -> Future[Result]:
            waiting = pool.submit(work, *arguments)
            if threads == 1:
                wait([waiting])
            return waiting

        climb = others.climbed if others else partial(climbed, parts.mesh, relief)
        climbing = beside(ranked_tops, parts, climb)
        outlining = beside(others.areas, parts) if others else None
        rivers = rivers_of(parts)
        near = rivers if region is None else rivers_near(rivers, region)
        lowering = beside(river_pixels, near, relief, 4 * parts.mesh.fine_cells)
        lakes = lakes_of(parts)
        catchments = catchments_of(parts, outlining.result() if outlining else catchment_areas(parts))
        rivers = with_upstream(rivers, parts, upstream_m2(parts, [catchment.area_km2 for catchment in catchments]))
        tops, seas, coastlines = climbing.result(), seas_of(parts), coastlines_of(parts)
        landmasses = landmasses_of(parts, tops)
        pixels = lowering.result()
    parallels, meridians = stretch_of(globe)
    return PlanetMap(
        code=code,
        seed=planet.seed,
        gn=planet.gn,
        ln=parts.mesh.ln,
        radius_m=globe.radius_m,
        land_ratio=float(parts.waters.landmasses.area_m2.sum() / globe.area_m2.sum()),
        stretch=parallels,
        stretch_of_meridians=meridians,
        landmasses=landmasses,
        coastlines=coastlines,
        seas=seas,
        lakes=lakes,
        rivers=rivers,
        confluences=confluences_of(parts),
        catchments=with_rivers(catchments, lakes, rivers),
        peaks=peaks_of(parts, tops, pixels),
        relief=relief,
        atlas=planet.atlas,
        river_pixels=pixels,
        oceans=oceans_of(parts, seas),
    )


def stretch_of(globe: Globe) -> tuple[Stretch, Stretch]:
    """How many times longer parallels and meridians are on the sphere than on the cone: each least, mean by area, most.

    On the cone a parallel is as long as its distance from the pole. Where distances are kept the greatest stretch is pi / 2,
    at the poles; where areas are kept it is the square root of 2 there, and that of meridians 4 / pi at the equator.
    """
    cells, even = globe.cells, globe.atlas is EVEN_CONE
    step = np.minimum(np.arange(2 * cells + 1), 2 * cells - np.arange(2 * cells + 1)) / cells
    at_pole = np.sqrt(2.0) if even else 0.5 * np.pi
    sines = meshes.ring_sines(cells, globe.atlas)
    across = np.divide(sines, step, out=np.full(len(step), at_pole), where=step > 0.0)
    along = 4.0 / np.pi / across if even else np.ones(len(step))
    weights = meshes.ring_weights(cells, globe.atlas) * meshes.ring_counts(cells)
    return _spread(across, weights), _spread(along, weights)


def _spread(ratio: np.ndarray, weights: np.ndarray) -> Stretch:
    return float(ratio.min()), float((ratio * weights).sum() / weights.sum()), float(ratio.max())
