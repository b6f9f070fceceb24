"""Particle deposition (after K. Warszawski, SDJ 12/2007): a rain of particles that piles up into land.

The article's thirteen steps: fill the map; place the emitter, its window and the box; set the particles' rules; emit
particles, singly or in groups; move them; let those that leave the box die; test for contact; slide; pile up; die; repeat
until all are emitted and all have died. Four defects are cured. The move probabilities are those of the listing's comments
(20 % up, 30 % stay, 50 % down) and not of its code. A drift that is not downwards is refused, since the run might not end. A
low viscosity lets particles slide, as the text says. Slides go the steepest way, and not the first way that a scan from one
corner finds; `slide=listing` keeps Listing 2. `method=as-printed` has the moves, the slide, the mass and the rounds of the
listings.

Heights at step k are the map, normalised to 0..1, raised to the power `smoothing`, and scaled by the share of work done, so
that the land is seen to rise. At the last step the scale is 1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..atlas import PLANE
from ..growth import RELIEF, Growth, Marks
from ..hashing import uniforms
from ..heightmap import squared
from ..land_share import level_by_rank
from ..parameters import ParameterError, Value
from .landing_kernels import normalise
from .presets import preset_windows
from .rain import chances, rain_of
from .windows import Window, arranged, check_over_box, own_windows

# Share of full height at which a start map that is not flat is shown before the first particle.
START_SHARE = 0.25
# Sea level of land=coast, just above the start level, in the unit of the finished heights.
COAST = 0.03
# The most particles that are shown in flight.
MOST_MARKS = 1500
_STREAM_START = 33
_CURVE = 4096


def grow(seed: int, parameters: dict[str, Value], start: np.ndarray | None = None) -> Growth:
    """A rain at step 0; `parameters` complete, as the row of `particles` in GENERATORS has them.

    `start`: float (rows, columns) in 0..1, the picture of start=image. Raises ParameterError.
    """
    return Particles(seed, parameters, start=start)


class Particles(Growth):
    """Land that one `rain` piles up. A unit of work is a particle. `windows` replace those of the parameters.

    `ground`: float32 (n, n), the map itself, in units of one downward move. `relief` is how high one unit of `heights`
    is shown, in extents; `marks` sets particles above the land by it. The last step raises ParameterError where no particle
    has landed at all.
    """

    atlas = PLANE
    unit = "0..1"
    relief = 0.1

    def __init__(
        self,
        seed: int,
        parameters: dict[str, Value],
        windows: list[Window] | None = None,
        start: np.ndarray | None = None,
    ) -> None:
        self._p = parameters
        super().__init__(seed, int(parameters["cells"]) + 1)
        self.total = int(parameters["particles"])
        chosen = own_windows(parameters) or preset_windows(str(parameters["preset"]), seed)
        self.windows = windows or arranged(chosen, parameters)
        check_over_box(self.windows, parameters)
        self.ground = _start_map(seed, self.n, parameters, start)
        self.rain = rain_of(seed, parameters, self.windows, self.ground)
        self._curve = curve(float(parameters["smoothing"]))
        self._show(0)

    def _advance(self, to: int) -> None:
        self.rain.fall(self.ground, to)
        if to == self.total and self._p["start"] == "zero" and not self.ground.any():
            names = ("particles", "box", "step", "x", "z", "size", "height", "cells")
            given = ", ".join(f"{name}={self._p[name]}" for name in names)
            raise ParameterError(
                f"with {given} no particle reaches the ground, because each of them meets a wall of the box before:"
                f" widen the box, or take more particles or smaller steps"
            )
        self._show(to)

    def _show(self, landed: int) -> None:
        """Fill `heights` as after `landed` particles."""
        low, high = self.ground.min(), self.ground.max()
        if high <= low:
            self.heights.fill(0.0)
            return
        done = landed / self.total
        share = done if self._p["start"] == "zero" else START_SHARE + (1.0 - START_SHARE) * done
        normalise(self.ground, low, high - low, self._curve, np.float32(share), self.heights[0])

    @property
    def sea_level(self) -> float:
        """The level above which the wanted share of the map lies; with `land=coast`, one just above the start level."""
        land = self._p["land"]
        if land == "coast":
            return COAST
        return level_by_rank(self.heights, float(land))

    @property
    def sinking(self) -> float:
        """How far a particle of `marks` sinks, in extents, while one more lands."""
        crowd, unit = self.rain.crowd, self.rain.landing.unit / (self.n - 1)
        if crowd:
            # In a round as many land, on average, as are let go.
            return self._drift() * crowd.beat / crowd.together * unit
        return 1.25 * self.rain.emitter.lift * unit / self._span()

    def _drift(self) -> float:
        """How far a particle sinks in a tick, in moves."""
        _, (sinks, stays, rises) = chances(self._p)
        return (sinks - rises) / (sinks + stays + rises)

    def _span(self) -> int:
        """How many particles are shown in the air: those that land next."""
        return max(self.total // 32, 8)

    def marks(self, first: int, last: int, relief: float = RELIEF) -> Marks:
        """The particles in flight when `last` have landed, at most MOST_MARKS.

        In a rain of single groups they are those that land next, lowest first, drawn falling freely from where they are
        emitted, as they do until the ground is near. Where many groups are in the air they are those that are there.
        """
        found = self.rain.in_the_air(MOST_MARKS) if self.rain.crowd else self._to_come(last)
        return replace(Marks.none(), points=self._above_land(found, relief))

    def _to_come(self, last: int) -> np.ndarray:
        """Float64 (k, 4), x, z, y and weight of the particles that land after `last` have."""
        span = self._span()
        stride = -(-span // MOST_MARKS)
        numbers = np.arange(-(-(last + 1) // stride) * stride, min(last + 1 + span, self.total), stride)
        flown = (1.0 - (numbers - last) / span) * 1.25 * self.rain.emitter.lift / self._drift()
        return self.rain.in_flight(self.ground, numbers, flown)

    def _above_land(self, found: np.ndarray, relief: float) -> np.ndarray:
        """Points float32 (k, 4) of rows x, z, y, weight: those over the map and above its ground."""
        cells = self.n - 1
        found = found[((found[:, :2] >= 0) & (found[:, :2] <= cells)).all(axis=1)]
        i, j = found[:, 0].astype(np.intp), found[:, 1].astype(np.intp)
        clear = (found[:, 2] - self.ground[j, i]) * self.rain.landing.unit / cells
        size = float(self.rain.landing.reach) / cells * found[:, 3] ** 0.25
        points = np.stack(
            [found[:, 0] / cells - 0.5, clear + relief * self.heights[0, j, i], found[:, 1] / cells - 0.5, size], 1
        )
        return points[clear > 0.0].astype(np.float32)


def _start_map(seed: int, n: int, parameters: dict[str, Value], image: np.ndarray | None) -> np.ndarray:
    """float32 (n, n), in units of one downward move, not negative."""
    kind = parameters["start"]
    if kind == "zero":
        return np.zeros((n, n), np.float32)
    if kind == "random":
        field = uniforms(seed, _STREAM_START, n * n).reshape(n, n)
    elif kind == "plasma":
        field = _plasma(seed, n)
    elif image is None:
        raise ParameterError("start=image is not possible without a picture: give its file as file=PATH")
    else:
        field = squared(image, 0.0, n - 1)
    scale = float(parameters["start_height"]) * (n - 1) / float(parameters["fall"])
    return (field * scale).astype(np.float32)


def _plasma(seed: int, n: int) -> np.ndarray:
    """The plasma of the same seed, 0..1, cut to n x n."""
    # Loads another algorithm's kernels, which most islands do without.
    from ..plasma import growth as plasma

    growth = plasma.Plasma(seed, 1 << max(n - 2, 1).bit_length(), 0.8, "low", 0.66)
    growth.advance(growth.total)
    field = growth.heights[0, :n, :n].astype(np.float64)
    span = field.max() - field.min()
    return (field - field.min()) / span if span > 0 else field


def curve(exponent: float) -> np.ndarray:
    """x^exponent at _CURVE + 1 places of 0..1, float32, by integer powers and square roots alone.

    The library's pow differs in its last bits between machines; a square root does not.
    """
    x = np.linspace(0.0, 1.0, _CURVE + 1)
    out = np.ones_like(x)
    whole = int(exponent)
    for _ in range(whole):
        out *= x
    rest, root = exponent - whole, x
    for _ in range(20):
        rest, root = 2.0 * rest, np.sqrt(root)
        if rest >= 1.0:
            out *= root
            rest -= 1.0
    return out.astype(np.float32)
