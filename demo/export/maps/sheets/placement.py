"""Where names stand: a grid of what is taken, and places looked for so that no name meets another.

Names of areas are spread inside them, names of rivers follow their course, names of points stand beside them. What was
placed first keeps its place, so that the important comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from . import pen
from .pen import Bend, Letters, Word

if TYPE_CHECKING:
    import skia

# A cell of the grid in points, and the free room around names.
CELL, ROOM = 1.0, 1.5
# Height of capitals and depth of descenders in parts of the size.
CAPITAL, DESCENDER = 0.68, 0.26
# What a cell covered by a line of the map costs, against a point away from the best place.
INK_COST, NARROW_COST = 1.4, 0.12
# Names of rivers: the base line above and below the river in parts of the size; the sharpest bend between two letters and
# the steepest letter, and the bend of the whole, in radians.
ABOVE, BELOW, SHARPEST, STEEPEST, WHOLE_BEND = 0.38, -0.98, 0.24, 1.3, 1.1


@dataclass(frozen=True)
class Spread:
    """The outline of a name that found its place, and the letters that it is set in."""

    path: skia.Path
    letters: Letters


@dataclass(frozen=True)
class Area:
    """How much of each cell of a part of the grid belongs to an area: `share` float32, from cell `row`, `column` on."""

    share: np.ndarray
    row: int = 0
    column: int = 0

    @property
    def cells(self) -> float:
        """Its size in cells."""
        return float(self.share.sum())


class Places:
    """What of a window is taken by names, and `ink`, where lines run: a name may cross them, but better not."""

    def __init__(self, width: float, height: float, ink: np.ndarray) -> None:
        self.taken = np.zeros((int(height / CELL) + 1, int(width / CELL) + 1), bool)
        self.ink, self._ink = ink, _summed(ink)
        # A name is not to touch the frame.
        rim = 9
        self.taken[:rim] = self.taken[-rim:] = True
        self.taken[:, :rim] = self.taken[:, -rim:] = True

    def take(self, left: float, top: float, right: float, bottom: float) -> None:
        """Marks a box of points."""
        rows, columns = self._cells(left, top, right, bottom)
        self.taken[rows, columns] = True

    def free(self, left: float, top: float, right: float, bottom: float) -> bool:
        """True where a box lies within the window and meets nothing."""
        height, width = self.taken.shape
        if left < 0 or top < 0 or right >= width * CELL or bottom >= height * CELL:
            return False
        rows, columns = self._cells(left, top, right, bottom)
        return not self.taken[rows, columns].any()

    def ink_in(self, left: float, top: float, right: float, bottom: float) -> float:
        """Cells of line in a box."""
        rows, columns = self._cells(left, top, right, bottom)
        total = self._ink
        a, b = min(rows.stop, total.shape[0] - 1), min(columns.stop, total.shape[1] - 1)
        return float(total[a, b] - total[rows.start, b] - total[a, columns.start] + total[rows.start, columns.start])

    def _cells(self, left: float, top: float, right: float, bottom: float) -> tuple[slice, slice]:
        return (
            slice(max(int(top / CELL), 0), max(int(np.ceil(bottom / CELL)), 0)),
            slice(max(int(left / CELL), 0), max(int(np.ceil(right / CELL)), 0)),
        )


def box_of(word: Word, letters: Letters, x: float, y: float) -> tuple[float, float, float, float]:
    """(left, top, right, bottom) of a word whose base line begins at x, y, with some room."""
    return x - ROOM, y - CAPITAL * letters.size - ROOM, x + word.length + ROOM, y + DESCENDER * letters.size + ROOM


def beside(places: Places, word: Word, letters: Letters, point: np.ndarray, gap: float) -> skia.Path | None:
    """A word to the right of a point, or wherever around it there is room; None where there is none."""
    x, y = point
    capital = CAPITAL * letters.size
    middle = y + 0.45 * capital
    rows = (middle, y - gap, y + gap + capital)
    candidates = [
        (x + gap, rows[0], 0.0),
        (x - gap - word.length, rows[0], 4.0),
        (x + 0.7 * gap, rows[1], 3.0),
        (x + 0.7 * gap, rows[2], 3.5),
        (x - 0.5 * word.length, rows[1], 5.0),
        (x - 0.5 * word.length, rows[2], 6.0),
        (x - 0.7 * gap - word.length, rows[1], 7.0),
        (x - 0.7 * gap - word.length, rows[2], 8.0),
    ]
    scored = []
    for number, (left, base, cost) in enumerate(candidates):
        box = box_of(word, letters, left, base)
        if places.free(*box):
            scored.append((cost + INK_COST * places.ink_in(*box), number, left, base, box))
    if not scored:
        return None
    _, _, left, base, box = min(scored)
    places.take(*box)
    return pen.straight(word, left, base)


def within(
    places: Places, text: str, style: Letters, area: Area, sizes: tuple[float, ...], narrow: np.ndarray | None = None
) -> Spread | None:
    """A name spread inside an area, as large and as wide as there is room for; None where there is none.

    It had better not cross lines, nor lie where the grid `narrow`, 0..1, says.
    """
    rows, columns = np.nonzero(area.share > 0.5)
    if not len(rows):
        return None
    middle = np.array([columns.mean(), rows.mean()]) * CELL
    # The cells that the area lies in, of all the tables.
    box = slice(area.row, area.row + area.share.shape[0]), slice(area.column, area.column + area.share.shape[1])
    inside, blocked = _summed(area.share), _summed(places.taken[box])
    avoided = _summed((places.ink if narrow is None else places.ink + NARROW_COST * narrow)[box])
    for size in sizes:
        for spacing in (0.9, 0.5, 0.25, 0.12):
            letters = Letters(size, style.colour, style.italic, spacing * size, style.halo, style.halo_colour)
            word = pen.word(text, letters)
            found = _best(inside, blocked, avoided, word, letters, middle)
            if found:
                left, base = found[0] + area.column * CELL, found[1] + area.row * CELL
                places.take(*box_of(word, letters, left, base))
                return Spread(pen.straight(word, left, base), letters)
    return None


def _best(inside, blocked, avoided, word: Word, letters: Letters, middle: np.ndarray) -> tuple[float, float] | None:
    """(left, base line) of the best box that lies in an area and meets nothing, by summed tables of the area's cells."""
    width, height = word.length + 2 * ROOM, (CAPITAL + DESCENDER) * letters.size + 2 * ROOM
    w, h = int(np.ceil(width / CELL)), int(np.ceil(height / CELL))
    if h >= inside.shape[0] or w >= inside.shape[1]:
        return None
    within_area = _boxes(inside, w, h) >= 0.985 * w * h
    possible = within_area & (_boxes(blocked, w, h) < 0.5)
    rows, columns = np.nonzero(possible)
    if not len(rows):
        return None
    away = np.hypot((columns + 0.5 * w) * CELL - middle[0], (rows + 0.5 * h) * CELL - middle[1])
    cost = away + INK_COST * _boxes(avoided, w, h)[rows, columns]
    k = int(np.argmin(cost))
    return columns[k] * CELL + ROOM, rows[k] * CELL + ROOM + CAPITAL * letters.size


