"""The patch whose rows are shifted against each other by half a cell: its triangles are isosceles, not halves of squares.

The article on particles compares the two. Neighbouring patches meet along whole cells, so rows end as they do in squares;
how its points move to those of the next coarser patch is in surface.vert.
"""

from __future__ import annotations

import numpy as np

RESTART = 0xFFFF


def isosceles_mesh(patch: int) -> tuple[np.ndarray, np.ndarray]:
    """(cells float32 (k, 2), strip indices uint16 with restarts), as `lod.patch_mesh` has them, of `patch` cells along an
    edge, a multiple of four, at most 248: odd rows lie half a cell off."""
    rows = [_row(patch, y) for y in range(patch + 1)]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    strips = [_strip(starts[k] + np.arange(len(rows[k])), starts[k + 1] + np.arange(len(rows[k + 1]))) for k in range(patch)]
    return np.concatenate(rows).astype(np.float32), np.concatenate(strips).astype(np.uint16)


def _row(patch: int, y: int) -> np.ndarray:
    """Points (k, 2) of row y."""
    x = np.arange(patch + 1.0) if y % 2 == 0 else np.concatenate([[0.0], np.arange(patch) + 0.5, [patch]])
    return np.stack([x, np.full(len(x), float(y))], axis=1)


def _strip(upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """Indices of the strip between two rows, one of which has a point more, or none, and of a restart."""
    longer, shorter = (upper, lower) if len(upper) >= len(lower) else (lower, upper)
    between = np.empty(len(longer) + len(shorter) - 4, np.intp)
    between[0::2], between[1::2] = longer[1:-1], shorter[1:-1]
    end = [longer[-1], shorter[-1]] if len(longer) == len(shorter) else [shorter[-1], longer[-1]]
    return np.concatenate([[longer[0], shorter[0]], between, end, [RESTART]])
