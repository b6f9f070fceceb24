"""Drawing on a sheet with skia: lines, areas and letters, in points of paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ....process.assets import assets

if TYPE_CHECKING:
    import skia

FONTS = assets() / "fonts"
# Letters smaller than this many points are cut from the designs for small print.
SMALL_PRINT = 10.5


@dataclass(frozen=True)
class Letters:
    """How a name is set: size and spacing between letters in points, colours as '#rrggbb', `halo` its width in points."""

    size: float
    colour: str
    italic: bool = False
    spacing: float = 0.0
    halo: float = 1.5
    halo_colour: str = "#fbf8ee"


@dataclass(frozen=True)
class Word:
    """A word set in a row: glyph outlines, the x of each one's left edge and its advance, and the whole length."""

    outlines: tuple[skia.Path, ...]
    left: np.ndarray
    advance: np.ndarray
    length: float


def colour(text: str, alpha: float = 1.0) -> int:
    """'#rrggbb' as skia's colour."""
    import skia

    return skia.Color(*(int(text[k : k + 2], 16) for k in (1, 3, 5)), round(255 * alpha))


def fill(text: str, alpha: float = 1.0) -> skia.Paint:
    """Paint for areas."""
    import skia

    return skia.Paint(AntiAlias=True, Color=colour(text, alpha))


def stroke(text: str, width: float, alpha: float = 1.0, dashes: Sequence[float] = ()) -> skia.Paint:
    """Paint for lines, with round ends and corners."""
    import skia

    paint = skia.Paint(AntiAlias=True, Color=colour(text, alpha), Style=skia.Paint.kStroke_Style, StrokeWidth=width)
    paint.setStrokeCap(skia.Paint.kRound_Cap)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    if dashes:
        paint.setPathEffect(skia.DashPathEffect.Make(list(dashes), 0.0))
    return paint


def path_of(lines: Iterable[np.ndarray], closed: bool = False) -> skia.Path:
    """Lines of points (k, 2) as one path; areas are filled by the even-odd rule."""
    import skia

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
    """How much of each pixel areas cover, or lines of a width: float32 (height, width); areas that touch leave no seam.

    `corner`: the point that is the upper left corner of the first pixel.
    """
    import skia

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
    """The project's own typeface. From its files alone, so that no font of the system plays a part."""
    import skia

    design = "08" if size < SMALL_PRINT else "12"
    name = FONTS / f"EBGaramond{design}-{'Italic' if italic else 'Regular'}.ttf"
    typeface = skia.FontMgr.New_Custom_Empty().makeFromFile(str(name), 0)
    made = skia.Font(typeface, size)
    made.setHinting(skia.FontHinting.kNone)
    made.setSubpixel(True)
    made.setLinearMetrics(True)
    return made


def word(text: str, letters: Letters) -> Word:
    """A name set with kerning and spacing."""
    import skia

    face = font(letters.size, letters.italic)
    glyphs = face.textToGlyphs(text)
    advance = np.array(face.getWidths(glyphs), np.float64)
    typeface = face.getTypeface()
    kerning = typeface.getKerningPairAdjustments(glyphs) if len(glyphs) > 1 else None
    if kerning:
        advance[:-1] += np.array(kerning) * (letters.size / typeface.getUnitsPerEm())
    advance[:-1] += letters.spacing
    outlines = tuple(face.getPath(glyph) or skia.Path() for glyph in glyphs)
    return Word(outlines, np.concatenate([[0.0], np.cumsum(advance)[:-1]]), advance, float(advance.sum()))


def straight(set_word: Word, x: float, y: float) -> skia.Path:
    """The word's outline with its left end at x and its base line at y."""
    import skia

    path = skia.Path()
    for outline, left in zip(set_word.outlines, set_word.left.tolist(), strict=True):
        path.addPath(outline, x + left, y)
    return path


@dataclass(frozen=True)
class Bend:
    """A word laid along a line: for each letter the place of its middle on the line and the direction there, (k, 2) each."""

    word: Word
    places: np.ndarray
    tangents: np.ndarray
    lift: float

    @property
    def middles(self) -> np.ndarray:
        """Of the letters themselves, (k, 2)."""
        return self.places + self.lift * np.stack([self.tangents[:, 1], -self.tangents[:, 0]], axis=1)

    def outline(self) -> skia.Path:
        """Of all letters."""
        import skia

        path = skia.Path()
        letters = zip(
            self.word.outlines, self.word.advance.tolist(), self.places.tolist(), self.tangents.tolist(), strict=True
        )
        for outline, advance, (x, y), (c, s) in letters:
            matrix = skia.Matrix()
            matrix.setSinCos(s, c)
            matrix.preTranslate(-0.5 * advance, -self.lift)
            matrix.postTranslate(x, y)
            path.addPath(outline, matrix)
        return path


def along(set_word: Word, line: np.ndarray, start: float, lift: float) -> Bend:
    """The word along a line of points, from `start` along it, `lift` above it."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    middles = start + set_word.left + 0.5 * set_word.advance
    reach = 0.5 * np.maximum(set_word.advance, 4.0)

    def at(along: np.ndarray) -> np.ndarray:
        return np.stack([np.interp(along, lengths, line[:, k]) for k in (0, 1)], axis=1)

    tangents = at(middles + reach) - at(middles - reach)
    tangents /= np.maximum(np.hypot(*tangents.T), 1e-9)[:, None]
    return Bend(set_word, at(middles), tangents, lift)


def write(canvas: skia.Canvas, path: skia.Path, letters: Letters) -> None:
    """Draws the outline of a word over its soft halo."""
    import skia

    if letters.halo:
        halo = stroke(letters.halo_colour, 2.0 * letters.halo, 0.62)
        halo.setStyle(skia.Paint.kStrokeAndFill_Style)
        halo.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 0.45 * letters.halo))
        canvas.drawPath(path, halo)
    canvas.drawPath(path, fill(letters.colour))
