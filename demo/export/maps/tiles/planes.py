"""Planes on which tiles are cut: the Web Mercator square, and a square with a stereographic disc for each polar cap.

A tile pyramid divides a square of 0..1 by 0..1, x to the right and y down. Web Mercator fills it with the world as far as
85.05 degrees. The polar plane has the caps beyond CAP degrees on two discs, north on the left. On it tiles are cut and drawn
just as on the first; a viewer only has to translate places. It is conformal, and of about the scale of Web Mercator at the
equator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

MERCATOR_LIMIT = 85.05112877980659
CAP, DISC_RADIUS = 55.0, 0.12
# (sign of the latitude, x and y of the middle of its disc).
DISCS = ((1.0, 0.25, 0.5), (-1.0, 0.75, 0.5))
# Edges along parallels bend on a disc: so many degrees are drawn as one straight line.
BEND = 1.0
# A square of Web Mercator in metres, the form in which tippecanoe takes places.
SIDE_M = 40_075_016.685578488
_REACH = np.tan(np.radians(0.5 * (90.0 - CAP)))


@dataclass(frozen=True)
class Plane:
    """One plane.

    `name`: the beginning of its files' names, "" for the world. `to_square`: degrees (k, 2) to the square (k, 2).
    `to_degrees`: x, y of any one shape to longitude and latitude, nan where there is nothing. `pieces`: the parts of a
    geometry in degrees, each with how its vertices are placed.
    """

    name: str
    to_degrees: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
    pieces: Callable[[Any], list[Any]]


def mercator_square(places: np.ndarray) -> np.ndarray:
    """Degrees (k, 2) on the Web Mercator square; beyond its limits at their edges."""
    latitude = np.radians(np.clip(places[:, 1], -MERCATOR_LIMIT, MERCATOR_LIMIT))
    y = 0.5 - np.arctanh(np.sin(latitude)) / (2.0 * np.pi)
    return np.stack([places[:, 0] / 360.0 + 0.5, np.clip(y, 0.0, 1.0)], axis=1)


def mercator_degrees(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Longitude and latitude of places on the Web Mercator square."""
    return 360.0 * x - 180.0, np.degrees(np.arctan(np.sinh(np.pi * (1.0 - 2.0 * y))))


def polar_square(places: np.ndarray, sign: float, x: float, y: float) -> np.ndarray:
    """Degrees (k, 2) on the disc around (x, y) of the pole with that sign; longitude 0 points down in the north, up in the
    south.
    """
    turn = np.radians(places[:, 0])
    reach = DISC_RADIUS / _REACH * np.tan(np.radians(0.5 * (90.0 - sign * places[:, 1])))
    return np.stack([x + reach * np.sin(turn), y + sign * reach * np.cos(turn)], axis=1)


def polar_degrees(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Longitude and latitude of places on the polar plane; nan a little way outside of both discs."""
    north = x < 0.5
    sign = np.where(north, 1.0, -1.0)
    east, south = x - np.where(north, DISCS[0][1], DISCS[1][1]), sign * (y - 0.5)
    reach = np.hypot(east, south)
    latitude = sign * (90.0 - 2.0 * np.degrees(np.arctan(reach * _REACH / DISC_RADIUS)))
    outside = reach > 1.03 * DISC_RADIUS
    longitude = np.degrees(np.arctan2(east, south))
    return np.where(outside, np.nan, longitude), np.where(outside, np.nan, latitude)


def _mercator_pieces(shape: Any) -> list[Any]:
    return [shapely.transform(shape, lambda places: _metres(mercator_square(places)))]


def _polar_pieces(shape: Any) -> list[Any]:
    found = []
    for disc in DISCS:
        south, north = sorted((disc[0] * CAP, disc[0] * 90.0))
        inside = shapely.clip_by_rect(shape, -180.0, south, 180.0, north)
        if inside.is_empty:
            continue
        bent = shapely.segmentize(inside, BEND)
        placed = shapely.transform(bent, lambda places, disc=disc: _metres(polar_square(places, *disc)))
        if placed.geom_type.endswith("Polygon"):
            # What is cut at the 180th meridian is whole here.
            placed = shapely.union_all(shapely.get_parts(shapely.make_valid(placed)))
        found.append(placed)
    return found


def _metres(square: np.ndarray) -> np.ndarray:
    """To a tenth of a metre: digits that no tile has would take time to write and to read."""
    return np.round((square - 0.5) * (SIDE_M, -SIDE_M), 1)


WORLD = Plane("", mercator_degrees, _mercator_pieces)
POLAR = Plane("polar-", polar_degrees, _polar_pieces)
PLANES = (WORLD, POLAR)
