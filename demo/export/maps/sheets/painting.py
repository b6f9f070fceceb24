"""The painted ground of a sheet: hypsometric tints that follow the climate, depth tints, and shading from several sides.

After E. Imhof, "Cartographic Relief Presentation", 1965, and T. Patterson's cross-blended hypsometric tints. Lit slopes are
warm and shaded ones cool; high land stands out more than low land; level ground keeps its tint.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from .window_heights import MARGIN_CELLS, WindowHeights

# (height in metres, colour) pairs, ascending.
Tint = tuple[tuple[float, str], ...]

HUMID: Tint = (
    (0, "#a9c494"), (150, "#b7cc9a"), (400, "#cdd6a4"), (800, "#e0dbac"), (1400, "#e3cfa0"), (2200, "#d6b88d"),
    (3200, "#c6a588"), (4300, "#cbb9ab"), (5500, "#e9e4df"), (7000, "#fbfaf8"),
)  # fmt: skip
DRY: Tint = (
    (0, "#e4dbb8"), (300, "#eadfb9"), (800, "#ecd9ae"), (1400, "#e4c898"), (2200, "#d5b184"), (3200, "#c49f80"),
    (4300, "#cab6a7"), (5500, "#e9e3dd"), (7000, "#fbfaf8"),
)  # fmt: skip
COLD: Tint = (
    (0, "#c9d0c4"), (400, "#d6d9cc"), (900, "#dddcd2"), (1600, "#d8d3ca"), (2600, "#d9d4d0"), (4000, "#eeecec"),
    (6000, "#ffffff"),
)  # fmt: skip
ICE = "#f3f6f8"
SEA: Tint = (
    (-9000, "#5f93b8"), (-6500, "#6d9fc2"), (-4500, "#7fafce"), (-3000, "#92bdd7"), (-1500, "#a6cade"), (-500, "#b8d6e5"),
    (-120, "#c8e0ea"), (0, "#d6e8ee"),
)  # fmt: skip
LAKE = "#a9cfe3"

LOWEST_M, HIGHEST_M, STEPS = -9000.0, 9000.0, 2048
# Azimuth in degrees clockwise from north, and weight, of each lamp; the sine of the height at which all of them stand.
LAMPS, LAMP_SINE = ((315.0, 0.58), (270.0, 0.16), (0.0, 0.16), (225.0, 0.10)), 0.62
# Weight of the shading of the ground itself. Blur in points of paper, and weight, of the shading of its large forms, which
# lets a range be seen as one. The least blur, in cells, takes the edges off the mesh's triangles.
FINE, FORMS = 0.52, ((2.2, 0.30), (7.0, 0.18))
LEAST_BLUR, FLOOR_BLUR = 0.55, 2.2
# The slope with which the sheet's steep places are drawn, the quantile that counts as steep, and the part of it under water.
STEEP, STEEP_SHARE, UNDER_WATER = 1.15, 0.93, 0.40
SHADOW, LIGHT = np.array([0.40, 0.40, 0.54], np.float32), np.array([255.0, 249.0, 226.0], np.float32)
# Rows painted at once. Few, so that the intermediate arrays fit the processor's caches.
BAND_ROWS = 32


@dataclass(frozen=True)
class _Rows:
    """Some rows of the picture, each float32 (rows, width).

    `heights`: metres. `dry`, `cold`, `shore`, `land`, `lakes`: shares, 0..1. `shade`: 1 on level ground.
    """

    heights: np.ndarray
    dry: np.ndarray
    cold: np.ndarray
    shade: np.ndarray
    shore: np.ndarray
    land: np.ndarray
    lakes: np.ndarray


def painted(ground: WindowHeights, land: np.ndarray, lakes: np.ndarray) -> np.ndarray:
    """The picture of a window, uint8 (height, width, 3).

    `land`, `lakes`: float32 (height, width), the share of each pixel that they cover.
    """
    size = land.shape[1], land.shape[0]
    smooth = _with_smooth_floor(ground)
    slopes = _Slopes(smooth, ground.cell, size)
    heights, dry, cold = (enlarged(part, size) for part in (smooth, ground.dry, ground.cold))
    shore = _near_land(land)
    picture = np.empty((*land.shape, 3), np.uint8)
    tables = {name: _table(tint) for name, tint in (("humid", HUMID), ("dry", DRY), ("cold", COLD), ("sea", SEA))}
    for top in range(0, len(land), BAND_ROWS):
        rows = slice(top, min(top + BAND_ROWS, len(land)))
        shade = slopes.shade(rows, land[rows] < 0.5)
        band = _Rows(heights[rows], dry[rows], cold[rows], shade, shore[rows], land[rows], lakes[rows])
        picture[rows] = _painted_rows(tables, band)
    return picture


def _painted_rows(tables: dict[str, np.ndarray], rows: _Rows) -> np.ndarray:
    """Some rows of the picture, uint8 (rows, width, 3)."""
    index = ((rows.heights - LOWEST_M) * ((STEPS - 1) / (HIGHEST_M - LOWEST_M))).clip(0, STEPS - 1).astype(np.intp)
    zero = int(-LOWEST_M / (HIGHEST_M - LOWEST_M) * (STEPS - 1)) + 1
    colour = _land_tints(tables, np.maximum(index, zero), rows.dry, rows.cold)
    colour = _lit(colour, rows.shade, 0.72 + 0.28 * np.clip(rows.heights / 2500.0, 0.0, 1.0))
    sea = tables["sea"][np.minimum(index, zero)]
    sea = _lit(sea, rows.shade, UNDER_WATER * np.clip(rows.heights / -300.0, 0.0, 1.0))
    sea += (0.28 * rows.shore)[..., None] * (np.float32(255.0) - sea)
    sea += rows.land[..., None] * (colour - sea)
    sea += rows.lakes[..., None] * (_rgb(LAKE) - sea)
    return np.clip(sea + 0.5, 0.0, 255.0).astype(np.uint8)


def land_tints(heights_m: np.ndarray, dry: np.ndarray, cold: np.ndarray) -> np.ndarray:
    """The colours of level land at heights, which count as 0 below it, in a climate: float32 (..., 3), 0..255."""
    tables = {name: _table(tint) for name, tint in (("humid", HUMID), ("dry", DRY), ("cold", COLD))}
    index = ((np.maximum(heights_m, 0.0) - LOWEST_M) * ((STEPS - 1) / (HIGHEST_M - LOWEST_M))).astype(np.intp) + 1
    return _land_tints(tables, np.minimum(index, STEPS - 1), dry, cold)


def _land_tints(tables: dict[str, np.ndarray], index: np.ndarray, dry: np.ndarray, cold: np.ndarray) -> np.ndarray:
    """The same, where `index` says which row of the tables a height has."""
    colour = tables["humid"][index]
    colour += dry[..., None] * (tables["dry"][index] - colour)
    colour += np.minimum(1.6 * cold, 1.0)[..., None] * (tables["cold"][index] - colour)
    colour += np.maximum(2.0 * cold - 1.0, 0.0)[..., None] * (_rgb(ICE) - colour)
    return colour


def _with_smooth_floor(ground: WindowHeights) -> np.ndarray:
    """The heights with a blurred sea floor: its small forms would be noise under the names of the water."""
    floor = blurred(np.minimum(ground.heights_m, 0.0), max(FLOOR_BLUR / ground.cell, LEAST_BLUR))
    return np.where(ground.heights_m > 0.0, ground.heights_m, floor)


def _lit(colour: np.ndarray, shade: np.ndarray, strength: np.ndarray) -> np.ndarray:
    """Colours (..., 3) darkened where the shade is below 1 and warmed where it is above."""
    dark = (np.clip(1.0 - shade, 0.0, 1.0) * strength)[..., None]
    light = (np.clip(1.35 * (shade - 1.0), 0.0, 0.75) * strength)[..., None]
    colour = colour * (1.0 - dark * (1.0 - SHADOW))
    return colour + light * (LIGHT - colour)


class _Slopes:
    """The light on the slopes of a picture: on its large forms, kept, and on the ground itself, worked out row by row."""

    def __init__(self, heights_m: np.ndarray, cell: float, size: tuple[int, int]) -> None:
        # The sea floor is drawn flatter.
        low = np.where(heights_m > 0.0, heights_m, 0.6 * heights_m)
        on_land = np.hypot(*np.gradient(low))[heights_m > 0.0]
        steep = max(float(np.quantile(on_land, STEEP_SHARE)) if on_land.size else 0.0, 1.0)
        self._forms = np.zeros(size[::-1], np.float32)
        for blur, weight in FORMS:
            # Blurred ground is flatter, so it is drawn steeper.
            factor = STEEP / steep * (1.0 + 0.35 * blur)
            south, east = np.gradient(blurred(low, max(blur / cell, LEAST_BLUR)))
            self._forms += weight * enlarged(_light(factor * east, factor * south), size)
        self._ground = enlarged(blurred(low, LEAST_BLUR), size)
        self._factor = STEEP / steep * size[0] / (low.shape[1] - 2 * MARGIN_CELLS)

    def shade(self, rows: slice, sea: np.ndarray) -> np.ndarray:
        """Float32 (rows, width): 1 on level ground, more on slopes that face the lamps, less on those behind.

        `sea`: bool (rows, width).
        """
        top = max(rows.start - 1, 0)
        south, east = (part[rows.start - top :][: len(sea)] for part in np.gradient(self._ground[top : rows.stop + 1]))
        fine = _light(self._factor * east, self._factor * south)
        # Of the sea floor only the large forms show.
        return self._forms[rows] + FINE * np.where(sea, np.float32(1.0), fine)


def _light(east: np.ndarray, south: np.ndarray) -> np.ndarray:
    """The light of all lamps on slopes, 1 on level ground; `east`, `south`: the tangent of the slope in each direction."""
    upright = 1.0 / np.sqrt(1.0 + east * east + south * south)
    cosine = np.sqrt(1.0 - LAMP_SINE**2)
    total = np.zeros_like(east)
    for azimuth, weight in LAMPS:
        x, y = np.sin(np.radians(azimuth)), -np.cos(np.radians(azimuth))
        facing = LAMP_SINE - cosine * (np.float32(x) * east + np.float32(y) * south)
        total += np.float32(weight / LAMP_SINE) * np.maximum(facing * upright, 0.0)
    return total


def _near_land(land: np.ndarray) -> np.ndarray:
    """A glow along shores: float32 (height, width), 0 far from land, up to 1."""
    height, width = land.shape
    small = Image.fromarray(land).resize((max(width // 4, 1), max(height // 4, 1)), Image.Resampling.BOX)
    glow = blurred(np.asarray(small), 3.0)
    return np.asarray(Image.fromarray(glow).resize((width, height), Image.Resampling.BILINEAR)).clip(0.0, 1.0)


def enlarged(values: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Cells without their margin, enlarged smoothly to a picture of `size` (width, height): float32."""
    rows, columns = values.shape
    box = (MARGIN_CELLS, MARGIN_CELLS, columns - MARGIN_CELLS, rows - MARGIN_CELLS)
    return np.asarray(Image.fromarray(values.astype(np.float32)).resize(size, Image.Resampling.BICUBIC, box=box))


