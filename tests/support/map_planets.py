"""Planets whose maps several tests look at; each is made once."""

from __future__ import annotations

import functools

from demo.catalogue.maps import map_planet
from demo.mapping.objects.records import PlanetMap

# A planet that fills most cases; land and rivers over the poles; single large steps; and next to no land.
PLANETS = {
    "usual": (14, {"gn": 5, "ln": 2}),
    "land at the poles": (1, {"gn": 4, "ln": 3, "poles": "any", "land": 0.6}),
    "rivers at the poles": (8, {"gn": 4, "ln": 2, "poles": "any", "land": 0.7}),
    "nearly all land": (4, {"gn": 4, "ln": 1, "poles": "any", "land": 0.97}),
    "no local mesh": (2, {"gn": 4, "ln": 0}),
    "islands": (5, {"gn": 3, "ln": 4, "land": 0.05}),
    "fine": (9, {"gn": 3, "ln": 5, "land": 0.5}),
    "least": (7, {"gn": 1, "ln": 1}),
}


@functools.cache
def planet_map(name: str) -> PlanetMap:
    """The map of one of PLANETS."""
    return map_planet(*PLANETS[name])
