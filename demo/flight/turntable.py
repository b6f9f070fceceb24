"""A terrain as its article shows it: seen as a whole, while it turns slowly about its middle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.ground import UP
from .camera import Pose, look_at
from .paths import Flight

# A second: half a degree, as the plasma article turns its terrain in a frame of its own.
TURN = np.radians(0.5)


@dataclass(frozen=True)
class Turntable:
    """Where the camera stands, in extents of the terrain: `away` from its middle, `above` its datum; it looks at the height
    `aim` over the middle."""

    away: float = 1.06
    above: float = 0.54
    aim: float = 0.0

    def flight(self, extent_m: float, datum_m: float, seconds: float) -> Flight:
        """The view over `seconds`, and beyond. `extent_m`: the terrain's; `datum_m`: its datum, metres above the sea."""
        aim = (datum_m + self.aim * extent_m) * UP

        def pose_at(t: float) -> Pose:
            angle = TURN * t
            eye = self.away * np.array([np.sin(angle), 0.0, np.cos(angle)]) + self.above * UP
            return look_at(eye * extent_m + datum_m * UP, aim, UP)

        return Flight(seconds, pose_at)


AS_A_WHOLE = Turntable()
"""All of the square is seen, from above its rim."""