def blurred(values: np.ndarray, sigma: float) -> np.ndarray:
    """Values (rows, columns) blurred by a Gaussian of `sigma` cells; the values at the edges are repeated beyond them."""
    reach = max(int(3.0 * sigma + 0.5), 1)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights = (weights / weights.sum()).astype(np.float32)
    for axis in (0, 1):
        pad = [(0, 0), (0, 0)]
        pad[axis] = (reach, reach)
        wide, count = np.pad(values, pad, mode="edge"), values.shape[axis]
        total, part = np.zeros(values.shape, np.float32), np.empty(values.shape, np.float32)
        for k, weight in enumerate(weights):
            total += np.multiply(wide[k : k + count] if axis == 0 else wide[:, k : k + count], weight, out=part)
        values = total
    return values


def _table(tint: Tint) -> np.ndarray:
    """The colours of a tint by height: float32 (STEPS, 3), from LOWEST_M to HIGHEST_M."""
    heights = np.linspace(LOWEST_M, HIGHEST_M, STEPS)
    places, colours = [height for height, _ in tint], np.array([_rgb(colour) for _, colour in tint])
    return np.stack([np.interp(heights, places, colours[:, k]) for k in range(3)], axis=1).astype(np.float32)


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], np.float32)


def tint_at(height_m: float) -> str:
    """The colour of level ground at a height, as '#rrggbb': that of humid land, or of the sea below 0."""
    tint = HUMID if height_m >= 0.0 else SEA
    places, colours = [height for height, _ in tint], np.array([_rgb(colour) for _, colour in tint])
    return "#" + "".join(f"{round(np.interp(height_m, places, colours[:, k])):02x}" for k in range(3))
