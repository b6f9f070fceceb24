"""The patch tree: the quadtrees of a world's faces, and which of their patches are drawn for an eye and a frustum.

A node is drawn when it is farther than its level's range or has no children. Ranges double from level to level, and a vertex
morphs into the next coarser grid before its distance reaches the range where that grid takes over (F. Strugar, "Continuous
Distance-Dependent Level of Detail for Rendering Heightmaps", 2010), so nothing pops and no crack opens.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..ground.coarse_levels import CoarseLevels
from ..tables.coarse_rules import SAMPLE
from ..worlds.atlas import Atlas
from .patch_walk import LEAF, Room

# The range of a level by the edge of its nodes. Vertices morph over its last fifth, and two levels never meet inside one
# morph zone, even in the middle of a cube's face and at the double cone's equator, where nodes are largest.
RANGE = 3.7
# The highest land while a world grows, by that of the grown one: its first steps are drawn much higher than they are.
GROWING = 5.0
# Nodes worked on together.
CHUNK = 1 << 11

# What is drawn of a node: `patch`: face, middle (u, v) and edge, as shares of the face; `anchor`: its middle in metres from
# the eye, and the range of the next coarser level; `direction`: unit, upwards.
INSTANCE = np.dtype([("patch", np.float32, 4), ("anchor", np.float32, 4), ("direction", np.float32, 3)])


# The lowest and the highest height in each node of a level.
Bounds = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Level:
    """The k nodes of one level; the children of node i are nodes 4i to 4i + 3 of the next level.

    `face` (k,); `u`, `v` (k,): middles, 0..1; `size`: the edge as a share of the face; `direction` (k, 3): unit, upwards;
    `anchor` (k, 3): middles at the sea's level, metres; `radius` (k,): of the undisplaced node, metres; `reach`: the range,
    metres; `low`, `high` (k,): bounds of the heights, metres.
    """

    face: np.ndarray
    u: np.ndarray
    v: np.ndarray
    size: float
    direction: np.ndarray
    anchor: np.ndarray
    radius: np.ndarray
    reach: float
    low: np.ndarray
    high: np.ndarray

    def on_faces(self, faces: int, values: np.ndarray) -> np.ndarray:
        """Values (k,) of the nodes as grids over the faces: (faces, rows, columns)."""
        side = round(1.0 / self.size)
        found = np.zeros((faces, side, side), values.dtype)
        found[self.face, (self.v * side).astype(np.intp), (self.u * side).astype(np.intp)] = values
        return found


@dataclass
class Nodes:
    """Nodes by number and their levels, with the arrays of `select`."""

    place: np.ndarray
    anchor: np.ndarray
    direction: np.ndarray
    radius: np.ndarray
    low: np.ndarray
    high: np.ndarray
    level: np.ndarray
    child: np.ndarray
    size: np.ndarray
    reach: np.ndarray
    coarser: np.ndarray

    def columns(self) -> tuple[np.ndarray, ...]:
        """All of them, in the kernel's order."""
        return (
            self.place, self.anchor, self.direction, self.radius, self.low, self.high,
            self.level, self.child, self.size, self.reach, self.coarser,
        )  # fmt: skip


