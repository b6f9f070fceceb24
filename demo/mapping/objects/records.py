"""The objects of a planetary map: plain frozen records, each an entity of its own with a stable id.

Geometry is in degrees on a sphere of `PlanetMap.radius_m`: float64 (k, 2), longitude -180..180 and latitude -90..90. East
is on the right and north is up as for an observer above the globe (`geographic`). What crosses the 180th meridian is cut
there. A `Line` is one array; `Lines` are the parts of one line, in its direction. A `Polygon` is a tuple of closed rings
(the last vertex is the first), the outer one first and anticlockwise as seen on a sheet of longitude and latitude, holes
clockwise; `Polygons` are the parts of one area, closed along the 180th meridian and along the poles.

Lines have every vertex of the local mesh up to ln 3. On finer meshes shores and borders of catchments are thinned to a 72nd
of a global step (1.1 km at gn 7): what they share stays shared, and where a river ends stays a vertex of both.

An id is an int that is unique within its class and the same in any order of work, on any number of threads; a thing that
bears no name has the name "".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

Line = np.ndarray
Lines = tuple[Line, ...]
Polygon = tuple[np.ndarray, ...]
Polygons = tuple[Polygon, ...]
LonLat = tuple[float, float]

# What a river ends in: `River.mouth`.
MOUTHS = ("sea", "lake", "river", "basin")
NONE = -1


@dataclass(frozen=True)
class Landmass:
    """Dry land and the lakes on it, within one or more coastlines; islands in inland seas are landmasses of their own."""

    id: int
    name: str
    polygons: Polygons
    area_km2: float
    highest_m: float


@dataclass(frozen=True)
class Coastline:
    """One closed shore between a landmass and a sea, with the land on the left.

    `lines` are cut at the 180th meridian, and that cut is no part of them: both parts end there. `closed`: one uncut line
    whose last vertex is its first.
    """

    id: int
    landmass: int
    sea: int
    lines: Lines
    length_km: float
    closed: bool


@dataclass(frozen=True)
class Sea:
    """Connected water at or below the datum: 0 is the ocean, others are inland seas. `label`: a place far off shore."""

    id: int
    name: str
    area_km2: float
    label: LonLat


@dataclass(frozen=True)
class Lake:
    """A lake; islands in it are holes, and lakes on those are lakes of their own.

    inflow = evaporation + outflow, m^3/s; `outlet` is the vertex of the shore at which its river leaves, None without one.
    """

    id: int
    name: str
    landmass: int
    polygons: Polygons
    area_km2: float
    volume_km3: float
    level_m: float
    depth_m: float
    inflow_m3_s: float
    evaporation_m3_s: float
    outflow_m3_s: float
    outlet: LonLat | None


@dataclass(frozen=True)
class River:
    """A river from its source, or a lake's outlet, down to its mouth; a lake ends a river, and its outflow is another.

    `lines` run downstream. The last vertex is bit for bit one of that coastline (`mouth` sea), lake shore, or receiving
    river, whose id is `mouth_id`; or the bottom of a dry basin, and then it is -1. `source_lake`: the lake that it flows out
    of, or -1. `widths_m`: one array a line, a width in metres a vertex. `order` is Strahler's.
    """

    id: int
    name: str
    landmass: int
    catchment: int
    lines: Lines
    length_km: float
    discharge_m3_s: float
    order: int
    width_m: float
    mouth: str
    mouth_id: int
    source: LonLat
    source_lake: int
    widths_m: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Confluence:
    """Where the river `tributary` ends in `river`: a vertex of both. `discharge_m3_s` is that of `river` below it."""

    id: int
    point: LonLat
    river: int
    tributary: int
    discharge_m3_s: float


@dataclass(frozen=True)
class Catchment:
    """All land that drains to one mouth; `river` is the one that ends there, or -1 where it is no more than a brook."""

    id: int
    landmass: int
    river: int
    polygons: Polygons
    area_km2: float
    discharge_m3_s: float


@dataclass(frozen=True)
class Peak:
    """A summit; `prominence_m` is its height above the highest pass to higher land, or above the sea without such land."""

    id: int
    name: str
    landmass: int
    point: LonLat
    height_m: float
    prominence_m: float


class ReliefSampler(Protocol):
    """The final heights, with rivers' valleys cut, worked out where they are asked for."""

    def sample(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """Metres above the datum, float32, of the ground (lake beds and sea floor too) at degrees of any one shape."""

    def water(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """Level of the sea or lake that covers the ground there, float32 metres; nan where it is dry."""


@dataclass(frozen=True)
class PlanetMap:
    """A whole planet. `code`: the world code of its relief. `stretch`: of its parallels by the double cone, the least,
    mean (by area) and most; `land_ratio`: share of the sphere's area within coastlines, of its global mesh."""

    code: str
    seed: int
    gn: int
    ln: int
    radius_m: float
    land_ratio: float
    stretch: tuple[float, float, float]
    landmasses: tuple[Landmass, ...]
    coastlines: tuple[Coastline, ...]
    seas: tuple[Sea, ...]
    lakes: tuple[Lake, ...]
    rivers: tuple[River, ...]
    confluences: tuple[Confluence, ...]
    catchments: tuple[Catchment, ...]
    peaks: tuple[Peak, ...]
    relief: ReliefSampler
