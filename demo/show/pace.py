"""Pace: with how many pixels, triangles and effects a live picture is drawn, so that its rate of frames holds.

Everything that can be given up stands on one ladder. Pixels go first, because they cost most and are missed least. At a
small scale the costly effects go, and then the last pixels. Half the mesh goes last: a picture of the whole mesh, drawn at
the smallest scale, is nearer to the still than one of half the mesh at any scale, and as quick as one at a scale a third
larger. One rung is climbed at a time. On the way down it may be several at once. Each step waits until the last one has
shown its effect. Stills and films are drawn without a pace.
"""

from __future__ import annotations

from dataclasses import dataclass

# The scales of a picture with all effects, and the smallest one without.
LOWEST, HIGHEST, STEP = 0.4, 1.0, 0.05
SMALLEST = 0.3
# Of a whole frame, the share that does not go with the pixels, and what half a mesh leaves of it.
FIXED, HALVED = 0.10, 0.6


@dataclass(frozen=True)
class Rung:
    """What to draw with.

    `scale`: of the picture's sides, from SMALLEST to HIGHEST; `effects`: whether the variations of sky and ground are drawn;
    `full_mesh`: whether patches have all the cells that the quality gives them.
    """

    scale: float
    effects: bool = True
    full_mesh: bool = True

    @property
    def cost(self) -> float:
        """About what a frame costs, as a share of a frame on the first rung."""
        pixels = (1.0 - FIXED) * self.scale**2 * (1.0 if self.effects else 0.85)
        return pixels + FIXED * (1.0 if self.full_mesh else HALVED)


def _scales(high: float, low: float) -> tuple[float, ...]:
    return tuple(round(high - k * STEP, 2) for k in range(round((high - low) / STEP) + 1))


RUNGS = (
    *(Rung(scale) for scale in _scales(HIGHEST, LOWEST)),
    *(Rung(scale, effects=False) for scale in _scales(LOWEST, SMALLEST)),
    Rung(SMALLEST, effects=False, full_mesh=False),
)


@dataclass(frozen=True)
class FrameBudget:
    """How long drawing a frame may take.

    `wanted_s`: seconds at scales above `comfortable`, where pixels are not missed much; `longest_s`: seconds at smaller
    scales; `worst_s`: seconds at the smallest ones; `halved_s`: seconds where only the mesh is left to be given up, which
    blurs and shifts the ground and saves a fifth of them; `first_pixels`: how many pixels are drawn at first.
    """

    wanted_s: float
    longest_s: float
    worst_s: float
    halved_s: float
    comfortable: float
    first_pixels: float


# Without a GPU: a little over 45 frames a second where nearly all pixels are drawn, 33 where fewer are. The first scale is
# about the one on which two cores settle.
SOFTWARE = FrameBudget(0.0195, 0.0275, 0.0450, 0.0600, 0.7, 110_000)
# The same at 30 frames a second, where a third of the processors is left to whatever else the machine does. What a quick
# machine spares goes into its frames and not into pixels.
SPARING = FrameBudget(0.0185, 0.0225, 0.0450, 0.0600, 0.4, 90_000)
# With a GPU: 60 frames a second.
GPU = FrameBudget(0.0145, 0.0145, 0.0300, 0.0300, 1.0, float("inf"))

# A rung is climbed when drawing there would still take no more than this share of the budget; the one that brings the whole
# mesh back, with less room.
ROOM, MESH_ROOM = 0.80, 0.90
SETTLE_FRAMES, PATIENCE_FRAMES = 8, 36
SMOOTHING = 0.25
MOST_DOWN = 4


class Pace:
    """Chooses the rung by the measured time of drawing: quickly down, slowly up, and without swinging."""

    def __init__(self, width: int, height: int, budget: FrameBudget = SOFTWARE) -> None:
        """`width`, `height`: of the whole picture in pixels."""
        self._budget = budget
        wanted = (budget.first_pixels / (width * height)) ** 0.5
        self._at = next((k for k, rung in enumerate(RUNGS) if rung.scale <= max(wanted, LOWEST) + 0.5 * STEP))
        self._smooth_s = 0.5 * self._bound_s(self._at)
        self._since = 0
        self._last_s: tuple[float, ...] = (self._smooth_s,) * 2

    @property
    def rung(self) -> Rung:
        """What to draw the next frame with."""
        return RUNGS[self._at]

    def measured(self, seconds: float) -> None:
        """Take note that drawing a frame took `seconds`."""
        bound = self._bound_s(self._at)
        # One hitch is not a trend: the middle one of three frames counts, and for at most three times the bound.
        self._last_s = (*self._last_s[-2:], seconds)
        middle = sorted(self._last_s)[len(self._last_s) // 2]
        self._smooth_s += SMOOTHING * (min(middle, 3.0 * bound) - self._smooth_s)
        self._since += 1
        if self._smooth_s > bound and self._since >= SETTLE_FRAMES:
            down = 1
            while down < MOST_DOWN and self._after_s(down) > self._bound_s(self._at + down):
                down += 1
            self._move(down)
        elif self._at and self._since >= PATIENCE_FRAMES:
            room = ROOM if self.rung.full_mesh else MESH_ROOM
            if self._after_s(-1) < room * self._bound_s(self._at - 1):
                self._move(-1)

    def _bound_s(self, at: int) -> float:
        if at >= len(RUNGS) - 2:
            return self._budget.halved_s
        rung = RUNGS[at]
        if not rung.effects:
            return self._budget.worst_s
        return self._budget.wanted_s if rung.scale > self._budget.comfortable else self._budget.longest_s

    def _after_s(self, steps: int) -> float:
        """What a frame would take that many rungs further down."""
        return self._smooth_s * RUNGS[min(self._at + steps, len(RUNGS) - 1)].cost / self.rung.cost

    def _move(self, steps: int) -> None:
        steps = min(steps, len(RUNGS) - 1 - self._at)
        # The cost of the next frames is known beforehand.
        self._smooth_s = self._after_s(steps)
        self._at += steps
        self._since = 0
