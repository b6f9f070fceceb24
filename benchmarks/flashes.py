"""What eyes and screens must be spared: flashes as WCAG 2.3.1 counts them, and pixels that keep one colour for long."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

# A flash is a pair of opposing changes of this much of white's relative luminance, the darker of the two below DARKER.
CHANGE, DARKER = 0.10, 0.80
# Of a saturated red: the share of red in a colour, and the change of (R - G - B) * 320.
RED_SHARE, RED_CHANGE = 0.8, 20.0 / 320.0
# More than so many flashes a second, over more than this share of any block, are too many. Blocks are 341 x 256 pixels of a
# picture of 1024 x 768: a third of its sides.
MOST, AREA, BLOCKS = 3, 0.25, 3
# WCAG counts flashes that are concurrent: at its limit of three a second an opposing change comes every sixth of a second,
# so pixels that change the same way within that time can be one flash.
TOGETHER_S = 1.0 / 6.0
# A pixel above DIM of white's luminance must leave a band of KEPT of white about its colour sooner than in BURNS_S.
DIM, KEPT, BURNS_S = 0.10, 0.02, 120.0
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def linear(picture: np.ndarray) -> np.ndarray:
    """Linear light, float64 (h, w, 3), of a picture uint8 (h, w, 3)."""
    c = picture / 255.0
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


class Turns:
    """Where a quantity turns, pixel by pixel: it falls after it rose by enough, or rises after it fell."""

    def __init__(self, change: float) -> None:
        self._change = change
        self._high: np.ndarray | None = None

    def see(self, value: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """(falls, rises), bool (2, h, w), of the next picture. `counts`: where a change counts now, bool (h, w)."""
        if self._high is None:
            self._high, self._low, self._way = value.copy(), value.copy(), np.zeros(value.shape, np.int8)
        self._high, self._low = np.maximum(self._high, value), np.minimum(self._low, value)
        falls = (self._way >= 0) & (self._high - value >= self._change) & counts
        rises = (self._way <= 0) & (value - self._low >= self._change) & counts & ~falls
        self._way = np.where(falls, -1, np.where(rises, 1, self._way)).astype(np.int8)
        turned = falls | rises
        # Whatever came before a turn is over: the next one is counted from here.
        self._high = np.where(turned, value, self._high)
        self._low = np.where(turned, value, self._low)
        return np.stack([falls, rises])


class Second:
    """The flashes of the last second, whole pairs of turns, and the worst second so far.

    Turns count when they come together: the AREA of their block turns the same way in one picture, or so much more of it
    than turns the other way within TOGETHER_S. So ground that passes by is no flash, nor are sparks, each at a time of its
    own.

    `worst`: the most flashes that the AREA of any block shared. `worst_area`: the largest share of a block with more than
    MOST. `worst_alone`: the same of turns that came alone too, which no rule forbids.
    """

    def __init__(self, fps: int) -> None:
        self._turns: deque[np.ndarray] = deque(maxlen=fps)
        self._together: deque[np.ndarray] = deque(maxlen=fps)
        self._window = max(1, round(TOGETHER_S * fps))
        self.worst, self.worst_area, self.worst_alone = 0, 0.0, 0.0

    def see(self, turns: np.ndarray) -> None:
        """The turns of the next picture, bool (2, h, w)."""
        self._turns.append(turns)
        self._together.append(np.zeros(turns.shape, bool))
        window = list(self._turns)[-self._window :]
        of_late = _more_one_way(np.any(window, axis=0))
        for before, together in zip(window, list(self._together)[-self._window :], strict=True):
            together |= before & of_late
        self._together[-1] |= turns & _large_parts(turns)
        flashes = np.sum(self._together, axis=(0, 1), dtype=np.int32) // 2
        alone = np.sum(self._turns, axis=(0, 1), dtype=np.int32) // 2
        for block in blocks(flashes):
            self.worst = max(self.worst, int(np.quantile(block, 1.0 - AREA, method="lower")))
            self.worst_area = max(self.worst_area, float((block > MOST).mean()))
        self.worst_alone = max(self.worst_alone, *(float((block > MOST).mean()) for block in blocks(alone)))


def _large_parts(turned: np.ndarray) -> np.ndarray:
    """Which pixels lie in a block whose AREA turns their way, bool like `turned` (2, h, w)."""
    return _in_blocks(turned, lambda share, _: share >= AREA)


def _more_one_way(turned: np.ndarray) -> np.ndarray:
    """Which pixels lie in a block whose AREA more turns their way than the other, bool like `turned` (2, h, w)."""
    return _in_blocks(turned, lambda share, other: share - other >= AREA)


def _in_blocks(turned: np.ndarray, holds: Callable[[float, float], bool]) -> np.ndarray:
    result = np.zeros(turned.shape, bool)
    for falls, rises, into_falls, into_rises in zip(*map(blocks, (*turned, *result)), strict=True):
        fallen, risen = float(falls.mean()), float(rises.mean())
        into_falls[:], into_rises[:] = holds(fallen, risen), holds(risen, fallen)
    return result


def blocks(picture: np.ndarray) -> list[np.ndarray]:
    """The BLOCKS x BLOCKS parts, views, of an array (h, w)."""
    return [block for rows in np.array_split(picture, BLOCKS, axis=0) for block in np.array_split(rows, BLOCKS, axis=1)]


class Flashes:
    """The worst second of a run, of general and of red flashes: `general` and `red`."""

    def __init__(self, fps: int) -> None:
        self._bright, self._reds = Turns(CHANGE), Turns(RED_CHANGE)
        self.general, self.red = Second(fps), Second(fps)
        self._before: np.ndarray | None = None

    def see(self, picture: np.ndarray) -> None:
        """The next picture, uint8 (h, w, 3)."""
        light = linear(picture)
        bright = light @ LUMINANCE
        darker = bright if self._before is None else np.minimum(bright, self._before)
        self._before = bright
        total = light.sum(axis=2)
        red = np.maximum(light[..., 0] - light[..., 1] - light[..., 2], 0.0)
        saturated = light[..., 0] >= RED_SHARE * np.maximum(total, 1e-6)
        self.general.see(self._bright.see(bright, darker < DARKER))
        self.red.see(self._reds.see(np.where(saturated, red, 0.0), np.ones(bright.shape, bool)))

    @property
    def worst(self) -> int:
        """The most flashes that the AREA of any block shared in a second, of either kind."""
        return max(self.general.worst, self.red.worst)

    @property
    def worst_area(self) -> float:
        """The largest share of a block with more than MOST, of either kind."""
        return max(self.general.worst_area, self.red.worst_area)

    @property
    def worst_alone(self) -> float:
        """The same of turns that came alone too."""
        return max(self.general.worst_alone, self.red.worst_alone)


class Kept:
    """The longest time for which a pixel above DIM kept one colour. `longest_s`: of any pixel so far."""

    def __init__(self) -> None:
        self._colour: np.ndarray | None = None
        self.longest_s = 0.0

    def see(self, picture: np.ndarray, t: float) -> None:
        """The picture at t seconds, uint8 (h, w, 3)."""
        colour = picture / 255.0
        if self._colour is None:
            self._colour, self._since = colour, np.full(colour.shape[:2], t)
        left = np.abs(colour - self._colour).max(axis=2) > KEPT
        self._colour = np.where(left[..., None], colour, self._colour)
        self._since = np.where(left, t, self._since)
        lit = linear(picture) @ LUMINANCE > DIM
        self.longest_s = max(self.longest_s, float((t - self._since)[lit].max(initial=0.0)))
