"""Clouds as the shaders take them: over a planet a drifting layer, over a terrain a flat one."""

from __future__ import annotations

import numpy as np

from ..geometry.frame_state import Moment
from ..geometry.view import View
from ..scenes.cloudiness import DRIFT

# How high the clouds of a planet are.
PLANET_CLOUD_M = 5_500.0
# As in sky.frag: the side of a tile of a terrain's clouds; and how fast they drift, in tiles a second.
TERRAIN_TILE_M, TERRAIN_DRIFT = 52_000.0, 0.0009


def is_below_clouds(away_m: float, radius_m: float) -> bool:
    """Whether what is so far from the middle of a planet of a radius is below its clouds."""
    return away_m < radius_m + PLANET_CLOUD_M


def planet_clouds(moment: Moment, radius_m: float) -> dict[str, object]:
    """The block CLOUDS over a planet of a radius in metres."""
    drift = moment.time * DRIFT
    return {
        "cloudy": (moment.clouds, float(np.cos(drift)), float(np.sin(drift))),
        "cloud_radius": radius_m + PLANET_CLOUD_M,
    }


def terrain_clouds(view: View, moment: Moment) -> dict[str, object]:
    """The block CLOUDS over a terrain."""
    x, _, z = view.eye / TERRAIN_TILE_M
    return {"cloudy": (moment.clouds, float(x + moment.time * TERRAIN_DRIFT), float(z)), "cloud_radius": 0.0}
