"""Laws of the climate: tables by latitude and by temperature, and what follows at one place from temperature and rain.

Tables with straight lines between their entries stand in for the exponentials of textbooks, because exp differs between
processors. Sources of the numbers: present-day zonal means of temperature, column water and rain, rounded; runoff after Turc
and Pike; biomes after Whittaker.
"""

from __future__ import annotations

import numpy as np

# Sea-level temperature by the sine of latitude, s: EQUATOR_C - FALL_C[0] s^2 - FALL_C[1] s^4.
EQUATOR_C, FALL_C, LAPSE_C_PER_M = 27.0, (18.0, 27.0), 0.0065

# Yearly mean wind by latitude: parts of WIND_M_S, towards the east and towards the pole.
WIND_LATITUDE = (0.0, 12.0, 30.0, 45.0, 60.0, 75.0, 90.0)
WIND_EAST = (-0.7, -1.0, 0.0, 1.0, 0.2, -0.6, 0.0)
WIND_POLEWARD = (0.0, -0.45, 0.0, 0.4, 0.0, -0.3, 0.0)
WIND_M_S = 7.0

# Column water in saturated air, mm, by temperature.
AIR_C, COLUMN_MM = (-40.0, -20.0, -10.0, 0.0, 10.0, 20.0, 30.0), (1.0, 3.0, 5.0, 9.0, 17.0, 32.0, 56.0)
# Over the sea air fills up to this part of saturation.
SEA_HUMIDITY = 0.75

# Rain without mountains: parts of the column that fall over RAIN_LENGTH_M of way, by latitude, in rising and sinking belts.
BELT_LATITUDE, BELT_RAIN = (0.0, 8.0, 18.0, 28.0, 40.0, 52.0, 65.0, 90.0), (1.8, 1.4, 0.6, 0.3, 0.8, 1.2, 0.9, 0.6)
RAIN_LENGTH_M, SEA_LENGTH_M, CLIMB_M = 4.2e6, 0.8e6, 3500.0
# Part of the rain on land that plants and soil give back to the air at once.
RECYCLED = 0.35

# Potential evaporation by temperature, mm a year.
EVAPORATION_C, EVAPORATION_MM = (-15.0, 0.0, 10.0, 20.0, 30.0), (0.0, 250.0, 600.0, 1150.0, 1800.0)

EARTH_RADIUS_M, YEAR_S = 6.371e6, 3.156e7

BIOMES = (
    "sea",
    "ice",
    "tundra",
    "boreal forest",
    "temperate desert",
    "temperate grassland",
    "temperate forest",
    "temperate rain forest",
    "hot desert",
    "savanna",
    "tropical seasonal forest",
    "tropical rain forest",
)


def at_sea_c(sine2: np.ndarray) -> np.ndarray:
    """Yearly mean temperature at the level of the sea, in degrees Celsius, by the squared sine of latitude."""
    return EQUATOR_C - (FALL_C[0] + FALL_C[1] * sine2) * sine2


def runoff_of(rain_mm: np.ndarray, evaporation_mm: np.ndarray) -> np.ndarray:
    """Rain left for rivers, mm a year: P - P / sqrt(1 + (P / E)^2), after Turc and Pike; 0 <= runoff <= rain."""
    dryness = rain_mm / np.maximum(evaporation_mm, 1.0)
    return rain_mm - rain_mm / np.sqrt(1.0 + dryness * dryness)


def moistness(temperature_c: np.ndarray, rain_mm: np.ndarray) -> np.ndarray:
    """How moist a climate is: below 0.45 a desert, from about 1 on woods. The warmer it is, the more rain that takes."""
    found: np.ndarray = rain_mm / np.maximum(250.0 + 30.0 * np.maximum(temperature_c, 0.0), 1.0)
    return found


def biome_of(temperature_c: np.ndarray, rain_mm: np.ndarray) -> np.ndarray:
    """Index into BIOMES, from 1 for land, by temperature and rain: Whittaker's diagram with straight borders."""
    t, moist = temperature_c, moistness(temperature_c, rain_mm)
    cold = [t < -12.0, t < -4.0, (t < 4.0) & (moist > 0.8)]
    mild = [(t < 18.0) & (moist < limit) for limit in (0.45, 1.0, 2.6)] + [t < 18.0]
    warm = [moist < limit for limit in (0.45, 1.2, 2.2)]
    return np.select([*cold, *mild, *warm], np.arange(1, 11), 11)
