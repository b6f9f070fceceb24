"""The deep tree: patches smaller than the samples, which continue each face's quadtree as deep as there is detail.

There are too many nodes to make beforehand. Children are made when a patch is first split, with bounds of the heights that
the detail gives them, and kept. The walk is that of `patch_walk`, from the finest patches of the samples down.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..ground.detail import Detail
from .patch_tree import INSTANCE, Nodes, PatchTree
from .patch_walk import LEAF, NONE_YET, Room

# The most nodes that are kept; beyond it all are forgotten and made anew.
MOST_NODES = 60_000
# Children are made for nodes within this many times the range in which they are split: they will be needed soon.
SOON = 1.3
# Ranges by those of the samples' levels: patches with tiles morph later (surface.vert), so fewer of them do.
NEARER = 0.75
# A factor on radii: rims bulge between the points that a node's radius is taken from.
ROUND = 1.03
# The points of a node, in its edges, whose heights are asked for. Between them heights may exceed theirs by these shares of
# their range and of the node's radius.
SPOTS = np.array([(x, y) for y in (0.0, -0.5, 0.5) for x in (0.0, -0.5, 0.5)])
BEYOND_RANGE, BEYOND_SIZE = 0.35, 0.16
# Octaves are asked for down to a quarter of the node's edge, FINER below it. Shorter ones add less than BEYOND_SIZE.
FINER = 3
_SIDES = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)]) * 0.25


class DeepTree:
    """The continuation of a PatchTree where `detail` continues its samples, down to level `last`."""

    def __init__(self, tree: PatchTree, detail: Detail, last: int) -> None:
        self._tree, self._detail = tree, detail
        leaves = tree.levels[-1]
        self._depth = last - (len(tree.levels) - 1)
        self._number = leaves.on_faces(tree.atlas.faces, np.arange(len(leaves.face)))
        self._room = Room()
        self._forget()

    def _forget(self) -> None:
        leaves = self._tree.levels[-1]
        # First child of each leaf.
        self._children_of = np.full(len(leaves.face), NONE_YET, np.int32)
        self._count = 0
        reach = leaves.reach * NEARER * 0.5 ** np.arange(1, self._depth + 1)
        self._nodes = Nodes(
            place=np.zeros((0, 3)),
            anchor=np.zeros((0, 3)),
            direction=np.zeros((0, 3)),
            radius=np.zeros(0),
            low=np.zeros(0),
            high=np.zeros(0),
            level=np.zeros(0, np.int32),
            child=np.zeros(0, np.int32),
            size=leaves.size * 0.5 ** np.arange(1, self._depth + 1),
            reach=reach,
            coarser=np.concatenate([[leaves.reach], reach[:-1]]),
        )

    def refine(
        self, patches: np.ndarray, eye: np.ndarray, planes: np.ndarray, drop: np.ndarray, horizon: bool = True
    ) -> np.ndarray:
        """`patches` with finer ones in place of those that are too near.

        An INSTANCE array, as is the result; `patches` must come from the tree's walk with the same arguments.
        """
        leaves = self._tree.levels[-1]
        if self._depth < 1:
            return patches
        k, leaf = self._leaves_of(patches)
        flat = patches["anchor"][leaf, :3] - drop
        near = np.sqrt((flat * flat).sum(axis=1)) - ROUND * leaves.radius[k] < leaves.reach
        if not near.any():
            return patches
        if self._count > MOST_NODES:
            self._forget()
        kept = np.ones(len(patches), bool)
        kept[leaf[near]] = False
        finer = self._walk(k[near], eye, planes, drop, self._tree.size_m if self._tree.atlas.spherical and horizon else 0.0)
        # As rows of floats: numpy would first compare records field by field.
        rows = patches.view(np.float32).reshape(len(patches), -1)
        return np.concatenate([rows[kept], finer]).view(INSTANCE).reshape(-1)

    def lowest(self, patches: np.ndarray) -> np.ndarray:
        """Metres below which the ground of each patch nowhere is: float64 (k,); -inf for those that are not of this tree.

        `patches`: float32 (k, 4), face, u and v of the middle, edge.
        """
        found, place = np.full(len(patches), -np.inf), self._nodes.place[: self._count]
        for number, patch in enumerate(patches.astype(np.float64)):
            # A place is the middle of one patch alone.
            node = np.flatnonzero((place[:, 1] == patch[1]) & (place[:, 2] == patch[2]) & (place[:, 0] == patch[0]))
            if node.size:
                found[number] = self._nodes.low[node[0]]
        return found

    def _leaves_of(self, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(number in the tree's last level, number in `patches`) of the patches of that level."""
        size = self._tree.levels[-1].size
        leaf = np.flatnonzero(patches["patch"][:, 3] == size)
        at = patches["patch"][leaf]
        i, j = (at[:, 1] / size).astype(np.intp), (at[:, 2] / size).astype(np.intp)
        return self._number[at[:, 0].astype(np.intp), j, i], leaf

    def _walk(
        self, leaves: np.ndarray, eye: np.ndarray, planes: np.ndarray, drop: np.ndarray, horizon_m: float
    ) -> np.ndarray:
        top, nodes = self._tree.levels[-1], self._nodes
        missing = leaves[self._children_of[leaves] == NONE_YET]
        if missing.size:
            place = np.column_stack([top.face[missing], top.u[missing], top.v[missing]])
            self._children_of[missing] = self._made(0, place, top.size)
        start = (self._children_of[leaves][:, None] + np.arange(4, dtype=np.int32)).ravel()
        seen = eye, planes, drop, 0.0, horizon_m, True
        while True:
            chosen, missing = self._room.run(start, nodes.columns(), *seen)
            if not missing.size:
                return chosen
            levels = np.unique(nodes.level[missing])
            # Making many nodes costs hardly more than making few: those that will be needed soon are made too.
            _, missing = self._room.run(start, replace(nodes, reach=nodes.reach * SOON).columns(), *seen)
            for level in levels:
                parents = missing[nodes.level[missing] == level]
                made = self._made(int(level) + 1, nodes.place[parents], nodes.size[level])
                nodes.child[parents] = made

    def _made(self, index: int, parents: np.ndarray, size: float) -> np.ndarray:
        """Make the four children, in level `index`, of parents (k, 3: face, u, v) of edge `size`; each first child."""
        tree, edge = self._tree, 0.5 * size
        face = np.repeat(parents[:, 0].astype(np.intp), 4)
        middle = (parents[:, None, 1:] + _SIDES * size).reshape(-1, 2)
        u, v = (middle[:, None, axis] + SPOTS[:, axis] * edge for axis in (0, 1))
        at = tree.atlas.place(face[:, None], u, v) * tree.size_m
        anchor = at[:, 0]
        octaves = int(np.ceil(np.log2(self._detail.wavelength_m / (tree.atlas.edge * tree.size_m * edge)))) + FINER
        octaves = min(max(octaves, 0), self._detail.octaves)
        height = self._detail.height(face[:, None], np.clip(u, 0.0, 1.0), np.clip(v, 0.0, 1.0), octaves)
        height = np.maximum(height, 0.0)
        radius = ROUND * np.sqrt(((at - anchor[:, None]) ** 2).sum(axis=2)).max(axis=1)
        low, high = height.min(axis=1), height.max(axis=1)
        more = BEYOND_RANGE * (high - low) + BEYOND_SIZE * radius
        up = anchor / tree.size_m if tree.atlas.spherical else np.broadcast_to([0.0, 1.0, 0.0], anchor.shape)
        return self._append(
            place=np.column_stack([face, middle]),
            anchor=anchor,
            direction=up,
            radius=radius,
            low=np.maximum(low - more, 0.0),
            high=high + more,
            level=np.full(len(face), index, np.int32),
            child=np.full(len(face), LEAF if index == self._depth - 1 else NONE_YET, np.int32),
        )

    def _append(self, **columns: np.ndarray) -> np.ndarray:
        """Add nodes in fours; the number of the first of each four."""
        first, self._count = self._count, self._count + len(columns["radius"])
        if self._count > len(self._nodes.radius):
            for name in columns:
                old = getattr(self._nodes, name)
                new = np.zeros((2 * self._count, *old.shape[1:]), old.dtype)
                new[: len(old)] = old
                setattr(self._nodes, name, new)
        for name, values in columns.items():
            getattr(self._nodes, name)[first : self._count] = values
        return np.arange(first, self._count, 4, dtype=np.int32)
