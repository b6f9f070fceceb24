"""The meshes of a patch: of squares, and of isosceles triangles, whose odd rows lie half a cell off.

The article on particles compares the two. Neighbouring patches meet along whole cells, so rows of both end alike; how
points morph to those of the next coarser patch is in surface.vert. Triangles are listed: a software renderer would work a
point out anew for each strip that it is in. All turn the same way, which tells those that face away from the eye.
"""

from __future__ import annotations

import numpy as np


def patch_mesh(patch: int) -> tuple[np.ndarray, np.ndarray]:
    """(cells float32 (k, 2), corners uint16 (m, 3) of triangles): a patch of `patch` cells along an edge.

    `patch` is even and at most 250.
    """
    line = np.arange(patch + 1, dtype=np.float32)
    x, y = np.meshgrid(line, line)
    side = patch + 1
    i = np.arange(side)
    bands = [_band(i + j * side, i + (j + 1) * side) for j in range(patch)]
    return np.stack([x, y], axis=2).reshape(-1, 2), np.concatenate(bands).astype(np.uint16)


def isosceles_mesh(patch: int) -> tuple[np.ndarray, np.ndarray]:
    """As `patch_mesh`, with odd rows half a cell off; `patch` is a multiple of four and at most 248."""
    rows = [_row(patch, y) for y in range(patch + 1)]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    bands = [_band(starts[k] + np.arange(len(rows[k])), starts[k + 1] + np.arange(len(rows[k + 1]))) for k in range(patch)]
    return np.concatenate(rows).astype(np.float32), np.concatenate(bands).astype(np.uint16)


def _row(patch: int, y: int) -> np.ndarray:
    """Points (k, 2) of row y."""
    x = np.arange(patch + 1.0) if y % 2 == 0 else np.concatenate([[0.0], np.arange(patch) + 0.5, [patch]])
    return np.stack([x, np.full(len(x), float(y))], axis=1)


def _band(upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """The corners (k, 3) of the triangles between two rows, of which one may have a point more than the other."""
    turned = len(upper) < len(lower)
    longer, shorter = (lower, upper) if turned else (upper, lower)
    # Zigzag between the rows, from the longer one.
    strip = np.empty(len(longer) + len(shorter), np.intp)
    strip[0::2], strip[1::2] = longer, shorter
    corners = np.stack([strip[:-2], strip[1:-1], strip[2:]], axis=1)
    corners[turned ^ 1 :: 2] = corners[turned ^ 1 :: 2, ::-1]
    return corners
