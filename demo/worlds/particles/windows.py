"""Windows that particles fall from: their form, how they are written in words, and what the rain takes of them.

A window is written SHAPE,X,Z,SIZE_X,SIZE_Z[,WEIGHT[,HOLE]], with its middle and its size in parts of the map's edge:
`rectangle,0.5,0.5,1.0,1.0` is a window over the whole map. All windows can be written so, those of presets too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..parameters import ParameterError, Value
from .walk_tables import WINDOW_BITS, WINDOW_COLUMN_BITS, alias_table

DISC, RECTANGLE, RING = SHAPES = ("disc", "rectangle", "ring")
MOST_WINDOWS = 1024
# The parameters window.1, window.2 ... have this name and a number.
NUMBERED = "window"
# Distance that particles stray on their way down, in parts of the map's edge.
SPREAD = 0.02
# The middle of a window in words may lie this far off the map, and it may be so large.
_FARTHEST, _LARGEST = 10.0, 100.0
_SIEVE = 48


@dataclass(frozen=True)
class Window:
    """A window in the plane: centre and half sizes in parts of the map's edge (0..1 is the map).

    `shape`: one of SHAPES. `weight`: its share of the particles, relative to the other windows. `inner`: the radius of a
    ring's hole, in parts of the ring's.
    """

    x: float
    z: float
    half_x: float
    half_z: float
    shape: str = DISC
    weight: float = 1.0
    inner: float = 0.72

    @property
    def area(self) -> float:
        """In that of the map."""
        round_part = 1.0 if self.shape == RECTANGLE else math.pi / 4.0
        hole = self.inner * self.inner if self.shape == RING else 0.0
        return 4.0 * self.half_x * self.half_z * round_part * (1.0 - hole)

    def in_words(self) -> str:
        """Text from which `window_of` makes this window."""
        numbers = (self.x, self.z, 2.0 * self.half_x, 2.0 * self.half_z, self.weight, self.inner)
        return ",".join([self.shape, *map(repr, numbers[: 6 if self.shape == RING else 5])])


def window_of(words: str) -> Window:
    """The window that is written `words`; without a weight it gets as much rain a part of its area as others without one.

    Raises ValueError for words of another form.
    """
    shape, *texts = words.split(",")
    numbers = [float(text) for text in texts]
    if shape not in SHAPES or not 4 <= len(numbers) <= (6 if shape == RING else 5):
        raise ValueError(words)
    x, z, size_x, size_z, *more = numbers
    sizes_fit = all(0.0 < size <= _LARGEST for size in (size_x, size_z))
    window = Window(x, z, 0.5 * size_x, 0.5 * size_z, shape)
    if len(more) > 1:
        window = replace(window, inner=more[1])
    places_fit = all(-_FARTHEST <= place <= _FARTHEST for place in (x, z))
    if not (sizes_fit and places_fit and 0.0 <= window.inner < 1.0):
        raise ValueError(words)
    weight = more[0] if more else window.area
    if not 0.0 < weight < 1e6:
        raise ValueError(words)
    return replace(window, weight=weight)


def own_windows(parameters: Mapping[str, Value]) -> list[Window]:
    """The windows window.1, window.2 ... of complete parameters, in the order of their numbers."""
    named = [name for name in parameters if name.startswith(f"{NUMBERED}.")]
    return [window_of(str(parameters[name])) for name in sorted(named, key=lambda name: int(name.partition(".")[2]))]


def arrange(windows: list[Window], x: float, z: float, size: float, shape: str, count: int) -> list[Window]:
    """The first `count` windows (0: all), moved to a centre (x, z), scaled by `size`, and given one `shape`.

    With the shape 'preset' each window keeps its own.
    """
    chosen = windows[:count] if count else windows
    return [
        replace(
            w,
            x=x + (w.x - 0.5) * size,
            z=z + (w.z - 0.5) * size,
            half_x=w.half_x * size,
            half_z=w.half_z * size,
            shape=w.shape if shape == "preset" else shape,
        )
        for w in chosen
    ]


def arranged(windows: list[Window], parameters: Mapping[str, Value]) -> list[Window]:
    """`arrange` as the complete parameters say."""
    x, z, size = (float(parameters[name]) for name in ("x", "z", "size"))
    return arrange(windows, x, z, size, str(parameters["window"]), int(parameters["windows"]))


def peak_density(windows: list[Window]) -> float:
    """How many times as many particles fall where most fall as in an even rain over the whole map. `mass=auto` uses it."""
    places = (np.arange(_SIEVE) + 0.5) / _SIEVE
    rain = np.zeros((_SIEVE, _SIEVE))
    for w in windows:
        half_x, half_z = w.half_x + SPREAD, w.half_z + SPREAD
        near_x, near_z = np.abs(places - w.x) <= half_x, np.abs(places - w.z) <= half_z
        hit = max(int(near_x.sum()) * int(near_z.sum()), 1)
        rain += np.outer(near_z, near_x) * (w.weight / hit)
    most = float(rain.max())
    return most * _SIEVE**2 / sum(w.weight for w in windows) if most > 0.0 else 1.0


def window_arrays(windows: list[Window], cells: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(shapes int64 (w,), centre, half sizes and hole in cells float64 (w, 5), alias table of the weights)."""
    codes = np.array([SHAPES.index(w.shape) for w in windows], np.int64)
    places = np.array([(w.x * cells, w.z * cells, w.half_x * cells, w.half_z * cells, w.inner) for w in windows])
    weights = [max(round(w.weight * (1 << 20)), 1) for w in windows]
    return codes, places, alias_table(weights, WINDOW_BITS, WINDOW_COLUMN_BITS)


def check_over_box(windows: list[Window], parameters: Mapping[str, Value]) -> None:
    """Raises ParameterError where no particle starts between the walls of its box."""
    low, high = -float(parameters["box"]), 1.0 + float(parameters["box"])
    for w in windows:
        if low <= w.x + w.half_x and w.x - w.half_x <= high and low <= w.z + w.half_z and w.z - w.half_z <= high:
            return
    names = [name for name in parameters if name.startswith(f"{NUMBERED}.")] or ["preset"]
    given = ", ".join(f"{name}={parameters[name]}" for name in (*names, "x", "z", "size", "box"))
    raise ParameterError(
        f"{given} are not possible together: no window stands over the map: take a smaller size, or windows nearer to 0.5"
    )
