"""Prepared: what is known of a story once its world has been grown in full."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..flight.paths import Flight
    from ..geometry.patch_tree import PatchTree
    from ..geometry.ribbons import Ribbons
    from ..geometry.river_beds import RiverBeds
    from ..geometry.river_strips import RiverStrips
    from ..ground.ground import Ground
    from ..ground.warmth import Warmth
    from ..mapping.shown.map_labels import Label
    from ..scenes.daylight import Daylight
    from ..scenes.moon_and_rings import MoonAndRings
    from ..scenes.timeline import Timeline
    from ..worlds.atlas import Atlas
    from ..worlds.growth import Marks


@dataclass(frozen=True)
class PreparedMap:
    """What a map shows over its relief.

    `divides`: the strips of the lines between catchments. `middle`: the quarter of the planet in the middle of its sheet, as
    in `Sheet`. `rain`: float64 (2, k, 3), where drops fall, on the double cone and on the sphere, in radii. `labels`: names,
    the most important first, then those along the flight. `rivers`, `far_rivers`: the strips of rivers from near and from
    afar. Before the flight is known there are no names and no rivers, which are None then, and it does not rain.
    """

    divides: Ribbons
    middle: int
    rain: np.ndarray
    labels: tuple[Label, ...] = ()
    rivers: Ribbons | None = None
    far_rivers: Ribbons | None = None

    def without_points(self) -> PreparedMap:
        """The same without the points of its lines."""
        rivers, far = self.rivers and self.rivers.without_points(), self.far_rivers and self.far_rivers.without_points()
        return replace(self, divides=self.divides.without_points(), rivers=rivers, far_rivers=far)


@dataclass(frozen=True)
class Prepared:
    """All that a picture of any moment of a story needs, but for the heights of that moment.

    `ground`: the grown world in metres, with its detail; `tree`: its patches. `samples`: along the edge of a face.
    `timeline`: which step is shown when. `grown`: the last step of the growth itself; `years`: as `Growth.years`.
    `flight`: the camera over birth and flight.
    `whole`: the camera that sees all of the world at all times, as articles show it.
    `daylight`: the sun over birth and flight; `turn`: the longitude in radians at which the birth's camera ends.
    `marks`: the work in the first third of the steps, in radii or extents. `ring_times`: float64 (k,), the seconds at which
    each ring of the marks is shown. `sinking_m`: metres that points of the marks sink in a step.
    `outline`: float64 (2, k, 3), points of the rhombi on the double cone and on the sphere, in radii; None without a cone.
    `clouds`: float32 (c, c), 0..1, the clouds' density; it repeats. `sunlight`: as `air_table` returns it.
    `lamps`: records (k,) of `scenes.towns.LAMP`. `moon_and_rings`: what stands in the sky.
    `warmth`: how warm it is where. `cover`: of the ground, as `cover_parts` returns it; None before it is known.
    `metres`: metres of the show in a unit of the world's heights. `range_m`: the lowest and the highest sample, metres.
    `code`: the world's code. `map`: what a map shows over its relief; None in all other stories. `rivers`: of
    carved land, or of a map where its flight passes; `river_beds`: their beds; None without.
    """

    ground: Ground
    tree: PatchTree
    samples: int
    timeline: Timeline
    grown: int
    years: np.ndarray
    flight: Flight
    whole: Flight
    daylight: Daylight
    turn: float
    marks: Marks
    ring_times: np.ndarray
    sinking_m: float
    outline: np.ndarray | None
    clouds: np.ndarray
    sunlight: np.ndarray
    lamps: np.ndarray
    moon_and_rings: MoonAndRings
    warmth: Warmth
    metres: float
    range_m: tuple[float, float]
    code: str
    map: PreparedMap | None
    rivers: RiverStrips | None = None
    river_beds: RiverBeds | None = None
    cover: np.ndarray | None = None

    @property
    def atlas(self) -> Atlas:
        """The world's atlas."""
        return self.ground.atlas

    def uploaded(self, rivers: bool, cover: bool, lamps: bool) -> Prepared:
        """The same without what only the GPU needs: clouds, a map's lines, and `rivers`, `cover` and `lamps` if they are
        there.

        A map's lines come with its cover.
        """
        gone = not self.clouds.size and (not cover or self.cover is None) and not (lamps and len(self.lamps))
        if gone and not (rivers and self.rivers and len(self.rivers.points)):
            return self
        return replace(
            self,
            clouds=np.zeros((0, 0), np.float32),
            lamps=self.lamps[:0].copy() if lamps else self.lamps,
            map=self.map.without_points() if self.map and (cover or self.cover is None) else self.map,
            rivers=self.rivers.without_points() if rivers and self.rivers else self.rivers,
            cover=None if cover else self.cover,
        )
