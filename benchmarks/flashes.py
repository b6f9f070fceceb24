"""What eyes and screens must be spared: flashes as WCAG 2.3.1 counts them, and pixels that keep one colour for long."""

from __future__ import annotations

from collections import deque

import numpy as np

# A flash is a pair of opposing changes of this much of white's relative luminance, the darker of the two below DARKER.
CHANGE, DARKER = 0.10, 0.80
# Of a saturated red: the share of red in a colour, and the change of (R - G - B) * 320.
RED_SHARE, RED_CHANGE = 0.8, 20.0 / 320.0
# More than so many flashes a second, over more than this share of any block, are too many. Blocks are 341 x 256 pixels of a
# picture of 1024 x 768: a third of its sides.
MOST, AREA, BLOCKS = 3, 0.25, 3
# A pixel above DIM of white's luminance must leave a band of KEPT of white about its colour sooner than in BURNS_S.
DIM, KEPT, BURNS_S = 0.10, 0.02, 120.0
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def linear(picture: np.ndarray) -> np.ndarray:
    """Linear light, float64 (h, w, 3), of a picture uint8 (h, w, 3)."""
    c = picture / 255.0
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


class Swings:
    """Counts the opposing changes of a quantity, pixel by pixel, over the last second."""

    def __init__(self, change: float, fps: int) -> None:
        self._change = change
        self._recent: deque[np.ndarray] = deque(maxlen=fps)
        self._high: np.ndarray | None = None

    def see(self, value: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Flashes, whole pairs, int (h, w), in the last second. `counts`: where a change counts now, bool (h, w)."""
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
        self._recent.append(turned)
        return np.sum(self._recent, axis=0, dtype=np.int32) // 2


class Flashes:
    """The worst second of a run, of general and of red flashes.

    `worst`: the most flashes that the AREA of any block shared in a second; `worst_area`: the largest share of a block with
    more than MOST.
    """

    def __init__(self, fps: int) -> None:
        self._general, self._red = Swings(CHANGE, fps), Swings(RED_CHANGE, fps)
        self._before: np.ndarray | None = None
        self.worst, self.worst_area = 0, 0.0

    def see(self, picture: np.ndarray) -> None:
        """The next picture, uint8 (h, w, 3)."""
        light = linear(picture)
        bright = light @ LUMINANCE
        darker = bright if self._before is None else np.minimum(bright, self._before)
        self._before = bright
        total = light.sum(axis=2)
        red = np.maximum(light[..., 0] - light[..., 1] - light[..., 2], 0.0)
        saturated = light[..., 0] >= RED_SHARE * np.maximum(total, 1e-6)
        everywhere = np.ones(bright.shape, bool)
        general = self._general.see(bright, darker < DARKER)
        reds = self._red.see(np.where(saturated, red, 0.0), everywhere)
        for flashes in (general, reds):
            self._judge(flashes)

    def _judge(self, flashes: np.ndarray) -> None:
        for rows in np.array_split(flashes, BLOCKS, axis=0):
            for block in np.array_split(rows, BLOCKS, axis=1):
                shared = int(np.quantile(block, 1.0 - AREA, method="lower"))
                self.worst = max(self.worst, shared)
                self.worst_area = max(self.worst_area, float((block > MOST).mean()))


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
