"""What of a surface changes from frame to frame. Plain data."""

from __future__ import annotations

from dataclasses import dataclass

from .forms import Sheet


@dataclass(frozen=True)
class Moment:
    """What of a surface changes from frame to frame.

    `mix`: from the heights of set 0 (0) to those of set 1 (1); `grown`: whether they are the final ones, so that the
    patches' bounds hold; `swell`: from the double cone's own form (0) to the sphere (1); `clouds`: how thick, 0..1;
    `bearings`: weights of the three bearings of the sun whose horizons a terrain keeps; `stretch`: how large the world is
    in its own size, while it is on its way from another's, and `sunk` by how many metres it stands lower meanwhile;
    `soft`: metres above and below the sea's level over which land and water pass into each other while heights are mixed,
    and `deep` by how many metres the sea looks deeper then;
    `detail`: how much of what stands between the samples is there, 0..1; `sheet`: the sphere being unrolled; `lakes`:
    whether there are waters above the sea.
    """

    time: float
    mix: float = 0.0
    grown: bool = True
    swell: float = 1.0
    clouds: float = 0.0
    bearings: tuple[float, ...] = (1.0, 0.0, 0.0)
    stretch: float = 1.0
    sunk: float = 0.0
    soft: float = 0.0
    deep: float = 0.0
    detail: float = 1.0
    sheet: Sheet | None = None
    lakes: bool = False

    @property
    def air(self) -> float:
        """How much of the air there is: none around a sheet."""
        return 1.0 if self.sheet is None else min(max(14.0 * self.sheet.bend - 13.0, 0.0), 1.0)
