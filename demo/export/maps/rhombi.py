"""Where the rhombi of the global mesh lie, in degrees."""

from __future__ import annotations

import numpy as np

from ...mapping.degrees import laid, longitude_of
from ...worlds.atlas import DOUBLE_CONE, Atlas

# Parts of a rhombus's edge, which bends in degrees. From FINE_CELLS cells a face on, fewer parts are enough.
EDGE_PARTS, FINE_EDGE_PARTS, FINE_CELLS = 8, 2, 64


def edge_parts(cells: int) -> int:
    """Parts in which an edge is drawn, of a mesh of `cells` a quarter."""
    return EDGE_PARTS if cells < FINE_CELLS else FINE_EDGE_PARTS


def places_on(cells: int, face: int, u: np.ndarray, v: np.ndarray, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Degrees of points on a face, float64 (..., 2). `u`, `v`: columns and rows of its mesh, 0..cells.

    Longitudes are continuous on a face. `atlas`: how the cones are laid on the sphere.
    """
    ring = u + v
    north = ring <= cells
    along = np.where(north, v, cells - u) / np.maximum(np.where(north, ring, 2 * cells - ring), 1e-9)
    return laid(np.stack([_east(face) + longitude_of(0.25 * along), 90.0 - 90.0 * ring / cells], axis=-1), atlas)


def _east(face: int) -> float:
    """Longitude of the eastern side of a face, at which its mesh begins."""
    east = longitude_of(0.25 * face)
    return east + 360.0 if east < -90.0 else east


def outlines_of(cells: int, atlas: Atlas = DOUBLE_CONE) -> list[np.ndarray]:
    """The outlines of all rhombi as lines along the faces, float64 (k, 2) degrees each; none lies on another."""
    along = np.linspace(0.0, cells, cells * edge_parts(cells) + 1)[1:-1]
    lines = []
    for face in range(4):
        for number in range(cells):
            # The last row and the first column are the neighbours'.
            lines.append(places_on(cells, face, along, np.full(len(along), float(number)), atlas))
            lines.append(places_on(cells, face, np.full(len(along), number + 1.0), along, atlas))
    return lines


def rhombus_rings(cells: int, face: int, row: np.ndarray, column: np.ndarray, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """The outlines of cells of a face in degrees: float64 (k, 4 parts + 1, 2), closed, anticlockwise.

    No outline crosses the 180th meridian. Edges are curves in longitude and latitude, so each is divided into parts. A pole
    is a whole edge there.
    """
    parts = edge_parts(cells)
    part = np.arange(parts) / parts
    zero, one = np.zeros(parts), np.ones(parts)
    # From the western corner by the southern and the eastern one to the northern one, which is at u = v = 0.
    u = column[:, None] + np.concatenate([part, one, 1 - part, zero])
    v = row[:, None] + np.concatenate([one, 1 - part, zero, part])
    places = places_on(cells, face, u, v, atlas)
    # A pole has every longitude. In the north the corner is the eastern end of that edge, and the vertex after it is the
    # western end; in the south it is the other way round.
    for pole, corner, ends in ((0, 3 * parts, (0.0, -90.0)), (2 * cells - 2, parts, (-90.0, 0.0))):
        polar = row + column == pole
        for k, end in enumerate(ends):
            places[polar, corner + k] = _east(face) + end, 90.0 if pole == 0 else -90.0
    return np.concatenate([places, places[:, :1]], axis=1)
