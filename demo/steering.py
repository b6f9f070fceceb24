"""Steering: how many pixels and triangles a live picture is drawn with, so that its rate holds; not in stills or films."""

from __future__ import annotations

LOWEST, HIGHEST = 0.4, 1.0
# About where two cores end up: so many pixels are drawn at first.
FIRST_PIXELS = 90_000
STEP = 0.05
# Seconds a frame's drawing may take: 30 frames a second with a little left over; below the lower bound there is room.
SLOW_S, QUICK_S = 0.029, 0.017
SETTLE_FRAMES = 12
PANIC = 2.0
SMOOTHING = 0.25


class Steering:
    """A render scale that follows the measured time of drawing, slowly up and quickly down, without swinging."""

    def __init__(self, width: int, height: int) -> None:
        """`width`, `height`: of the whole picture in pixels."""
        wanted = (FIRST_PIXELS / (width * height)) ** 0.5
        self.scale = min(max(round(wanted / STEP) * STEP, LOWEST), HIGHEST)
        self.coarse = False
        self._smooth = 0.5 * (SLOW_S + QUICK_S)
        self._since = 0

    def measured(self, seconds: float) -> None:
        """A frame took `seconds` to draw."""
        # One hitch is not a trend: a frame counts for at most three times the bound.
        self._smooth += SMOOTHING * (min(seconds, 3.0 * SLOW_S) - self._smooth)
        self._since += 1
        if self._smooth > PANIC * SLOW_S and self._since >= SETTLE_FRAMES // 3:
            self._change(-2 * STEP)
        elif self._smooth > SLOW_S and self._since >= SETTLE_FRAMES:
            self._change(-STEP)
        elif self._smooth < QUICK_S and self._since >= 3 * SETTLE_FRAMES:
            self._change(STEP)
        # At the smallest scale what is left to save are triangles; they come back before pixels do.
        if self.scale == LOWEST and self._smooth > SLOW_S:
            self.coarse = True
        elif self._smooth < QUICK_S:
            self.coarse = False

    def _change(self, by: float) -> None:
        before = self.scale
        self.scale = round(min(max(before + by, LOWEST), HIGHEST), 3)
        # What the next frames will cost is known: pixels are what a software renderer pays for.
        self._smooth *= (self.scale / before) ** 2
        self._since = 0
