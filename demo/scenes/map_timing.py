"""Map timing: what a map's scene shows over its relief at any moment, like an animated page of an atlas. Pure arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.easing import during, ease, rise
from .scene import Scene

# Borders come and go with the sheet, unless key B keeps them on.
FADE_S = 1.5
# The parts of the flight between which names stand along its way.
WAY = 0.42, 0.95
# Rivers have all arrived a little before their time is over.
ARRIVED = 1.06
# How often a drop falls in a second, and from what height in metres of the show.
FALLS, FALL_M = 1.6, 30_000.0


@dataclass(frozen=True)
class MapMoment:
    """What is shown of a map at one moment; all values are 0..1, where 0 is nothing.

    `unrolled`: how far the sphere has become a sheet. `reached`: how far rivers have run, up to ARRIVED. `ink`: how blue
    rivers are. `names`: the names on the planet; `way`: those along the flight. `borders`, `rhombi`, `rain`: how visible
    each of these is.
    """

    unrolled: float
    reached: float
    ink: float
    names: float
    way: float
    borders: float
    rhombi: float
    rain: float


def map_moment(scene: Scene, t: float, borders: bool) -> MapMoment | None:
    """What is shown of the map t seconds after the scene's start; None in a scene that shows no map.

    `borders`: whether the user asked for borders and rhombi.
    """
    timing = scene.map_timing
    if timing is None:
        return None
    unrolled = unrolled_at(scene, t)
    flat = ease((unrolled - 0.75) / 0.25)
    wanted = 1.0 if borders else 0.0
    return MapMoment(
        unrolled=unrolled,
        reached=ARRIVED * min(max((t - timing.rivers[0]) / (timing.rivers[1] - timing.rivers[0]), 0.0), 1.0),
        ink=1.0 - ease((t - scene.birth_s - 5.0) / 9.0),
        names=during(t, timing.names, FADE_S),
        way=during(t, (scene.birth_s + WAY[0] * scene.flight_s, scene.birth_s + WAY[1] * scene.flight_s), FADE_S),
        borders=max(flat, wanted),
        rhombi=max(during(t, timing.rhombi, FADE_S), wanted),
        rain=during(t, timing.rain, FADE_S),
    )


def unrolled_at(scene: Scene, t: float) -> float:
    """How far the planet is unrolled into a sheet t seconds after the scene's start: 0 is the sphere, 1 the flat sheet."""
    timing = scene.map_timing
    return rise(t, timing.unroll) - rise(t, timing.roll) if timing else 0.0


def drops(numbers: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
    """(heights in metres, brightness 0..1) of the raindrops `numbers` (k,) at time t >= 0; float64 (k,) each."""
    phase = t * FALLS + numbers * 0.61803398875
    phase -= np.floor(phase)
    return FALL_M * (1.0 - phase), np.sin(np.pi * phase)
