"""One sheet: the painted ground of its window, lines and names on it, and the paper around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import furniture, painting, pen, placement
from .content import Scenery, tapering
from .furniture import GREY, INK, PAPER
from .lettering import Lettering
from .map_window import View
from .pen import Letters
from .window_heights import Ground

if TYPE_CHECKING:
    import skia

COAST, SHORE, RIVER = "#40789f", "#5c97bd", "#3f83b3"
# Paper around the window in points: left and right, top, bottom.
MARGIN, WORLD_MARGIN = (30.0, 30.0, 30.0), (58.0, 92.0, 78.0)
BOX_WIDTH, BOX_HEIGHT, BOX_GAP = 304.0, 118.0, 16.0


@dataclass(frozen=True)
class Heading:
    """The words of a sheet's title."""

    title: str
    subtitle: str


def draw(scenery: Scenery, ground: Ground, land: np.ndarray, heading: Heading, pixels_per_point: float) -> np.ndarray:
    """The finished sheet, uint8 (height, width, 3). `land`: the share of land on a grid of longitude and latitude."""
    import skia

    view = scenery.view
    side, top, bottom = WORLD_MARGIN if view.whole else MARGIN
    size = [round(length * pixels_per_point) for length in (view.width + 2 * side, view.height + top + bottom)]
    surface = skia.Surface.MakeRaster(skia.ImageInfo.MakeN32Premul(*size))
    with surface as canvas:
        canvas.clear(pen.colour(PAPER))
        canvas.scale(pixels_per_point, pixels_per_point)
        canvas.translate(side, top)
        _window(canvas, scenery, ground, land, heading, pixels_per_point)
        if view.whole:
            _world_margin(canvas, view, heading, top)
        else:
            furniture.neat_line(canvas, view)
    return np.ascontiguousarray(surface.makeImageSnapshot().toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3])


def _window(canvas: skia.Canvas, scenery: Scenery, ground: Ground, land: np.ndarray, heading: Heading, scale: float) -> None:
    """Everything within the neat line."""
    import skia

    view = scenery.view
    canvas.save()
    outline = pen.path_of([view.outline()], closed=True)
    canvas.clipPath(outline, True)
    picture = _ground(scenery, ground, scale)
    box = skia.Rect(0.0, 0.0, picture.shape[1] / scale, picture.shape[0] / scale)
    canvas.drawImageRect(skia.Image.fromarray(picture, skia.kRGBA_8888_ColorType), box, skia.SamplingOptions())
    furniture.graticule(canvas, view)
    _lines(canvas, scenery)
    size = int(view.width / placement.CELL), int(view.height / placement.CELL)
    places = placement.Places(view.width, view.height, _ink(scenery, size))
    dry = pen.coverage(size, 1.0 / placement.CELL, [path for _, path in scenery.landmasses])
    if not view.whole:
        _cartouche(canvas, view, land, heading, places, dry, scale)
    Lettering(canvas, scenery, places, dry).write()
    canvas.restore()


def _ground(scenery: Scenery, ground: Ground, scale: float) -> np.ndarray:
    """The painted ground with an opaque fourth channel."""
    view = scenery.view
    size = round(view.width * scale), round(view.height * scale)
    land = pen.coverage(size, scale, [path for _, path in scenery.landmasses])
    lakes = pen.coverage(size, scale, [path for _, path in scenery.lakes])
    return np.dstack([painting.painted(ground, land, lakes), np.full(size[::-1], 255, np.uint8)])


def _lines(canvas: skia.Canvas, scenery: Scenery) -> None:
    """Shores and rivers."""
    canvas.drawPath(pen.path_of(scenery.coasts), pen.stroke(COAST, 0.55, 0.95))
    for _, path in scenery.lakes:
        canvas.drawPath(path, pen.stroke(SHORE, 0.45))
    for course in reversed(scenery.courses):
        for width, path in tapering(course):
            canvas.drawPath(path, pen.stroke(RIVER, width))


def _ink(scenery: Scenery, size: tuple[int, int]) -> np.ndarray:
    """Where lines run that names should not cross, and lakes that other names should not hide."""
    rivers = [pen.path_of(course.lines) for course in scenery.courses]
    lines = pen.coverage(size, 1.0 / placement.CELL, [pen.path_of(scenery.coasts), *rivers], 1.0)
    return np.maximum(lines, 0.5 * pen.coverage(size, 1.0 / placement.CELL, [path for _, path in scenery.lakes]))


