"""Simplex noise written the slow and obvious way in float64, as the oracle of the compiled kernels."""

from __future__ import annotations

import numpy as np

MASK = 0xFFFFFFFF
STEPS = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
EDGES = [(1, 1, 0), (-1, 1, 0), (1, -1, 0), (-1, -1, 0)]
GRADIENTS = [*EDGES, *((x, 0, z) for x, z, _ in EDGES), *((0, y, z) for y, z, _ in EDGES)]


def two_multiplies(h):
    """The lattice hash of the default noise: uint64 array below 2^32, from the weighted sum of the coordinates."""
    h = (h ^ h >> 15) * 0x2C1B3C6D & MASK
    h = (h ^ h >> 12) * 0x297A2D39 & MASK
    return h ^ h >> 15


def one_multiply(h):
    """A hash that is too weak, with which a test shows that it would notice."""
    h = h * 0x2C1B3C6D & MASK
    return h ^ h >> 15


def hashed_gradient(cell: np.ndarray, key: int, mix=two_multiplies) -> np.ndarray:
    """Gradients float64 (k, 3) of lattice points int64 (k, 3)."""
    h = (int(key) + sum((cell[:, axis] & MASK) * STEPS[axis] & MASK for axis in range(3))) & MASK
    h = mix(h.astype(np.uint64))
    words = [(h << shift & MASK).astype(np.uint32) for shift in (0, 8, 16)]
    halves = [(word & np.uint32(0x807FFFFF) | np.uint32(0x3F000000)).view(np.float32) for word in words]
    return np.stack(halves, axis=1).astype(np.float64)


def table_gradient(cell: np.ndarray, table: np.ndarray) -> np.ndarray:
    """The printed library's gradients: one of the twelve edges of a cube, by three look-ups."""
    table = table.tolist()
    rows = [table[x + table[y + table[z]]] % 12 for x, y, z in (cell & 255).tolist()]
    return np.array([GRADIENTS[row] for row in rows], np.float64)


def noise(points: np.ndarray, gradient, reach: float, gain: float) -> np.ndarray:
    """Simplex noise float64 (k,) at points (k, 3); `gradient(cell)` gives (k, 3) for int64 (k, 3)."""
    base = np.floor(points + points.sum(axis=1, keepdims=True) / 3).astype(np.int64)
    inside = points - (base - base.sum(axis=1, keepdims=True) / 6)
    order = np.argsort(-inside, axis=1, kind="stable")  # greatest component first: the way through the simplex
    cell, total = base.copy(), np.zeros(len(points))
    for corner in range(4):
        offset = points - (cell - cell.sum(axis=1, keepdims=True) / 6)
        fade = np.maximum(reach - (offset**2).sum(axis=1), 0) ** 4
        total += fade * (gradient(cell) * offset).sum(axis=1)
        if corner < 3:
            cell[np.arange(len(cell)), order[:, corner]] += 1
    return gain * total
