"""The painted ground of a sheet: hypsometric tints that follow the climate, bathymetry and soft shading from several sides.

After E. Imhof, "Cartographic Relief Presentation", 1965, and T. Patterson's cross-blended hypsometric tints: lit slopes are
warm, shaded ones cool, high land stands out more than low land, and level ground keeps its tint.
"""

from __future__ import annotations

import numpy as np

from .window_heights import MARGIN_CELLS, Ground

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
# Azimuth in degrees from north, clockwise, and weight of each lamp; all stand at the same height.
LAMPS, LAMP_SINE = ((315.0, 0.58), (270.0, 0.16), (0.0, 0.16), (225.0, 0.10)), 0.62
# Weight of the ground's own light; blur in points of paper and weight of that of its forms, as ranges are to be seen as one.
# The least blur, in cells, takes the edges off the mesh's triangles.
FINE, FORMS = 0.52, ((2.2, 0.30), (7.0, 0.18))
LEAST_BLUR, FLOOR_BLUR = 0.55, 2.2
# The slope that a steep place of the sheet is drawn with, and the part of it under water.
STEEP, STEEP_SHARE, UNDER_WATER = 1.15, 0.93, 0.40
SHADOW, LIGHT = np.array([0.40, 0.40, 0.54], np.float32), np.array([255.0, 249.0, 226.0], np.float32)
# Rows painted at once: few, so that what is in between fits the caches.
BAND_ROWS = 32


def painted(ground: Ground, land: np.ndarray, lakes: np.ndarray) -> np.ndarray:
    """The picture, uint8 (h, w, 3), of a window; `land` and `lakes` float32 (h, w) say how much of a pixel they cover."""
    size = land.shape[::-1]
    smooth = _with_smooth_floor(ground)
    slopes = _Slopes(smooth, ground.cell, size)
    heights, dry, cold = (enlarged(part, size) for part in (smooth, ground.dry, ground.cold))
    shore = _near_land(land)
    picture = np.empty((*land.shape, 3), np.uint8)
    tables = {name: _table(tint) for name, tint in (("humid", HUMID), ("dry", DRY), ("cold", COLD), ("sea", SEA))}
    for top in range(0, len(land), BAND_ROWS):
        rows = slice(top, min(top + BAND_ROWS, len(land)))
        shade = slopes.shade(rows, land[rows] < 0.5)
        picture[rows] = _band(
            tables, *(part[rows] for part in (heights, dry, cold)), shade, shore[rows], land[rows], lakes[rows]
        )
    return picture


def _band(tables: dict[str, np.ndarray], heights, dry, cold, shade, shore, land, lakes) -> np.ndarray:
    """Some rows of the picture."""
    index = ((heights - LOWEST_M) * ((STEPS - 1) / (HIGHEST_M - LOWEST_M))).clip(0, STEPS - 1).astype(np.intp)
    zero = int(-LOWEST_M / (HIGHEST_M - LOWEST_M) * (STEPS - 1)) + 1
    on_land = np.maximum(index, zero)
    colour = tables["humid"][on_land]
    colour += dry[..., None] * (tables["dry"][on_land] - colour)
    colour += np.minimum(1.6 * cold, 1.0)[..., None] * (tables["cold"][on_land] - colour)
    colour += np.maximum(2.0 * cold - 1.0, 0.0)[..., None] * (_rgb(ICE) - colour)
    colour = _lit(colour, shade, 0.72 + 0.28 * np.clip(heights / 2500.0, 0.0, 1.0))
    sea = tables["sea"][np.minimum(index, zero)]
    sea = _lit(sea, shade, UNDER_WATER * np.clip(heights / -300.0, 0.0, 1.0))
    sea += (0.28 * shore)[..., None] * (np.float32(255.0) - sea)
    sea += land[..., None] * (colour - sea)
    sea += lakes[..., None] * (_rgb(LAKE) - sea)
    return np.clip(sea + 0.5, 0.0, 255.0).astype(np.uint8)


def _with_smooth_floor(ground: Ground) -> np.ndarray:
    """The heights, but of the sea floor only the great forms: its grain would be noise under the water's names."""
    floor = blurred(np.minimum(ground.heights_m, 0.0), max(FLOOR_BLUR / ground.cell, LEAST_BLUR))
    return np.where(ground.heights_m > 0.0, ground.heights_m, floor)


