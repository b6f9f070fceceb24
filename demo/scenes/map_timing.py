"""Plate: what of the planetary map is seen at a moment of its scene: an animated page of an atlas. Pure arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.easing import during, ease, rise
from .scene import Scene

# Borders come with the sheet and go with it, unless key B wants them all the time.
FADE_S = 1.5
# Parts of the flight in which names stand along its way.
WAY = 0.42, 0.95
# How many times a drop falls in a second, and how far in the show's metres.
FALLS, FALL_M = 1.6, 30_000.0


@dataclass(frozen=True)
class PlateMoment:
    """All 0..1: `unrolled`, the sheet; `reached`, how far rivers have run; `ink`, how blue they are; `names`, `way` (names
    along the flight), `borders`, `rhombi` and `rain`: how much of those is seen."""

    unrolled: float
    reached: float
    ink: float
    names: float
    way: float
    borders: float
    rhombi: float
    rain: float


def plate_at(scene: Scene, t: float, borders: bool) -> PlateMoment:
    """The moment t seconds after the scene's start; `borders`: whether they are asked for."""
    plate, unrolled = scene.plate, unrolled_at(scene, t)
    flat = ease((unrolled - 0.75) / 0.25)
    wanted = 1.0 if borders else 0.0
    return PlateMoment(
        unrolled=unrolled,
        reached=1.06 * min(max((t - plate.rivers[0]) / (plate.rivers[1] - plate.rivers[0]), 0.0), 1.0),
        ink=1.0 - ease((t - scene.birth_s - 5.0) / 9.0),
        names=during(t, plate.names, FADE_S),
        way=during(t, (scene.birth_s + WAY[0] * scene.flight_s, scene.birth_s + WAY[1] * scene.flight_s), FADE_S),
        borders=max(flat, wanted),
        rhombi=max(during(t, plate.rhombi, FADE_S), wanted),
        rain=during(t, plate.rain, FADE_S),
    )


def unrolled_at(scene: Scene, t: float) -> float:
    """How far the planet of a scene with a plate is unrolled t seconds after its start, 0..1."""
    return rise(t, scene.plate.unroll) - rise(t, scene.plate.roll)


def drops(numbers: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Of drops by their numbers (k,): heights in metres and brightness 0..1 at time t >= 0, float64 (k,) each."""
    phase = t * FALLS + numbers * 0.61803398875
    phase -= np.floor(phase)
    return FALL_M * (1.0 - phase), np.sin(np.pi * phase)
