"""The double cone's mesh: rings of points, their packing into a rectangle, the four square faces, rhombi, neighbours.

Source: the Habr article "Procedural generation of planetary maps". A quarter of the equator has N = 2^gn cells. Ring r lies
r steps from the north pole on any meridian; it has 4 min(r, 2N - r) points, evenly spaced in longitude, the first at
longitude 0. Each pole is one point, so there are 4 N^2 + 2 points. The mesh order numbers them ring by ring from the north
pole.

Every point but the poles owns the rhombus whose western corner it is, and the rhombus has the point's mesh number less one:
there are 4 N^2 of them. A rhombus is one cell of a face of atlas DOUBLE_CONE. Nothing here needs numba or trigonometry.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from ..atlas import DOUBLE_CONE, EVEN_CONE, Atlas, even_sine_cosine


def ring_counts(cells: int) -> np.ndarray:
    """Points on each ring from the north pole to the south pole: int64 (2 cells + 1,)."""
    ring = np.arange(2 * cells + 1)
    return np.maximum(4 * np.minimum(ring, 2 * cells - ring), 1)


@lru_cache(maxsize=16)
def ring_starts(cells: int) -> np.ndarray:
    """Mesh number of the first point of each ring, and last the count of all points: int64 (2 cells + 2,)."""
    return np.concatenate([[0], np.cumsum(ring_counts(cells))])


def point_count(cells: int) -> int:
    """4 cells^2 + 2."""
    return 4 * cells * cells + 2


def ring_chunks(cells: int, points: int = 1 << 18) -> list[tuple[np.ndarray, slice]]:
    """The mesh in chunks of whole rings, of about `points` points each: (ring numbers, slice of mesh numbers)."""
    starts = ring_starts(cells)
    pieces = max(1, point_count(cells) // points)
    bounds = np.searchsorted(starts, np.linspace(0, starts[-1], pieces + 1))
    return [(np.arange(a, b), slice(int(starts[a]), int(starts[b]))) for a, b in pairwise(bounds) if b > a]


def ring_sines(cells: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Sine of each ring's colatitude, float64 (2 cells + 1,), for `cells` a power of two. `atlas`: where rings lie.

    Arcs are halved with square roots alone, sin((a+b)/2) = (sin a + sin b) / (2 cos((a-b)/2)). So the article's promise of
    no trigonometry holds, and every machine has the same bits.
    """
    if atlas is EVEN_CONE:
        return even_sine_cosine(np.arange(2 * cells + 1) / cells)[0]
    sines, cosine = np.array([0.0, 1.0, 0.0]), 0.0
    while len(sines) < 2 * cells + 1:
        cosine = np.sqrt(0.5 * (1.0 + cosine))
        finer = np.empty(2 * len(sines) - 1)
        finer[::2] = sines
        finer[1::2] = (sines[:-1] + sines[1:]) / (2.0 * cosine)
        sines = finer
    return sines


