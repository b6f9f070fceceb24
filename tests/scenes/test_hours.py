"""The viewer's hours: what the time of day and of year make of the light and of the warmth."""

from __future__ import annotations

from datetime import UTC, datetime, time

import numpy as np
import pytest

from demo.flight.camera import facing
from demo.flight.paths import Flight
from demo.ground.warmth import Warmth, in_season
from demo.scenes import daylight, hourly_light
from demo.scenes.hours import Hour, hour_at, hour_of

BIRTH_S, LENGTH_S, RADIUS_M = 18.0, 41.0, 4e5
TIMES = np.linspace(0.0, BIRTH_S + LENGTH_S, 40)


def over_terrain(hour: Hour, seed: int = 3) -> daylight.Daylight:
    return daylight.over_terrain(seed, np.radians(20.0), 0.7, BIRTH_S, LENGTH_S, hour)


def elevations(light: daylight.Daylight) -> np.ndarray:
    return np.degrees([np.arcsin(light.sun_at(t)[1]) for t in TIMES])


@pytest.mark.parametrize("clock", [6, 7, 9, 12, 16, 18])
def test_the_sun_of_a_terrain_stands_as_the_viewer_s_does_and_goes_its_way(clock):
    hour = hour_of(time(clock))
    found = elevations(over_terrain(hour))
    assert np.abs(found - hour.sun_deg).max() < hourly_light.HOURLY_DEG + 1e-6
    assert (found[-1] > found[0]) == hour.rising


@pytest.mark.parametrize("clock", [0, 5, 19, 21])
def test_at_night_a_bluish_moon_gives_the_light(clock):
    light = over_terrain(hour_of(time(clock)))
    low, high = hourly_light.MOON_DEG
    assert (low - 1e-6 <= elevations(light)).all() and (elevations(light) <= high + 1e-6).all()
    red, _, blue = light.colour(30.0)
    assert red < blue < daylight.SUN_COLOUR[2] / 2 and light.night_at(30.0) == 1.0


def test_without_an_hour_nothing_is_moonlit():
    light = daylight.over_terrain(3, np.radians(20.0), 0.7, BIRTH_S, LENGTH_S)
    assert light.night_at(30.0) == 0.0
    np.testing.assert_array_equal(light.colour(30.0), daylight.SUN_COLOUR)


def test_the_light_of_a_planet_comes_to_its_hour_on_the_way_down():
    def pose(t: float):
        angle, away = 0.03 * t, RADIUS_M + 2e4 + 1e6 * np.exp(-0.2 * t)
        out = np.array([np.cos(angle), 0.0, np.sin(angle)])
        return facing(away * out, -out, np.array([0.0, 1.0, 0.0]), 0.8)

    flight, sun = Flight(60.0, pose, spherical=True), daylight.from_angles(0.6, 0.1)
    for clock in (0, 6, 12, 18, 21):
        hour = hour_of(time(clock))
        light = daylight.over_planet(5, sun, RADIUS_M, flight, BIRTH_S, 48.0, hour=hour)
        np.testing.assert_allclose(light.sun_at(0.0), sun)
        assert light.night_at(0.0) == 0.0
        lowest = np.argmin([np.hypot(*pose(t).position[[0, 2]]) for t in np.arange(0.0, 48.5, 0.5)]) * 0.5
        up = pose(lowest).position / np.linalg.norm(pose(lowest).position)
        stands = np.degrees(np.arcsin(up @ light.sun_at(48.0)))
        if hourly_light.moonlit(hour):
            assert light.night_at(48.0) == 1.0 and stands == pytest.approx(np.mean(hourly_light.MOON_DEG), abs=8.0)
        else:
            # From so high above so small a planet the horizon lies lower.
            dip = np.degrees(hourly_light.DIP_SHARE * hourly_light.MOST_DIP)
            assert light.night_at(48.0) == 0.0 and stands == pytest.approx(hour.sun_deg - dip, abs=2.0)


def test_the_hour_comes_from_date_and_place():
    noon = hour_at(datetime(2024, 6, 20, 12, tzinfo=UTC), 51.5, 0.0)
    assert noon.sun_deg == pytest.approx(61.9, abs=0.2) and noon.season == pytest.approx(1.0, abs=0.01)
    assert hour_at(datetime(2024, 6, 20, 6, tzinfo=UTC), 51.5, 0.0).rising
    assert not hour_at(datetime(2024, 6, 20, 18, tzinfo=UTC), 51.5, 0.0).rising
    # The other half of the Earth has winter, and at the equator there is none.
    assert hour_at(datetime(2024, 6, 20, 12, tzinfo=UTC), -40.0, 0.0).season == pytest.approx(-1.0, abs=0.01)
    assert hour_at(datetime(2024, 6, 20, 12, tzinfo=UTC), 0.0, 0.0).season == 0.0


def test_winter_brings_the_snow_line_down():
    def snow_from(hour: Hour) -> float:
        heights = np.linspace(0.0, 1.0, 200)
        cold = in_season(Warmth(), hour.warmer_c).celsius(np.full(200, 0.4), heights)
        return float(heights[(cold < -5.0).argmax()])

    winter, mean, summer = (snow_from(Hour(20.0, True, season)) for season in (-1.0, 0.0, 1.0))
    assert winter < mean - 0.1 and mean < summer - 0.1
