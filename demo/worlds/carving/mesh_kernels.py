"""Kernels of a mesh's measures: distances of neighbours, areas of the ground around nodes."""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import INLINED, OPTIONS
from .kernels import DEGREE

# Lengths are rounded to 2^-40: sines differ in their last bits between processors, and heights must not.
ROUND = 2.0**40
# Rows of neighbours among which that of the next node is looked for.
RECENT = 8


@numba.njit(**INLINED)
def _around(node, face, j, i, row):
    """Fill `row`, int32 (DEGREE,), with the nodes around a node inside a face, row by row."""
    slot = 0
    for down in range(-1, 2):
        for right in range(-1, 2):
            if down != 0 or right != 0:
                row[slot] = node[face, j + down, i + right]
                slot += 1


@numba.njit(**OPTIONS)
def surround(node, table):
    """Fill `table`, int32 (nodes, DEGREE), of nodes inside faces, with the nodes around them."""
    last = node.shape[1] - 1
    for face in range(node.shape[0]):
        for j in range(1, last):
            for i in range(1, last):
                _around(node, face, j, i, table[node[face, j, i]])


@numba.njit(**OPTIONS)
def relate(node, own, known, neighbours):
    """(table, ways): int32 rows of what to add to a node's number for each of its neighbours, one row after another; int32
    (nodes,), where the row of each node begins. Most nodes inside a face have the same row.

    `node`: as `NodeGraph` has it; `own`: int32 (nodes,), the sample of each node. `known`: int32 (k,), ascending, the nodes
    whose `neighbours` are given, int32 (k, DEGREE); all others are inside a face.
    """
    faces, n = node.shape[:2]
    ways, found, row = np.empty(own.size, np.int32), np.empty(8 * faces * n * DEGREE, np.int32), np.empty(DEGREE, np.int32)
    end, following = 0, 0
    # Where the rows begin that were used last, the latest first.
    recent, count = np.zeros(RECENT, np.int64), 0
    for p in range(own.size):
        if following < known.size and known[following] == p:
            row[:] = neighbours[following]
            following += 1
        else:
            _around(node, own[p] // (n * n), own[p] // n % n, own[p] % n, row)
        row -= p
        at = 0
        while at < count:
            same = True
            for k in range(DEGREE):
                same &= found[recent[at] + k] == row[k]
            if same:
                break
            at += 1
        begin = recent[at] if at < count else end
        if begin == end:
            if end == found.size:
                found = np.concatenate((found, found))
            found[end : end + DEGREE] = row
            end += DEGREE
            count = min(count + 1, RECENT)
            at = count - 1
        for later in range(at, 0, -1):
            recent[later] = recent[later - 1]
        recent[0] = begin
        ways[p] = begin
    return found[:end].copy(), ways


@numba.njit(**OPTIONS)
def measure(table, ways, place, own, node):
    """(nearness, begins): float32, rows of 1 / distance to each of DEGREE neighbours, 0 for the node itself, one row after
    another; int32 (nodes,), where the row of each node begins. A node has that of the same place on the first face if
    they are the same, as they are on a cube.

    `place`: float64 (samples, 3); `own`: int32 (nodes,), the sample of each node; `node`: as `NodeGraph` has it.
    """
    faces, n = node.shape[:2]
    of_sample, begins = node.reshape(-1), np.empty(own.size, np.int32)
    found, row, end = np.empty((n * n + 4 * faces * n) * DEGREE, np.float32), np.empty(DEGREE, np.float32), 0
    for p in range(own.size):
        here = place[own[p]]
        for k in range(DEGREE):
            there = place[own[p + table[ways[p] + k]]]
            x, y, z = there[0] - here[0], there[1] - here[1], there[2] - here[2]
            length = np.rint(np.sqrt((x * x + y * y) + z * z) * ROUND) / ROUND
            row[k] = 1.0 / length if length > 0.0 else 0.0
        like, same = of_sample[own[p] % (n * n)], False
        if like < p:
            same = True
            for k in range(DEGREE):
                same &= found[begins[like] + k] == row[k]
        begins[p] = begins[like] if same else end
        if not same:
            if end == found.size:
                found = np.concatenate((found, found))
            found[end : end + DEGREE] = row
            end += DEGREE
    return found[:end].copy(), begins


@numba.njit(**OPTIONS)
def share_out(xyz, node, area):
    """Fill `area`, float64 (nodes,): a quarter of each cell goes to each of its corners; scaled to the sphere, 4 pi."""
    # Chords cut off a little of the sphere, and all of it where a LATLONG atlas has two poles and nothing else.
    area[:] = 2.0**-50
    for face in range(node.shape[0]):
        for j in range(node.shape[1] - 1):
            for i in range(node.shape[2] - 1):
                a, b, c, d = xyz[face, j, i], xyz[face, j, i + 1], xyz[face, j + 1, i + 1], xyz[face, j + 1, i]
                px, py, pz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
                qx, qy, qz = d[0] - b[0], d[1] - b[1], d[2] - b[2]
                x, y, z = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx
                quarter = np.rint(0.125 * np.sqrt((x * x + y * y) + z * z) * ROUND) / ROUND
                area[node[face, j, i]] += quarter
                area[node[face, j, i + 1]] += quarter
                area[node[face, j + 1, i + 1]] += quarter
                area[node[face, j + 1, i]] += quarter
    total = 0.0
    for p in range(area.size):
        total += area[p]
    scale = 4.0 * np.pi / total
    for p in range(area.size):
        area[p] *= scale
