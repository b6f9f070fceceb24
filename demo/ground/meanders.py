"""Meanders: bends of rivers on gentle ground, eleven widths long, as those of real rivers are.

The bends are sine-generated curves (W. Langbein and L. Leopold, "River Meanders: Theory of Minimum Variance", 1966), to the
second order. Where a river has too few points for its bends they are flatter, so that no drawn angle shows.
"""

from __future__ import annotations

import numpy as np

from ..maths import lines
from ..maths.easing import smoothstep
from ..maths.vectors import crosses, lengths, unit
from ..worlds.carving.river_ways import Courses
from ..worlds.hashing import uniforms_at

UP = np.array([0.0, 1.0, 0.0])
STREAM = 132
# Length of two bends in widths of the river (L. Leopold and M. Wolman, 1960), and how far it swings at most, as a share of
# that.
WAVE, SWING = 11.0, 0.17
# A river swings less on ground where it runs straight, by this power of how level the ground is.
LEVEL_POWER = 1.0
# No two points of a bend turn by more, radians.
MOST_TURN = 0.045
# Two bends of a narrow river are at least so many points long.
LONGEST = 38.0
# Rivers with so few points to a bend do not wind; with twice as many they do.
FEWEST = 9.0
# Bends differ in length and in width by these factors; the differences are as many bends long.
UNEVEN_PHASE, UNEVEN_SWING, UNEVEN_BENDS = 1.3, 0.45, 1.7
# Bends come in over so many of their lengths at a source and go before a mouth.
ENDS = 0.6
# Over so many points a tributary turns to the bend of the river that it joins.
JOINING = 24
# The length of bends is evened over at least so many points to either side, and over those of two bends.
WIDE = 20


def bends(
    courses: Courses,
    place: np.ndarray,
    half: np.ndarray,
    flat: np.ndarray,
    seed: int,
    longest: float = LONGEST,
    most_turn: float = MOST_TURN,
) -> np.ndarray:
    """By how far, float64 (p, 3), the points of courses move from `place` (p, 3), in radii or extents, to wind.

    `half`: (p,), half the rivers' widths, likewise; `flat`: (p,), 1 on level ground. Two bends are at least `longest` points
    long; no two points of a bend turn by more than `most_turn` radians.
    """
    line = courses.of_point
    first, last = courses.first[:-1], courses.first[1:] - 1
    along, step = np.empty(place.shape), np.empty(len(place))
    for few in lines.chunks(len(place)):
        point, of = np.arange(few.start, min(few.stop, len(place))), line[few]
        before, after = np.maximum(point - 1, first[of]), np.minimum(point + 1, last[of])
        along[few] = place[after] - place[before]
        step[few] = lengths(along[few]) / np.maximum(after - before, 1)
    points = max(WIDE, round(longest))
    wave = np.maximum(evened(np.maximum(2.0 * WAVE * half, longest * step), courses, points), 1e-12)
    turned = np.cumsum(step / wave)
    turned -= turned[first][line]
    loose = _noise(turned / UNEVEN_BENDS, line, seed, STREAM + 1)
    phase = 2.0 * np.pi * (turned + uniforms_at(seed, STREAM, line)) + UNEVEN_PHASE * loose
    del loose
    # The turn from point to point is the swing times (2 pi / wave)^2 times the step.
    wide_step = np.maximum(evened(step, courses, points), 1e-15)
    most = most_turn * wave**2 / (4.0 * np.pi**2 * wide_step)
    uneven = 1.0 + UNEVEN_SWING * _noise(turned / UNEVEN_BENDS, line, seed, STREAM + 2)
    swing = np.minimum(SWING * wave * flat**LEVEL_POWER * uneven, most)
    del most, uneven
    swing *= smoothstep(np.clip((wave / wide_step - FEWEST) / FEWEST, 0.0, 1.0))
    del wide_step, step
    left = turned[last][line] - turned
    swing *= smoothstep(np.clip(turned / ENDS, 0.0, 1.0)) * smoothstep(np.clip(left / ENDS, 0.0, 1.0))
    across, ahead = swing * np.sin(phase), -0.25 * np.pi * swing**2 / wave * np.sin(2.0 * phase)
    spherical, moved = _spherical(place), np.empty(place.shape)
    for few in lines.chunks(len(place)):
        way = along[few] / np.maximum(lengths(along[few]), 1e-15)[:, None]
        moved[few] = crosses(unit(place[few]) if spherical else UP, way)
        moved[few] *= across[few, None]
        moved[few] += way * ahead[few, None]
    return moved


def _spherical(place: np.ndarray) -> bool:
    return bool(len(place)) and abs(float(place[0] @ place[0]) - 1.0) < 1e-6


def evened(values: np.ndarray, courses: Courses, points: int | np.ndarray) -> np.ndarray:
    """The mean of values (p,) over so many points, one number or int (p,), to either side on the same line."""
    return lines.evened(values, courses.first, points)


def _noise(along: np.ndarray, line: np.ndarray, seed: int, stream: int) -> np.ndarray:
    """Smooth noise in -1..1 over the ways `along` (p,) of lines (p,)."""
    out = np.empty(len(along))
    for few in lines.chunks(len(along)):
        at, of = along[few], line[few]
        knot = np.floor(at)
        low, high = (uniforms_at(seed, stream, (knot + k).astype(np.int64) + 65_537 * of) for k in (0, 1))
        out[few] = 2.0 * (low + (high - low) * smoothstep(at - knot)) - 1.0
    return out


def joined(courses: Courses, moved: np.ndarray) -> np.ndarray:
    """The ways `moved` (p, 3) of points, changed so that tributaries end where what they join has moved, and arms begin
    where what they leave has."""
    first, joined, parted = courses.first.tolist(), courses.joined.tolist(), courses.parted.tolist()
    for k in reversed(range(len(joined))):
        own = moved[first[k] : first[k + 1]]
        turns = min(JOINING, len(own))
        part = smoothstep(np.arange(1, turns + 1) / turns)[:, None]
        if joined[k] >= 0:
            own[-turns:] += part * (moved[joined[k]] - own[-turns:])
        if parted[k] >= 0:
            own[:turns] += part[::-1] * (moved[parted[k]] - own[:turns])
    return moved
