"""Node graph: the samples of an atlas as a graph of unique points, with true distances and areas.

Samples that faces share are one node, and so is a pole. A plane is a raster with a closed rim around it, for which no
tables are kept.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from ..atlas import PLANE, Atlas
from ..drainage import Graph
from . import mesh_kernels
from .kernels import DEGREE, INSIDE, OUTSIDE, RIM
from .parts import Parts

SLOTS = np.arange(DEGREE, dtype=np.int32)


@dataclass(frozen=True)
class NodeGraph:
    """Nodes of an n x n atlas and their neighbours: neighbour k of node p is `p + table[ways[p] + k]`, k < DEGREE.

    `table`: int32, differences of numbers, 0 where there is no neighbour. `ways`: int32 (nodes,), where the row of each node
    begins in it; (1,) for a raster, whose nodes all have the same. So have those inside a face: otherwise neighbours would
    take as much as all else that carving needs of them. `nearness`: float32, 1 / distance, in 1 / radii or 1 / extents; 0
    where there is no neighbour. `begins`: as `ways`, for distances: six faces of a cube share theirs. `area`:
    float32 (nodes,), of the ground around each node, in squared radii or extents; 0 outside. `place`: uint8 (nodes,),
    OUTSIDE for nodes that are no sample, around a plane's raster, RIM for those at its edge, INSIDE for the others. `node`:
    int32 (faces, n, n), the node of each sample; None for a raster, whose nodes are in the order of the samples.
    """

    table: np.ndarray
    ways: np.ndarray
    nearness: np.ndarray
    begins: np.ndarray
    area: np.ndarray
    place: np.ndarray
    node: np.ndarray | None

    @property
    def row(self) -> int:
        """The count of nodes in a row of a raster; 0 for any other graph."""
        return math.isqrt(self.count) if self.node is None else 0

    @property
    def count(self) -> int:
        """The count of nodes, those outside included."""
        return self.area.size

    def graph(self) -> Graph:
        """The same as drainage takes it to fill. It takes 40 bytes a node, but none for a raster."""
        if self.row:
            return Graph.of_raster(self.row)
        return Graph.of_mesh(np.arange(self.count, dtype=np.int32)[:, None] + self.table[self.ways[:, None] + SLOTS])

    def without_distances(self) -> NodeGraph:
        """The same graph for what asks only who is beside whom."""
        return replace(self, nearness=np.zeros(0, np.float32), begins=np.zeros(0, np.int32))

    def places(self, atlas: Atlas) -> np.ndarray:
        """Positions of the nodes, float64 (nodes, 3), rounded alike on every processor; zero outside."""
        n = self.row - 2 if self.node is None else self.node.shape[1]
        xyz = np.rint(atlas.positions(n) * mesh_kernels.ROUND) / mesh_kernels.ROUND
        return np.stack([self.of_samples(xyz[..., axis]) for axis in range(3)], axis=-1)

    def of_samples(self, samples: np.ndarray, outside: float = 0.0) -> np.ndarray:
        """Values of the nodes, (nodes,), from values of the samples (faces, n, n), in their type."""
        values = np.full(self.count, outside, samples.dtype)
        if self.node is None:
            self._inner(values)[...] = samples[0]
        else:
            values[self.node] = samples
        return values

    def to_samples(self, values: np.ndarray) -> np.ndarray:
        """Values of the samples (faces, n, n), from values of the nodes (nodes,): a copy."""
        return self._inner(values)[None].copy() if self.node is None else values[self.node]

    def _inner(self, values: np.ndarray) -> np.ndarray:
        """A view of a raster's values without the nodes outside."""
        return values.reshape(self.row, self.row)[1:-1, 1:-1]


def node_graph(atlas: Atlas, n: int) -> NodeGraph:
    """The graph of an atlas of n x n samples a face, n >= 2; raises ValueError for fewer."""
    if n < 2:
        raise ValueError(f"a face of {n} x {n} samples has no cells: it takes at least 2 x 2")
    return Parts(graph_parts(atlas, n)).result()


def graph_parts(atlas: Atlas, n: int) -> Generator[None, None, NodeGraph]:
    """`node_graph` in parts: a large mesh takes long."""
    if atlas is PLANE:
        return _raster(n)
    return (yield from _mesh(atlas, n))