def following(places: Places, text: str, letters: Letters, lines: list[np.ndarray]) -> skia.Path | None:
    """A name along the straightest free stretch of a river; None where there is none."""
    word = pen.word(text, letters)
    best = None
    for number, line in enumerate(lines):
        for smooth in _ways(line, letters.size):
            for cost, bend, boxes in _stretches(places, word, letters, smooth):
                if best is None or cost < best[0]:
                    best = cost + 0.001 * number, bend, boxes
    if best is None:
        return None
    for box in best[2]:
        places.take(*box)
    return best[1].outline()


def _ways(line: np.ndarray, size: float) -> Iterator[np.ndarray]:
    """The line evenly spaced and without its small bends, running to the right."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    if lengths[-1] < 3.0 * size:
        return
    even = np.linspace(0.0, lengths[-1], max(int(lengths[-1] / 2.0), 4))
    points = np.stack([np.interp(even, lengths, line[:, k]) for k in (0, 1)], axis=1)
    reach = int(2.0 * size / 2.0)
    padded = np.concatenate([np.repeat(points[:1], reach, 0), points, np.repeat(points[-1:], reach, 0)])
    total = np.concatenate([np.zeros((1, 2)), np.cumsum(padded, axis=0)])
    smooth = (total[2 * reach + 1 :] - total[: -2 * reach - 1]) / (2 * reach + 1)
    yield smooth
    yield smooth[::-1]


def _stretches(places: Places, word: Word, letters: Letters, line: np.ndarray) -> Iterator[tuple[float, Bend, list]]:
    """(cost, the word there, boxes of its letters) of all stretches on which a word can stand."""
    whole, half = float(np.hypot(*np.diff(line, axis=0).T).sum()), 0.62 * letters.size
    for start in np.arange(2.0, whole - word.length - 2.0, max(1.3 * letters.size, 8.0)):
        laid = pen.along(word, line, float(start), ABOVE * letters.size)
        turn = np.unwrap(np.arctan2(laid.tangents[:, 1], laid.tangents[:, 0]))
        bend = float(np.abs(np.diff(turn)).max(initial=0.0))
        if bend > SHARPEST or np.abs(turn).max() > STEEPEST or np.ptp(turn) > WHOLE_BEND:
            continue
        for lift, worse in ((ABOVE, 0.0), (BELOW, 1.5)):
            laid = replace(laid, lift=lift * letters.size)
            middles = laid.middles - np.array([0.0, 0.3 * letters.size])
            boxes = [(x - half, y - half, x + half, y + half) for x, y in middles.tolist()]
            if all(places.free(*box) for box in boxes):
                ink = sum(places.ink_in(*box) for box in boxes) / len(boxes)
                away = abs(start + 0.5 * word.length - 0.55 * whole) / whole
                yield 6.0 * bend + worse + 0.25 * ink + away, laid, boxes


def _summed(cells: np.ndarray) -> np.ndarray:
    """Summed-area table with a row and a column of zeros in front: float64 (rows + 1, columns + 1)."""
    table = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1))
    np.cumsum(np.cumsum(cells, axis=0, dtype=np.float64), axis=1, out=table[1:, 1:])
    return table


def _boxes(table: np.ndarray, width: int, height: int) -> np.ndarray:
    """Sums over all boxes of that size, by their upper left cell."""
    return table[height:, width:] - table[:-height, width:] - table[height:, :-width] + table[:-height, :-width]
