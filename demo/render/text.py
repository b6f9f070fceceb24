"""Text over the picture: its lines, how large they are, and their pixels, which pygame's font module draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pygame

from ..process.assets import assets

# Letters lower than so many pixels are drawn so much larger first.
OVERSIZE, LARGE = 3, 56
LINES_KEPT = 32
# A font keeps its file open, and a window that is being resized asks for fonts of many sizes.
FONTS_KEPT = 8
FONTS = assets() / "fonts"
ROMAN = "EBGaramond12-Regular.ttf"
WHITE, GREY = (245, 246, 250), (190, 198, 212)
# Words over a picture that is lower than this, or narrower by as much, are no smaller than over this one, but for pictures
# lower than the second number, over which words would leave nothing to be seen.
LEAST_HEIGHT, LOWEST = 400, 180
# The height of a picture by its width from which on words go by the width: that of a screen of 4:3.
TALLEST = 0.75
# The share of the height that is left free around words.
MARGIN = 0.035
# How dark a panel is, and what letters without one darken around them: they stand on snow as well as on the sea.
PANEL, SHADE, DARKEST = 0.92, 4.0, 0.80
# A shade is soft by so many running means.
PASSES = 3


@dataclass(frozen=True)
class Line:
    """One line of text.

    `size`: a share of the picture's height. `colour`: sRGB bytes. `column`: 1 beside the line before it. `font`: a file in
    assets/fonts. `beside`: it is the first of a block that stands to the right of the lines before it.
    """

    text: str
    size: float = 0.0235
    colour: tuple[int, int, int] = WHITE
    column: int = 0
    font: str = ROMAN
    beside: bool = False


@lru_cache(maxsize=FONTS_KEPT)
def _font(file: str, pixels: int) -> pygame.font.Font:
    pygame.font.init()
    return pygame.font.Font(FONTS / file, pixels)


@lru_cache(maxsize=LINES_KEPT)
def _letters(line: Line, height: int) -> pygame.Surface:
    """A line for a picture `height` pixels high, premultiplied.

    Kept, because only one line of a caption that counts changes.
    """
    # Drawn larger and shrunk: at the size of captions, hinting spaces letters unevenly.
    oversize = _oversize(line, height)
    image = _font(line.font, oversize * _pixels(line, height)).render(line.text or " ", True, line.colour)
    width, high = image.get_size()
    return pygame.transform.smoothscale(image, (max(1, width // oversize), max(1, high // oversize))).premul_alpha()


@lru_cache(maxsize=LINES_KEPT)
def _shade(line: Line, height: int) -> np.ndarray:
    """How the letters of a line darken what is around them: float32 (h, w), with a margin of `_margin` on all sides.

    One value stands for `_grain` pixels each way.
    """
    grain, margin = _grain(height), _margin(height)
    alpha = pygame.surfarray.array_alpha(_letters(line, height)).T
    rows, columns = (-(-count // grain) for count in alpha.shape)
    whole = np.zeros((rows * grain, columns * grain), np.float32)
    whole[: alpha.shape[0], : alpha.shape[1]] = alpha
    means = whole.reshape(rows, grain, columns, grain).mean(axis=(1, 3)) if grain > 1 else whole
    shade = means / np.float32(255.0)
    for _ in range(PASSES):
        for axis in (0, 1):
            shade = _averaged(shade, margin // PASSES, axis)
    return shade


def foresee_lines(lines: tuple[Line, ...], width: int, height: int) -> None:
    """Write lines ahead that a picture of width x height pixels will soon show: letters take time when they are new."""
    for line in fitted(lines, width, height):
        _shade(line, words_height(width, height))


def words_height(width: int, height: int) -> int:
    """The height of the picture by which words over one of width x height pixels go, so that they can be read."""
    by = min(height, TALLEST * width)
    return round(max(by, LEAST_HEIGHT * min(by / LOWEST, 1.0)))


def fitted(lines: tuple[Line, ...], width: int, height: int) -> tuple[Line, ...]:
    """Lines that are too long for a picture of width x height pixels, broken between words or, at need, within one."""
    by = words_height(width, height)
    room = width - 2 * round(MARGIN * height) - 2 * padding(by, panel=False)
    return tuple(replace(line, text=part) for line in lines for part in _broken(line, room, by))


def _broken(line: Line, room: int, height: int) -> list[str]:
    oversize = _oversize(line, height)
    font = _font(line.font, oversize * _pixels(line, height))

    def fits(text: str) -> bool:
        return font.size(text)[0] <= oversize * room

    if fits(line.text):
        return [line.text]
    parts = [""]
    for word in line.text.split(" "):
        longer = f"{parts[-1]} {word}".strip()
        if fits(longer):
            parts[-1] = longer
            continue
        parts += [""] if parts[-1] else []
        for letter in word:
            parts += [""] if parts[-1] and not fits(parts[-1] + letter) else []
            parts[-1] += letter
    return parts


def _pixels(line: Line, height: int) -> int:
    """The size of a line's letters in a picture `height` pixels high."""
    return max(11, round(line.size * height * 1.35))


