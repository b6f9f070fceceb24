"""The parts of a planet that are worth a sheet of their own: where mountains, lakes, rivers and coasts come together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....mapping.degrees import degrees_of, directions
from ....mapping.objects.records import LonLat, PlanetMap

CANDIDATES = 1200
# A region's width: steps of the local mesh, within bounds in kilometres on a planet of the Earth's size.
STEPS_WIDE, NARROWEST_KM, WIDEST_KM = 560, 2600.0, 6400.0
MOST_REGIONS = 6
# A region is at its best between two shares of land, and is not shown below the third.
LAND_FROM, LAND_TO, LEAST_LAND = 0.35, 0.85, 0.12
# Weights of what a region shows. Each count is divided by that of the best candidate.
WEIGHTS = {"peaks": 1.0, "lakes": 0.8, "rivers": 1.2, "coasts": 0.9}
GRID_COLUMNS = 720


@dataclass(frozen=True)
class Region:
    """`longitude`, `latitude`: the middle, in degrees. `width_km`: along the middle of the sheet."""

    longitude: float
    latitude: float
    width_km: float


def regions_of(planet: PlanetMap, land: np.ndarray, aspect: float) -> list[Region]:
    """The most interesting regions, the best first: at most MOST_REGIONS, and no two overlap.

    `land`: float32 (rows, columns), the share of land on a grid of longitude and latitude, from the north-west on.
    `aspect`: width divided by height of a sheet.
    """
    radius_km = planet.radius_m / 1000.0
    step_km = 0.5 * np.pi * radius_km / 2 ** (planet.gn + planet.ln)
    scale = radius_km / 6371.0
    width_km = float(np.clip(STEPS_WIDE * step_km, NARROWEST_KM * scale, WIDEST_KM * scale))
    half_diagonal = 0.5 * np.hypot(width_km, width_km / aspect) / radius_km
    middles = _spread(CANDIDATES)
    scores = _scores(planet, middles, land, 0.42 * width_km / radius_km)
    chosen: list[int] = []
    for k in np.argsort(-scores, kind="stable").tolist():
        apart = all(middles[k] @ middles[other] < np.cos(2.0 * half_diagonal) for other in chosen)
        if scores[k] > 0.0 and apart and len(chosen) < MOST_REGIONS:
            chosen.append(k)
    return [Region(*_degrees(middles[k]), width_km) for k in chosen]


def _scores(planet: PlanetMap, middles: np.ndarray, land: np.ndarray, reach: float) -> np.ndarray:
    """How much each candidate shows within `reach` radians: float64 (candidates,), 0 where there is too little land.

    `middles`: unit vectors (candidates, 3).
    """
    cosine = np.cos(reach)
    counts = {
        "peaks": _gathered(
            middles, cosine, *_weighted([p.point for p in planet.peaks], [p.prominence_m for p in planet.peaks])
        ),
        "lakes": _gathered(middles, cosine, *_lakes(planet)),
        "rivers": _gathered(middles, cosine, *_rivers(planet)),
        "coasts": _gathered(middles, cosine, *_coasts(planet)),
    }
    # The square root, so that one giant does not count for more than variety.
    score = sum(WEIGHTS[name] * np.sqrt(count / max(count.max(), 1e-9)) for name, count in counts.items())
    share = _land_share(middles, land, cosine)
    fitting = np.clip(share / LAND_FROM, 0.0, 1.0) * np.clip((1.0 - share) / (1.0 - LAND_TO), 0.3, 1.0)
    return np.where(share < LEAST_LAND, 0.0, score * fitting)


def _gathered(middles: np.ndarray, cosine: float, places: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The sum of the weights near each middle: float64 (middles,); `cosine`: of the angle that is still near."""
    total = np.zeros(len(middles))
    for start in range(0, len(places), 4096):
        near = middles @ places[start : start + 4096].T > cosine
        total += near @ weights[start : start + 4096]
    return total


def _weighted(places: list[LonLat], weights: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """(unit vectors (k, 3), weights (k,)) of places in degrees."""
    return directions(np.array(places, np.float64).reshape(-1, 2)), np.array(weights, np.float64)


def _lakes(planet: PlanetMap) -> tuple[np.ndarray, np.ndarray]:
    # By the square root of the area: ten lakes make more of a landscape than one of ten times their size.
    return _weighted([lake.polygons[0][0][0] for lake in planet.lakes], [lake.area_km2**0.5 for lake in planet.lakes])


def _rivers(planet: PlanetMap) -> tuple[np.ndarray, np.ndarray]:
    return _weighted(
        [river.source for river in planet.rivers], [river.length_km * river.discharge_m3_s**0.25 for river in planet.rivers]
    )


def _coasts(planet: PlanetMap) -> tuple[np.ndarray, np.ndarray]:
    lines = [line[::16] for coast in planet.coastlines for line in coast.lines]
    places = np.concatenate(lines) if lines else np.zeros((0, 2))
    return directions(places), np.ones(len(places))


def _land_share(middles: np.ndarray, land: np.ndarray, cosine: float) -> np.ndarray:
    """The share of land in the area near each middle: float64 (middles,)."""
    rows, columns = land.shape
    latitude = 90.0 - (np.arange(rows) + 0.5) * 180.0 / rows
    longitude = -180.0 + (np.arange(columns) + 0.5) * 360.0 / columns
    # Every third cell is exact enough.
    grid = np.stack(np.meshgrid(longitude[::3], latitude[::3]), axis=-1).reshape(-1, 2)
    area = np.cos(np.radians(grid[:, 1]))
    places = directions(grid)
    return _gathered(middles, cosine, places, area * land[::3, ::3].ravel()) / _gathered(middles, cosine, places, area)


def _degrees(direction: np.ndarray) -> LonLat:
    longitude, latitude = degrees_of(direction).tolist()
    return longitude, latitude


def _spread(count: int) -> np.ndarray:
    """Unit vectors evenly spread over the sphere, on a spiral by the golden section: float64 (count, 3)."""
    k = np.arange(count) + 0.5
    y, turn = 1.0 - 2.0 * k / count, np.pi * (1.0 + 5.0**0.5) * k
    ring = np.sqrt(1.0 - y * y)
    return np.stack([ring * np.cos(turn), y, ring * np.sin(turn)], axis=1)
