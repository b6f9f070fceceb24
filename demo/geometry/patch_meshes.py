"""The meshes of a patch: of squares, and of isosceles triangles, whose odd rows lie half a cell off.

The article on particles compares the two. Neighbouring patches meet along whole cells, so rows of both end alike; how
points morph to those of the next coarser patch is in surface.vert.
"""

from __future__ import annotations

import numpy as np

# The index that begins a new strip.
RESTART = 0xFFFF


def patch_mesh(patch: int) -> tuple[np.ndarray, np.ndarray]:
    """(cells float32 (k, 2), indices uint16 (m,) of triangle strips with RESTARTs): a patch of `patch` cells along an edge.

    `patch` is even and at most 250.
    """
    line = np.arange(patch + 1, dtype=np.float32)
    x, y = np.meshgrid(line, line)
    side = patch + 1
    i = np.arange(side)
    rows = [np.append(np.stack([i + j * side, i + (j + 1) * side], axis=1), RESTART) for j in range(patch)]
    return np.stack([x, y], axis=2).reshape(-1, 2), np.concatenate(rows).astype(np.uint16)


def isosceles_mesh(patch: int) -> tuple[np.ndarray, np.ndarray]:
    """As `patch_mesh`, with odd rows half a cell off; `patch` is a multiple of four and at most 248."""
    rows = [_row(patch, y) for y in range(patch + 1)]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    strips = [_strip(starts[k] + np.arange(len(rows[k])), starts[k + 1] + np.arange(len(rows[k + 1]))) for k in range(patch)]
    return np.concatenate(rows).astype(np.float32), np.concatenate(strips).astype(np.uint16)


def _row(patch: int, y: int) -> np.ndarray:
    """Points (k, 2) of row y."""
    x = np.arange(patch + 1.0) if y % 2 == 0 else np.concatenate([[0.0], np.arange(patch) + 0.5, [patch]])
    return np.stack([x, np.full(len(x), float(y))], axis=1)


def _strip(upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """The indices of the strip between two rows, and a RESTART; one row may have a point more than the other."""
    longer, shorter = (upper, lower) if len(upper) >= len(lower) else (lower, upper)
    between = np.empty(len(longer) + len(shorter) - 4, np.intp)
    between[0::2], between[1::2] = longer[1:-1], shorter[1:-1]
    end = [longer[-1], shorter[-1]] if len(longer) == len(shorter) else [shorter[-1], longer[-1]]
    return np.concatenate([[longer[0], shorter[0]], between, end, [RESTART]])
