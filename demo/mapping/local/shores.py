"""Shores of the whole planet: the arcs through all triangles joined to closed rings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import shore_kernels as kernels
from .courses import Network
from .fine_mesh import FineMesh, Strip
from .strips import cycles, edge_key, traced


@dataclass(frozen=True)
class Arcs:
    """Parts of shores that run through one triangle each, of any number of strips.

    `ends`: int64 (a, 2), keys of the global edges at which an arc begins and ends. `body`: int32 (a,), the water on its
    right. `land`: int32 (a,), a global point on its left. `vertices`: float64 (v, 2) degrees; those of arc k are first[k]
    .. first[k + 1] - 1, without the vertex at which the next arc begins. `first`: int64 (a + 1,).
    """

    ends: np.ndarray
    body: np.ndarray
    land: np.ndarray
    vertices: np.ndarray
    first: np.ndarray


@dataclass(frozen=True)
class Ring:
    """A closed shore with the land on its left.

    `vertices`: float64 (k, 2) degrees; the last vertex is joined to the first, which is not repeated. `edges`: int64, keys
    of the global edges that the shore crosses. `land`: the lowest global point beside it on its left. `body`: the water on
    its right.
    """

    vertices: np.ndarray
    edges: np.ndarray
    land: int
    body: int


def arcs_of(mesh: FineMesh, network: Network, strip: Strip, owner: np.ndarray, first: int, last: int) -> Arcs:
    """The shores in a strip's belts first .. last - 1; `owner`: as `courses.owners_of` returns it."""
    arcs, vertices, starts = traced(kernels.trace, mesh, network, strip, owner, first, last)
    ends = np.stack([edge_key(arcs[:, 0], arcs[:, 1]), edge_key(arcs[:, 2], arcs[:, 3])], axis=1)
    return Arcs(ends, arcs[:, 4], arcs[:, 0], vertices, starts)


def rings_of(arcs: Arcs) -> list[Ring]:
    """All closed shores, by water and then by land; the order of the arcs makes no difference."""
    if len(arcs.body) == 0:
        return []
    order = np.argsort(arcs.ends[:, 0])
    following = order[np.searchsorted(arcs.ends[order, 0], arcs.ends[:, 1])]
    rings = []
    # A ring begins at its least edge, and so at the same vertex whatever the order of the arcs.
    for members in cycles(following, order):
        spans = [arcs.vertices[arcs.first[k] : arcs.first[k + 1]] for k in members]
        land, body = int(arcs.land[members].min()), int(arcs.body[members[0]])
        rings.append(Ring(np.concatenate(spans), arcs.ends[members, 0], land, body))
    return sorted(rings, key=lambda ring: (ring.body, ring.land, ring.vertices[0, 1], ring.vertices[0, 0]))
