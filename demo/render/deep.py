"""The patches below the samples: each face's quadtree goes on where its samples end, as deep as there is detail.

Its nodes are too many to be made beforehand: children are made when first a patch is split, with bounds of the heights that
the detail gives them, and kept. The walk is that of `lod`, from the finest patches of the samples on.
"""

from __future__ import annotations

import numpy as np

from demo.render.lod import CHILDREN, INSTANCE, PatchTree
from demo.worlds.detail import Detail

# Nodes kept before all are forgotten and made anew.
MOST_NODES = 60_000
# Ranges by those of the samples' levels: patches with tiles morph later (surface.vert), so that fewer of them do.
NEARER = 0.75
# Rims bulge between the points that a node's radius is taken from.
ROUND = 1.03
# Rim and middle points at which the heights of a node are asked for; between them they may be higher by a share of the range
# and of the size.
SPOTS = np.array([(x, y) for y in (0.0, -0.5, 0.5) for x in (0.0, -0.5, 0.5)])
BEYOND_RANGE, BEYOND_SIZE = 0.35, 0.16
# Octaves that are asked for: those down to a quarter of the node's edge. What shorter ones add is within `BEYOND_SIZE`.
FINER = 3
_SIDES = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)]) * 0.25


class _Nodes:
    """The nodes of one level that have been made: arrays that grow; `children`: index of the first of four, or -1."""

    def __init__(self, size: float, reach: float) -> None:
        self.size, self.reach = size, reach
        self.count = 0
        self.place = np.zeros((0, 3))
        self.anchor, self.direction = np.zeros((0, 3)), np.zeros((0, 3))
        self.radius, self.low, self.high = np.zeros(0), np.zeros(0), np.zeros(0)
        self.children = np.zeros(0, np.intp)

    def append(self, **columns: np.ndarray) -> int:
        """Add nodes; the index of the first."""
        first = self.count
        self.count += len(columns["radius"])
        for name, values in columns.items():
            setattr(self, name, np.concatenate([getattr(self, name), values]))
        self.children = np.concatenate([self.children, np.full(self.count - first, -1, np.intp)])
        return first


