"""Where names stand: a grid of the room that is taken, and the search for places so that no name meets another.

The names of areas are spread inside them, the names of rivers follow their course, and the names of points stand beside
them. A name that has its place keeps it, so the important names come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import skia

from . import pen
from .pen import CurvedWord, TextStyle, TypesetWord

# A cell of the grid, and the free room around names, in points.
CELL, ROOM = 1.0, 1.5
# Height of capitals and depth of descenders in parts of the size.
CAPITAL, DESCENDER = 0.68, 0.26
# The cost of a cell with a line of the map, and of one near a shore, against one point of distance from the best place.
LINE_COST, NARROW_COST = 1.4, 0.12
# Names of rivers: the base line above and below the river in parts of the size; in radians, the sharpest bend between two
# letters, the steepest letter, and the bend of the whole name.
ABOVE, BELOW, SHARPEST, STEEPEST, WHOLE_BEND = 0.38, -0.98, 0.24, 1.3, 1.1
# Names keep this distance from the frame, in cells.
FRAME_CELLS = 9

# (left, top, right, bottom) in points.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class PlacedText:
    """The outline of a text at its place, and the style in which it is drawn."""

    path: skia.Path
    style: TextStyle


@dataclass(frozen=True)
class GridArea:
    """An area on a part of the grid that begins at cell (`row`, `column`).

    `share`: float32 (rows, columns), the share of each cell that the area covers.
    """

    share: np.ndarray
    row: int = 0
    column: int = 0

    @property
    def cells(self) -> float:
        """The area's size in cells."""
        return float(self.share.sum())


class LabelGrid:
    """What of a window is taken by names, and where lines run. A name may cross a line, but a place without is better.

    `taken`: bool (height + 1, width + 1) cells. `lines`: float32 (height, width), how much of a cell lines cover.
    """

    def __init__(self, width: float, height: float, lines: np.ndarray) -> None:
        self.taken = np.zeros((int(height / CELL) + 1, int(width / CELL) + 1), bool)
        self.lines, self._lines = lines, _summed(lines)
        self.taken[:FRAME_CELLS] = self.taken[-FRAME_CELLS:] = True
        self.taken[:, :FRAME_CELLS] = self.taken[:, -FRAME_CELLS:] = True

    def take(self, left: float, top: float, right: float, bottom: float) -> None:
        """Marks a box as taken."""
        rows, columns = self._cells(left, top, right, bottom)
        self.taken[rows, columns] = True

    def close(self, outside: np.ndarray) -> None:
        """Marks all cells within FRAME_CELLS of what lies `outside` the map, float32 (height, width), 0..1, as taken."""
        near = _boxes(_summed(np.pad(outside > 0.0, FRAME_CELLS)), 2 * FRAME_CELLS + 1, 2 * FRAME_CELLS + 1)
        self.taken[: near.shape[0], : near.shape[1]] |= near > 0.5

    def free(self, left: float, top: float, right: float, bottom: float) -> bool:
        """True when a box lies within the window and nothing in it is taken."""
        height, width = self.taken.shape
        if left < 0 or top < 0 or right >= width * CELL or bottom >= height * CELL:
            return False
        rows, columns = self._cells(left, top, right, bottom)
        return not self.taken[rows, columns].any()

    def lines_in(self, left: float, top: float, right: float, bottom: float) -> float:
        """How many cells of a box lines cover."""
        rows, columns = self._cells(left, top, right, bottom)
        total = self._lines
        a, b = min(rows.stop, total.shape[0] - 1), min(columns.stop, total.shape[1] - 1)
        return float(total[a, b] - total[rows.start, b] - total[a, columns.start] + total[rows.start, columns.start])

    def _cells(self, left: float, top: float, right: float, bottom: float) -> tuple[slice, slice]:
        return (
            slice(max(int(top / CELL), 0), max(int(np.ceil(bottom / CELL)), 0)),
            slice(max(int(left / CELL), 0), max(int(np.ceil(right / CELL)), 0)),
        )


def box_of(word: TypesetWord, style: TextStyle, x: float, y: float) -> Box:
    """The box of a word whose base line begins at x, y, with ROOM around it."""
    return x - ROOM, y - CAPITAL * style.size - ROOM, x + word.length + ROOM, y + DESCENDER * style.size + ROOM


def beside(grid: LabelGrid, text: str, style: TextStyle, point: np.ndarray, gap: float) -> PlacedText | None:
    """A text to the right of a point, or elsewhere around it, `gap` points away; None when there is no room."""
    word = pen.typeset(text, style)
    x, y = point
    capital = CAPITAL * style.size
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
        box = box_of(word, style, left, base)
        if grid.free(*box):
            scored.append((cost + LINE_COST * grid.lines_in(*box), number, left, base, box))
    if not scored:
        return None
    _, _, left, base, box = min(scored)
    grid.take(*box)
    return PlacedText(pen.straight(word, left, base), style)


