"""Daylight: a sun that moves steadily over terrains and sinks behind some planets, and an eye that follows slowly."""

from __future__ import annotations

import numpy as np
import pytest

from demo.flight.camera import facing
from demo.flight.paths import Flight
from demo.scenes import daylight

BIRTH_S, LENGTH_S = 18.0, 41.0
SEEDS = range(60)


def terrain(seed: int) -> daylight.Daylight:
    return daylight.over_terrain(seed, np.radians(20.0), 0.7, BIRTH_S, LENGTH_S)


def planet(seed: int, radius_m: float = 4e5) -> tuple[daylight.Daylight, np.ndarray]:
    """Over a flight that comes down to 20 km and goes a quarter round."""

    def pose(t: float):
        angle, away = 0.03 * t, radius_m + 2e4 + 1e6 * np.exp(-0.2 * t)
        out = np.array([np.cos(angle), 0.0, np.sin(angle)])
        return facing(away * out, -out, np.array([0.0, 1.0, 0.0]), 0.8)

    flight = Flight(60.0, pose, spherical=True)
    return daylight.over_planet(seed, daylight.from_angles(0.6, 0.1), radius_m, flight, BIRTH_S, 48.0), pose(48.0).position


def elevations(light: daylight.Daylight, times: np.ndarray) -> np.ndarray:
    return np.degrees([np.arcsin(light.sun_at(t)[1]) for t in times])


def test_the_sun_of_a_terrain_rests_during_the_birth_and_then_moves_slowly_and_steadily():
    times = np.arange(0.0, BIRTH_S + LENGTH_S + 20.0, 0.25)
    for seed in SEEDS:
        light = terrain(seed)
        suns = np.stack([light.sun_at(t) for t in times])
        np.testing.assert_allclose((suns * suns).sum(axis=1), 1.0)
        turns = np.degrees(np.arccos(np.clip((suns[1:] * suns[:-1]).sum(axis=1), -1.0, 1.0))) / 0.25
        assert (turns[times[1:] <= BIRTH_S] < 1e-4).all()
        assert turns.max() < 1.6 and turns[(times[1:] > BIRTH_S + 6.0) & (times[1:] < BIRTH_S + LENGTH_S - 6.0)].min() > 0.3
        assert np.abs(np.diff(turns)).max() < 0.15


def test_there_are_sunsets_and_sunrises_and_the_birth_is_always_in_the_light():
    first, last = zip(
        *(elevations(terrain(seed), np.array([BIRTH_S, BIRTH_S + LENGTH_S])) for seed in range(200)), strict=True
    )
    assert min(first) > 4.5
    assert sum(angle < -2.0 for angle in last) > 30 and sum(b > a + 5.0 for a, b in zip(first, last, strict=True)) > 15


def test_horizons_are_kept_where_the_sun_passes():
    for seed in SEEDS:
        light = terrain(seed)
        for t in np.linspace(0.0, BIRTH_S + LENGTH_S, 40):
            weights = np.array(light.weights(t))
            assert weights.min() >= 0.0 and weights.sum() == pytest.approx(1.0)
            toward, sun = weights @ light.bearings, light.sun_at(t)[[0, 2]]
            cosine = toward @ sun / np.sqrt((toward @ toward) * (sun @ sun))
            assert np.degrees(np.arccos(min(cosine, 1.0))) < 1.0


def test_night_falls_at_the_end_over_some_planets_and_the_sun_rests_over_the_others():
    night = 0
    for seed in SEEDS:
        light, last = planet(seed)
        end = np.degrees(np.arcsin(light.sun_at(48.0) @ last / np.sqrt(last @ last)))
        moved = not np.allclose(light.sun_at(48.0), light.sun_at(0.0))
        np.testing.assert_array_equal(light.sun_at(BIRTH_S), light.sun_at(0.0))
        night += moved
        assert not moved or end == pytest.approx(-7.0, abs=0.1)
    assert 0.3 * len(SEEDS) < night < 0.8 * len(SEEDS)


def test_the_eye_opens_slowly_as_it_darkens():
    times = np.arange(0.0, BIRTH_S + LENGTH_S, 0.1)
    for seed in SEEDS:
        for light in (terrain(seed), planet(seed)[0]):
            factors = np.array([light.exposure(t) for t in times])
            assert factors.min() >= 1.0 and factors.max() <= max(daylight.OPENING)
            assert np.abs(np.diff(np.log(factors))).max() / 0.1 < 0.35
    dark = [terrain(seed) for seed in SEEDS if elevations(terrain(seed), np.array([58.0]))[0] < -2.0]
    assert all(light.exposure(58.0) > 2.0 * light.exposure(BIRTH_S) for light in dark)
