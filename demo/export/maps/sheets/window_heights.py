"""Heights and climate in the windows of all sheets, sampled in one walk over the planet from north to south.

The planet's relief works out a whole belt at a time. Sheets that asked one after another would have it work out each belt
again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ....mapping.objects.records import PlanetMap
from .climate_tints import ClimateTints
from .map_window import MapWindow

MARGIN_CELLS = 6
# A cell is this part of a step of the local mesh, but no smaller than this number of pixels.
PART_OF_STEP, LEAST_PIXELS = 0.8, 1.25
BELTS = 512


@dataclass(frozen=True)
class WindowHeights:
    """The ground in a window, in coarse cells that reach MARGIN_CELLS beyond each edge.

    `heights_m`: float32 (rows, columns), metres. `dry`, `cold`: float32 (rows, columns), shares 0..1. `cell`: the edge of a
    cell in points of paper.
    """

    heights_m: np.ndarray
    dry: np.ndarray
    cold: np.ndarray
    cell: float


def heights_in(
    windows: Sequence[MapWindow],
    planet: PlanetMap,
    tints: ClimateTints,
    pixels_per_point: float,
    progress: Callable[[float], None],
) -> list[WindowHeights]:
    """The ground in each window, at about the spacing of the local mesh, or of the pixels where those are coarser."""
    grids = [_CellGrid(window, planet, pixels_per_point) for window in windows]
    for belt in range(BELTS):
        for grid in grids:
            grid.take(planet, belt)
        progress((belt + 1) / BELTS)
    return [grid.finished(tints) for grid in grids]


class _CellGrid:
    """The cells of one window, sorted from north to south."""

    def __init__(self, window: MapWindow, planet: PlanetMap, pixels_per_point: float) -> None:
        step_km = 0.5 * np.pi * window.radius_km / 2 ** (planet.gn + planet.ln)
        wanted = max(PART_OF_STEP * step_km / window.km_per_point, LEAST_PIXELS / pixels_per_point)
        columns = max(int(window.width / wanted), 8)
        self.cell = window.width / columns
        rows = max(round(window.height / self.cell), 8)
        x = (np.arange(-MARGIN_CELLS, columns + MARGIN_CELLS) + 0.5) * self.cell
        y = (np.arange(-MARGIN_CELLS, rows + MARGIN_CELLS) + 0.5) * (window.height / rows)
        self.shape = len(y), len(x)
        parts = [window.degrees(*np.meshgrid(x, line)) for line in y[:, None]]
        self.longitude, self.latitude = (np.concatenate([p[k].ravel() for p in parts]).astype(np.float32) for k in (0, 1))
        self.order = np.argsort(-self.latitude, kind="stable").astype(np.int32)
        self.heights = np.empty(len(self.order), np.float32)
        # The first and the last belt also hold the places that rounding puts beyond a pole.
        edges = np.linspace(-90.0, 90.0, BELTS + 1, dtype=np.float32)[1:-1]
        cuts = np.searchsorted(-self.latitude[self.order], edges)
        self.cuts = [0, *cuts.tolist(), len(self.order)]

    def take(self, planet: PlanetMap, belt: int) -> None:
        """Samples the heights of the cells in one of the BELTS, counted from the north."""
        here = self.order[self.cuts[belt] : self.cuts[belt + 1]]
        if len(here):
            self.heights[here] = planet.relief.sample(self.longitude[here], self.latitude[here])

    def finished(self, tints: ClimateTints) -> WindowHeights:
        """All cells in their rows and columns."""
        dry, cold = tints.at(self.longitude, self.latitude)
        return WindowHeights(self.heights.reshape(self.shape), dry.reshape(self.shape), cold.reshape(self.shape), self.cell)