class PatchTree:
    """The quadtrees of a world's faces, and the walk over them."""

    def __init__(
        self, atlas: Atlas, heights_m: np.ndarray, patch: int, size_m: float, reach: float = 1.0, coarse: str = SAMPLE
    ) -> None:
        """The quadtrees of a grown world.

        `heights_m`: float32 (faces, n, n), metres above the sea; `patch`: cells along the edge of a patch; `size_m`: radius
        of a planet or extent of a terrain; `reach`: a factor on the ranges; from 1 on there are no cracks. `coarse`: the
        rule by which coarser levels have their heights.
        """
        self.atlas, self.size_m = atlas, size_m
        self.relief_m = max(float(heights_m.max()), 0.0)
        self._range = RANGE * reach
        depth = max(0, int(np.ceil(np.log2(max((heights_m.shape[-1] - 1) / patch, 1.0)))))
        self.coarse = CoarseLevels(coarse, patch << depth, atlas.edge * size_m, patch) if coarse != SAMPLE else None
        bounds = self._bounds(heights_m, depth)
        self.levels = [self._level(level, *bounds[level]) for level in range(depth + 1)]
        self.nodes = self._all_nodes()
        self._roots, self._room = np.arange(atlas.faces, dtype=np.int32), Room()
        # Compiles or loads the kernel now, on the worker, and not between two frames.
        self.walk(np.array([0.0, 2.0 * size_m, 0.0]), np.zeros((0, 4)), np.zeros(3), True)

    def over(self, heights_m: np.ndarray) -> PatchTree:
        """The quadtrees of the same world with other heights, float32 (faces, n, n). They share all but the bounds."""
        tree = copy(self)
        tree.relief_m = max(float(heights_m.max()), 0.0)
        bounds = self._bounds(heights_m, len(self.levels) - 1)
        low, high = (np.concatenate([level[k] for level in bounds]).astype(np.float64) for k in (0, 1))
        tree.nodes, tree._room = replace(self.nodes, low=low, high=high), Room()
        first = np.cumsum([0, *(len(level.face) for level in self.levels)])
        rows = [slice(begin, end) for begin, end in pairwise(first.tolist())]
        tree.levels = [replace(level, low=low[k], high=high[k]) for level, k in zip(self.levels, rows, strict=True)]
        return tree

    def _bounds(self, heights_m: np.ndarray, depth: int) -> list[Bounds]:
        bounds = height_bounds(np.maximum(heights_m, 0.0), depth)
        return _with_coarse(bounds, self.coarse.of(heights_m)) if self.coarse else bounds

    def _level(self, level: int, low: np.ndarray, high: np.ndarray) -> Level:
        face, u, v = _nodes(self.atlas.faces, level)
        size = 0.5**level
        anchor, radius = np.empty((len(face), 3)), np.empty(len(face))
        for first in range(0, len(face), CHUNK):
            chunk = slice(first, first + CHUNK)
            corners = self._place(face[chunk], u[chunk], v[chunk], size)
            anchor[chunk] = corners[:, 0]
            radius[chunk] = np.linalg.norm(corners - corners[:, :1], axis=2).max(axis=1)
        direction = anchor / self.size_m if self.atlas.spherical else np.broadcast_to((0.0, 1.0, 0.0), anchor.shape)
        edge = self.size_m * self.atlas.edge
        return Level(face, u, v, size, direction, anchor, radius, self._range * edge * size, low, high)

    def _all_nodes(self) -> Nodes:
        """The nodes of all levels, one level after the other. From here on the levels' own arrays are views of them."""
        counts = [len(level.face) for level in self.levels]
        first = np.cumsum([0, *counts])
        child = np.concatenate(
            [first[k + 1] + 4 * np.arange(n) for k, n in enumerate(counts[:-1])] + [np.full(counts[-1], LEAF)]
        )
        joined = {
            # The kernel is compiled for one type and layout.
            name: np.ascontiguousarray(np.concatenate([getattr(level, name) for level in self.levels]), np.float64)
            for name in ("anchor", "direction", "radius", "low", "high")
        }
        place = np.concatenate([np.column_stack([level.face, level.u, level.v]) for level in self.levels])
        # The coarsest level has nothing to morph into.
        coarser = np.array([1e30, *(level.reach for level in self.levels[:-1])])
        levels = self.levels
        self.levels = [_sliced(level, joined, slice(first[k], first[k + 1])) for k, level in enumerate(levels)]
        return Nodes(
            place=place,
            level=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
            child=child.astype(np.int32),
            size=np.array([level.size for level in levels]),
            reach=np.array([level.reach for level in levels]),
            coarser=coarser,
            **joined,
        )

    def _place(self, face: np.ndarray, u: np.ndarray, v: np.ndarray, size: float) -> np.ndarray:
        """Rim and middle points of nodes in metres, float64 (nodes, 9, 3)."""
        offsets = np.array([(x, y) for y in (0.0, -0.5, 0.5) for x in (0.0, -0.5, 0.5)]) * size
        at = self.atlas.place(face[:, None], u[:, None] + offsets[:, 0], v[:, None] + offsets[:, 1])
        return at * self.size_m

    def walk(self, eye: np.ndarray, planes: np.ndarray, drop: np.ndarray, grown: bool, horizon: bool = True) -> np.ndarray:
        """The visible patches, nearest first, as an INSTANCE array.

        `eye`: float64 (3,), metres. `planes`: float64 (k, 4), inward normals and offsets of a frustum whose apex is the eye.
        `drop`: float64 (3,), metres from the eye down to the point that ranges are measured from. `grown`: whether the
        heights are those of the bounds; without it heights may be up to GROWING times the highest. `horizon`: whether the
        planet hides what is behind it.
        """
        nodes, growing_m = self.nodes, 0.0 if grown else max(GROWING * self.relief_m, 1e-3)
        horizon_m = self.size_m if self.atlas.spherical and horizon else 0.0
        chosen, _ = self._room.run(self._roots, nodes.columns(), eye, planes, drop, growing_m, horizon_m, False)
        return near_first(chosen)


