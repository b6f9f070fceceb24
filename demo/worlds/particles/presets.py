"""Presets: windows that are placed by the seed, and so make the landform.

A crest is a meandering chain of small windows with spurs, which have spurs of their own. Particles that fall from it pile up
into a mountain range with valleys between its ridges. No angles are used: vectors are turned, and brought back to unit
length by a square root, so that a preset is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..hashing import uniform
from .windows import MOST_WINDOWS, RING, SPREAD, Window, window_of

_STREAM = 31
# Distance between the windows of a crest, in parts of the map's edge.
_PACE = 0.018
# How strongly a crest keeps its first direction.
_HOMING = 0.2


class _Dice:
    """The random numbers of one preset, one after the other."""

    def __init__(self, seed: int, stream: int = _STREAM) -> None:
        self._seed, self._stream, self._next = seed, stream, 0

    def roll(self, low: float = 0.0, high: float = 1.0) -> float:
        self._next += 1
        return low + (high - low) * uniform(self._seed, self._stream, self._next)

    def direction(self) -> tuple[float, float]:
        while True:
            x, z = self.roll(-1, 1), self.roll(-1, 1)
            if 0.01 < x * x + z * z <= 1.0:
                return _unit(x, z)


def _continent(dice: _Dice) -> Iterator[Window]:
    dx, dz = dice.direction()
    yield from _plain(dice, 0.5, 0.5, dx, dz, 0.37, 0.28, 40, 0.09)
    yield from _crest(dice, 0.5 - 0.34 * dx, 0.5 - 0.34 * dz, dx, dz, 0.62, 1.0, 2)
    for side in (-1.0, 1.0):
        ox, oz = -dz * side, dx * side
        away, along = dice.roll(0.12, 0.22), dice.roll(-0.15, 0.05)
        x, z = 0.5 + away * ox + along * dx, 0.5 + away * oz + along * dz
        yield from _crest(dice, x, z, *_unit(dx + dice.roll(-0.3, 0.8) * ox, dz + 0.3 * oz), 0.3, dice.roll(0.35, 0.8), 2)


def _island(dice: _Dice) -> Iterator[Window]:
    dx, dz = dice.direction()
    yield from _plain(dice, 0.5, 0.5, dx, dz, 0.3, 0.24, 30, 0.07)
    arms = 3 + int(dice.roll() * 2.99)
    for _ in range(arms):
        yield from _crest(dice, 0.5, 0.5, dx, dz, dice.roll(0.26, 0.38), 1.0, 2)
        for _ in range(2 if arms == 3 else 1):
            dx, dz = _turn(dx, dz, dice.roll(1.2, 2.4))


def _archipelago(dice: _Dice) -> Iterator[Window]:
    places: list[tuple[float, float, float]] = []
    for _ in range(400):
        x, z, half = dice.roll(0.16, 0.84), dice.roll(0.16, 0.84), 0.04 + 0.07 * dice.roll() ** 2
        apart = all((x - a) ** 2 + (z - b) ** 2 > (1.7 * (half + other) + 0.06) ** 2 for a, b, other in places)
        if apart:
            places.append((x, z, half))
        if len(places) == 10:
            break
    for number, (x, z, half) in enumerate(places):
        if number % 5 == 4:
            yield _window(x, z, half * 1.2, 0.5, RING)
            continue
        dx, dz = dice.direction()
        yield from _plain(dice, x, z, dx, dz, half * 1.3, half * 1.0, 10, 0.15)
        yield from _crest(dice, x - dx * half, z - dz * half, dx, dz, 2.6 * half, 0.35 + 4.0 * half, 2)


def _range(dice: _Dice) -> Iterator[Window]:
    dx, dz = dice.direction()
    yield from _plain(dice, 0.5, 0.5, dx, dz, 0.46, 0.22, 40, 0.06)
    yield from _crest(dice, 0.5 - 0.46 * dx, 0.5 - 0.46 * dz, dx, dz, 0.92, 1.0, 2)


def _window(x: float, z: float, half: float, height: float, shape: str = "disc") -> Window:
    """A window under which the land gets about `height`. Particles spread a little beyond it, and more so for small ones."""
    return Window(x, z, half, half, shape, weight=height * (half * half + 2.0 * SPREAD * SPREAD))


def _plain(
    dice: _Dice, x: float, z: float, dx: float, dz: float, length: float, width: float, count: int, height: float
) -> Iterator[Window]:
    """Low land: windows strewn over an ellipse along (dx, dz), large in the middle and smaller farther out."""
    for _ in range(count):
        a, b = dice.roll(-1, 1), dice.roll(-1, 1)
        while a * a + b * b > 1.0:
            a, b = dice.roll(-1, 1), dice.roll(-1, 1)
        near = 1.0 - (a * a + b * b) ** 0.5
        half = width * (0.2 + 0.7 * near) * dice.roll(0.6, 1.3)
        yield _window(x + a * length * dx - b * width * dz, z + a * length * dz + b * width * dx, half, height)


def _crest(
    dice: _Dice, x: float, z: float, dx: float, dz: float, length: float, height: float, spurs: int
) -> Iterator[Window]:
    """A chain of windows from (x, z) along the unit vector (dx, dz), with `spurs` generations of side ridges."""
    steps = max(int(length / _PACE), 2)
    side = 1.0 if dice.roll() < 0.5 else -1.0
    next_spur = 1 + int(dice.roll() * 3)
    aim_x, aim_z, bend, swell = dx, dz, 0.0, 1.0
    for k in range(steps):
        along = k / steps
        # Long crests rise and fall; spurs fall off towards their ends.
        taper = 1.0 - 0.85 * along if length < 0.5 else 1.0 - 0.6 * (2.0 * along - 1.0) ** 2
        swell = 0.6 * swell + 0.4 * dice.roll(0.2, 1.8)
        yield _window(x, z, _PACE * 0.6, height * taper * swell)
        if spurs and k >= next_spur:
            next_spur = k + 2 + int(dice.roll() * 3)
            side = -side
            away = _turn(dx, dz, side * dice.roll(0.7, 2.5))
            fall = height * taper * swell * dice.roll(0.55, 0.9)
            yield from _crest(dice, x, z, *away, min(length, 0.6) * dice.roll(0.2, 0.5), fall, spurs - 1)
        bend = 0.7 * bend + dice.roll(-0.25, 0.25)
        dx, dz = _turn(*_unit(dx + _HOMING * aim_x, dz + _HOMING * aim_z), bend)
        x, z = x + dx * _PACE, z + dz * _PACE


def _turn(x: float, z: float, amount: float) -> tuple[float, float]:
    """The unit vector turned by atan(amount)."""
    return _unit(x - amount * z, z + amount * x)


def _unit(x: float, z: float) -> tuple[float, float]:
    length = (x * x + z * z) ** 0.5
    return x / length, z / length


def _map(dice: _Dice) -> Iterator[Window]:
    yield window_of("rectangle,0.5,0.5,1.0,1.0")


PRESETS: dict[str, Callable[[_Dice], Iterator[Window]]] = {
    "continent": _continent,
    "island": _island,
    "archipelago": _archipelago,
    "range": _range,
    "map": _map,
}


def preset_windows(preset: str, seed: int) -> list[Window]:
    """The windows of a preset around the middle of the map, at most MOST_WINDOWS."""
    return list(PRESETS[preset](_Dice(seed)))[:MOST_WINDOWS]
