"""The sun in the sky of a place on Earth, by the low-precision formulas of the Astronomical Almanac (section C).

They hold to a hundredth of a degree between the years 1950 and 2050, and to a few hundredths around that.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime

EPOCH = datetime(2000, 1, 1, 12, tzinfo=UTC)
# The greatest declination, degrees.
TROPIC_DEG = 23.44


def declination_and_ascension(moment: datetime) -> tuple[float, float]:
    """(declination, right ascension) of the sun in degrees; `moment` knows its time zone."""
    days = (moment - EPOCH).total_seconds() / 86_400.0
    mean = 280.460 + 0.9856474 * days
    anomaly = math.radians(357.528 + 0.9856003 * days)
    longitude = math.radians(mean + 1.915 * math.sin(anomaly) + 0.020 * math.sin(2.0 * anomaly))
    tilt = math.radians(23.439 - 4e-7 * days)
    ascension = math.atan2(math.cos(tilt) * math.sin(longitude), math.cos(longitude))
    return math.degrees(math.asin(math.sin(tilt) * math.sin(longitude))), math.degrees(ascension)


def hour_angle(moment: datetime, longitude: float) -> float:
    """Degrees by which the sun has passed the meridian of a `longitude` (degrees, east positive), -180..180."""
    days = (moment - EPOCH).total_seconds() / 86_400.0
    sidereal = 280.46062 + 360.9856474 * days + longitude
    return (sidereal - declination_and_ascension(moment)[1] + 180.0) % 360.0 - 180.0


def elevation(declination: float, latitude: float, hour: float) -> float:
    """The elevation of the sun's middle above the horizon, without the air's refraction; all in degrees."""
    height, place, angle = map(math.radians, (declination, latitude, hour))
    sine = math.sin(place) * math.sin(height) + math.cos(place) * math.cos(height) * math.cos(angle)
    return math.degrees(math.asin(min(max(sine, -1.0), 1.0)))
