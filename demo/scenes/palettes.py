"""Palettes: the colours of the land and sea of each scene, and of the look of its article. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..flight.turntable import AS_A_WHOLE, Turntable
from ..tables.looks import SMOOTH

if TYPE_CHECKING:
    from ..ground.warmth import Warmth

# Snow lies where the yearly mean is below this; and by how much that falls with a snow line as high as the highest land.
SNOW_C, LINE_C = -5.0, 14.0
# How much faster it grows cold towards the poles with `cold`.
COLDER = 0.9
# Red, green, blue.
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Palette:
    """The colours of a grown world, as linear reflectances in 0..1.

    `snow_line`: the share of the highest land above which snow lies where it is mild; `cold`: how far snow and ice reach
    from the poles towards the equator of a planet, 0..1.
    """

    deep: Colour = (0.004, 0.016, 0.045)
    shallow: Colour = (0.020, 0.110, 0.130)
    beach: Colour = (0.42, 0.36, 0.24)
    lush: Colour = (0.045, 0.095, 0.022)
    dry: Colour = (0.250, 0.190, 0.090)
    upland: Colour = (0.110, 0.100, 0.058)
    rock: Colour = (0.150, 0.130, 0.112)
    snow: Colour = (0.62, 0.655, 0.71)
    snow_line: float = 0.62
    cold: float = 0.30

    def felt(self, warmth: Warmth) -> Warmth:
        """A world's warmth as its colours take it: colder towards the poles of a cold palette."""
        by = 1.0 + COLDER * (self.cold - 0.30)
        return replace(warmth, fall_c=(by * warmth.fall_c[0], by * warmth.fall_c[1]))

    @property
    def covers(self) -> tuple[Colour, ...]:
        """What the ground is covered with: sand, stones, grass; in the cold soil, scree, heath; trees."""
        lush, dry, upland, rock = self.lush, self.dry, self.upland, self.rock
        return (
            _mixed((1.10, dry)),
            _mixed((0.34, dry), (0.51, rock)),
            _mixed((0.82, lush), (0.20, dry)),
            upland,
            _mixed((0.65, upland), (0.35, rock)),
            _mixed((0.62, upland), (0.34, lush)),
            _mixed((0.58, lush), (0.09, rock)),
        )

    @property
    def deposits(self) -> tuple[Colour, ...]:
        """What rivers lay down, and what grows there: gravel, mud, reeds, clay, salt."""
        beach, lush, dry, upland, rock = self.beach, self.lush, self.dry, self.upland, self.rock
        grey = 0.64 * sum(rock) / 3.0 + 0.36 * sum(beach) / 3.0
        return (
            _mixed((0.42, rock), (0.23, beach), (0.35, (grey, grey, grey))),
            _mixed((0.48, upland), (0.14, beach)),
            _mixed((0.79, lush), (0.15, dry), (0.03, rock)),
            _mixed((0.82, dry), (0.35, beach)),
            (0.62, 0.59, 0.54),
        )

    @property
    def snow_c(self) -> float:
        """The yearly mean, in degrees Celsius, below which snow lies: lower where palettes have it high."""
        return SNOW_C + LINE_C * (0.62 - self.snow_line)


def _mixed(*parts: tuple[float, Colour]) -> Colour:
    red, green, blue = (sum(share * colour[k] for share, colour in parts) for k in range(3))
    return red, green, blue


@dataclass(frozen=True)
class Printed:
    """The look of the article itself, as sRGB colours in 0..1.

    Land runs from `low` to `high`; `sea` is None where the article has none. `lit`: whether the article shades slopes.
    `reach`: the height above the datum, in radii or extents, at which land is `high`, with `low` at the datum itself. None:
    land is `high` where it is highest, and `low` at the sea, or where it is lowest if there is no sea. `normals`: one of
    NORMALS. `view`: of a terrain; a planet is seen from orbit.
    """

    low: Colour
    high: Colour
    sea: Colour | None = None
    lit: bool = False
    reach: float | None = None
    normals: str = SMOOTH
    view: Turntable = AS_A_WHOLE


ALPS = (
    Palette(lush=(0.042, 0.085, 0.026), dry=(0.215, 0.175, 0.095), rock=(0.175, 0.160, 0.142)),
    Palette(lush=(0.055, 0.080, 0.030), dry=(0.235, 0.180, 0.110), upland=(0.145, 0.11, 0.07), rock=(0.185, 0.14, 0.11)),
    Palette(
        lush=(0.040, 0.085, 0.030),
        dry=(0.16, 0.15, 0.07),
        upland=(0.085, 0.085, 0.055),
        rock=(0.170, 0.158, 0.145),
        snow_line=0.5,
    ),
)


VOLCANOES = (
    Palette(lush=(0.043, 0.092, 0.024), dry=(0.21, 0.18, 0.075), rock=(0.092, 0.087, 0.080), snow_line=0.74),
    Palette(beach=(0.10, 0.09, 0.085), lush=(0.037, 0.082, 0.028), dry=(0.15, 0.145, 0.07), rock=(0.074, 0.070, 0.066)),
)


# Seen from orbit the sea is nearly black, except for shelves and the blue of the air in front of it.
OCEAN = Palette(deep=(0.0022, 0.0095, 0.029), shallow=(0.012, 0.064, 0.080))


EARTHS = (
    replace(OCEAN, cold=0.30),
    replace(OCEAN, dry=(0.32, 0.23, 0.11), upland=(0.15, 0.115, 0.07), cold=0.24),
    replace(OCEAN, lush=(0.04, 0.085, 0.028), dry=(0.17, 0.15, 0.075), cold=0.40, snow_line=0.5),
)


WARM_EARTHS = (
    Palette(
        deep=(0.0022, 0.012, 0.032),
        shallow=(0.010, 0.082, 0.098),
        lush=(0.052, 0.100, 0.020),
        dry=(0.34, 0.25, 0.12),
        cold=0.18,
        snow_line=0.7,
    ),
    Palette(
        deep=(0.0030, 0.015, 0.034),
        shallow=(0.012, 0.070, 0.080),
        dry=(0.38, 0.22, 0.11),
        upland=(0.20, 0.12, 0.07),
        rock=(0.21, 0.14, 0.10),
        cold=0.16,
    ),
)


COOL_EARTHS = (
    replace(OCEAN, lush=(0.040, 0.085, 0.032), dry=(0.22, 0.20, 0.10), cold=0.36, snow_line=0.52),
    replace(OCEAN, lush=(0.036, 0.074, 0.034), dry=(0.15, 0.145, 0.085), cold=0.46, snow_line=0.46),
)


# Land of iron and salt: next to nothing grows on it.
DESERTS = (
    Palette(
        deep=(0.0040, 0.0125, 0.020),
        shallow=(0.030, 0.075, 0.060),
        beach=(0.46, 0.27, 0.15),
        lush=(0.105, 0.085, 0.036),
        dry=(0.36, 0.175, 0.085),
        upland=(0.215, 0.105, 0.062),
        rock=(0.175, 0.088, 0.058),
        snow_line=0.86,
        cold=0.16,
    ),
)
