"""World: the lengths, the air and the sun of a story's world at a moment, and of one on its way into another."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ..ground.air import Air
from ..maths.vectors import slerp


@dataclass(frozen=True)
class World:
    """What a view needs of a world.

    `size_m`: radius of a planet, extent of a terrain. `relief_m`: the highest land above the sea. `sun`: float64 (3,), the
    unit vector towards it. `sun_colour`: float64 (3,), its radiance outside the air. `night`: how far it is night where the
    sun does not tell, 0..1: then that is the moon.
    """

    spherical: bool
    size_m: float
    relief_m: float
    air: Air
    sun: np.ndarray
    sun_colour: np.ndarray
    night: float = 0.0

    def towards(self, other: World, share: float) -> World:
        """The world that is `share` (0..1) of the way to another one of its kind."""

        def between(a: float, b: float) -> float:
            return a + (b - a) * share

        air: dict[str, Any] = {
            field.name: tuple(map(between, a, b)) if isinstance(a, tuple) else between(a, b)
            for field in fields(Air)
            for a, b in [(getattr(self.air, field.name), getattr(other.air, field.name))]
        }
        return World(
            self.spherical,
            between(self.size_m, other.size_m),
            between(self.relief_m, other.relief_m),
            Air(**air),
            slerp(self.sun, other.sun, share),
            self.sun_colour + (other.sun_colour - self.sun_colour) * share,
            between(self.night, other.night),
        )
