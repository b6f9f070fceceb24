"""Lamp parts: a world's lamps by parts of it, each drawn as one or left out. Plain numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.vectors import length

# Parts along the edge of a face of the cube around a planet.
PARTS = 4
# The sine of the sun's elevation above which no lamp is lit anywhere in a part.
DUSK = 0.02


@dataclass(frozen=True)
class LampParts:
    """The parts of a world's sorted lamps, those of part k from `first[k]` (p,) on, `count[k]` (p,) of them.

    On a planet the part lies within `radius` (p,), radians, of `middle` (p, 3), unit. A terrain is one part.
    """

    first: np.ndarray
    count: np.ndarray
    middle: np.ndarray
    radius: np.ndarray
    spherical: bool

    def dark(self, eye: np.ndarray, sun: np.ndarray, radius_m: float) -> np.ndarray:
        """Numbers of the parts in which a lamp may be lit and seen.

        `eye`: (3,) metres in the world; `sun`: unit (3,) towards it; `radius_m`: the planet's.
        """
        if not self.spherical:
            return np.arange(len(self.first)) if sun[1] < DUSK else np.zeros(0, np.intp)
        away = length(eye)
        horizon = np.arccos(min(radius_m / away, 1.0)) + 0.12
        angle = np.arccos(np.clip(self.middle @ (eye / away), -1.0, 1.0))
        to_sun = np.arccos(np.clip(self.middle @ sun, -1.0, 1.0))
        return np.flatnonzero((angle < horizon + self.radius) & (to_sun + self.radius > np.arccos(DUSK)))


def sorted_by_part(positions: np.ndarray, spherical: bool) -> tuple[np.ndarray, LampParts]:
    """The order (k,) that sorts lamps at float64 `positions` (k, 3), metres in the world, by part, and the parts."""
    part = _part_of(positions) if spherical else np.zeros(len(positions), np.intp)
    order = np.argsort(part, kind="stable")
    directions, part = positions[order], part[order]
    names, first = np.unique(part, return_index=True)
    count = np.diff(np.append(first, len(part)))
    directions /= np.maximum(np.sqrt((directions * directions).sum(axis=1, keepdims=True)), 1e-9)
    middle = np.array([directions[a : a + n].mean(axis=0) for a, n in zip(first, count, strict=True)])
    middle = middle.reshape(len(names), 3)
    middle /= np.maximum(np.sqrt((middle * middle).sum(axis=1, keepdims=True)), 1e-9)
    cosines = [(directions[a : a + n] @ m).min() for a, n, m in zip(first, count, middle, strict=True)]
    return order, LampParts(first, count, middle, np.arccos(np.clip(np.array(cosines), -1.0, 1.0)), spherical)


def _part_of(positions: np.ndarray) -> np.ndarray:
    """The number of the part of a planet that each place is in: (k,)."""
    size = np.abs(positions)
    axis = size.argmax(axis=1)
    k = np.arange(len(positions))
    longest = size[k, axis]
    others = [positions[k, (axis + n) % 3] / longest for n in (1, 2)]
    i, j = (np.clip(((x + 1.0) * 0.5 * PARTS).astype(np.intp), 0, PARTS - 1) for x in others)
    face = 2 * axis + (positions[k, axis] > 0.0)
    return (face * PARTS + i) * PARTS + j
