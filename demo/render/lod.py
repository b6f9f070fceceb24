"""The patch walk: which patches of which faces are drawn, for an eye and a frustum.

Every face is a quadtree of patches. A node is drawn when it is farther than its level's range or has no children; the
ranges double a level, and a vertex morphs into the next coarser grid before its distance reaches the range where that
grid takes over (F. Strugar, "Continuous Distance-Dependent Level of Detail for Rendering Heightmaps", 2010), so nothing
pops and no crack opens. All nodes are tested at once, level by level: worlds of a few hundred cells have some thousands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from demo.worlds.atlas import Atlas

# A range in edges of its nodes: with morphing over its last fifth two levels never meet inside one morph zone, though the
# middle of a cube's face and the equator of the double cone have larger nodes than most.
RANGE = 3.7
# The highest land of a world that is being grown, in that of the grown one: its first steps are drawn much higher than they
# are, so that they are seen.
GROWING = 5.0
CHILDREN = np.arange(4)

INSTANCE = np.dtype([("patch", np.float32, 4), ("anchor", np.float32, 4), ("direction", np.float32, 3)])


@dataclass(frozen=True)
class Level:
    """The nodes of one level: arrays over nodes; a node's children are 4k .. 4k+3 of the next level."""

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


class PatchTree:
    """The quadtrees of a world's faces, and the walk over them."""

    def __init__(self, atlas: Atlas, heights_m: np.ndarray, patch: int, size_m: float) -> None:
        """`heights_m`: float32 (faces, n, n), metres above the sea of the grown world."""
        self.atlas, self.size_m = atlas, size_m
        self.relief_m = max(float(heights_m.max()), 0.0)
        depth = max(0, int(np.ceil(np.log2(max((heights_m.shape[-1] - 1) / patch, 1.0)))))
        bounds = height_bounds(np.maximum(heights_m, 0.0), depth)
        self.levels = [self._level(level, *bounds[level]) for level in range(depth + 1)]

    def _level(self, level: int, low: np.ndarray, high: np.ndarray) -> Level:
        face, u, v = _nodes(self.atlas.faces, level)
        size = 0.5**level
        corners = self._place(face, u, v, size)
        # The middle ones alone, or the others would be kept with them.
        anchor = corners[:, 0].copy()
        direction = anchor / self.size_m if self.atlas.spherical else np.broadcast_to((0.0, 1.0, 0.0), anchor.shape)
        radius = np.linalg.norm(corners - anchor[:, None, :], axis=2).max(axis=1)
        edge = self.size_m * self.atlas.edge
        return Level(face, u, v, size, direction, anchor, radius, RANGE * edge * size, low, high)

    def _place(self, face: np.ndarray, u: np.ndarray, v: np.ndarray, size: float) -> np.ndarray:
        """Rim and middle points of nodes in metres, float64 (nodes, 9, 3)."""
        offsets = np.array([(x, y) for y in (0.0, -0.5, 0.5) for x in (0.0, -0.5, 0.5)]) * size
        at = self.atlas.place(face[:, None], u[:, None] + offsets[:, 0], v[:, None] + offsets[:, 1])
        return at * self.size_m

    def walk(self, eye: np.ndarray, planes: np.ndarray, drop: np.ndarray, grown: bool, horizon: bool = True) -> np.ndarray:
        """INSTANCE array of the visible patches.

        `eye`: float64 (3,), metres. `planes`: float64 (k, 4), inward normals and offsets of a frustum whose apex is the eye.
        `drop`: the way from the eye down to the height above which detail is chosen. `grown`: whether the heights are those
        that the bounds were taken from; before that any height up to GROWING times the highest is allowed for.
        """
        chosen = []
        alive = np.arange(len(self.levels[0].face))
        for index, level in enumerate(self.levels):
            relative = level.anchor[alive] - eye
            if index + 1 < len(self.levels):
                flat = relative - drop
                split = np.sqrt((flat * flat).sum(axis=1)) - level.radius[alive] < level.reach
                drawn = np.flatnonzero(~split)
            else:
                split, drawn = np.zeros(alive.size, bool), np.arange(alive.size)
            if drawn.size:
                drawn = drawn[self._visible(level, alive[drawn], relative[drawn], eye, planes, grown, horizon)]
                chosen.append(self._instances(index, level, alive[drawn], relative[drawn]))
            alive = (alive[split][:, None] * 4 + CHILDREN).ravel()
            if not alive.size:
                break
        return near_first(np.concatenate(chosen)) if chosen else np.zeros(0, INSTANCE)

    def _visible(
        self,
        level: Level,
        k: np.ndarray,
        relative: np.ndarray,
        eye: np.ndarray,
        planes: np.ndarray,
        grown: bool,
        horizon: bool,
    ) -> np.ndarray:
        low, high = (level.low[k], level.high[k]) if grown else (np.zeros(k.size), np.full(k.size, GROWING * self.relief_m))
        centre = relative + level.direction[k] * (0.5 * (low + high))[:, None]
        radius = level.radius[k] + 0.5 * (high - low)
        seen = (centre @ planes[:, :3].T + planes[:, 3] > -radius[:, None]).all(axis=1)
        if self.atlas.spherical and horizon:
            highest = self.relief_m * (1.0 if grown else GROWING)
            seen &= self._above_horizon(level.direction[k], radius, eye, highest)
        return seen

    def _above_horizon(self, direction: np.ndarray, radius: np.ndarray, eye: np.ndarray, highest: float) -> np.ndarray:
        away = np.sqrt(eye @ eye)
        reach = np.arccos(min(self.size_m / away, 1.0)) + np.arccos(self.size_m / (self.size_m + highest))
        angle = np.arccos(np.clip(direction @ (eye / away), -1.0, 1.0))
        return angle < reach + 1.1 * radius / self.size_m

    def _instances(self, index: int, level: Level, k: np.ndarray, relative: np.ndarray) -> np.ndarray:
        out = np.empty(k.size, INSTANCE)
        out["patch"][:, 0] = level.face[k]
        out["patch"][:, 1] = level.u[k]
        out["patch"][:, 2] = level.v[k]
        out["patch"][:, 3] = level.size
        out["anchor"][:, :3] = relative
        # The coarsest level has nothing to morph into.
        out["anchor"][:, 3] = self.levels[index - 1].reach if index else 1e30
        out["direction"] = level.direction[k]
        return out


