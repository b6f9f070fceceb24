"""The map as a scene's generator: an entry like those of `worlds.generators`, one storey higher. Imports no numba."""

from __future__ import annotations

from ..worlds.generators import Generator, generator

MAP = Generator(
    name="map",
    version=1,
    title="Planetary map",
    source="relief, rivers and lakes on a double cone, after a Habr article",
    work="steps",
    module="demo.mapping.growth",
    parameters=generator("doublecone").parameters,
)