def _raster(n: int) -> NodeGraph:
    row = n + 2
    side = n - 1.0
    straight, diagonal = np.float32(side), np.float32(side / np.sqrt(2.0))
    nearness = np.array([diagonal, straight, diagonal, straight, straight, diagonal, straight, diagonal], np.float32)
    along = np.zeros(row, np.float32)
    along[1:-1] = 1.0
    along[[1, -2]] = 0.5
    place = np.full((row, row), OUTSIDE, np.uint8)
    place[1:-1, 1:-1] = RIM
    place[2:-2, 2:-2] = INSIDE
    area = np.outer(along, along / np.float32(side * side))
    table, first = Graph.of_raster(row).table, np.zeros(1, np.int32)
    return NodeGraph(table, first, nearness, first, area.ravel(), place.ravel(), None)


def _mesh(atlas: Atlas, n: int) -> Generator[None, None, NodeGraph]:
    count = atlas.faces * n * n
    owner = np.arange(count, dtype=np.int32)
    copies, owners = atlas.seams(n)
    owner[copies] = owners
    own = np.flatnonzero(owner == np.arange(count, dtype=np.int32)).astype(np.int32)
    number = np.empty(count, np.int32)
    number[own] = np.arange(own.size, dtype=np.int32)
    node = number[owner].reshape(atlas.faces, n, n)
    yield
    del owner, copies, owners, number
    table, ways = mesh_kernels.relate(node, own, *_neighbours(node, own.size))
    yield
    xyz = atlas.positions(n)
    yield
    nearness, begins = mesh_kernels.measure(table, ways, xyz.reshape(-1, 3), own, node)
    yield
    area = np.empty(own.size)
    mesh_kernels.share_out(xyz, node, area)
    del xyz, own
    area = area.astype(np.float32)
    return NodeGraph(table, ways, nearness, begins, area, np.full(area.size, INSIDE, np.uint8), node)


def _neighbours(node: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(nodes, int32 (k,), ascending; the nodes around each of them, int32 (k, DEGREE), and the node itself in the spare
    places): those at the rims of faces, or all `count` where there is a pole. Around all others are those beside them.
    """
    steps = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
    n = node.shape[1]
    rim = np.zeros((n, n), bool)
    rim[[0, -1], :] = rim[:, [0, -1]] = True
    j, i = np.nonzero(rim)
    pairs = []
    for down, right in steps:
        within = (j + down >= 0) & (j + down < n) & (i + right >= 0) & (i + right < n)
        here, there = node[:, j[within], i[within]], node[:, j[within] + down, i[within] + right]
        pairs.append((here.astype(np.int64) * count + there).ravel())
    both = np.stack(np.divmod(np.unique(np.concatenate(pairs)), count), axis=1)
    both = _thinned(both[both[:, 0] != both[:, 1]])
    known, begins, own = np.unique(both[:, 0], return_index=True, return_inverse=True)
    around = _alone(known.astype(np.int32))
    around[own, np.arange(len(both)) - begins[own]] = both[:, 1]
    if len(np.unique(node[:, 0])) > 1:
        return known.astype(np.int32), around
    # A whole row is a pole: nodes beside it have it once, or not at all.
    everything = np.arange(count, dtype=np.int32)
    table = _alone(everything)
    mesh_kernels.surround(node, table)
    table[known] = around
    return everything, _without_one_way(_without_twins(table))


def _alone(nodes: np.ndarray) -> np.ndarray:
    """A table of nodes (k,) without neighbours: int32 (k, DEGREE)."""
    return np.repeat(nodes, DEGREE).reshape(len(nodes), DEGREE)


def _thinned(pairs: np.ndarray) -> np.ndarray:
    """The sorted (node, neighbour) pairs with at most DEGREE of each node, spread evenly over those that it has."""
    _, begins, counts = np.unique(pairs[:, 0], return_index=True, return_counts=True)
    kept = np.ones(len(pairs), bool)
    for k in np.flatnonzero(counts > DEGREE):
        wanted = begins[k] + np.arange(DEGREE) * counts[k] // DEGREE
        kept[begins[k] : begins[k] + counts[k]] = False
        kept[wanted] = True
    return pairs[kept]


def _without_twins(table: np.ndarray) -> np.ndarray:
    """`table` with every neighbour that stands in a row for the second time replaced by the node itself."""
    for slot in range(1, DEGREE):
        twin = (table[:, :slot] == table[:, slot : slot + 1]).any(axis=1)
        table[twin, slot] = np.flatnonzero(twin)
    return table


def _without_one_way(table: np.ndarray) -> np.ndarray:
    """`table` with every neighbour that does not know the way back replaced by the node itself."""
    here = np.arange(len(table), dtype=np.int32)[:, None]
    for slot in range(DEGREE):
        there = table[:, slot]
        lost = ~(table[there] == here).any(axis=1)
        table[lost, slot] = here[lost, 0]
    return table
