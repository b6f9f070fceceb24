"""Drawing on a sheet with skia: lines, areas and text, in points of paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import skia

from ....process.assets import assets

FONTS = assets() / "fonts"
# Text smaller than this, in points, uses the typeface's design for small print.
SMALL_PRINT = 10.5


@dataclass(frozen=True)
class TextStyle:
    """How a text is set.

    `size`, and `spacing` between letters, in points; `colour` and `halo_colour` as '#rrggbb'; `halo`: its width in points,
    0 for none.
    """

    size: float
    colour: str
    italic: bool = False
    spacing: float = 0.0
    halo: float = 1.5
    halo_colour: str = "#fbf8ee"


@dataclass(frozen=True)
class TypesetWord:
    """A word set in a row.

    `outlines`: one path a glyph. `left`, `advance`: float64 (glyphs,), the x of a glyph's left edge and the width that it
    takes up. `length`: the sum of all advances. Lengths are in points.
    """

    outlines: tuple[skia.Path, ...]
    left: np.ndarray
    advance: np.ndarray
    length: float


@dataclass(frozen=True)
class CurvedWord:
    """A word laid along a line.

    `places`, `tangents`: float64 (glyphs, 2), the point of the line below the middle of each glyph, and the direction there.
    `lift`: how far the base line is above the line, in points.
    """

    word: TypesetWord
    places: np.ndarray
    tangents: np.ndarray
    lift: float

    @property
    def middles(self) -> np.ndarray:
        """The middles of the glyphs on the base line: float64 (glyphs, 2)."""
        return self.places + self.lift * np.stack([self.tangents[:, 1], -self.tangents[:, 0]], axis=1)

    def outline(self) -> skia.Path:
        """The outlines of all glyphs as one path."""
        path = skia.Path()
        glyphs = zip(
            self.word.outlines, self.word.advance.tolist(), self.places.tolist(), self.tangents.tolist(), strict=True
        )
        for outline, advance, (x, y), (cosine, sine) in glyphs:
            matrix = skia.Matrix()
            matrix.setSinCos(sine, cosine)
            matrix.preTranslate(-0.5 * advance, -self.lift)
            matrix.postTranslate(x, y)
            path.addPath(outline, matrix)
        return path


def colour(text: str, alpha: float = 1.0) -> int:
    """'#rrggbb' as skia's colour."""
    return skia.Color(*(int(text[k : k + 2], 16) for k in (1, 3, 5)), round(255 * alpha))


def fill(text: str, alpha: float = 1.0) -> skia.Paint:
    """The paint of an area, in the colour '#rrggbb'."""
    return skia.Paint(AntiAlias=True, Color=colour(text, alpha))


def stroke(text: str, width: float, alpha: float = 1.0, dashes: Sequence[float] = ()) -> skia.Paint:
    """The paint of a line, in the colour '#rrggbb', with round ends and corners."""
    paint = skia.Paint(AntiAlias=True, Color=colour(text, alpha), Style=skia.Paint.kStroke_Style, StrokeWidth=width)
    paint.setStrokeCap(skia.Paint.kRound_Cap)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    if dashes:
        paint.setPathEffect(skia.DashPathEffect.Make(list(dashes), 0.0))
    return paint


def path_of(lines: Iterable[np.ndarray], closed: bool = False) -> skia.Path:
    """Lines of points (k, 2) as one path; areas are filled by the even-odd rule."""
    path = skia.Path()
    for line in lines:
        path.addPoly([skia.Point(*point) for point in line.tolist()], closed)
    path.setFillType(skia.PathFillType.kEvenOdd)
    return path


def coverage(
    size: tuple[int, int],
    scale: float,
    paths: Iterable[skia.Path],
    width: float = 0.0,
    corner: tuple[float, float] = (0.0, 0.0),
) -> np.ndarray:
    """The share of each pixel that paths cover: float32 (height, width), 0..1. Adjacent areas leave no seam.

    `size`: (width, height) in pixels; `scale`: pixels per point. `width`: that of the lines in points, or 0 for areas.
    `corner`: the point at the upper left corner of the first pixel.
    """
    pixels = np.zeros((size[1], -(-size[0] // 4) * 4), np.uint8)
    info = skia.ImageInfo.MakeA8(pixels.shape[1], pixels.shape[0])
    surface = skia.Surface.MakeRasterDirect(info, pixels, pixels.strides[0])
    with surface as canvas:
        canvas.scale(scale, scale)
        canvas.translate(-corner[0], -corner[1])
        paint = stroke("#000000", width) if width else fill("#000000")
        paint.setBlendMode(skia.BlendMode.kPlus)
        for path in paths:
            canvas.drawPath(path, paint)
    return pixels[:, : size[0]].astype(np.float32) / np.float32(255.0)


@cache
def font(size: float, italic: bool) -> skia.Font:
    """The project's own typeface. It is read from its file, so that the fonts of the system play no part."""
    design = "08" if size < SMALL_PRINT else "12"
    name = FONTS / f"EBGaramond{design}-{'Italic' if italic else 'Regular'}.ttf"
    typeface = skia.FontMgr.New_Custom_Empty().makeFromFile(str(name), 0)
    made = skia.Font(typeface, size)
    made.setHinting(skia.FontHinting.kNone)
    made.setSubpixel(True)
    made.setLinearMetrics(True)
    return made


def typeset(text: str, style: TextStyle) -> TypesetWord:
    """A text as a row of glyphs, with kerning and spacing."""
    face = font(style.size, style.italic)
    glyphs = face.textToGlyphs(text)
    advance = np.array(face.getWidths(glyphs), np.float64)
    typeface = face.getTypeface()
    kerning = typeface.getKerningPairAdjustments(glyphs) if len(glyphs) > 1 else None
    if kerning:
        advance[:-1] += np.array(kerning) * (style.size / typeface.getUnitsPerEm())
    advance[:-1] += style.spacing
    outlines = tuple(face.getPath(glyph) or skia.Path() for glyph in glyphs)
    return TypesetWord(outlines, np.concatenate([[0.0], np.cumsum(advance)[:-1]]), advance, float(advance.sum()))


def straight(word: TypesetWord, x: float, y: float) -> skia.Path:
    """The outline of a word whose left end is at x and whose base line is at y."""
    path = skia.Path()
    for outline, left in zip(word.outlines, word.left.tolist(), strict=True):
        path.addPath(outline, x + left, y)
    return path


def along(word: TypesetWord, line: np.ndarray, start: float, lift: float) -> CurvedWord:
    """A word along a line of points (k, 2), from `start` points along it and `lift` points above it."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    middles = start + word.left + 0.5 * word.advance
    reach = 0.5 * np.maximum(word.advance, 4.0)

    def at(along: np.ndarray) -> np.ndarray:
        return np.stack([np.interp(along, lengths, line[:, k]) for k in (0, 1)], axis=1)

    tangents = at(middles + reach) - at(middles - reach)
    tangents /= np.maximum(np.hypot(*tangents.T), 1e-9)[:, None]
    return CurvedWord(word, at(middles), tangents, lift)


def draw_text(canvas: skia.Canvas, path: skia.Path, style: TextStyle) -> None:
    """Draws the outline of a word over its soft halo."""
    if style.halo:
        halo = stroke(style.halo_colour, 2.0 * style.halo, 0.62)
        halo.setStyle(skia.Paint.kStrokeAndFill_Style)
        halo.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 0.45 * style.halo))
        canvas.drawPath(path, halo)
    canvas.drawPath(path, fill(style.colour))
