"""Lines of rivers: degrees of local mesh points, rounded bends, widths."""

from __future__ import annotations

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.hashing import uniforms_at
from ..degrees import laid, longitude_of
from ..local.fine_mesh import FineMesh
from ..local.fine_mesh_kernels import BESIDE, DEGREE
from .outlines import unwrapped

# A river's width in metres is this times the square root of its discharge in m^3/s, after Leopold and Maddock.
WIDTH = 7.0
JITTER_STREAM = 3201
# Vertices away from water and confluences are moved by up to this part of a local step.
JITTER = 0.3


def place_of(mesh: FineMesh, vertex: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Degrees, float64 (k, 2), multiples of DEGREE, of local mesh numbers (k,); those that are `free` are moved a little."""
    fine = mesh.fine_cells
    start, count = meshes.ring_starts(fine), meshes.ring_counts(fine)
    ring = np.searchsorted(start, vertex, side="right") - 1
    chance = np.stack([uniforms_at(mesh.planet.seed, JITTER_STREAM + k, vertex) for k in range(2)])
    chance = np.where(free & (ring > 0) & (ring < 2 * fine), JITTER * (2.0 * chance - 1.0), 0.0)
    longitude = longitude_of((vertex - start[ring] + chance[0]) / count[ring])
    latitude = 90.0 - (ring + chance[1]) * (90.0 / fine)
    return whole(laid(np.stack([longitude, latitude], axis=1), mesh.planet.atlas))


def whole(place: np.ndarray) -> np.ndarray:
    """Places in degrees, (k, 2), as `fine_mesh_kernels.rounded` has them; a new array."""
    out = np.rint(place / DEGREE) * DEGREE
    out[:, 0] -= 360.0 * np.ceil((out[:, 0] - 180.0) / 360.0)
    out[:, 0] = np.clip(out[:, 0], BESIDE - 180.0, 180.0 - BESIDE)
    return out


def smoothed(place: np.ndarray, flow: np.ndarray, fixed: np.ndarray, denser: bool) -> tuple[np.ndarray, np.ndarray]:
    """A course with rounded bends: (degrees, discharge). Fixed vertices and the ends stay as they are, bit for bit.

    `denser`: another vertex is put between two, on a smooth curve.
    """
    line, hold = unwrapped(place), fixed.copy()
    hold[[0, -1]] = True
    if len(line) > 2:
        mean = 0.25 * line[:-2] + 0.5 * line[1:-1] + 0.25 * line[2:]
        line[1:-1] = np.where(hold[1:-1, None], line[1:-1], mean)
    if denser and len(line) > 3:
        middle = (9.0 * (line[1:-2] + line[2:-1]) - (line[:-3] + line[3:])) / 16.0
        wanted = ~fixed[1:-2] | ~fixed[2:-1]
        at = np.flatnonzero(wanted) + 2
        line = np.insert(line, at, middle[wanted], axis=0)
        flow = np.insert(flow, at, flow[at - 1])
    return whole(line), flow
