"""The sun over real places: sunrise and sunset within five minutes of the times that almanacs publish."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from demo.maths import solar

# Where almanacs count it: the sun's upper edge on the horizon, through the air's refraction. Degrees.
RISES_DEG = -0.833
# Zone, latitude, longitude, date, sunrise, sunset, by the clocks of the place. The library astral, which has
# NOAA's formulas, gives the same to two minutes.
PUBLISHED = (
    ("Europe/London", 51.51, -0.13, "2024-06-20", "04:43", "21:21"),
    ("Europe/Paris", 48.85, 2.35, "2024-06-21", "05:47", "21:58"),
    ("Europe/Berlin", 52.52, 13.40, "2024-12-21", "08:15", "15:54"),
    ("Europe/Helsinki", 60.17, 24.94, "2024-06-21", "03:54", "22:50"),
    ("Atlantic/Reykjavik", 64.15, -21.94, "2024-12-21", "11:22", "15:30"),
    ("America/New_York", 40.71, -74.01, "2024-12-21", "07:17", "16:32"),
    ("America/Los_Angeles", 34.05, -118.24, "2024-06-20", "05:42", "20:08"),
    ("Asia/Tokyo", 35.69, 139.69, "2024-06-21", "04:26", "19:00"),
    ("Asia/Kolkata", 19.08, 72.88, "2024-06-21", "06:02", "19:18"),
    ("Asia/Singapore", 1.29, 103.85, "2024-03-20", "07:09", "19:15"),
    ("Australia/Sydney", -33.87, 151.21, "2024-12-21", "05:41", "20:05"),
    ("Africa/Johannesburg", -33.93, 18.42, "2024-12-21", "05:32", "19:57"),
)


def height(moment: datetime, latitude: float, longitude: float) -> float:
    angle = solar.hour_angle(moment, longitude)
    return solar.elevation(solar.declination_and_ascension(moment)[0], latitude, angle)


def crossings(zone: str, latitude: float, longitude: float, day: str) -> tuple[datetime, datetime]:
    """Sunrise and sunset to a minute."""
    midnight = datetime.combine(date.fromisoformat(day), time(), ZoneInfo(zone))
    moments = [midnight + timedelta(minutes=minute) for minute in range(24 * 60)]
    up = [height(moment, latitude, longitude) > RISES_DEG for moment in moments]
    first = up.index(True)
    return moments[first], moments[up.index(False, first)]


@pytest.mark.parametrize(("zone", "latitude", "longitude", "day", "rises", "sets"), PUBLISHED)
def test_the_sun_rises_and_sets_when_almanacs_say(zone, latitude, longitude, day, rises, sets):
    for found, published in zip(crossings(zone, latitude, longitude, day), (rises, sets), strict=True):
        said = datetime.combine(date.fromisoformat(day), time.fromisoformat(published), ZoneInfo(zone))
        assert abs(found - said) <= timedelta(minutes=5)


def test_the_sun_stands_in_the_meridian_at_noon():
    noon = datetime(2024, 4, 15, 12, tzinfo=ZoneInfo("UTC"))
    # The equation of time is nothing on that date.
    assert abs(solar.hour_angle(noon, 0.0)) < 0.2
    assert solar.hour_angle(noon, 90.0) == pytest.approx(90.0, abs=0.2)