def _lit(colour: np.ndarray, shade: np.ndarray, strength: np.ndarray) -> np.ndarray:
    dark = (np.clip(1.0 - shade, 0.0, 1.0) * strength)[..., None]
    light = (np.clip(1.35 * (shade - 1.0), 0.0, 0.75) * strength)[..., None]
    colour = colour * (1.0 - dark * (1.0 - SHADOW))
    return colour + light * (LIGHT - colour)


class _Slopes:
    """The light on a picture's slopes: that of its great forms, and of the ground itself, row by row."""

    def __init__(self, heights_m: np.ndarray, cell: float, size: tuple[int, int]) -> None:
        # What lies under water is drawn flatter.
        low = np.where(heights_m > 0.0, heights_m, 0.6 * heights_m)
        on_land = np.hypot(*np.gradient(low))[heights_m > 0.0]
        steep = max(float(np.quantile(on_land, STEEP_SHARE)) if on_land.size else 0.0, 1.0)
        self._forms = np.zeros(size[::-1], np.float32)
        for blur, weight in FORMS:
            # What is blurred is flatter and is drawn steeper.
            factor = STEEP / steep * (1.0 + 0.35 * blur)
            south, east = np.gradient(blurred(low, max(blur / cell, LEAST_BLUR)))
            self._forms += weight * enlarged(_lamps(factor * east, factor * south), size)
        self._ground = enlarged(blurred(low, LEAST_BLUR), size)
        self._factor = STEEP / steep * size[0] / (low.shape[1] - 2 * MARGIN_CELLS)

    def shade(self, rows: slice, sea: np.ndarray) -> np.ndarray:
        """1 on level ground, more where it faces the lamps, less behind: float32 of those rows."""
        top = max(rows.start - 1, 0)
        south, east = (part[rows.start - top :][: len(sea)] for part in np.gradient(self._ground[top : rows.stop + 1]))
        fine = _lamps(self._factor * east, self._factor * south)
        # The sea floor is there for its great forms.
        return self._forms[rows] + FINE * np.where(sea, np.float32(1.0), fine)


def _lamps(east: np.ndarray, south: np.ndarray) -> np.ndarray:
    """Light on slopes, by the rise towards the east and towards the south, in parts of that on level ground."""
    upright = 1.0 / np.sqrt(1.0 + east * east + south * south)
    cosine = np.sqrt(1.0 - LAMP_SINE**2)
    total = np.zeros_like(east)
    for azimuth, weight in LAMPS:
        x, y = np.sin(np.radians(azimuth)), -np.cos(np.radians(azimuth))
        facing = LAMP_SINE - cosine * (np.float32(x) * east + np.float32(y) * south)
        total += np.float32(weight / LAMP_SINE) * np.maximum(facing * upright, 0.0)
    return total


def _near_land(land: np.ndarray) -> np.ndarray:
    """A glow along shores: 0 far from land to 1, float32 of the picture's size."""
    from PIL import Image

    height, width = land.shape
    small = Image.fromarray(land).resize((max(width // 4, 1), max(height // 4, 1)), Image.Resampling.BOX)
    glow = blurred(np.asarray(small), 3.0)
    return np.asarray(Image.fromarray(glow).resize((width, height), Image.Resampling.BILINEAR)).clip(0.0, 1.0)


def enlarged(values: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Coarse cells without their margin as a picture of `size` (width, height), smoothly."""
    from PIL import Image

    rows, columns = values.shape
    box = (MARGIN_CELLS, MARGIN_CELLS, columns - MARGIN_CELLS, rows - MARGIN_CELLS)
    return np.asarray(Image.fromarray(values.astype(np.float32)).resize(size, Image.Resampling.BICUBIC, box=box))


def blurred(values: np.ndarray, sigma: float) -> np.ndarray:
    """By a Gaussian of `sigma` cells; edges go on as they are."""
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
    """Colours by height, float32 (STEPS, 3)."""
    heights = np.linspace(LOWEST_M, HIGHEST_M, STEPS)
    places, colours = [height for height, _ in tint], np.array([_rgb(colour) for _, colour in tint])
    return np.stack([np.interp(heights, places, colours[:, k]) for k in range(3)], axis=1).astype(np.float32)


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], np.float32)


def tint_at(height_m: float) -> str:
    """The colour of level ground at that height, as '#rrggbb', for a key: green land, and the sea below 0."""
    tint = HUMID if height_m >= 0.0 else SEA
    places, colours = [height for height, _ in tint], np.array([_rgb(colour) for _, colour in tint])
    return "#" + "".join(f"{round(np.interp(height_m, places, colours[:, k])):02x}" for k in range(3))
