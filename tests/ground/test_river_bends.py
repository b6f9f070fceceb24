"""Rivers wind without angles, the wider ones in longer bends."""

from __future__ import annotations

import numpy as np
import pytest

from demo.ground.ground import Ground
from demo.ground.river_bends import wound
from demo.maths.vectors import lengths, unit
from demo.worlds.atlas import PLANE
from demo.worlds.carving.river_ways import SEA, Courses

EXTENT_M, CELLS, STEP_M, POINTS = 42_000.0, 512, 5.0, 2_000


def straight(lines: int = 1) -> Courses:
    """Rivers beside each other, each of POINTS points, one every STEP_M."""
    along = STEP_M / EXTENT_M * (np.arange(POINTS) - POINTS // 2)
    place = np.concatenate([np.stack([np.full(POINTS, 0.1 * k), 0.0 * along, along], axis=1) for k in range(lines)])
    whole, none = np.full(lines, -1), np.full(len(place), -np.inf, np.float32)
    return Courses(place, np.ones(len(place)), none, POINTS * np.arange(lines + 1), np.full(lines, SEA), whole, whole)


@pytest.mark.parametrize("half_m", [2.0, 9.0, 40.0])
def test_rivers_wind_without_angles(half_m):
    level = Ground(PLANE, np.full((1, CELLS + 1, CELLS + 1), 500.0, np.float32), EXTENT_M)
    courses = straight()
    flat = np.ones(POINTS)
    for seed in range(4):
        place = wound(courses, level, flat, np.full(POINTS, half_m), seed)
        ahead = unit(np.diff(place, axis=0))
        turns = np.degrees(np.arccos(np.clip((ahead[1:] * ahead[:-1]).sum(axis=1), -1.0, 1.0)))
        assert np.percentile(turns, 99) < 5.5 and turns.max() < 7.0
        assert lengths(place - courses.place).max() * EXTENT_M > half_m, "it winds"
