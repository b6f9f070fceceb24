"""Gradients: how steeply the samples of a world rise, and where to, as vectors in space that faces share."""

from __future__ import annotations

import numpy as np

from ..worlds.atlas import Atlas, fill_lattice
from .relief import GUTTER

# Half floats could not hold the slopes of worlds of one cell.
STEEPEST = 1e3


def gradients(atlas: Atlas, padded_m: np.ndarray, size_m: float) -> np.ndarray:
    """The gradient at each sample, float16 (faces, n, n, 3), metres a metre: a tangent that points uphill.

    `padded_m`: float32 (faces, n + 2 GUTTER, n + 2 GUTTER), heights in metres; `size_m`: radius or extent. Faces that share
    a point have the mean of what each of them finds.
    """
    n = padded_m.shape[-1] - 2 * GUTTER
    if not atlas.spherical:
        return _on_plane(padded_m[:, 1:-1, 1:-1], 0.5 * (n - 1) / size_m)
    found = np.empty((atlas.faces, n, n, 3), np.float32)
    for face in range(atlas.faces):
        _fill(found[face], _places(atlas, n, face), padded_m[face, 1:-1, 1:-1], np.float32(size_m))
    _join(atlas, found)
    return np.clip(found, -STEEPEST, STEEPEST, out=found).astype(np.float16)


def _on_plane(high: np.ndarray, by: float) -> np.ndarray:
    """The gradients of the plane's face from heights (1, n + 2, n + 2); `by`: one over the length of two cells."""
    out = np.zeros((1, high.shape[1] - 2, high.shape[2] - 2, 3), np.float16)
    across = (high[:, 1:-1, 2:], high[:, 1:-1, :-2]), (high[:, 2:, 1:-1], high[:, :-2, 1:-1])
    rise = np.empty(out.shape[:3], np.float32)
    for axis, (ahead, behind) in zip((0, 2), across, strict=True):
        np.subtract(ahead, behind, out=rise)
        rise *= np.float32(by)
        out[..., axis] = np.clip(rise, -STEEPEST, STEEPEST, out=rise)
    return out


def _places(atlas: Atlas, n: int, face: int) -> np.ndarray:
    """Positions of a face's samples and of those one step beyond its edges: float32 (3, n + 2, n + 2), radii or extents."""
    line = np.arange(-1, n + 1) / (n - 1)
    at = np.empty((n + 2, n + 2, 3), np.float32)
    fill_lattice(atlas, face, line, at)
    return np.ascontiguousarray(np.moveaxis(at, -1, 0))


def _fill(out: np.ndarray, at: np.ndarray, high: np.ndarray, size_m: np.float32) -> None:
    """Fill `out` (n, n, 3) from the differences across each sample of places (3, n + 2, n + 2) and of heights."""
    along, down = at[:, 1:-1, 2:] - at[:, 1:-1, :-2], at[:, 2:, 1:-1] - at[:, :-2, 1:-1]
    rise, fall = high[1:-1, 2:] - high[1:-1, :-2], high[2:, 1:-1] - high[:-2, 1:-1]
    # Rows and columns do not always meet at right angles. At a pole a whole row is one point.
    e, f, g = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] for a, b in ((along, along), (along, down), (down, down)))
    area = (e * g - f * f) * size_m
    tall = area > 1e-6 * (e + g) * (e + g) * size_m
    area = np.divide(1.0, area, out=np.zeros_like(area), where=tall)
    by_along, by_down = (g * rise - f * fall) * area, (e * fall - f * rise) * area
    for axis in range(3):
        out[..., axis] = along[axis] * by_along + down[axis] * by_down


def _join(atlas: Atlas, found: np.ndarray) -> None:
    """Give samples that are one point the mean of their vectors."""
    copies, owners = atlas.seams(found.shape[1])
    first, point = np.unique(owners, return_inverse=True)
    places, point = np.concatenate([first, copies]), np.concatenate([np.arange(len(first)), point])
    flat, number = found.reshape(-1, 3), np.maximum(np.bincount(point), 1)
    for axis in range(3):
        flat[places, axis] = (np.bincount(point, flat[places, axis]) / number)[point]


def cubic_weights(f: np.ndarray) -> tuple[np.ndarray, ...]:
    """The weights of four samples in a row at the fraction f behind the second (E. Catmull and R. Rom, 1974)."""
    return (
        f * (-0.5 + f * (1.0 - 0.5 * f)),
        1.0 + f * f * (-2.5 + 1.5 * f),
        f * (0.5 + f * (2.0 - 1.5 * f)),
        f * f * (-0.5 + 0.5 * f),
    )
