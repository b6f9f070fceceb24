"""The smooth surface through the samples of a world, and the slope of it that gullies follow."""

from __future__ import annotations

from functools import reduce

import numpy as np

from ..worlds.atlas import Atlas
from .relief import GUTTER

# The surface falls below the samples around by at most this share of how much these differ. As in tile.frag.
SLACK = 0.03
# Metres that it has at least to bend within.
LEAST_ROOM_M = 1e-6


def cubic(padded: np.ndarray, face: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The smooth surface through the samples at columns x and rows y, (k,), and how far it is held up: float64 (k,).

    It is the one of E. Catmull and R. Rom (1974), but hardly below the least of the samples around (`floor_of`): between
    mountains that would fall hundreds of metres below the floor of a valley.
    """
    # Imports numba, which the first picture does without. The worker has loaded it when there is ground to ask for.
    from .smooth_kernels import smooth

    surface, lift = np.empty((2, len(x)))
    where = (np.ascontiguousarray(part, kind) for part, kind in ((face, np.int64), (x, np.float64), (y, np.float64)))
    smooth(padded, *where, GUTTER, np.float32(SLACK), LEAST_ROOM_M, surface, lift)
    return surface, lift


def floor_of(nine: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """(How low the surface may be at a sample, the room below the samples), of `nine` arrays: it and those around it.

    The room is a little of how much they differ, or the shores of lakes would follow the cells of the samples.
    """
    least, most = reduce(np.minimum, nine), reduce(np.maximum, nine)
    room = SLACK * (most - least)
    return least - room, room


def lift_of(below: np.ndarray, room: np.ndarray) -> np.ndarray:
    """By how much a surface is held up that is so far `below` its floor, negative above it: float64, as `below`.

    Where it comes nearer to its floor than the room it bends, or it would meet the floor in a crease.
    """
    room = np.maximum(room, LEAST_ROOM_M)
    bent = np.clip(below + room, 0.0, 2.0 * room)
    lift: np.ndarray = bent * bent / (4.0 * room) + np.maximum(below - room, 0.0)
    return lift


def held_up(x: np.ndarray, y: np.ndarray, last: int) -> np.ndarray:
    """How much the surface is held up at columns x and rows y of 0..`last`, 0..1: not at the edges of faces.

    Faces share their samples there, but not all that are around them.
    """
    inside: np.ndarray = np.clip(np.minimum(np.minimum(x, last - x), np.minimum(y, last - y)), 0.0, 1.0)
    return inside


def led(
    lean: np.ndarray, atlas: Atlas, padded: np.ndarray, size_m: float, where: tuple[np.ndarray, ...], at: np.ndarray
) -> np.ndarray:
    """The gradients `lean` (k, 3) of samples, turned to where the surface itself rises: float64 (k, 3).

    `padded`: as in `Detail`, metres; `size_m`: radius or extent. `where`: face, u and v of the places `at` (k, 3). Nothing
    holds the surface up here. Where faces meet, which do not share its gradient, and where the grid of samples bends, on the
    diagonals of a double cone, the gradients stay as they are.
    """
    from .smooth_kernels import lead

    found = np.array(lean, np.float64, order="C")
    face, u, v, place = (
        np.ascontiguousarray(part, kind)
        for part, kind in zip((*where, at), (np.int64, np.float64, np.float64, np.float64), strict=True)
    )
    lead(padded, face, u, v, place, GUTTER, atlas.code, size_m, found)
    return found
