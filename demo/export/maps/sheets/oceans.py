"""The oceans of a planet: the parts of its one connected sea, each around a place far from land, and their names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....mapping.degrees import directions
from ....mapping.objects.languages import Namer
from ....mapping.objects.records import PlanetMap

# The middles of two oceans lie at least this far apart, in degrees, and as far from land as this at least. There are at most
# MOST of them.
APART, OPEN, MOST = 55.0, 9.0, 6
# Every so many cells of the grid of land is looked at.
EVERY = 6
# Numbers by which oceans beyond the first are named; seas have smaller ones.
FIRST_NUMBER = 1 << 20


@dataclass(frozen=True)
class Ocean:
    """`name`, and the unit vector, float64 (3,), to the place in it that lies farthest from land."""

    name: str
    middle: np.ndarray


def oceans_of(planet: PlanetMap, land: np.ndarray) -> tuple[Ocean, ...]:
    """The oceans of a planet, the widest first, which has the name of the planet's sea; at least one.

    `land`: float32 (rows, columns), the share of land on a grid of longitude and latitude, from the north-west on.
    """
    middles = _middles(land)
    names, number = [planet.seas[0].name if planet.seas else ""], FIRST_NUMBER
    namer, used = Namer(planet.seed), {sea.name for sea in planet.seas}
    while len(names) < len(middles):
        name = namer.name("sea", -1, number)
        number += 1
        if name not in used:
            names.append(name)
    return tuple(Ocean(name, middle) for name, middle in zip(names, middles, strict=True))


def _middles(land: np.ndarray) -> list[np.ndarray]:
    """The places farthest from land, each of them APART from those before it."""
    rows, columns = land.shape
    latitude = 90.0 - (np.arange(rows)[::EVERY] + 0.5) * 180.0 / rows
    longitude = -180.0 + (np.arange(columns)[::EVERY] + 0.5) * 360.0 / columns
    places = directions(np.stack(np.meshgrid(longitude, latitude), axis=-1).reshape(-1, 2))
    dry = land[::EVERY, ::EVERY].ravel() > 0.5
    sea, shore = places[~dry], places[dry]
    if not len(sea) or not len(shore):
        return [directions(np.array([0.0, 0.0]))]
    nearest = np.concatenate([(part @ shore.T).max(axis=1) for part in np.array_split(sea, 16) if len(part)])
    found: list[np.ndarray] = []
    for k in np.argsort(nearest, kind="stable").tolist():
        open_sea = nearest[k] < np.cos(np.radians(OPEN)) or not found
        if open_sea and all(sea[k] @ other < np.cos(np.radians(APART)) for other in found) and len(found) < MOST:
            found.append(sea[k])
    return found


def ocean_at(oceans: tuple[Ocean, ...], longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
    """The number of the ocean whose middle is nearest to each place in degrees: int64, of the places' shape."""
    places = directions(np.stack([longitude, latitude], axis=-1))
    nearest: np.ndarray = np.argmax(places @ np.stack([ocean.middle for ocean in oceans]).T, axis=-1)
    return nearest
