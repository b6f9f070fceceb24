"""One sheet: the painted ground of its window, lines and names on it, and the paper around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import skia

from . import furniture, lettering, mesh_sheets, painting, pen, placement
from .content import SheetContent, tapering
from .furniture import GREY, INK, PAPER
from .map_window import MapWindow
from .pen import TextStyle
from .placement import LabelGrid
from .projection import Azimuthal, EqualEarth
from .window_heights import WindowHeights

COAST, SHORE, RIVER = "#40789f", "#5c97bd", "#3f83b3"
# Paper around the window in points: at each side, at the top, at the bottom.
MARGIN, WORLD_MARGIN = (30.0, 30.0, 30.0), (58.0, 92.0, 78.0)
BOX_WIDTH, BOX_HEIGHT, BOX_GAP = 304.0, 118.0, 16.0
# The Equal Earth projection keeps areas, so lengths are true only in the middle latitudes: the equator's, in parts of those.
EQUATOR_SCALE = 0.8615


@dataclass(frozen=True)
class SheetTitle:
    """The words of a sheet's title."""

    title: str
    subtitle: str


def draw(
    content: SheetContent, ground: WindowHeights, land: np.ndarray, title: SheetTitle, pixels_per_point: float
) -> np.ndarray:
    """The finished sheet: uint8 (height, width, 3).

    `land`: float32 (rows, columns), the share of land on a grid of longitude and latitude, from the north-west on.
    """
    window = content.window
    side, top, bottom = WORLD_MARGIN if window.whole else MARGIN
    size = [round(length * pixels_per_point) for length in (window.width + 2 * side, window.height + top + bottom)]
    surface = skia.Surface.MakeRaster(skia.ImageInfo.MakeN32Premul(*size))
    with surface as canvas:
        canvas.clear(pen.colour(PAPER))
        canvas.scale(pixels_per_point, pixels_per_point)
        canvas.translate(side, top)
        _draw_window(canvas, content, ground, land, title, pixels_per_point)
        if isinstance(window.projection, EqualEarth):
            _world_margin(canvas, window, window.projection, title, top)
        else:
            furniture.neat_line(canvas, window)
    return np.ascontiguousarray(surface.makeImageSnapshot().toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3])


def _draw_window(
    canvas: skia.Canvas, content: SheetContent, ground: WindowHeights, land: np.ndarray, title: SheetTitle, scale: float
) -> None:
    """Everything within the neat line."""
    window = content.window
    canvas.save()
    outline = pen.path_of([window.outline()], closed=True)
    canvas.clipPath(outline, True)
    picture = _painted_ground(content, ground, scale)
    box = skia.Rect(0.0, 0.0, picture.shape[1] / scale, picture.shape[0] / scale)
    canvas.drawImageRect(skia.Image.fromarray(picture, skia.kRGBA_8888_ColorType), box, skia.SamplingOptions())
    furniture.graticule(canvas, window)
    _draw_lines(canvas, content)
    size = int(window.width / placement.CELL), int(window.height / placement.CELL)
    grid = label_grid(content, size)
    dry = pen.coverage(size, 1.0 / placement.CELL, [path for _, path in content.landmasses])
    if isinstance(window.projection, Azimuthal):
        corner = _driest_free_corner(window, grid, dry)
        _cartouche(canvas, corner, title, window)
        furniture.globe(canvas, land, window, window.projection, (corner[0] + 42.0, corner[1] + 42.0), scale)
    lettering.draw(canvas, lettering.Lettering(content, grid, dry).compose())
    canvas.restore()


def _painted_ground(content: SheetContent, ground: WindowHeights, scale: float) -> np.ndarray:
    """The painted ground with an opaque fourth channel: uint8 (height, width, 4)."""
    window = content.window
    size = round(window.width * scale), round(window.height * scale)
    land = pen.coverage(size, scale, [path for _, path in content.landmasses])
    lakes = pen.coverage(size, scale, [path for _, path in content.lakes])
    return np.dstack([painting.painted(ground, land, lakes), np.full(size[::-1], 255, np.uint8)])


def _draw_lines(canvas: skia.Canvas, content: SheetContent) -> None:
    """Rhombi, shores and rivers."""
    mesh_sheets.draw_rhombi(canvas, content.rhombi)
    canvas.drawPath(pen.path_of(content.coasts), pen.stroke(COAST, 0.55, 0.95))
    for _, path in content.lakes:
        canvas.drawPath(path, pen.stroke(SHORE, 0.45))
    for drawn in reversed(content.rivers):
        for width, path in tapering(drawn):
            canvas.drawPath(path, pen.stroke(RIVER, width))


def label_grid(content: SheetContent, size: tuple[int, int]) -> LabelGrid:
    """An empty grid for the names of a sheet, closed beyond the edge of the map; `size`: (width, height) in cells."""
    window = content.window
    grid = LabelGrid(window.width, window.height, _lines_to_avoid(content, size))
    if window.whole:
        grid.close(1.0 - pen.coverage(size, 1.0 / placement.CELL, [pen.path_of([window.outline()], closed=True)]))
    return grid


