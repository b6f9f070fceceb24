"""Planets of the map agree with the Earth: the three farthest out of the seeds that `benchmarks geography` measures."""

from __future__ import annotations

import pytest

from benchmarks.extents import BELTS, stretch_by_belt
from benchmarks.geography import MEASURES, STRETCH_BARS, figures_of

# Of the twenty seeds the one with the least dry land, the one with the most, and the one with most closed basins.
SEEDS = (2, 11, 19)


@pytest.fixture(scope="module")
def figures():
    return [figures_of(seed) for seed in SEEDS]


@pytest.mark.parametrize("name", MEASURES)
def test_each_planet_is_within_a_third_of_the_bounds(figures, name):
    measure = MEASURES[name]
    for seed, found in zip(SEEDS, figures, strict=True):
        low, high = measure.low - abs(measure.low) / 3.0, measure.high + abs(measure.high) / 3.0
        assert low <= found[name] <= high, f"seed {seed}"


def test_islands_and_inland_seas_are_as_wide_as_high_at_every_latitude():
    for belt, stretch in zip(BELTS, stretch_by_belt(range(1, 121), 7), strict=True):
        assert STRETCH_BARS[0] <= stretch <= STRETCH_BARS[1], f"at {belt} degrees"
