"""Cloudiness: how thick the clouds of a scene are, and when."""

from __future__ import annotations

from ..maths.easing import ease
from .scene import Scene

# How fast the clouds of a planet drift, in radians a second.
DRIFT = 0.0035
GATHER_S = 6.0
# The share of clouds that is there while rain carves: the land is seen between them.
RAIN = 0.75
# Over a map clouds clear by this much from this share of the flight on.
CLEAR, CLEARS = 0.3, 0.22


def clouds_at(scene: Scene, t: float) -> float:
    """How thick clouds are at time t, 0..1: they gather while rain carves, then wholly, and clear where a map's river is
    followed."""
    gathered = [ease((t - since) / GATHER_S) for since in (scene.grown_s, scene.birth_s)]
    thick = scene.cloudiness * (RAIN * gathered[0] + (1.0 - RAIN) * gathered[1])
    if scene.map_timing is None:
        return thick
    clears = scene.birth_s + CLEARS * scene.flight_s
    return thick * (1.0 - CLEAR * ease((t - clears) / GATHER_S))