def ring_cosines(cells: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Cosine of each ring's colatitude, float64 (2 cells + 1,), for `cells` a power of two; as `ring_sines`."""
    if atlas is EVEN_CONE:
        return even_sine_cosine(np.arange(2 * cells + 1) / cells)[1]
    quarter = ring_sines(cells)[: cells + 1]
    return np.concatenate([quarter[::-1], -quarter[1:]])


def ring_weights(cells: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Share of the sphere's area that one point of each ring stands for: float64 (2 cells + 1,), `cells` a power of two.

    A ring stands for the belt half a step to either side, a pole for the cap half a step wide.
    """
    if atlas is EVEN_CONE:
        return _even_weights(cells)
    half_step = ring_sines(2 * cells)[1]
    weights = ring_sines(cells) * half_step / ring_counts(cells)
    weights[0] = weights[-1] = 0.5 * (1.0 - np.sqrt(1.0 - half_step * half_step))
    return weights


def ring_stretch(cells: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """How many times as long as a step between rings a step along each ring is: float64 (2 cells + 1,), up to pi / 2."""
    ring = np.arange(2 * cells + 1)
    from_pole = np.minimum(ring, 2 * cells - ring) / cells
    if atlas is EVEN_CONE:
        return 0.25 * np.pi * (2.0 - from_pole * from_pole)
    stretch = np.full(2 * cells + 1, 0.5 * np.pi)
    stretch[1:-1] = ring_sines(cells)[1:-1] / from_pole[1:-1]
    return stretch


def _even_weights(cells: int) -> np.ndarray:
    """`ring_weights` where areas are kept: all alike but those of the poles and of the equator, where the cones meet."""
    weights = np.full(2 * cells + 1, 0.25 / cells**2)
    weights[cells] *= 1.0 - 0.25 / cells
    weights[0] = weights[-1] = 0.125 / cells**2
    return weights


def point_of(cells: int, face: ArrayLike, row: ArrayLike, column: ArrayLike) -> np.ndarray:
    """Mesh number of sample [row, column] (0..cells each) of a face (0..3): int64, of the arguments' common shape."""
    face, row, column = np.broadcast_arrays(face, row, column)
    ring = row + column
    north = ring <= cells
    length = np.where(north, ring, 2 * cells - ring)
    along = face * length + np.where(north, row, cells - column)
    return ring_starts(cells)[ring] + along % np.maximum(4 * length, 1)


@lru_cache(maxsize=4)
def face_points(cells: int) -> np.ndarray:
    """Mesh numbers of all face samples: int32 (4, cells + 1, cells + 1), read-only. The map from mesh to faces."""
    line = np.arange(cells + 1)
    points = point_of(cells, np.arange(4)[:, None, None], line[None, :, None], line[None, None, :]).astype(np.int32)
    points.flags.writeable = False
    return points


def to_faces(mesh: np.ndarray, cells: int) -> np.ndarray:
    """Values of all mesh points, (4 cells^2 + 2, ...), as faces (4, cells + 1, cells + 1, ...); `from_faces` undoes it.

    Raises ValueError for another number of points.
    """
    return _whole(mesh, cells)[face_points(cells)]


def from_faces(faces: np.ndarray) -> np.ndarray:
    """Values on faces (4, N + 1, N + 1, ...), whose shared samples agree, as mesh values (4 N^2 + 2, ...).

    Raises ValueError on another shape.
    """
    faces = np.asarray(faces)
    cells = faces.shape[1] - 1
    if faces.shape[:3] != (4, cells + 1, cells + 1):
        raise ValueError(f"the faces of a mesh have the shape (4, N + 1, N + 1, ...), not {faces.shape}")
    mesh = np.empty((point_count(cells), *faces.shape[3:]), faces.dtype)
    mesh[face_points(cells)] = faces
    return mesh


def pack(mesh: np.ndarray, cells: int) -> np.ndarray:
    """All points but the poles as the article's array (cells, 4 cells), of the mesh's dtype.

    Row y - 1 holds, from the left, the 4y points of the parallel y steps from the south pole (row cells - 1: the equator).
    The places that are left on the right hold the northern parallel cells - y steps from its pole, reversed. Raises
    ValueError for another number of points.
    """
    return _whole(mesh, cells)[_packing(cells)]


def _whole(mesh: np.ndarray, cells: int) -> np.ndarray:
    """`mesh` as an array; raises ValueError unless it has one value for each point of a mesh of `cells`."""
    mesh = np.asarray(mesh)
    if len(mesh) != point_count(cells):
        raise ValueError(f"{len(mesh)} values are no mesh of {cells} cells, which has {point_count(cells)} points")
    return mesh


def _packing(cells: int) -> np.ndarray:
    """Mesh number at each place of the packed array: int64 (cells, 4 cells)."""
    start = ring_starts(cells)
    length = np.arange(1, cells + 1)[:, None]
    place = np.arange(4 * cells)[None, :]
    southern = start[2 * cells - length] + place
    # The last place of a row is the first point of the northern ring `cells - length`.
    northern = start[cells - length] + (4 * cells - 1 - place)
    return np.where(place < 4 * length, southern, northern)


def rhombus_of(cells: int, face: ArrayLike, row: ArrayLike, column: ArrayLike) -> np.ndarray:
    """Number, 0..4 cells^2 - 1, of the rhombus at cell [row, column] of a face: its western corner's number less one."""
    return point_of(cells, face, row, np.asarray(column) + 1) - 1


def rhombus_cell(cells: int, rhombus: int) -> tuple[int, int, int]:
    """(face, row, column) of the cell of a rhombus; raises ValueError outside 0..4 cells^2 - 1."""
    if not 0 <= rhombus < 4 * cells * cells:
        raise ValueError(f"rhombus {rhombus} is outside 0..{4 * cells * cells - 1}")
    start = ring_starts(cells)
    ring = int(np.searchsorted(start, rhombus + 1, side="right")) - 1
    face, along = divmod(rhombus + 1 - int(start[ring]), min(ring, 2 * cells - ring))
    if ring <= cells:
        return face, along, ring - along - 1
    return face, ring - cells + along, cells - along - 1


def rhombus_points(cells: int) -> np.ndarray:
    """Mesh numbers of the rhombi's corners, int32 (4 cells^2, 4): west, north, east, south."""
    points = face_points(cells)
    corners = np.stack([points[:, :-1, 1:], points[:, :-1, :-1], points[:, 1:, :-1], points[:, 1:, 1:]], axis=-1)
    by_owner = np.empty((4 * cells * cells, 4), np.int32)
    by_owner[corners[..., 0] - 1] = corners
    return by_owner


def edges(cells: int) -> np.ndarray:
    """All edges of the mesh, int32 (12 cells^2, 2), each once, the smaller number first, sorted.

    A rhombus has two of its own edges, and the one along the parallel that splits it into triangles.
    """
    # Edges as single numbers sort ten times as fast as pairs.
    count = np.int64(point_count(cells))
    keys = np.sort(np.concatenate([(np.minimum(a, b) * count + np.maximum(a, b)).ravel() for a, b in _ends(cells)]))
    keys = keys[np.diff(keys, prepend=-1) > 0]
    return np.stack(np.divmod(keys, count), axis=1).astype(np.int32)


def _ends(cells: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """The points at both ends of all edges, face by face, in three directions."""
    points = face_points(cells)
    return [(points[:, :, :-1], points[:, :, 1:]), (points[:, :-1], points[:, 1:]), (points[:, :-1, 1:], points[:, 1:, :-1])]


def neighbours(cells: int) -> np.ndarray:
    """Neighbours of each mesh point, int32 (4 cells^2 + 2, 6), padded with -1.

    A point has six, but the poles and the four points of the equator where faces meet have four.
    """
    count = np.int64(point_count(cells))
    # Both ways along each edge. Those along which faces meet are there twice.
    keys = np.sort(np.concatenate([(p * count + q).ravel() for a, b in _ends(cells) for p, q in ((a, b), (b, a))]))
    point, beside = np.divmod(keys[np.diff(keys, prepend=-1) > 0], count)
    degree = np.bincount(point, minlength=count)
    slot = np.arange(len(point)) - np.repeat(np.cumsum(degree) - degree, degree)
    table = np.full((count, 6), -1, np.int32)
    table[point, slot] = beside
    return table


def cells_of(mesh: np.ndarray) -> int:
    """Cells a quarter of the equator of the mesh with these values; raises ValueError where they are not 4 N^2 + 2."""
    cells = round(((len(mesh) - 2) / 4) ** 0.5)
    if len(mesh) != point_count(cells) or cells < 1:
        raise ValueError(f"{len(mesh)} values are no double-cone mesh, which has 4 N^2 + 2 points")
    return cells
