"""What is prepared of a carved world's rivers: those that its flight will see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..geometry.river_beds import RiverBeds, river_beds
from ..geometry.river_strips import RiverStrips, river_strips
from ..ground.distributaries import with_arms
from ..ground.river_bends import smooth_at
from ..ground.rivers import river_parts
from ..worlds.carving.river_ways import courses_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from ..flight.paths import Flight
    from ..ground.ground import Ground
    from ..worlds.runoff import Runoff

# Seconds of the flight between the places that rivers are looked at from.
LOOKED_S = 3.0


def strips_on(
    runoff: Runoff | None, ground: Ground, flight: Flight, begins_s: float, metres: float, seed: int
) -> Generator[None, None, tuple[RiverStrips | None, RiverBeds | None]]:
    """The strips and the beds of the rivers on the ground of a world, with pauses; None without.

    `begins_s`: when the flight over them begins; `metres`: of the show in a unit of heights; `seed`: the world's.
    """
    if runoff is None:
        return None, None
    eyes = np.stack([flight.pose(t).position for t in np.arange(begins_s, flight.seconds, LOOKED_S)])
    atlas, size_m = ground.atlas, ground.size_m

    def high(place: np.ndarray) -> np.ndarray:
        return smooth_at(place, ground)

    courses = courses_of(runoff, high, atlas, size_m, metres, eyes)
    if not len(courses):
        return None, None
    yield
    armed = with_arms(courses, high, atlas, ground.cell_m / size_m, ground.highest_m, seed)
    rivers = yield from river_parts(armed, ground, seed, eyes=eyes)
    yield
    strips = river_strips(rivers, atlas, eyes)
    yield
    return strips, river_beds(rivers, atlas)