def _sliced(level: Level, columns: dict[str, np.ndarray], rows: slice) -> Level:
    """The level with views of columns instead of its own arrays."""
    anchor, direction, radius, low, high = (columns[name][rows] for name in ("anchor", "direction", "radius", "low", "high"))
    return replace(level, anchor=anchor, direction=direction, radius=radius, low=low, high=high)


def _nodes(faces: int, level: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Face and middle (u, v) of the nodes of a level, in the order in which children follow parents."""
    face = np.arange(faces)
    u = np.full(faces, 0.5)
    v = np.full(faces, 0.5)
    for depth in range(level):
        quarter = 0.5 ** (depth + 2)
        face = np.repeat(face, 4)
        u = (u[:, None] + np.array([-1, 1, -1, 1]) * quarter).ravel()
        v = (v[:, None] + np.array([-1, -1, 1, 1]) * quarter).ravel()
    return face, u, v


def near_first(patches: np.ndarray) -> np.ndarray:
    """Patches, INSTANCE (k,) or its floats (k, 11), nearest first: what they hide is then not shaded."""
    rows = patches if patches.dtype == np.float32 else patches.view(np.float32).reshape(-1, 11)
    away = rows[:, 4:7]
    return rows[np.argsort((away * away).sum(axis=1), kind="stable")].view(INSTANCE).reshape(-1)


def height_bounds(heights_m: np.ndarray, depth: int) -> list[Bounds]:
    """(lowest, highest) of `heights_m` (faces, n, n) in each node, float32 (nodes,) each, for the levels 0 to `depth`."""
    faces, n = heights_m.shape[:2]
    cuts = np.linspace(0, n - 1, 2**depth + 1)
    first, last = np.floor(cuts[:-1]).astype(np.intp), np.ceil(cuts[1:]).astype(np.intp)
    found = []
    for pick in (np.minimum, np.maximum):
        # `reduceat` ends before the next part's first sample, or the one after it, which this part needs too.
        rows = pick(pick.reduceat(heights_m, first, axis=1), pick(heights_m[:, last - 1], heights_m[:, last]))
        found.append(pick(pick.reduceat(rows, first, axis=2), pick(rows[:, :, last - 1], rows[:, :, last])))
    levels = []
    for level in range(depth, -1, -1):
        if level < depth:
            found = [_of_children(pick, grid) for pick, grid in zip((np.minimum, np.maximum), found, strict=True)]
        face, u, v = _nodes(faces, level)
        i, j = (u * 2**level).astype(np.intp), (v * 2**level).astype(np.intp)
        levels.append((found[0][face, j, i], found[1][face, j, i]))
    return levels[::-1]


def _with_coarse(bounds: list[Bounds], coarse: list[np.ndarray]) -> list[Bounds]:
    """Bounds of nodes, widened to the heights that groups have on their level and on the two coarser ones.

    Vertices morph towards the next level, and with half the cells, nodes are drawn one level coarser than they are.
    """
    found, depth = [], len(bounds) - 1
    for level, (low, high) in enumerate(bounds):
        finest = depth - level
        for heights in coarse[max(finest - 1, 0) : finest + 2]:
            if heights.shape[-1] > 2**level:
                lower, higher = height_bounds(heights, level)[level]
                low, high = np.minimum(low, lower), np.maximum(high, higher)
        found.append((low, high))
    return found


def _of_children(pick: np.ufunc, grid: np.ndarray) -> np.ndarray:
    rows = pick(grid[:, ::2], grid[:, 1::2])
    return pick(rows[:, :, ::2], rows[:, :, 1::2])
