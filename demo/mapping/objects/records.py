"""The objects of a planetary map: plain frozen records, each an entity with a stable id.

Geometry is in degrees on a sphere of `PlanetMap.radius_m`: float64 (k, 2), longitude -180..180 and latitude -90..90. East
is on the right and north is up, as for an observer above the globe (`degrees`). What crosses the 180th meridian is cut
there. A `Line` is one array; `Lines` are the parts of one line, in its direction. A `Polygon` is a tuple of closed rings,
whose last vertex is the first. The outer ring comes first and runs anticlockwise on a sheet of longitude and latitude;
holes run clockwise. `Polygons` are the parts of one area, closed along the 180th meridian and along the poles.

Up to three local levels beyond the drained mesh, lines have every vertex of the local mesh. On finer meshes shores and
borders of catchments are thinned to a 72nd of the drained mesh's step. Shared lines stay shared, and the end of a river
stays a vertex of the river and of what it ends in.

An id is an int. It is unique within its class, and the same in any order of work and on any number of threads. An object
without a name has the name "".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ...worlds.atlas import DOUBLE_CONE, Atlas
from ..local.relief_sampler import ReliefSampler
from ..region import Region

Line = np.ndarray
Lines = tuple[Line, ...]
Polygon = tuple[np.ndarray, ...]
Polygons = tuple[Polygon, ...]
LonLat = tuple[float, float]
Stretch = tuple[float, float, float]

# What a river ends in: `River.mouth`.
MOUTHS = ("sea", "lake", "river", "basin")
NONE = -1


@dataclass(frozen=True)
class Landmass:
    """Land with its lakes, within one or more coastlines. An island in an inland sea is a landmass of its own.

    `highest_m`: metres above the datum.
    """

    id: int
    name: str
    polygons: Polygons
    area_km2: float
    highest_m: float


@dataclass(frozen=True)
class Coastline:
    """One closed shore between a landmass and a sea, with the land on the left.

    `landmass`, `sea`: their ids. `lines` are cut at the 180th meridian: both parts end there, and the cut is no part of
    them. `closed`: whether it is one uncut line, whose last vertex is its first.
    """

    id: int
    landmass: int
    sea: int
    lines: Lines
    length_km: float
    closed: bool


@dataclass(frozen=True)
class Sea:
    """Connected water at or below the datum; sea 0 is the ocean, the others are inland seas. Islands are holes in it.

    `label`: a place far from the shore, (longitude, latitude) in degrees.
    """

    id: int
    name: str
    area_km2: float
    label: LonLat
    polygons: Polygons = ()


@dataclass(frozen=True)
class Ocean:
    """A part of sea 0: the water that is nearer to this ocean's `label` than to any other's. The ocean with id 0 has the
    name of the sea.

    `label`: the place in it that is farthest from land, (longitude, latitude) in degrees.
    """

    id: int
    name: str
    area_km2: float
    label: LonLat


@dataclass(frozen=True)
class Lake:
    """A lake. Islands in it are holes; a lake on such an island is a lake of its own.

    `level_m`: metres above the datum. `depth_m`: the greatest depth; it and the volume are those of the local mesh. In
    m^3/s, inflow = evaporation + outflow. `outlet`: the vertex of the shore at which its river leaves; None without one.
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
    """A river from its source, or a lake's outlet, down to its mouth. A lake ends a river; its outflow is another river.

    The river that brings a lake most water and its outflow are parts of one stem, which goes on through any number of lakes
    and has one name. `stem_id`: the id of the river in which the stem ends, which may be its own.

    `lines` run downstream. `mouth` is one of MOUTHS. `mouth_id` is the id of the coastline, lake or river that it ends in,
    or -1 in a dry basin; the last vertex is bit for bit a vertex of that object. `source_lake`: the lake that it flows out
    of, or -1. `discharge_m3_s`, `width_m` and `upstream_km2`, the land that drains to it, are those at the mouth.
    `source_m`, `mouth_m`: heights of the water above the datum. `order` is Strahler's. `widths_m`: for each line a float64
    array with one width for each vertex, metres.
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
    source_m: float = 0.0
    mouth_m: float = 0.0
    upstream_km2: float = 0.0
    stem_id: int = NONE


@dataclass(frozen=True)
class Confluence:
    """The vertex at which the river `tributary` ends in `river`. `discharge_m3_s` is that of `river` below it."""

    id: int
    point: LonLat
    river: int
    tributary: int
    discharge_m3_s: float


@dataclass(frozen=True)
class Catchment:
    """All land that drains to one mouth. `river` is the river that ends there, or -1 where there is only a brook."""

    id: int
    landmass: int
    river: int
    polygons: Polygons
    area_km2: float
    discharge_m3_s: float


@dataclass(frozen=True)
class Peak:
    """A summit: nothing is higher within a local step.

    `prominence_m` is its height above the highest pass to higher land, or above the sea if there is none. `ele_raster`: the
    greatest height in metres of the pixels of `relief.tif` within one pixel of it.
    """

    id: int
    name: str
    landmass: int
    point: LonLat
    height_m: float
    prominence_m: float
    ele_raster: float = 0.0


@dataclass(frozen=True)
class RiverPixels:
    """Pixels of a raster along rivers. `number`: int64 (k,), row x width + column, ascending. `height_m`: float32 (k,)."""

    number: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    height_m: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))

    def put(self, values: np.ndarray, pixels: Region, top: int) -> None:
        """Put the heights into the rows of `pixels` from their row `top` on, float32 (rows, columns), in place."""
        first = pixels.top + top
        begin, end = np.searchsorted(self.number, [first * pixels.width, (first + len(values)) * pixels.width])
        row, column = np.divmod(self.number[begin:end], pixels.width)
        column = (column - pixels.left) % pixels.width
        here = column < pixels.columns
        values[row[here] - first, column[here]] = self.height_m[begin:end][here]

    def replaced(self, number: np.ndarray, height_m: np.ndarray) -> np.ndarray:
        """Heights of any pixels, float32, with those of these pixels in place of their own."""
        if len(self.number) == 0:
            return height_m
        at = np.minimum(np.searchsorted(self.number, number), len(self.number) - 1)
        return np.where(self.number[at] == number, self.height_m[at], height_m)


@dataclass(frozen=True)
class PlanetMap:
    """The map of a whole planet.

    `code`: the world code of its relief. `gn`, `ln`: levels of the global and of the local mesh. `land_ratio`: the share of
    land in the area of the sphere, on the global mesh. `stretch`: how many times longer parallels are on the sphere than on
    the double cone: least, mean by area, most; `stretch_of_meridians` likewise. Objects are in the order of their ids.
    `atlas`: how the cones are laid on the sphere. `river_pixels`: those of the raster `relief.tif`, `raster_width` wide.

    `region`: the part of the planet that is mapped, None for all of it. `cut`: by the name of a field, the ids of the
    objects that go on beyond the region; their geometry ends at its edge.
    """

    code: str
    seed: int
    gn: int
    ln: int
    radius_m: float
    land_ratio: float
    stretch: Stretch
    landmasses: tuple[Landmass, ...]
    coastlines: tuple[Coastline, ...]
    seas: tuple[Sea, ...]
    lakes: tuple[Lake, ...]
    rivers: tuple[River, ...]
    confluences: tuple[Confluence, ...]
    catchments: tuple[Catchment, ...]
    peaks: tuple[Peak, ...]
    relief: ReliefSampler
    stretch_of_meridians: Stretch = (1.0, 1.0, 1.0)
    atlas: Atlas = DOUBLE_CONE
    river_pixels: RiverPixels = RiverPixels()
    oceans: tuple[Ocean, ...] = ()
    region: Region | None = None
    cut: Mapping[str, frozenset[int]] = field(default_factory=dict)

    @property
    def raster_width(self) -> int:
        """Pixels of the relief's raster along the equator: the steps of the local mesh."""
        return int(4 * 2 ** (self.gn + self.ln))
