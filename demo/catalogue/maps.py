"""The map of a planet from its seed and parameters, as the `map` command asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..worlds.parameters import Value
from .generators import generator

if TYPE_CHECKING:
    # Brings numba along.
    from ..mapping.objects.planet_map import Progress
    from ..mapping.objects.records import PlanetMap


def map_planet(seed: int, parameters: dict[str, Value], progress: Progress | None = None, threads: int = 1) -> PlanetMap:
    """The map of a double-cone planet: `parameters` are that generator's (gn, ln, land, poles).

    `progress` is called with a stage's name and the part done, 0..1, of the whole. The same map on any number of threads.
    Raises ParameterError. Needs shapely.
    """
    from ..mapping.objects.planet_map import planet_map_of

    maker = generator("doublecone")
    values = maker.complete(parameters)
    return planet_map_of(seed, values, maker.code(seed, values), progress, threads)