class DeepTree:
    """What continues a PatchTree where `detail` continues its samples, down to `last`, the level of the finest patches."""

    def __init__(self, tree: PatchTree, detail: Detail, last: int) -> None:
        self._tree, self._detail = tree, detail
        self._leaf = len(tree.levels) - 1
        self._last = last
        self._forget()

    def _forget(self) -> None:
        leaves = self._tree.levels[-1]
        self._roots = np.full(len(leaves.face), -1, np.intp)
        deeper = range(1, self._last - self._leaf + 1)
        self._levels = [_Nodes(leaves.size * 0.5**k, leaves.reach * NEARER * 0.5**k) for k in deeper]

    def refine(self, patches: np.ndarray, eye: np.ndarray, planes: np.ndarray, drop: np.ndarray) -> np.ndarray:
        """`patches`, an INSTANCE array from the tree's walk with the same arguments, with those too near to be drawn as
        they are replaced by finer ones."""
        leaves = self._tree.levels[-1]
        if not self._levels:
            return patches
        k, leaf = self._leaves_of(patches)
        flat = patches["anchor"][leaf, :3] - drop
        near = np.sqrt((flat * flat).sum(axis=1)) - ROUND * leaves.radius[k] < leaves.reach
        if not near.any():
            return patches
        if sum(level.count for level in self._levels) > MOST_NODES:
            self._forget()
        kept = np.ones(len(patches), bool)
        kept[leaf[near]] = False
        return np.concatenate([patches[kept], *self._walk(k[near], eye, planes, drop)])

    def _leaves_of(self, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(index in the tree's last level, index in `patches`) of those patches that are of the tree's last level."""
        size = self._tree.levels[-1].size
        leaf = np.flatnonzero(patches["patch"][:, 3] == size)
        at = patches["patch"][leaf]
        i, j = (at[:, 1] / size).astype(np.int64), (at[:, 2] / size).astype(np.int64)
        k = at[:, 0].astype(np.int64)
        for bit in range(self._leaf - 1, -1, -1):
            k = k * 4 + ((i >> bit) & 1) + 2 * ((j >> bit) & 1)
        return k, leaf

    def _walk(self, leaves: np.ndarray, eye: np.ndarray, planes: np.ndarray, drop: np.ndarray) -> list[np.ndarray]:
        top = self._tree.levels[-1]
        missing = leaves[self._roots[leaves] < 0]
        if missing.size:
            place = np.stack([top.face[missing], top.u[missing], top.v[missing]], axis=1)
            self._roots[missing] = self._made(0, place, top.size)
        alive = (self._roots[leaves][:, None] + CHILDREN).ravel()
        chosen = []
        for index, level in enumerate(self._levels):
            relative = level.anchor[alive] - eye
            seen = self._visible(level, alive, relative, eye, planes)
            alive, relative = alive[seen], relative[seen]
            if index + 1 < len(self._levels):
                flat = relative - drop
                split = np.sqrt((flat * flat).sum(axis=1)) - level.radius[alive] < level.reach
            else:
                split = np.zeros(alive.size, bool)
            coarser = self._levels[index - 1].reach if index else top.reach
            chosen.append(self._instances(level, alive[~split], relative[~split], coarser))
            alive = alive[split]
            if not alive.size:
                break
            missing = alive[level.children[alive] < 0]
            if missing.size:
                level.children[missing] = self._made(index + 1, level.place[missing], level.size)
            alive = (level.children[alive][:, None] + CHILDREN).ravel()
        return chosen

    def _made(self, index: int, parents: np.ndarray, size: float) -> np.ndarray:
        """Make the four children of each parent (k, 3: face, u, v) in level `index`; the index of the first of each."""
        tree, level = self._tree, self._levels[index]
        face = np.repeat(parents[:, 0].astype(np.intp), 4)
        middle = (parents[:, None, 1:] + _SIDES * size).reshape(-1, 2)
        u, v = (middle[:, None, axis] + SPOTS[:, axis] * level.size for axis in (0, 1))
        at = tree.atlas.place(face[:, None], u, v) * tree.size_m
        anchor = at[:, 0]
        octaves = int(np.ceil(np.log2(self._detail.wavelength_m / (tree.atlas.edge * tree.size_m * level.size)))) + FINER
        octaves = min(max(octaves, 0), self._detail.octaves)
        height = self._detail.height(face[:, None], np.clip(u, 0.0, 1.0), np.clip(v, 0.0, 1.0), octaves)
        height = np.maximum(height, 0.0)
        radius = ROUND * np.sqrt(((at - anchor[:, None]) ** 2).sum(axis=2)).max(axis=1)
        low, high = height.min(axis=1), height.max(axis=1)
        more = BEYOND_RANGE * (high - low) + BEYOND_SIZE * radius
        up = anchor / tree.size_m if tree.atlas.spherical else np.broadcast_to([0.0, 1.0, 0.0], anchor.shape)
        first = level.append(
            place=np.column_stack([face, middle]),
            anchor=anchor,
            direction=up,
            radius=radius,
            low=np.maximum(low - more, 0.0),
            high=high + more,
        )
        return first + 4 * np.arange(len(parents))

    def _visible(
        self, level: _Nodes, k: np.ndarray, relative: np.ndarray, eye: np.ndarray, planes: np.ndarray
    ) -> np.ndarray:
        low, high = level.low[k], level.high[k]
        centre = relative + level.direction[k] * (0.5 * (low + high))[:, None]
        radius = level.radius[k] + 0.5 * (high - low)
        seen = (centre @ planes[:, :3].T + planes[:, 3] > -radius[:, None]).all(axis=1)
        if self._tree.atlas.spherical:
            size = self._tree.size_m
            away = np.sqrt(eye @ eye)
            reach = np.arccos(min(size / away, 1.0)) + np.arccos(size / (size + high))
            angle = np.arccos(np.clip(level.direction[k] @ (eye / away), -1.0, 1.0))
            seen &= angle < reach + 1.1 * level.radius[k] / size
        return seen

    def _instances(self, level: _Nodes, k: np.ndarray, relative: np.ndarray, coarser: float) -> np.ndarray:
        out = np.empty(k.size, INSTANCE)
        out["patch"][:, :3] = level.place[k]
        out["patch"][:, 3] = level.size
        out["anchor"][:, :3] = relative
        out["anchor"][:, 3] = coarser
        out["direction"] = level.direction[k]
        return out