def _nodes(faces: int, level: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Face and centre of the nodes of a level, in the order in which children follow parents."""
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
    """What is near hides what is far before it is shaded."""
    away = patches["anchor"][:, :3]
    return patches[np.argsort((away * away).sum(axis=1), kind="stable")]


def height_bounds(heights_m: np.ndarray, depth: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """(lowest, highest) height of each node for the levels 0 .. depth, in node order; (faces, n, n) -> float32 (nodes,)."""
    faces, n = heights_m.shape[:2]
    cuts = np.linspace(0, n - 1, 2**depth + 1)
    first, last = np.floor(cuts[:-1]).astype(np.intp), np.ceil(cuts[1:]).astype(np.intp)
    found = []
    for pick in (np.minimum, np.maximum):
        # A part ends before the next one's first sample, which it needs too, and where cells do not divide the one after.
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


def _of_children(pick: np.ufunc, grid: np.ndarray) -> np.ndarray:
    rows = pick(grid[:, ::2], grid[:, 1::2])
    return pick(rows[:, :, ::2], rows[:, :, 1::2])


def patch_mesh(patch: int) -> tuple[np.ndarray, np.ndarray]:
    """(cells float32 (k, 3), strip indices uint16 with restarts): the one patch of `patch` cells (an
    even number, at most 250) along an edge, with a skirt around its rim."""
    line = np.concatenate([[0], np.arange(patch + 1), [patch]]).astype(np.float32)
    skirt = np.zeros(patch + 3, bool)
    skirt[[0, -1]] = True
    x, y = np.meshgrid(line, line)
    cells = np.stack([x, y, (skirt[None, :] | skirt[:, None]).astype(np.float32)], axis=2).reshape(-1, 3)
    side = patch + 3
    rows = []
    for j in range(side - 1):
        i = np.arange(side)
        rows.append(np.stack([i + j * side, i + (j + 1) * side], axis=1).ravel())
        rows.append([0xFFFF])
    return cells, np.concatenate(rows).astype(np.uint16)