def _cartouche(
    canvas: skia.Canvas,
    view: View,
    land: np.ndarray,
    heading: Heading,
    places: placement.Places,
    dry: np.ndarray,
    scale: float,
) -> None:
    """Title, globe, scale bar and key of heights in the corner with the least land."""
    import skia

    corners = [
        (x, y) for y in (BOX_GAP, view.height - BOX_GAP - BOX_HEIGHT) for x in (BOX_GAP, view.width - BOX_GAP - BOX_WIDTH)
    ]
    x, y = min(corners, key=lambda corner: float(_under(dry, *corner).sum()))
    places.take(x - 8.0, y - 8.0, x + BOX_WIDTH + 8.0, y + BOX_HEIGHT + 8.0)
    shadow = pen.fill("#1d3446", 0.28)
    shadow.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 3.0))
    canvas.drawRect(skia.Rect(x + 1.5, y + 2.0, x + BOX_WIDTH + 1.5, y + BOX_HEIGHT + 2.0), shadow)
    canvas.drawRect(skia.Rect(x, y, x + BOX_WIDTH, y + BOX_HEIGHT), pen.fill(PAPER))
    for gap, width in ((0.0, 1.0), (2.6, 0.4)):
        box = skia.Rect(x + gap, y + gap, x + BOX_WIDTH - gap, y + BOX_HEIGHT - gap)
        canvas.drawRect(box, pen.stroke(INK, width))
    furniture.globe(canvas, land, view, x + 42.0, y + 42.0, 29.0, round(2.0 * 29.0 * scale))
    _fitting(canvas, heading.title.upper(), x + 84.0, y + 29.0, BOX_WIDTH - 98.0, 19.0)
    small = Letters(8.6, GREY, italic=True, halo=0.0)
    canvas.drawPath(pen.straight(pen.word(heading.subtitle, small), x + 84.5, y + 43.0), pen.fill(GREY))
    furniture.scale_bar(canvas, view.km_per_point, x + 86.0, y + 55.0, 150.0)
    furniture.key_of_heights(canvas, x + 14.0, y + 86.0, BOX_WIDTH - 28.0)


def _under(dry: np.ndarray, x: float, y: float) -> np.ndarray:
    return dry[int(y) : int(y + BOX_HEIGHT), int(x) : int(x + BOX_WIDTH)]


def _fitting(canvas: skia.Canvas, text: str, x: float, y: float, width: float, size: float) -> None:
    """A title from x on, in the largest letters up to `size` that fit."""
    while size > 8.0:
        letters = Letters(size, INK, spacing=0.14 * size, halo=0.0)
        word = pen.word(text, letters)
        if word.length <= width:
            break
        size -= 0.5
    pen.write(canvas, pen.straight(word, x, y), letters)


def _world_margin(canvas: skia.Canvas, view: View, heading: Heading, top: float) -> None:
    """Outline, title, scale bar and key of heights around a map of the whole planet."""
    outline = pen.path_of([view.outline()], closed=True)
    canvas.drawPath(outline, pen.stroke(INK, 0.9))
    title = Letters(34.0, INK, spacing=9.0, halo=0.0)
    word = pen.word(heading.title.upper(), title)
    pen.write(canvas, pen.straight(word, 0.5 * (view.width - word.length), -0.5 * top + 6.0), title)
    small = Letters(12.0, GREY, italic=True, spacing=0.4, halo=0.0)
    word = pen.word(heading.subtitle, small)
    pen.write(canvas, pen.straight(word, 0.5 * (view.width - word.length), -0.5 * top + 27.0), small)
    furniture.parallels(canvas, view)
    y = view.height + 26.0
    # The projection keeps areas, so that lengths are true to scale only in the middle latitudes; the equator's is given.
    furniture.scale_bar(canvas, view.km_per_point / 0.8615, 20.0, y, 260.0)
    pen.write(canvas, pen.straight(pen.word("along the equator", furniture.NUMBERS), 20.0, y + 24.0), furniture.NUMBERS)
    furniture.key_of_heights(canvas, view.width - 340.0, y - 2.0, 320.0)
