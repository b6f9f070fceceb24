"""Places on the local mesh in degrees."""

from __future__ import annotations

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ..degrees import laid, longitude_of
from .fine_mesh import FineMesh
from .fine_mesh_kernels import BESIDE, DEGREE


def place_of(
    mesh: FineMesh, vertex: np.ndarray, toward: np.ndarray | None = None, part: np.ndarray | None = None
) -> np.ndarray:
    """Degrees, float64 (k, 2), multiples of DEGREE, of local mesh numbers (k,), int64.

    With `toward` and `part` they are those of the places at a part, 0..1, of the edges to the neighbours `toward`.
    """
    fine = mesh.fine_cells
    ring, turn = _polar(fine, vertex)
    if toward is not None and part is not None:
        ring, turn = _along_edge(fine, (ring, turn), _polar(fine, toward), part.astype(np.float64))
    latitude = 90.0 - ring * (90.0 / fine)
    return whole(laid(np.stack([longitude_of(turn), latitude], axis=1), mesh.planet.atlas))


def _polar(fine: int, vertex: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(ring, turn 0..1) of local mesh numbers, float64."""
    start, count = meshes.ring_starts(fine), meshes.ring_counts(fine)
    ring = np.searchsorted(start, vertex, side="right") - 1
    return ring.astype(np.float64), (vertex - start[ring]) / count[ring]


def _along_edge(
    fine: int, one: tuple[np.ndarray, np.ndarray], two: tuple[np.ndarray, np.ndarray], part: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(ring, turn) at a part of each edge. Edges are straight on the faces of the mesh, not in degrees."""
    (ring, turn), (other, there) = one, two
    length, far = np.minimum(ring, 2 * fine - ring), np.minimum(other, 2 * fine - other)
    # A pole has any turn.
    turn, there = np.where(length == 0.0, there, turn), np.where(far == 0.0, turn, there)
    there = there - np.rint(there - turn)
    face = np.floor(2.0 * (turn + there))
    along = (4.0 * turn - face) * length * (1.0 - part) + (4.0 * there - face) * far * part
    span = length * (1.0 - part) + far * part
    bent = 0.25 * (face + np.divide(along, span, out=np.zeros(len(span)), where=span > 0.0))
    return ring + part * (other - ring), np.where(part > 0.0, bent, turn)


def whole(place: np.ndarray) -> np.ndarray:
    """Places in degrees, (k, 2), as `fine_mesh_kernels.rounded` has them; a new array."""
    out = np.rint(place / DEGREE) * DEGREE
    out[:, 0] -= 360.0 * np.ceil((out[:, 0] - 180.0) / 360.0)
    out[:, 0] = np.clip(out[:, 0], BESIDE - 180.0, 180.0 - BESIDE)
    return out