def _oversize(line: Line, height: int) -> int:
    """How much larger than they are letters are drawn."""
    return OVERSIZE if _pixels(line, height) < LARGE else 1


def padding(height: int, panel: bool) -> int:
    """Pixels around a block of text in a picture `height` pixels high; `panel`: as in `text_pixels`."""
    return max(4, round((0.022 if panel else 0.008) * height))


def _grain(height: int) -> int:
    """How many pixels one value of a shade stands for: so soft a shade is not worth more where there are many."""
    return max(1, height // 700)


def _margin(height: int) -> int:
    """How far a shade reaches beyond its letters, in its own values: the passes together."""
    return PASSES * max(1, height // (300 * _grain(height)))


def _averaged(values: np.ndarray, reach: int, axis: int) -> np.ndarray:
    """Means over 2 reach + 1 neighbours along an axis, which becomes 2 reach longer. Beyond the rim there are zeros."""
    if axis == 1:
        return _averaged(values.T, reach, 0).T
    count, high = 2 * reach + 1, len(values)
    sums = np.zeros((high + 2 * count - 1, values.shape[1]), values.dtype)
    np.cumsum(values, axis=0, out=sums[count : count + high])
    sums[count + high :] = sums[count + high - 1]
    return (sums[count:] - sums[:-count]) / np.float32(count)


@dataclass(frozen=True)
class _Written:
    """A line and where its letters begin, in pixels from the upper left corner."""

    x: int
    y: int
    line: Line
    letters: pygame.Surface


def text_pixels(lines: tuple[Line, ...], height: int, panel: bool = False) -> np.ndarray:
    """Lines under one another as premultiplied RGBA uint8 (h, w, 4), with a soft dark shade so that they read on snow.

    `height`: of the picture in pixels. `panel`: on an even ground, so dark that what is bright does not shine through.
    """
    pad = padding(height, panel)
    written: list[_Written] = []
    left = pad
    for block in _blocks(lines):
        written += _placed(block, left, pad, height)
        left = max(line.x + line.letters.get_width() for line in written) + 2 * pad
    wide, high = left - pad, max(line.y + line.letters.get_height() for line in written) + pad
    sheet = _black(np.full((high, wide), PANEL, np.float32)) if panel else _shaded(written, wide, high, height)
    for line in written:
        sheet.blit(line.letters, (line.x, line.y), special_flags=pygame.BLEND_PREMULTIPLIED)
    return np.frombuffer(pygame.image.tobytes(sheet, "RGBA"), np.uint8).reshape(high, wide, 4)


def _shaded(written: Sequence[_Written], wide: int, high: int, height: int) -> pygame.Surface:
    """What all letters together darken, wide x high pixels."""
    grain, margin = _grain(height), _margin(height)
    dark = np.zeros((-(-high // grain), -(-wide // grain)), np.float32)
    for line in written:
        _add(_shade(line.line, height), dark, line.y // grain - margin, line.x // grain - margin)
    shade = _black(np.minimum(SHADE * dark, np.float32(DARKEST)))
    if grain > 1:
        shade = pygame.transform.smoothscale(shade, (grain * dark.shape[1], grain * dark.shape[0]))
    return shade.subsurface((0, 0, wide, high))


def _black(alpha: np.ndarray) -> pygame.Surface:
    """Black of that alpha, a float from 0 to 1 by row and column."""
    pixels = np.zeros((*alpha.shape, 4), np.uint8)
    pixels[..., 3] = np.rint(alpha * np.float32(255.0))
    # The order of bytes in which letters are drawn.
    return pygame.image.frombuffer(bytearray(pixels), alpha.shape[::-1], "BGRA")


def _blocks(lines: tuple[Line, ...]) -> list[list[Line]]:
    """Lines by the blocks that stand beside each other."""
    blocks: list[list[Line]] = [[]]
    for line in lines:
        if line.beside and blocks[-1]:
            blocks.append([])
        blocks[-1].append(line)
    return blocks


def _placed(block: list[Line], left: int, top: int, height: int) -> list[_Written]:
    """The lines of a block whose upper left corner is given. A line of column 1 stands beside the line before it."""
    drawn = [_letters(line, height) for line in block]
    # Not wider than those that have a line beside them: a title may run on.
    beside = [after.column == 1 for after in block[1:]] + [False]
    column = max((letters.get_width() for letters, has in zip(drawn, beside, strict=True) if has), default=0)
    offset = column + round(0.02 * height)
    written: list[_Written] = []
    y = top
    for line, letters in zip(block, drawn, strict=True):
        if line.column and written:
            y = written[-1].y
        written.append(_Written(left + (offset if line.column else 0), y, line, letters))
        y += round(letters.get_height() * 1.12)
    return written


def _add(values: np.ndarray, onto: np.ndarray, top: int, left: int) -> None:
    """Add `values` to `onto`, from (top, left) on; what is outside is left out."""
    within = onto[max(top, 0) : top + values.shape[0], max(left, 0) : left + values.shape[1]]
    within += values[max(-top, 0) :, max(-left, 0) :][: within.shape[0], : within.shape[1]]
