"""Catchments of the whole planet: their borders through all triangles joined to closed rings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import divide_kernels as kernels
from .courses import Network
from .fine_mesh import FineMesh, Strip
from .strips import cycles, edge_key, traced

NONE = -1


@dataclass(frozen=True)
class Borders:
    """Lines that run through one triangle each, between two catchments or between a catchment and the sea.

    `ends`: int64 (a, 2), keys of where a border begins and ends: a global edge, or the triangle within which three borders
    meet. `sides`: int32 (a, 2), the catchments on its left and right, NONE for the sea. `vertices`: float64 (v, 2) degrees;
    those of border k are first[k] .. first[k + 1] - 1, with both ends. `first`: int64 (a + 1,).
    """

    ends: np.ndarray
    sides: np.ndarray
    vertices: np.ndarray
    first: np.ndarray


def borders_of(mesh: FineMesh, network: Network, strip: Strip, owner: np.ndarray, first: int, last: int) -> Borders:
    """The borders in a strip's belts first .. last - 1; `owner`: as `courses.owners_of` returns it."""
    arcs, vertices, starts = traced(kernels.borders, mesh, network, strip, owner, first, last)
    number = strip.triangle[strip.asked_in(mesh, first, last)]
    ends = [_key(arcs[:, 0], arcs[:, 1], number), _key(arcs[:, 2], arcs[:, 3], number)]
    return Borders(np.stack(ends, axis=1), arcs[:, 4:], vertices, starts)


def _key(one: np.ndarray, two: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Keys of ends: of the global edge (one, two), or of the triangle number[two] where `one` is NONE; int64."""
    met = np.flatnonzero(one == NONE)
    key = edge_key(one, two)
    key[met] = -1 - number[two[met]]
    return key


def rings_of(borders: Borders, count: int, some: tuple[int, ...] | None = None) -> list[list[np.ndarray]]:
    """The closed rings of each of `count` catchments, on its left: float64 (k, 2) degrees, ends not repeated.

    `some`: the first of those that are wanted, and the first one beyond them, unless all are.
    """
    low, high = some or (0, count)
    rings: list[list[np.ndarray]] = [[] for _ in range(low, high)]
    nodes, ends = np.unique(borders.ends, return_inverse=True)
    ends = ends.reshape(borders.ends.shape)
    # A border is walked forwards for the catchment on its left and backwards for the one on its right.
    arc = np.tile(np.arange(len(ends)), 2)
    back = np.repeat([False, True], len(ends))
    side = np.concatenate([borders.sides[:, 0], borders.sides[:, 1]]).astype(np.int64)
    begin, end = np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]])
    real = (side >= low) & (side < high)
    arc, back, side, begin, end = arc[real], back[real], side[real], begin[real], end[real]
    key = side * len(nodes) + begin
    order = np.argsort(key)
    following = order[np.searchsorted(key[order], side * len(nodes) + end)] if len(order) else order
    for members in cycles(following, order):
        spans = [borders.vertices[borders.first[a] : borders.first[a + 1]] for a in arc[members]]
        turned = [span[:0:-1] if back[k] else span[:-1] for span, k in zip(spans, members, strict=True)]
        rings[int(side[members[0]]) - low].append(np.concatenate(turned))
    return rings