def _lines_to_avoid(content: SheetContent, size: tuple[int, int]) -> np.ndarray:
    """Float32 (height, width), 0..1: lines that names should not cross, and lakes that other names should not hide."""
    rivers = [pen.path_of(drawn.lines) for drawn in content.rivers]
    lines = pen.coverage(size, 1.0 / placement.CELL, [pen.path_of(content.coasts), *rivers], 1.0)
    return np.maximum(lines, 0.5 * pen.coverage(size, 1.0 / placement.CELL, [path for _, path in content.lakes]))


def _driest_free_corner(window: MapWindow, grid: LabelGrid, dry: np.ndarray) -> tuple[float, float]:
    """The upper left point of the title's box, in the corner with the least land; the box is then taken."""
    corners = [
        (x, y)
        for y in (BOX_GAP, window.height - BOX_GAP - BOX_HEIGHT)
        for x in (BOX_GAP, window.width - BOX_GAP - BOX_WIDTH)
    ]
    x, y = min(corners, key=lambda corner: float(_under(dry, *corner).sum()))
    grid.take(x - 8.0, y - 8.0, x + BOX_WIDTH + 8.0, y + BOX_HEIGHT + 8.0)
    return x, y


def _under(dry: np.ndarray, x: float, y: float) -> np.ndarray:
    return dry[int(y) : int(y + BOX_HEIGHT), int(x) : int(x + BOX_WIDTH)]


def _cartouche(canvas: skia.Canvas, corner: tuple[float, float], title: SheetTitle, window: MapWindow) -> None:
    """The box with the title, the scale bar and the key of heights."""
    x, y = corner
    shadow = pen.fill("#1d3446", 0.28)
    shadow.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 3.0))
    canvas.drawRect(skia.Rect(x + 1.5, y + 2.0, x + BOX_WIDTH + 1.5, y + BOX_HEIGHT + 2.0), shadow)
    canvas.drawRect(skia.Rect(x, y, x + BOX_WIDTH, y + BOX_HEIGHT), pen.fill(PAPER))
    for gap, width in ((0.0, 1.0), (2.6, 0.4)):
        box = skia.Rect(x + gap, y + gap, x + BOX_WIDTH - gap, y + BOX_HEIGHT - gap)
        canvas.drawRect(box, pen.stroke(INK, width))
    _fitted_title(canvas, title.title.upper(), x + 84.0, y + 29.0, BOX_WIDTH - 98.0, 19.0)
    small = TextStyle(8.6, GREY, italic=True, halo=0.0)
    canvas.drawPath(pen.straight(pen.typeset(title.subtitle, small), x + 84.5, y + 43.0), pen.fill(GREY))
    furniture.scale_bar(canvas, window.km_per_point, x + 86.0, y + 55.0, 150.0)
    furniture.key_of_heights(canvas, x + 14.0, y + 86.0, BOX_WIDTH - 28.0)


def _fitted_title(canvas: skia.Canvas, text: str, x: float, y: float, width: float, size: float) -> None:
    """A title whose left end is at x, in the largest letters up to `size` that fit into `width`, but no less than 8."""
    while size > 8.0:
        style = TextStyle(size, INK, spacing=0.14 * size, halo=0.0)
        word = pen.typeset(text, style)
        if word.length <= width:
            break
        size -= 0.5
    pen.draw_text(canvas, pen.straight(word, x, y), style)


def _world_margin(canvas: skia.Canvas, window: MapWindow, projection: EqualEarth, title: SheetTitle, top: float) -> None:
    """Outline, title, scale bar and key of heights around a map of the whole planet."""
    outline = pen.path_of([window.outline()], closed=True)
    canvas.drawPath(outline, pen.stroke(INK, 0.9))
    large = TextStyle(34.0, INK, spacing=9.0, halo=0.0)
    word = pen.typeset(title.title.upper(), large)
    pen.draw_text(canvas, pen.straight(word, 0.5 * (window.width - word.length), -0.5 * top + 6.0), large)
    small = TextStyle(12.0, GREY, italic=True, spacing=0.4, halo=0.0)
    word = pen.typeset(title.subtitle, small)
    pen.draw_text(canvas, pen.straight(word, 0.5 * (window.width - word.length), -0.5 * top + 27.0), small)
    furniture.parallels(canvas, window, projection)
    y = window.height + 26.0
    furniture.scale_bar(canvas, window.km_per_point / EQUATOR_SCALE, 20.0, y, 260.0)
    numbers = furniture.NUMBERS
    pen.draw_text(canvas, pen.straight(pen.typeset("along the equator", numbers), 20.0, y + 24.0), numbers)
    furniture.key_of_heights(canvas, window.width - 340.0, y - 2.0, 320.0)
