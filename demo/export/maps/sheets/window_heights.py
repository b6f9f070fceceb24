"""Heights and climate of all sheets' windows, taken in one walk over the planet from north to south.

A relief works out whole belts of the planet at a time: sheets that asked one after the other would have it do so again and
again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ....mapping.objects.records import PlanetMap
from .climate_tints import Weather
from .map_window import View

MARGIN_CELLS = 6
# Cells are this part of a step of the local mesh, but no smaller than so many pixels.
PART_OF_STEP, LEAST_PIXELS = 0.8, 1.25
BANDS = 512


@dataclass(frozen=True)
class Ground:
    """A window's coarse cells, MARGIN_CELLS of them beyond each edge: float32 (rows, columns).

    `dry` and `cold` are shares, 0..1; `cell` is a cell's edge in points of paper.
    """

    heights_m: np.ndarray
    dry: np.ndarray
    cold: np.ndarray
    cell: float


class _Window:
    """The cells of one view, sorted from north to south."""

    def __init__(self, view: View, planet: PlanetMap, pixels_per_point: float) -> None:
        step_km = 0.5 * np.pi * view.radius_km / 2 ** (planet.gn + planet.ln)
        wanted = max(PART_OF_STEP * step_km / view.km_per_point, LEAST_PIXELS / pixels_per_point)
        columns = max(int(view.width / wanted), 8)
        self.cell = view.width / columns
        rows = max(round(view.height / self.cell), 8)
        x = (np.arange(-MARGIN_CELLS, columns + MARGIN_CELLS) + 0.5) * self.cell
        y = (np.arange(-MARGIN_CELLS, rows + MARGIN_CELLS) + 0.5) * (view.height / rows)
        self.shape = len(y), len(x)
        parts = [view.degrees(*np.meshgrid(x, line)) for line in y[:, None]]
        self.longitude, self.latitude = (np.concatenate([p[k].ravel() for p in parts]).astype(np.float32) for k in (0, 1))
        self.order = np.argsort(-self.latitude, kind="stable").astype(np.int32)
        self.heights = np.empty(len(self.order), np.float32)
        # The first and the last band also hold what a pole's rounding puts beyond it.
        edges = np.linspace(-90.0, 90.0, BANDS + 1, dtype=np.float32)[1:-1]
        cuts = np.searchsorted(-self.latitude[self.order], edges)
        self._cuts = [0, *cuts.tolist(), len(self.order)]

    def take(self, planet: PlanetMap, band: int) -> None:
        """The heights of all cells in one of BANDS belts of the planet, counted from the north."""
        here = self.order[self._cuts[band] : self._cuts[band + 1]]
        if len(here):
            self.heights[here] = planet.relief.sample(self.longitude[here], self.latitude[here])

    def ground(self, weather: Weather) -> Ground:
        dry, cold = weather.at(self.longitude, self.latitude)
        return Ground(*(part.reshape(self.shape) for part in (self.heights, dry, cold)), self.cell)


def survey(
    views: Sequence[View], planet: PlanetMap, weather: Weather, pixels_per_point: float, progress: Callable[[float], None]
) -> list[Ground]:
    """The ground of each view, at about the spacing of the local mesh, or of the pixels where those are coarser."""
    windows = [_Window(view, planet, pixels_per_point) for view in views]
    for band in range(BANDS):
        for window in windows:
            window.take(planet, band)
        progress((band + 1) / BANDS)
    return [window.ground(weather) for window in windows]
