"""What lakes hold: their volumes and depths over the beds of the local mesh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from . import lake_bed_kernels as kernels
from .fine_mesh import FineMesh, Strip


@dataclass(frozen=True)
class LakeBeds:
    """By lake: `volume_m3`, int64, and `depth_m`, float64, the greatest.

    Volumes are whole numbers, so that their sum is the same over any strips.
    """

    volume_m3: np.ndarray
    depth_m: np.ndarray


def beds_of(mesh: FineMesh, strip: Strip, seas: int, lakes: int, radius_m: float, first: int, last: int) -> LakeBeds:
    """What the lakes hold within a strip's belts first .. last - 1, before its valleys are cut: no valley cuts a bed."""
    here = strip.asked_in(mesh, first, last)
    place, corner = (table[here] for table in strip.triangles(mesh))
    some = (mesh.body[corner] >= seas).any(axis=1)
    # A point has two of the triangles around it.
    area = 0.5 * meshes.ring_weights(mesh.fine_cells, mesh.planet.atlas) * (4.0 * np.pi * radius_m * radius_m)
    volume, depth = np.zeros(lakes, np.int64), np.zeros(lakes)
    kernels.fill_beds(place[some], corner[some], strip.points(mesh), mesh.waters, seas, area, volume, depth)
    return LakeBeds(volume, depth)


def joined_beds(parts: Sequence[LakeBeds]) -> LakeBeds:
    """The beds of all strips together."""
    return LakeBeds(np.sum([part.volume_m3 for part in parts], axis=0), np.max([part.depth_m for part in parts], axis=0))
