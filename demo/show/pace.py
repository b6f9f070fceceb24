"""Steering: how many pixels, triangles and effects a live picture is drawn with, so that its rate holds; not in stills.

All that can be given up stands on one ladder: pixels first, because they are what costs most and is missed least; at the
smallest scale costly effects; then triangles. One step is taken at a time on the way up, several on the way down, each after
the last has shown what it did.
"""

from __future__ import annotations

from dataclasses import dataclass

LOWEST, HIGHEST, STEP = 0.4, 1.0, 0.05


@dataclass(frozen=True)
class Rung:
    """`scale`: of the picture's sides; `effects`: whether all that varies sky and ground is drawn; `triangles`: the share of
    those that the quality asks for."""

    scale: float
    effects: bool = True
    triangles: float = 1.0

    @property
    def cost(self) -> float:
        """About what a frame costs by the share of one on the first rung."""
        return self.scale**2 * (1.0 if self.effects else 0.85) * (0.75 + 0.25 * self.triangles)


_COUNT = round((HIGHEST - LOWEST) / STEP)
RUNGS = (
    *(Rung(round(HIGHEST - k * STEP, 2)) for k in range(_COUNT + 1)),
    Rung(LOWEST, effects=False),
    Rung(LOWEST, effects=False, triangles=0.5),
)


@dataclass(frozen=True)
class Pace:
    """Seconds that a frame's drawing may take: `wanted` as long as there are pixels that are not missed much, that is down
    to the scale `comfortable`; `borne` below that. `first_pixels`: how many are drawn at first."""

    wanted_s: float
    borne_s: float
    comfortable: float
    first_pixels: float


# Without a GPU: 45 frames a second and a little over where the picture is small, 40 where it is large. It begins
# about where two cores end up.
SOFTWARE = Pace(0.0195, 0.0235, 0.5, 110_000)
# With one: 60.
GPU = Pace(0.0145, 0.0145, 1.0, float("inf"))

# A step up is taken when it would still leave so much of the time.
ROOM = 0.80
SETTLE_FRAMES, PATIENCE_FRAMES = 8, 36
SMOOTHING = 0.25
MOST_DOWN = 4


class Steering:
    """What to draw with, by the measured time of drawing: quickly down and slowly up, without swinging."""

    def __init__(self, width: int, height: int, pace: Pace = SOFTWARE) -> None:
        """`width`, `height`: of the whole picture in pixels."""
        self._pace = pace
        wanted = (pace.first_pixels / (width * height)) ** 0.5
        self._at = next((k for k, rung in enumerate(RUNGS) if rung.scale <= max(wanted, LOWEST) + 0.5 * STEP))
        self._smooth = 0.5 * self._bound(self._at)
        self._since = 0
        self._last = (self._smooth,) * 2

    @property
    def rung(self) -> Rung:
        """What to draw the next frame with."""
        return RUNGS[self._at]

    def measured(self, seconds: float) -> None:
        """A frame took `seconds` to draw."""
        bound = self._bound(self._at)
        # One hitch is not a trend: the middle one of three frames counts, and for at most three times the bound.
        self._last = (*self._last[-2:], seconds)
        middle = sorted(self._last)[len(self._last) // 2]
        self._smooth += SMOOTHING * (min(middle, 3.0 * bound) - self._smooth)
        self._since += 1
        if self._smooth > bound and self._since >= SETTLE_FRAMES:
            down = 1
            while down < MOST_DOWN and self._after(down) > self._bound(self._at + down):
                down += 1
            self._move(down)
        elif self._at and self._since >= PATIENCE_FRAMES and self._after(-1) < ROOM * self._bound(self._at - 1):
            self._move(-1)

    def _bound(self, at: int) -> float:
        rung = RUNGS[min(at, len(RUNGS) - 1)]
        return self._pace.wanted_s if rung.scale > self._pace.comfortable else self._pace.borne_s

    def _after(self, steps: int) -> float:
        """What a frame would take so many rungs further down."""
        return self._smooth * RUNGS[min(self._at + steps, len(RUNGS) - 1)].cost / self.rung.cost

    def _move(self, steps: int) -> None:
        steps = min(steps, len(RUNGS) - 1 - self._at)
        # What the next frames will cost is known.
        self._smooth = self._after(steps)
        self._at += steps
        self._since = 0
