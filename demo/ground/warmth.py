"""Warmth: the yearly mean temperature over a world, as a law of latitude and height that shaders can work out anywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..worlds.climate.laws import EQUATOR_C, FALL_C, LAPSE_C_PER_M
from ..worlds.climate.temperature import metres_of, sea_level_c

if TYPE_CHECKING:
    from ..worlds.growth import Growth


@dataclass(frozen=True)
class Warmth:
    """Temperatures in degrees Celsius, yearly means, as `worlds.climate` has them.

    `sea_c`: at the sea, of a planet on its equator; `fall_c`: as `laws.FALL_C`, none on a terrain; `lapse_c`: from the sea
    to the highest land.
    """

    sea_c: float = EQUATOR_C
    fall_c: tuple[float, float] = FALL_C
    lapse_c: float = 36.0

    def celsius(self, sine2: np.ndarray, height: np.ndarray) -> np.ndarray:
        """At places of the squared sine of latitude and the height in parts of the highest land, (...) both."""
        return self.sea_c - (self.fall_c[0] + self.fall_c[1] * sine2) * sine2 - self.lapse_c * height


def in_season(warmth: Warmth, warmer_c: float) -> Warmth:
    """The warmth of a time of year that is so much warmer than the yearly mean, everywhere."""
    return replace(warmth, sea_c=warmth.sea_c + warmer_c)


def warmth_of(growth: Growth) -> Warmth:
    """The warmth of a growth's present land."""
    atlas, highest = growth.atlas, max(float(growth.heights.max()) - float(growth.sea_level), 1e-9)
    lapse_c = LAPSE_C_PER_M * metres_of(atlas, growth.unit, highest) * highest
    if atlas.spherical:
        return Warmth(lapse_c=lapse_c)
    return Warmth(float(sea_level_c(atlas, np.zeros((1, 3)), growth.seed)[0]), (0.0, 0.0), lapse_c)
