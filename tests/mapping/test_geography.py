"""Planets of the map agree with the Earth: three seeds of the twenty that `benchmarks geography` measures."""

from __future__ import annotations

import pytest

from benchmarks.geography import MEASURES, figures_of

SEEDS = (1, 2, 3)


@pytest.fixture(scope="module")
def figures():
    return [figures_of(seed) for seed in SEEDS]


@pytest.mark.parametrize("name", MEASURES)
def test_each_planet_is_within_a_third_of_the_bounds(figures, name):
    measure = MEASURES[name]
    for seed, found in zip(SEEDS, figures, strict=True):
        assert 2.0 / 3.0 * measure.low <= found[name] <= 4.0 / 3.0 * measure.high, f"seed {seed}"
