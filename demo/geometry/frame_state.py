"""Frame state: all of a surface that changes from frame to frame. Plain data."""

from __future__ import annotations

from dataclasses import dataclass

from .forms import Sheet


@dataclass(frozen=True)
class Moment:
    """The state of a surface in one frame.

    `time`: seconds since the scene's start, which moves clouds and waves.
    `mix`: from the heights of set 0 (0) to those of set 1 (1). `grown`: whether heights are final, so that the bounds of the
    patches hold. `detail`: how much of the detail between the samples is there, 0..1: some only where heights are final or
    set 1 is.
    `swell`: from the double cone (0) to the sphere (1). `sheet`: the sphere while it is unrolled; None otherwise.
    `stretch`: the world's size by its own, while it flows from another world's; `sunk`: metres by which it stands lower.
    `soft`: metres above and below the sea's level over which land fades into water while a world grows; `deep`: metres by
    which the sea looks deeper then.
    `clouds`: how thick they are, 0..1. `bearings`: the weights of the three bearings of the sun for which a terrain keeps
    horizons. `shaded`: how much of the shadows that mountains throw is there, 0..1.
    `lakes`: whether there are waters above the sea that the heights tell. `filled`: how far the lakes of carved land have
    filled, 0..1.
    `covered`: how far the climate has covered the ground with its colours, 0..1, for set 0 and set 1.
    `rhombi`: cells along a face's edge of the double cone's mesh, 0 for none, and how far its last level has come, 0..1.
    """

    time: float
    mix: float = 0.0
    grown: bool = True
    swell: float = 1.0
    clouds: float = 0.0
    bearings: tuple[float, ...] = (1.0, 0.0, 0.0)
    shaded: float = 1.0
    stretch: float = 1.0
    sunk: float = 0.0
    soft: float = 0.0
    deep: float = 0.0
    detail: float = 1.0
    sheet: Sheet | None = None
    lakes: bool = False
    rhombi: tuple[float, float] = (0.0, 1.0)
    covered: tuple[float, float] = (1.0, 1.0)
    filled: float = 0.0

    @property
    def air(self) -> float:
        """How much of the air is there, 0..1: none around a sheet."""
        return 1.0 if self.sheet is None else min(max(5.0 * self.sheet.bend - 4.0, 0.0), 1.0)
