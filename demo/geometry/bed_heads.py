"""The heads of beds: how steeply the cut of a stretch of a river rises upstream of where the stretch begins.

A stretch below a fall lies deep in the ground, and its banks reach farther than it is long. Cut at right angles to each
stretch, they would end in a wall of teeth. So behind its beginning a cut rises just so steeply that it leaves all water
upstream where it is, and the stretches together make one head: a cliff at the fall, slopes beside it.
"""

from __future__ import annotations

import numpy as np

from ..maths.vectors import lengths

# To the sides, the head of a cut lies downstream by this share of how far away it is: the fall has worn its lip back.
NOTCH = 0.5
# The steepest rise behind a beginning, and the metres behind it that are too few to tell.
SHEER, NEAR_M = 50.0, 0.25
# So many points upstream are looked at.
MOST_POINTS = 96


def steepness(
    place: np.ndarray, level_m: np.ndarray, first: np.ndarray, begin: np.ndarray, cut_m: np.ndarray,
    half_m: np.ndarray, reach_m: np.ndarray, size_m: float,
) -> np.ndarray:  # fmt: skip
    """The rise of each cut behind its beginning, metres a metre, 0..SHEER: float64 (n,).

    `place` (p, 3), `level_m` (p,): points of rivers and their water, each river's in a row from its source; `first`: int
    (p,), the first point of each point's river. By stretch: `begin`: int (n,), its first point; the next one ends it;
    `cut_m`, `half_m`, `reach_m`: (n,), the level of the water in it, half its width, and how far its banks are cut.
    `size_m`: metres in a unit of places.
    """
    way = place[begin + 1] - place[begin]
    way /= np.maximum(lengths(way), 1e-15)[:, None]
    # At a fall the water of a stretch is lower than that of the point at which it begins.
    out = np.where(level_m[begin] - cut_m > NEAR_M, SHEER, 0.0)
    stretch = np.arange(len(begin))
    for back in range(1, MOST_POINTS):
        stretch = stretch[begin[stretch] - back >= first[begin[stretch]]]
        above = begin[stretch] - back
        at = (place[above] - place[begin[stretch]]) * size_m
        within = lengths(at) < half_m[stretch] + reach_m[stretch]
        stretch, above, at = stretch[within], above[within], at[within]
        if not len(stretch):
            break
        along = (at * way[stretch]).sum(axis=1)
        beside = np.maximum(lengths(at - along[:, None] * way[stretch]) - half_m[stretch], 0.0)
        behind = NOTCH * beside - along
        # What a bend has brought beside the stretch or below it no rise can spare.
        rise = np.where(behind > 0.0, level_m[above] - cut_m[stretch], 0.0) / np.maximum(behind, NEAR_M)
        out[stretch] = np.maximum(out[stretch], rise)
    return np.minimum(out, SHEER)
