"""Features: lines of the land that a route over a terrain can follow: rivers up and down, and ways around mountains."""

from __future__ import annotations

import numpy as np

from .curves import resampled
from .overview import Overview

# Points of a line; rivers and mountains that are followed; how far from its summit a mountain is passed, metres.
POINTS, MOST_RIVERS, MOUNTAINS, AROUND_M = 48, 16, 4, 2_600.0
# Rivers shorter than this are not followed; it is the share of the terrain's extent.
SHORTEST = 0.12
# How far a mountain is gone around, radians.
ARC = np.radians(250.0)


def lines_of(overview: Overview, stems: list[np.ndarray], eye: np.ndarray) -> np.ndarray:
    """Lines (c, POINTS, 2), x and z in metres. `stems`: rivers, in extents; `eye` (3,): from where the flight comes."""
    lines = [line for stem in stems for line in _river(stem, overview.extent_m)][: 2 * MOST_RIVERS]
    lines += [_around(peak, eye, side) for peak in overview.peaks[:MOUNTAINS] for side in (1.0, -1.0)]
    return np.stack(lines)


def _river(stem: np.ndarray, extent_m: float) -> list[np.ndarray]:
    """A river up and down, smoothed as a flight cuts its bends; none where it is short."""
    flat = stem[:, [0, 2]] * extent_m
    steps = np.sqrt((np.diff(flat, axis=0) ** 2).sum(axis=1))
    if steps.sum() < SHORTEST * extent_m:
        return []
    line = resampled(flat, POINTS)
    return [line, line[::-1]]


def _around(peak: np.ndarray, eye: np.ndarray, side: float) -> np.ndarray:
    """An arc around a mountain (3,) that begins on the side of the eye."""
    first = np.arctan2(eye[2] - peak[2], eye[0] - peak[0])
    angle = first + side * np.linspace(0.2, 0.2 + ARC, POINTS)
    return peak[[0, 2]] + AROUND_M * np.stack([np.cos(angle), np.sin(angle)], axis=1)
