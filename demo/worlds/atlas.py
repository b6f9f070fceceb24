"""Atlases: where the point (u, v) of a face lies in space, and back.

A world is heights on square faces; an atlas gives the faces their places. All functions take arrays of any common shape and
compute in float64. Lattice sample [row j, column i] of an n x n face lies at u = i/(n-1), v = j/(n-1). The same functions
for the GPU are in `assets/shaders/atlas.glsl`; a test compares the two.

Axes: y up, right-handed. Spheres have radius 1; the plane is the unit square centred on the origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from ..maths.vectors import lengths
from .circle import circle, turns_of

# The axes of the cube's faces, at right angles: point = centre + s * right + t * down, s = 2u-1, t = 2v-1. Order and
# orientation are those of OpenGL's cube maps, so that six layers are a cube map as they stand.
CUBE_CENTRE = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float64)
CUBE_RIGHT = np.array([[0, 0, -1], [0, 0, 1], [1, 0, 0], [1, 0, 0], [1, 0, 0], [-1, 0, 0]], np.float64)
CUBE_DOWN = np.array([[0, -1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0, -1, 0], [0, -1, 0]], np.float64)

# Positions are worked out for so many rows at a time.
ROWS = 64


@dataclass(frozen=True)
class Atlas:
    """One of PLANE, LATLONG, DOUBLE_CONE, EVEN_CONE and CUBE. `code`: in the shaders. `faces`: how many it has."""

    name: str
    code: int
    faces: int
    spherical: bool

    @property
    def edge(self) -> float:
        """Length of a face's edge in radii or extents; about the longest where edges differ."""
        return {"plane": 1.0, "latlong": np.pi, "evencone": 2.0}.get(self.name, 0.5 * np.pi)

    @property
    def cone(self) -> bool:
        """Whether its faces are those of the double cone."""
        return self in (DOUBLE_CONE, EVEN_CONE)

    def place(self, face: ArrayLike, u: ArrayLike, v: ArrayLike, height: ArrayLike = 0.0) -> np.ndarray:
        """Position xyz, float64 (..., 3), of (u, v) on `face` at `height` (in radii, or in extents on the plane).

        u and v a little outside 0..1 continue over the edge, for gutters and gradients.
        """
        face, u, v, height = np.broadcast_arrays(face, u, v, height)
        if not self.spherical:
            return np.stack([u - 0.5, height + 0.0, v - 0.5], axis=-1).astype(np.float64)
        at = self.direction(face, u, v)
        at *= (1.0 + height)[..., None]
        return at

    def direction(self, face: ArrayLike, u: ArrayLike, v: ArrayLike) -> np.ndarray:
        """Unit vector, float64 (..., 3), of (u, v) on `face` of a spherical atlas."""
        face, u, v = np.broadcast_arrays(face, np.asarray(u, np.float64), np.asarray(v, np.float64))
        if self is CUBE:
            return _cube_direction(face, u, v)
        if self is LATLONG:
            return _from_angles(np.pi * (face + u), np.pi * v)
        colatitude, longitude = double_cone_angles(face, u, v)
        if self is EVEN_CONE:
            return _from_sine(longitude, *even_sine_cosine(np.clip(u + v, 0.0, 2.0)))
        return _from_angles(longitude, colatitude)

    def invert(self, xyz: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(face, u, v, height) of positions (..., 3): face is intp, the rest float64. The inverse of `place`."""
        xyz = np.asarray(xyz, np.float64)
        if not self.spherical:
            return np.zeros(xyz.shape[:-1], np.intp), xyz[..., 0] + 0.5, xyz[..., 2] + 0.5, xyz[..., 1].copy()
        radius = lengths(xyz)
        direction = xyz / radius[..., None]
        if self is CUBE:
            face, u, v = _cube_invert(direction)
        else:
            x, y, z = direction[..., 0], direction[..., 1], direction[..., 2]
            colatitude = 2.0 * np.pi * turns_of(np.sqrt(x * x + z * z), y)
            longitude = 2.0 * np.pi * (turns_of(z, x) % 1.0)
            if self is LATLONG:
                face, u, v = _latlong_invert(longitude, colatitude)
            else:
                k = _even_ring(colatitude) if self is EVEN_CONE else colatitude / (0.5 * np.pi)
                face, u, v = _double_cone_invert(longitude, k)
        return face, u, v, radius - 1.0

    def beyond(self, face: ArrayLike, i: ArrayLike, j: ArrayLike, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(face, u, v) of the lattice point (column i, row j) of an n x n face where it lies beyond that face's edge.

        The plane ends at its edge: beyond it the edge's own samples are repeated.
        """
        u, v = np.asarray(i, np.float64) / (n - 1), np.asarray(j, np.float64) / (n - 1)
        if not self.spherical:
            u, v = np.broadcast_arrays(np.clip(u, 0, 1), np.clip(v, 0, 1))
            return np.zeros(u.shape, np.intp), u, v
        return self.invert(self.direction(face, u, v))[:3]

    def positions(self, n: int) -> np.ndarray:
        """Lattice positions, float64 (faces, n, n, 3): unit vectors, or (x, 0, z) on the plane; shared samples bit-equal."""
        return _positions(self, n)

    def positions_on(self, face: int, n: int) -> np.ndarray:
        """Those of one face, float64 (n, n, 3), the same bits as in `positions`: where all at once take too much memory."""
        return _positions_on(self, face, n)

    def seams(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Flat indices (copies, owners) into (faces, n, n): a copy is the same point as its owner on an earlier face."""
        return _seams(self, n)


PLANE = Atlas("plane", 0, 1, False)
LATLONG = Atlas("latlong", 1, 2, True)
DOUBLE_CONE = Atlas("doublecone", 2, 4, True)
CUBE = Atlas("cube", 3, 6, True)
EVEN_CONE = Atlas("evencone", 4, 4, True)
"""The faces of DOUBLE_CONE, laid on the sphere so that areas are kept, and not distances along meridians."""

ATLASES = {atlas.name: atlas for atlas in (PLANE, LATLONG, DOUBLE_CONE, CUBE, EVEN_CONE)}


def double_cone_angles(face: ArrayLike, u: ArrayLike, v: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """(colatitude, longitude) in radians on the double cone.

    The north pole is at (0, 0), the south pole at (1, 1) and the equator the diagonal u + v = 1. Distances along meridians
    are kept: colatitude is a quarter turn times u + v. A parallel k of the way from its pole to the equator is k quarter
    turns long on every face, so longitude is a ratio that reads 0/0 at the poles; there it is taken as the face's middle.
    """
    face, u, v = np.broadcast_arrays(face, u, v)
    k = u + v
    north = k <= 1.0
    length = np.where(north, k, 2.0 - k)
    along = np.where(north, v, 1.0 - u)
    fraction = np.divide(along, length, out=np.full(length.shape, 0.5), where=length > 1e-12)
    return 0.5 * np.pi * np.clip(k, 0.0, 2.0), 0.5 * np.pi * (face + fraction)


def even_sine_cosine(k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(sine, cosine) of the colatitude at which EVEN_CONE has the parallel k, 0..2, counted from the north pole.

    Up to the parallel k a cone has k^2 of its area, and so has the half sphere: 1 - cos = k^2. It takes a root alone.
    """
    from_pole = np.minimum(k, 2.0 - k)
    square = from_pole * from_pole
    return from_pole * np.sqrt(2.0 - square), np.where(k <= 1.0, 1.0 - square, square - 1.0)


def _even_ring(colatitude: np.ndarray) -> np.ndarray:
    """The parallel, 0..2, that EVEN_CONE has at a colatitude."""
    cosine, sine = circle(colatitude / (4.0 * np.pi))
    north = np.sqrt(2.0) * sine
    return np.where(north <= 1.0, north, 2.0 - np.sqrt(2.0) * cosine)


def double_cone_place(face: ArrayLike, u: ArrayLike, v: ArrayLike, height: ArrayLike = 0.0) -> np.ndarray:
    """The unrolled form itself, float64 (..., 3): two cones of slant length pi/2 joined at an equator of radius 1."""
    colatitude, longitude = double_cone_angles(face, u, v)
    radius = 1.0 - np.abs(colatitude / (0.5 * np.pi) - 1.0)
    apex = np.sqrt((0.5 * np.pi) ** 2 - 1.0)
    y = np.where(colatitude <= 0.5 * np.pi, 1.0, -1.0) * (1.0 - radius) * apex
    scale = 1.0 + np.asarray(height)
    cosine, sine = circle(longitude / (2.0 * np.pi))
    return np.stack([radius * cosine * scale, y * scale, radius * sine * scale], axis=-1)


def _from_angles(longitude: np.ndarray, colatitude: np.ndarray) -> np.ndarray:
    (cosine, sine), (height, ring) = circle(longitude / (2.0 * np.pi)), circle(colatitude / (2.0 * np.pi))
    return np.stack([cosine * ring, height, sine * ring], axis=-1)


def _from_sine(longitude: np.ndarray, sine: np.ndarray, cosine: np.ndarray) -> np.ndarray:
    along, aside = circle(longitude / (2.0 * np.pi))
    return np.stack([along * sine, cosine, aside * sine], axis=-1)


def _cube_direction(face: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    s, t = (2.0 * u - 1.0)[..., None], (2.0 * v - 1.0)[..., None]
    if face.size and not any(face.strides):
        # One face for all: its axes need not be there for each of them.
        face = face[(0,) * face.ndim]
    # In as few arrays as possible: for a whole lattice each takes several megabytes.
    point: np.ndarray = s * CUBE_RIGHT[face]
    point += CUBE_CENTRE[face]
    point += t * CUBE_DOWN[face]
    point /= lengths(point)[..., None]
    return point


def _cube_invert(direction: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # Component by component: numpy takes several times as long along an axis so short.
    x, y, z = (direction[..., axis] for axis in range(3))
    width, height, depth = np.abs(x), np.abs(y), np.abs(z)
    longest = np.maximum(np.maximum(width, height), depth)
    axis = np.where(width == longest, 0, np.where(height == longest, 1, 2))
    face = 2 * axis + (np.where(axis == 0, x, np.where(axis == 1, y, z)) < 0)
    # Each face's axes to the right and down are axes of the cube.
    s = CUBE_RIGHT.sum(axis=1)[face] * (np.where(axis == 0, z, x) / longest)
    t = CUBE_DOWN.sum(axis=1)[face] * (np.where(axis == 1, z, y) / longest)
    return face, (s + 1.0) * 0.5, (t + 1.0) * 0.5


def _latlong_invert(longitude: np.ndarray, colatitude: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    face = np.minimum((longitude / np.pi).astype(np.intp), 1)
    return face, longitude / np.pi - face, colatitude / np.pi


def _double_cone_invert(longitude: np.ndarray, k: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(face, u, v) on the parallel k, 0..2, counted from the north pole."""
    quarter = longitude / (0.5 * np.pi)
    face = np.minimum(quarter.astype(np.intp), 3)
    fraction = quarter - face
    length = np.where(k <= 1.0, k, 2.0 - k)
    u = np.where(k <= 1.0, length * (1.0 - fraction), 1.0 - length * fraction)
    v = np.where(k <= 1.0, length * fraction, 1.0 - length * (1.0 - fraction))
    return face, u, v


def _positions(atlas: Atlas, n: int) -> np.ndarray:
    xyz = np.empty((atlas.faces, n, n, 3))
    for face in range(atlas.faces):
        _fill_places(atlas, face, xyz[face])
    flat = xyz.reshape(-1, 3)
    copies, owners = _seams(atlas, n)
    flat[copies] = flat[owners]
    return xyz


def _positions_on(atlas: Atlas, face: int, n: int) -> np.ndarray:
    xyz, line = np.empty((n, n, 3)), np.arange(n) / (n - 1)
    _fill_places(atlas, face, xyz)
    copies, owners = _seams(atlas, n)
    mine = copies // (n * n) == face
    there, rest = np.divmod(owners[mine], n * n)
    j, i = np.divmod(rest, n)
    xyz.reshape(-1, 3)[copies[mine] - face * n * n] = atlas.place(there, line[i], line[j])
    return xyz


def _fill_places(atlas: Atlas, face: int, out: np.ndarray) -> None:
    """Fill `out` (n, n, 3) with the face's own places of its samples."""
    fill_lattice(atlas, face, np.arange(len(out)) / (len(out) - 1), out)


def fill_lattice(atlas: Atlas, face: int, line: np.ndarray, out: np.ndarray) -> None:
    """Fill `out` (k, k, 3), of any float type, with a face's own places at u and v along `line` (k,), row by row."""
    # What is worked out on the way takes several times the memory of the result.
    for first in range(0, len(line), ROWS):
        rows = slice(first, first + ROWS)
        out[rows] = atlas.place(face, line[None, :], line[rows, None])


@cache
def _seams(atlas: Atlas, n: int) -> tuple[np.ndarray, np.ndarray]:
    """`Atlas.seams`, found by position along the rims: one point's positions differ by rounding alone."""
    if not atlas.spherical:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    rim = np.zeros((atlas.faces, n, n), bool)
    rim[:, [0, -1], :] = rim[:, :, [0, -1]] = True
    index = np.flatnonzero(rim)
    face, rest = np.divmod(index, n * n)
    j, i = np.divmod(rest, n)
    xyz = atlas.direction(face, i / (n - 1), j / (n - 1))
    # Rounding alone could split a pair over two bins, so the grid of bins is shifted off the symmetric positions.
    key = np.floor((xyz + 0.123456789) * (1 << 20)).astype(np.int64)
    order = np.lexsort((index, key[:, 2], key[:, 1], key[:, 0]))
    same = np.all(key[order][1:] == key[order][:-1], axis=1)
    owner = index[order].copy()
    for k in np.flatnonzero(same):
        owner[k + 1] = owner[k]
    moved = owner != index[order]
    return index[order][moved], owner[moved]
