"""The patch walk: the kernel that walks a tree of patches and writes what is drawn."""

from __future__ import annotations

import math

import numpy as np

from .frame_kernels import compiled

# In place of a node's first child: it has no children, or none yet.
LEAF, NONE_YET = -1, -2


def select(
    start, place, anchor, direction, radius, low, high, level, child, size, reach, coarser,
    eye, planes, drop, growing_m, horizon_m, early, queue, lacking, out,
):  # fmt: skip
    """Walk from the nodes `start` (k,) down and write what is drawn into `out`.

    By node: `place` (n, 3), face, u and v; `anchor` (n, 3), metres; `direction` (n, 3), unit, upwards; `radius`, `low`,
    `high` (n,), metres; `level` (n,); `child` (n,), the first of four, LEAF or NONE_YET. By level: `size`, the edge as a
    share of the face; `reach` and `coarser`, the ranges of the level and of the next coarser one, metres.
    `growing_m`: the height that nodes may have instead of `high`, or 0. `horizon_m`: the radius of the sphere that hides
    what is behind it, or 0. `early`: whether nodes out of sight are left out before their children are looked for.

    `queue`, `lacking` int32 (m,) and `out` float32 (m, 11), as INSTANCE, are room to write to. Returns the count of nodes in
    `out`, and of nodes in `lacking`, whose children are needed but not made. If there is too
    little room the first count is above m.

    Positional arguments: it is called every frame, and numba unboxes each field of a tuple at each call.
    """
    room = len(queue)
    away = math.sqrt(eye[0] * eye[0] + eye[1] * eye[1] + eye[2] * eye[2])
    dip = math.acos(min(horizon_m / away, 1.0)) if horizon_m > 0.0 else 0.0
    begin, end, count, missing = 0, len(start), 0, 0
    if end > room:
        return room + 1, 0
    for k in range(end):
        queue[k] = start[k]
    while begin < end:
        node = queue[begin]
        begin += 1
        x, y, z = anchor[node, 0] - eye[0], anchor[node, 1] - eye[1], anchor[node, 2] - eye[2]
        fx, fy, fz = x - drop[0], y - drop[1], z - drop[2]
        near = math.sqrt(fx * fx + fy * fy + fz * fz) - radius[node] < reach[level[node]] and child[node] != LEAF
        if early or not near:
            bottom, top = (0.0, growing_m) if growing_m > 0.0 else (low[node], high[node])
            middle, around = 0.5 * (bottom + top), radius[node] + 0.5 * (top - bottom)
            dx, dy, dz = direction[node, 0], direction[node, 1], direction[node, 2]
            cx, cy, cz = x + dx * middle, y + dy * middle, z + dz * middle
            seen = True
            for k in range(len(planes)):
                if planes[k, 0] * cx + planes[k, 1] * cy + planes[k, 2] * cz + planes[k, 3] <= -around:
                    seen = False
            if seen and horizon_m > 0.0:
                angle = math.acos(min(max((dx * eye[0] + dy * eye[1] + dz * eye[2]) / away, -1.0), 1.0))
                beyond = math.acos(horizon_m / (horizon_m + max(top, 0.0)))
                seen = angle < dip + beyond + 1.1 * around / horizon_m
            if not seen:
                continue
        if near and child[node] == NONE_YET:
            lacking[missing] = node
            missing += 1
        elif near:
            if end + 4 > room:
                return room + 1, 0
            for k in range(4):
                queue[end + k] = child[node] + k
            end += 4
        else:
            row = out[count]
            row[0], row[1], row[2], row[3] = place[node, 0], place[node, 1], place[node, 2], size[level[node]]
            row[4], row[5], row[6], row[7] = x, y, z, coarser[level[node]]
            row[8], row[9], row[10] = direction[node, 0], direction[node, 1], direction[node, 2]
            count += 1
    return count, missing


class Room:
    """The room that a walk writes to; it grows when there is too little."""

    def __init__(self) -> None:
        self._make(2048)

    def _make(self, nodes: int) -> None:
        self.queue, self.lacking = np.empty(nodes, np.int32), np.empty(nodes, np.int32)
        self.out = np.empty((nodes, 11), np.float32)

    def run(
        self, start: np.ndarray, columns: tuple, eye: np.ndarray, planes: np.ndarray, drop: np.ndarray,
        growing_m: float, horizon_m: float, early: bool,
    ) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """`select` with room enough: (the nodes to draw, float32 (k, 11), and those that lack children, int32 (m,)).

        Both are valid until the next run.
        """
        # Of one type and layout, or numba would compile it anew.
        eye, planes, drop = (np.ascontiguousarray(array, np.float64) for array in (eye, planes, drop))
        while True:
            room = self.queue, self.lacking, self.out
            count, missing = compiled(select)(start, *columns, eye, planes, drop, growing_m, horizon_m, early, *room)
            if count <= len(self.queue):
                return self.out[:count], self.lacking[:missing]
            self._make(2 * len(self.queue))