def within(
    grid: LabelGrid, text: str, style: TextStyle, area: GridArea, sizes: tuple[float, ...], narrow: np.ndarray | None = None
) -> PlacedText | None:
    """A text spread inside an area, as large and as wide as there is room for; None when there is none.

    `style`: its size and spacing are replaced by the first of `sizes`, and a spacing, that fit. `narrow`: float32 of the
    grid's shape, 0..1; places with small values are better, as are places without lines.
    """
    rows, columns = np.nonzero(area.share > 0.5)
    if not len(rows):
        return None
    middle = np.array([columns.mean(), rows.mean()]) * CELL
    # The cells around the area, of the whole grid.
    box = slice(area.row, area.row + area.share.shape[0]), slice(area.column, area.column + area.share.shape[1])
    inside, taken = _summed(area.share), _summed(grid.taken[box])
    avoided = _summed((grid.lines if narrow is None else grid.lines + NARROW_COST * narrow)[box])
    for size in sizes:
        for spacing in (0.9, 0.5, 0.25, 0.12):
            fitted = replace(style, size=size, spacing=spacing * size)
            word = pen.typeset(text, fitted)
            found = _best(inside, taken, avoided, word, fitted, middle)
            if found:
                left, base = found[0] + area.column * CELL, found[1] + area.row * CELL
                grid.take(*box_of(word, fitted, left, base))
                return PlacedText(pen.straight(word, left, base), fitted)
    return None


def _best(
    inside: np.ndarray, taken: np.ndarray, avoided: np.ndarray, word: TypesetWord, style: TextStyle, middle: np.ndarray
) -> tuple[float, float] | None:
    """(left, base line) of the best box that lies in an area and meets nothing; None when there is none.

    `inside`, `taken`, `avoided`: summed-area tables over the cells around the area; `middle`: the area's, in points.
    """
    width, height = word.length + 2 * ROOM, (CAPITAL + DESCENDER) * style.size + 2 * ROOM
    w, h = int(np.ceil(width / CELL)), int(np.ceil(height / CELL))
    if h >= inside.shape[0] or w >= inside.shape[1]:
        return None
    within_area = _boxes(inside, w, h) >= 0.985 * w * h
    possible = within_area & (_boxes(taken, w, h) < 0.5)
    rows, columns = np.nonzero(possible)
    if not len(rows):
        return None
    away = np.hypot((columns + 0.5 * w) * CELL - middle[0], (rows + 0.5 * h) * CELL - middle[1])
    cost = away + LINE_COST * _boxes(avoided, w, h)[rows, columns]
    k = int(np.argmin(cost))
    return columns[k] * CELL + ROOM, rows[k] * CELL + ROOM + CAPITAL * style.size


def following(grid: LabelGrid, text: str, style: TextStyle, lines: list[np.ndarray]) -> PlacedText | None:
    """A text along the straightest free stretch of a river, points (k, 2) each line; None when there is none."""
    word = pen.typeset(text, style)
    best: tuple[float, CurvedWord, list[Box]] | None = None
    for number, line in enumerate(lines):
        for smooth in _ways(line, style.size):
            for cost, curved, boxes in _stretches(grid, word, style, smooth):
                if best is None or cost < best[0]:
                    best = cost + 0.001 * number, curved, boxes
    if best is None:
        return None
    for box in best[2]:
        grid.take(*box)
    return PlacedText(best[1].outline(), style)


def _ways(line: np.ndarray, size: float) -> Iterator[np.ndarray]:
    """The line evenly spaced and without its small bends, in both directions."""
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


def _stretches(
    grid: LabelGrid, word: TypesetWord, style: TextStyle, line: np.ndarray
) -> Iterator[tuple[float, CurvedWord, list[Box]]]:
    """(cost, the word there, the boxes of its letters) of all stretches of a line on which a word can stand."""
    whole, half = float(np.hypot(*np.diff(line, axis=0).T).sum()), 0.62 * style.size
    for start in np.arange(2.0, whole - word.length - 2.0, max(1.3 * style.size, 8.0)):
        laid = pen.along(word, line, float(start), ABOVE * style.size)
        turn = np.unwrap(np.arctan2(laid.tangents[:, 1], laid.tangents[:, 0]))
        bend = float(np.abs(np.diff(turn)).max(initial=0.0))
        if bend > SHARPEST or np.abs(turn).max() > STEEPEST or np.ptp(turn) > WHOLE_BEND:
            continue
        for lift, worse in ((ABOVE, 0.0), (BELOW, 1.5)):
            laid = replace(laid, lift=lift * style.size)
            middles = laid.middles - np.array([0.0, 0.3 * style.size])
            boxes = [(x - half, y - half, x + half, y + half) for x, y in middles.tolist()]
            if all(grid.free(*box) for box in boxes):
                crossed = sum(grid.lines_in(*box) for box in boxes) / len(boxes)
                away = abs(start + 0.5 * word.length - 0.55 * whole) / whole
                yield 6.0 * bend + worse + 0.25 * crossed + away, laid, boxes


def _summed(cells: np.ndarray) -> np.ndarray:
    """Summed-area table with a row and a column of zeros in front: float64 (rows + 1, columns + 1)."""
    table = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1))
    np.cumsum(np.cumsum(cells, axis=0, dtype=np.float64), axis=1, out=table[1:, 1:])
    return table


def _boxes(table: np.ndarray, width: int, height: int) -> np.ndarray:
    """The sums over all boxes of one size, by their upper left cell."""
    return table[height:, width:] - table[:-height, width:] - table[height:, :-width] + table[:-height, :-width]
