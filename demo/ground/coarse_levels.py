"""Coarse levels: the heights that groups of vertices have on levels of detail coarser than the samples.

Source: K. Warszawski's article on particle deposition, after which a group of vertices far away becomes one with their mean
height; or only groups of similar height do, and a vertex that stands out stays visible (its figure 3).

The mean of a vertex of the next coarser level is that of itself and half of each neighbour along both axes. On a face's edge
the group lies on the edge, and corners keep their height: so faces meet without cracks. A vertex that stands out stays at
the one vertex into which it morphs, so that a peak grows no broader than its triangles.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..tables.coarse_rules import MEAN, SIMILAR

# A vertex stands out when it differs from the mean around it by more than this share of the distance between two groups. A
# level begins some 30 such distances away: there it is about three pixels of a picture 720 pixels high.
OUTLYING = 0.1

Combine = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


class CoarseLevels:
    """The levels of faces whose finest one has `cells` cells along an edge of `edge_m` metres, in patches of `patch` cells.

    Raises ValueError unless `cells` is a power of two and `rule` is MEAN or SIMILAR.
    """

    def __init__(self, rule: str, cells: int, edge_m: float, patch: int) -> None:
        if cells < 2 or cells & (cells - 1):
            raise ValueError(f"levels of {cells} cells are not possible: it takes a power of two from 2")
        if rule not in (MEAN, SIMILAR):
            raise ValueError(f"there is no rule '{rule}' for groups: there are {MEAN} and {SIMILAR}")
        self.rule, self.cells, self._edge_m, self._patch = rule, cells, edge_m, patch

    def of(self, heights_m: np.ndarray) -> list[np.ndarray]:
        """Levels of heights (faces, n, n), metres above the sea: float32 (faces, c + 1, c + 1) for c = cells / 2 down to 1.

        What is below the sea counts as 0, as the surface is drawn.
        """
        level = _on_vertices(np.maximum(heights_m, np.float32(0.0)), self.cells)
        levels, cells = [], self.cells
        while cells > 1:
            cells //= 2
            level = self._similar(level, cells) if self.rule == SIMILAR else _both_ways(level, _mean)
            levels.append(level)
        return levels

    def _similar(self, level: np.ndarray, cells: int) -> np.ndarray:
        """The next coarser level, of `cells` cells: vertices that stand out stay."""
        # By how much each vertex differs from its own surroundings: on an even slope by nothing.
        out = np.abs(level - _smoothed(_smoothed(level).swapaxes(1, 2)).swapaxes(1, 2))
        kept, most = _outliers(*_outliers(level, out, 2, self._patch), 1, self._patch)
        return np.where(most > np.float32(OUTLYING * self._edge_m / cells), kept, _both_ways(level, _mean))

    def packed(self, heights_m: np.ndarray) -> np.ndarray:
        """All levels below one another, as the surface's shader reads them: float32 (faces, rows, cells / 2 + 1)."""
        levels = self.of(heights_m)
        rows = sum(level.shape[1] for level in levels)
        packed = np.zeros((len(heights_m), rows, self.cells // 2 + 1), np.float32)
        row = 0
        for level in levels:
            side = level.shape[1]
            packed[:, row : row + side, :side] = level
            row += side
        return packed


def _on_vertices(heights_m: np.ndarray, cells: int) -> np.ndarray:
    """Heights at the vertices of the finest level, which are between the samples where those are not a power of two."""
    n = heights_m.shape[-1]
    if n == cells + 1:
        return heights_m
    at = np.arange(cells + 1) * ((n - 1) / cells)
    low = np.minimum(at.astype(np.intp), n - 2)
    part = (at - low).astype(np.float32)
    rows = heights_m[:, low] * (1.0 - part)[:, None] + heights_m[:, low + 1] * part[:, None]
    return rows[:, :, low] * (1.0 - part) + rows[:, :, low + 1] * part


def _mean(a: np.ndarray, middle: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.float32(0.25) * (a + b) + np.float32(0.5) * middle


def _smoothed(level: np.ndarray) -> np.ndarray:
    """Every vertex as the mean of itself and its neighbours along the last axis; the ends stay."""
    out = level.copy()
    out[..., 1:-1] = _mean(level[..., :-2], level[..., 1:-1], level[..., 2:])
    return out


def _both_ways(level: np.ndarray, combine: Combine) -> np.ndarray:
    return _along(_along(level, combine).swapaxes(1, 2), combine).swapaxes(1, 2)


def _along(level: np.ndarray, combine: Combine) -> np.ndarray:
    """Every second vertex along the last axis, combined with its two neighbours; the ends stay."""
    out = level[..., ::2].copy()
    out[..., 1:-1] = combine(level[..., 1:-2:2], level[..., 2:-1:2], level[..., 3::2])
    return out


def _outliers(level: np.ndarray, out: np.ndarray, axis: int, patch: int) -> tuple[np.ndarray, np.ndarray]:
    """(height, how far it stands out) of whichever does so most of the vertices that morph into one along `axis`."""
    level, out = level.swapaxes(axis, -1), out.swapaxes(axis, -1)
    best, most = level[..., ::2].copy(), out[..., ::2].copy()
    cells = out.shape[-1] - 1
    patch = min(patch, cells)
    # Vertices of a patch morph towards its middle, as in surface.vert.
    below, above = np.arange(1, cells - 2, 2), np.arange(3, cells, 2)
    a = np.where(below % patch < patch // 2, out[..., 1:-2:2], np.float32(-1.0))
    b = np.where(above % patch > patch // 2, out[..., 3::2], np.float32(-1.0))
    # Of two alike the higher one: the same from both ends of an edge.
    first = (a > b) | ((a == b) & (level[..., 1:-2:2] >= level[..., 3::2]))
    beside, far = np.where(first, level[..., 1:-2:2], level[..., 3::2]), np.maximum(a, b)
    more = far > most[..., 1:-1]
    best[..., 1:-1] = np.where(more, beside, best[..., 1:-1])
    most[..., 1:-1] = np.where(more, far, most[..., 1:-1])
    return best.swapaxes(axis, -1), most.swapaxes(axis, -1)
