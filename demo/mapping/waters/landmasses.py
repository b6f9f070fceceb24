"""Landmasses and seas of the double cone's global mesh: its connected parts above the sea level, and those at or below it.

Every landmass becomes a small mesh of its own (`Shore`): its points and the sea points around them. Nothing else is needed
to work on it, so landmasses can be worked on in any order and on any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...worlds.atlas import DOUBLE_CONE, Atlas
from ...worlds.doublecone import global_mesh as meshes
from ...worlds.shapes import check_indices, check_shape
from .landmass_kernels import connect

EARTH_RADIUS_M = 6.371e6


@dataclass(frozen=True)
class Globe:
    """The global mesh as a graph of 4 cells^2 + 2 points on a sphere of `radius_m`.

    `neighbour`: int32 (points, 6); a point with four neighbours has itself in the spare slots. `length_m`: float32
    (points, 6), along the great circle, infinite to the point itself. `area_m2`: float64 (points,); the sum is the area of
    the sphere. `atlas`: how the cones are laid on it.
    """

    cells: int
    radius_m: float
    neighbour: np.ndarray
    length_m: np.ndarray
    area_m2: np.ndarray
    atlas: Atlas = DOUBLE_CONE


@dataclass(frozen=True)
class Landmasses:
    """Connected parts of the mesh, numbered by area, the largest first; equal areas are ordered by their lowest point.

    `landmass_of_point`: int32 (points,), -1 in the sea. `sea_of_point`: int32 (points,), -1 on land; sea 0 is the ocean.
    `points`: the mesh numbers of each landmass, int32, ascending. `area_m2`: float64 by landmass; `sea_area_m2`: by sea.
    """

    landmass_of_point: np.ndarray
    sea_of_point: np.ndarray
    points: tuple[np.ndarray, ...]
    area_m2: np.ndarray
    sea_area_m2: np.ndarray

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True)
class Shore:
    """One landmass as a mesh of its own with m places: first its `land` points, ascending, then the sea points beside them.

    `point`: int32 (m,), mesh numbers. `neighbour`: int32 (m, 6), places in this mesh; the place itself where the neighbour
    is not part of it. `length_m`: float32 (m, 6), infinite to the place itself.
    """

    land: int
    point: np.ndarray
    neighbour: np.ndarray
    length_m: np.ndarray


def globe_of(cells: int, radius_m: float = EARTH_RADIUS_M, atlas: Atlas = DOUBLE_CONE) -> Globe:
    """The graph of the mesh with `cells`, a power of two, from a pole to the equator."""
    neighbour = meshes.neighbours(cells)
    own = np.arange(len(neighbour), dtype=np.int32)[:, None]
    neighbour = np.where(neighbour < 0, own, neighbour)
    place = meshes.from_faces(atlas.positions(cells + 1))
    length = np.empty(neighbour.shape, np.float32)
    for k in range(6):
        apart = place - place[neighbour[:, k]]
        chord = np.sqrt((apart * apart).sum(axis=1))
        # The arc of a chord c is c (1 + c^2 / 24 + 3 c^4 / 640 ...). The arc sine is avoided: it differs by processor.
        arc = chord * (1.0 + chord**2 / 24.0 + 3.0 * (chord * chord) ** 2 / 640.0)
        length[:, k] = np.where(neighbour[:, k] == own[:, 0], np.inf, arc * radius_m)
    weights = np.repeat(meshes.ring_weights(cells, atlas), meshes.ring_counts(cells))
    return Globe(cells, radius_m, neighbour, length, weights * (4.0 * np.pi * radius_m * radius_m), atlas)


def landmasses_of(globe: Globe, heights_m: np.ndarray, sea_level_m: float = 0.0) -> Landmasses:
    """The landmasses and seas of heights (points,) in mesh order; land lies above `sea_level_m`.

    Raises ValueError where the heights do not fit this mesh or are not finite.
    """
    heights_m = np.asarray(heights_m, np.float32)
    if heights_m.shape != globe.area_m2.shape:
        raise ValueError(f"{heights_m.shape} heights do not fit a mesh of {len(globe.area_m2)} points")
    if not np.isfinite(heights_m).all():
        raise ValueError("a height is not a number")
    land = heights_m > np.float32(sea_level_m)
    part = connect(land, globe.neighbour)
    landmass_of_point, area = _numbered(np.where(land, part, -1), globe.area_m2)
    sea_of_point, sea_area = _numbered(np.where(land, -1, part), globe.area_m2)
    by_landmass = np.argsort(landmass_of_point, kind="stable")
    bounds = np.searchsorted(landmass_of_point[by_landmass], np.arange(len(area) + 1))
    points = tuple(by_landmass[a:b].astype(np.int32) for a, b in pairwise(bounds))
    return Landmasses(landmass_of_point, sea_of_point, points, area, sea_area)


def shore_of(globe: Globe, points: np.ndarray) -> Shore:
    """The mesh of one landmass, from its mesh numbers in ascending order; raises ValueError for other numbers."""
    points = np.asarray(points, np.int32)
    check_shape("points", points, None)
    check_indices("points", points, len(globe.area_m2))
    if (np.diff(points) <= 0).any():
        raise ValueError("points do not ascend: it takes the mesh numbers of a landmass in order, each of them once")
    around = np.unique(globe.neighbour[points])
    sea = np.setdiff1d(around, points, assume_unique=True).astype(np.int32)
    every = np.concatenate([points, sea])
    order = np.argsort(every, kind="stable")
    neighbour = globe.neighbour[every]
    place = order[np.minimum(np.searchsorted(every, neighbour, sorter=order), len(every) - 1)]
    here = np.arange(len(every))[:, None]
    neighbour = np.where(every[place] == neighbour, place, here).astype(np.int32)
    length = np.where(neighbour == here, np.float32(np.inf), globe.length_m[every])
    return Shore(len(points), every, neighbour, length)


def _numbered(part: np.ndarray, area_m2: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Parts, named by their lowest points, numbered by area: (number int32 (points,), area float64 by part); -1 stays -1."""
    names, inverse = np.unique(part, return_inverse=True)
    area = np.bincount(inverse, weights=area_m2)
    real = np.flatnonzero(names >= 0)
    order = real[np.lexsort((names[real], -area[real]))]
    number = np.full(len(names), -1, np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return number[inverse], area[order]
