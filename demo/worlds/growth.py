"""Growth: the form that every algorithm has, one unit of work after another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .atlas import Atlas

if TYPE_CHECKING:
    from .runoff import Runoff

# How high one unit of heights is drawn, in extents, unless it is said.
RELIEF = 0.1


@dataclass(frozen=True)
class Marks:
    """What is drawn of the work itself between two steps, in radii of the planet or in extents of the terrain.

    `rings`: float32 (k, 4), planes as unit normal and offset; `steps`: int64 (k,), the step of each, from 1.
    `points`: float32 (k, 4), x, y, z and size. `lines`: float32 (k, 2, 3), segments. An array is empty where an
    algorithm has no such marks.
    """

    rings: np.ndarray
    steps: np.ndarray
    points: np.ndarray
    lines: np.ndarray

    @staticmethod
    def none() -> Marks:
        rings, points, lines = (np.zeros(shape, np.float32) for shape in ((0, 4), (0, 4), (0, 2, 3)))
        return Marks(rings, np.zeros(0, np.int64), points, lines)


class Growth(ABC):
    """A world in the making: `done` of `total` units of work (cuts, particles, levels, octaves) are done.

    `heights`: float32 (faces, n, n), elevations above the datum in `unit`; the row is v, the column is u. It is the growth's
    own buffer and valid until the next `advance`. `advance(a); advance(b)` leaves the same bits as `advance(b)`, on any
    number of threads. `sea_level` belongs to the present heights and has their unit. `size` is the radius (spherical
    atlases) or the extent (PLANE) in the generator's own units.
    """

    atlas: Atlas
    total: int
    unit: str
    size: float = 1.0
    # Heights above the nearest water, negative on its bed, in the shape and unit of `heights`. Worlds with lakes have it,
    # because their `heights` hold the lakes' surfaces. None: the sea is the only water.
    above: np.ndarray | None = None
    # Whether `sediment` and `hardness` will be asked for: to be set at step 0.
    keeps_ground = False
    # Where water flows on land that has been carved to its end, to be shown; None on other land.
    runoff: Runoff | None = None
    # How high a unit of heights stands where a world is drawn as its article draws it, in radii or extents. None: as high as
    # it always does.
    printed_relief: float | None = None

    def __init__(self, seed: int, n: int) -> None:
        self.seed = seed
        self.n = n
        self.done = 0
        self.heights = np.zeros((self.atlas.faces, n, n), np.float32)

    def advance(self, to: int) -> None:
        """Do the work up to step `to`, done <= to <= total; raises ValueError outside that range."""
        if not self.done <= to <= self.total:
            raise ValueError(f"step {to} is outside {self.done}..{self.total}")
        if to > self.done:
            self._advance(to)
            self.done = to

    @abstractmethod
    def _advance(self, to: int) -> None:
        """Bring `heights` from `done` to `to`."""

    @property
    def stages(self) -> dict[str, int]:
        """The last step of each stage of the work that has a name; "end" is the last step of all.

        "grown" is the last step of the algorithm itself: a growth that is carved goes on after it.
        """
        return {"grown": self.total, "end": self.total}

    @property
    def years(self) -> np.ndarray:
        """How long carving has lasted after its steps, none at first: float64 (stages["end"] - stages["grown"] + 1,)."""
        return np.zeros(1)

    @property
    @abstractmethod
    def sea_level(self) -> float:
        """Elevation of the sea for the present heights, in the unit of heights; finite."""

    @property
    def sediment(self) -> np.ndarray | None:
        """What rivers have laid down and not cut away again, in the shape and unit of `heights`; None: no such ground."""
        return None

    @property
    def hardness(self) -> np.ndarray | None:
        """How many times as hard as the mean the rock is, in the shape of `heights`; None where `sediment` is None."""
        return None

    @property
    def rain_mm(self) -> np.ndarray | None:
        """What falls in a year by a climate of the growth's own, float32 (faces, m, m); None without one."""
        return None

    @property
    def highest(self) -> float | None:
        """The highest height up to now, in the unit of heights, by which an article colours land; None: it does not say."""
        return None

    def goes_back(self, to: int) -> bool:
        """Go back to step `to` < done, where that costs hardly anything; False, and nothing has changed, where it does."""
        return False

    def again(self, grow: Callable[[], Growth], steps: Collection[int]) -> Growth:
        """The same world at step 0, to be grown a second time, where it will stand at `steps`; `grow` begins it anew.

        A growth that found out something costly which never changes hands it on to the second one instead.
        """
        return grow()

    @property
    def sinking(self) -> float:
        """How far the points of `marks` sink while one more step is done, in extents."""
        return 0.0

    def marks(self, first: int, last: int, relief: float = RELIEF) -> Marks:
        """What to show of the steps first < k <= last while they are done.

        `relief`: how high one unit of heights is drawn, in extents; points hang over land of that height.
        """
        return Marks.none()
