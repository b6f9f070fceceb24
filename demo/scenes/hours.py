"""Hours: the viewer's time of day and of year, as worlds follow it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time

from ..maths import solar

# From this latitude on seasons are as strong as anywhere, degrees.
SEASONAL_FROM_DEG = 35.0
# By how much midsummer is warmer than the yearly mean, and midwinter colder, degrees Celsius.
SEASON_C = 5.0
# Where the time of day alone is given.
MEAN_LATITUDE_DEG = 45.0


@dataclass(frozen=True)
class Hour:
    """`sun_deg`: the sun's elevation. `rising`: before noon. `season`: from -1 in midwinter to 1 in midsummer."""

    sun_deg: float
    rising: bool
    season: float = 0.0

    @property
    def warmer_c(self) -> float:
        """By how much it is warmer than in the yearly mean, degrees Celsius."""
        return SEASON_C * self.season


def hour_at(moment: datetime, latitude: float, longitude: float) -> Hour:
    """The hour at a place, degrees north and east; `moment` knows its time zone."""
    angle, declination = solar.hour_angle(moment, longitude), solar.declination_and_ascension(moment)[0]
    strength = min(max(latitude / SEASONAL_FROM_DEG, -1.0), 1.0)
    season = min(max(declination / solar.TROPIC_DEG, -1.0), 1.0) * strength
    return Hour(solar.elevation(declination, latitude, angle), angle < 0.0, season)


def hour_of(clock: time, latitude: float = MEAN_LATITUDE_DEG) -> Hour:
    """The hour of a day of the mean year: that of an equinox, by local solar time. It is the same on every date."""
    angle = 15.0 * (clock.hour + clock.minute / 60.0 - 12.0)
    return Hour(solar.elevation(0.0, latitude, angle), angle < 0.0)


def hour_now(latitude: float, longitude: float) -> Hour:
    """The present hour at a place, degrees north and east."""
    return hour_at(datetime.now(UTC), latitude, longitude)
