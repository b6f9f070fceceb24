"""Depressions of one landmass and how they merge: a tree whose leaves are the basins of its pits.

Every point drains by steepest descent to a pit or to the sea. Each edge between two basins has a higher end; the lowest of
these ends is the pass at which the basins meet. Passes are taken from the lowest up. Two nodes of the tree that meet at a
pass merge into a new node. A node that meets the sea is a top. Barnes (2020) calls this a depression hierarchy. Equal
heights are ordered by mesh number, so no two points are at the same level.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from ...worlds.drainage_kernels import descend
from ...worlds.kernels import OPTIONS
from ...worlds.shapes import check_shape
from .landmasses import Shore

SEA, NONE = 0, -1


@dataclass(frozen=True)
class Basins:
    """The tree of depressions of a landmass. All arrays are int32; places are those of its `Shore`, m in all.

    By place (m,): `receiver`, by steepest descent; `basin`, the leaf of each place, SEA in the sea; `rank`, the land counted
    by height, NONE in the sea.

    By node, where entry 0 is the sea, 1 .. leaves are the leaves by the height of their pits, and later nodes are ordered
    by the height of the pass that made them: `parent`, SEA for a top; `child`, (nodes, 2); `bottom`, the lowest place;
    `spill`, the higher end of the pass, whose height is the node's spill level; `inner` and `outer`, the two ends of the
    pass as seen from inside. A value is NONE where a node has none: on a planet without a sea the last node has no pass.

    `tops`: the tops in the order in which they met the sea. `place`: the land by leaf and height; the places of a node are
    place[first] .. place[last - 1].
    """

    receiver: np.ndarray
    basin: np.ndarray
    leaves: int
    parent: np.ndarray
    child: np.ndarray
    bottom: np.ndarray
    spill: np.ndarray
    inner: np.ndarray
    outer: np.ndarray
    tops: np.ndarray
    rank: np.ndarray
    place: np.ndarray
    first: np.ndarray
    last: np.ndarray


def basins_of(shore: Shore, level: np.ndarray) -> Basins:
    """The tree for heights `level`, float32 (m,), with the points of the sea at the sea level.

    Raises ValueError for another number of heights.
    """
    check_shape("level", level, len(shore.point))
    land = shore.land
    receiver = np.empty(len(level), np.int32)
    descend(level, shore.neighbour, shore.length_m, land, receiver)
    rising = np.lexsort((np.arange(land), level[:land])).astype(np.int32)
    rank = np.full(len(level), NONE, np.int32)
    rank[rising] = np.arange(land, dtype=np.int32)
    basin, leaves = label(rising, receiver)
    p, q = _edges_between(shore, basin)
    high, low = np.where(rank[p] > rank[q], p, q), np.where(rank[p] > rank[q], q, p)
    order = np.lexsort((low, rank[low], rank[high]))
    merged = merge(high[order], low[order], basin, leaves, receiver, rank)
    parent, child, bottom, spill, inner, outer, tops = merged
    leaf_at = arrange(parent, child, leaves, tops)
    points = np.bincount(leaf_at[basin[:land]], minlength=leaves + 1)
    place = np.lexsort((rank[:land], leaf_at[basin[:land]])).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(points)])
    first, last = spans(child, leaves, leaf_at, starts)
    return Basins(receiver, basin, leaves, parent, child, bottom, spill, inner, outer, tops, rank, place, first, last)


def _edges_between(shore: Shore, basin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges from land to another basin, each of them once: places (p, q) with p < q."""
    p = np.repeat(np.arange(shore.land, dtype=np.int32), shore.neighbour.shape[1])
    q = shore.neighbour[: shore.land].ravel()
    between = (basin[p] != basin[q]) & (p < q)
    return p[between], q[between]


@numba.njit(**OPTIONS)
def label(rising: np.ndarray, receiver: np.ndarray) -> tuple[np.ndarray, int]:
    """(the leaf of each place, the count of leaves); leaves are numbered by pit in the order of `rising`, the sea is 0.

    `rising`: int32, the land by height.
    """
    basin = np.zeros(receiver.size, np.int32)
    leaves = 0
    for p in rising:
        if receiver[p] == p:
            leaves += 1
            basin[p] = leaves
        else:
            basin[p] = basin[receiver[p]]
    return basin, leaves


@numba.njit(**OPTIONS)
def merge(
    high: np.ndarray, low: np.ndarray, basin: np.ndarray, leaves: int, receiver: np.ndarray, rank: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Merge basins over the passes (high, low), the lowest first.

    Returns (parent, child, bottom, spill, inner, outer, tops), as in `Basins`.
    """
    nodes = max(2 * leaves, 1)
    parent, bottom = np.full(nodes, NONE, np.int32), np.full(nodes, NONE, np.int32)
    spill, inner, outer = np.full(nodes, NONE, np.int32), np.full(nodes, NONE, np.int32), np.full(nodes, NONE, np.int32)
    child = np.full((nodes, 2), NONE, np.int32)
    for p in range(rank.size):
        if receiver[p] == p and rank[p] >= 0:
            bottom[basin[p]] = p
    # Union-find over basins; top_of[s] is the node that set s has become.
    ahead, top_of = np.arange(leaves + 1), np.arange(leaves + 1)
    tops = np.empty(max(leaves, 1), np.int32)
    met, made = 0, leaves + 1
    ends, sets = np.empty(2, np.int32), np.empty(2, np.int64)
    for e in range(high.size):
        ends[0], ends[1] = high[e], low[e]
        for side in range(2):
            s = np.int64(basin[ends[side]])
            while ahead[s] != s:
                ahead[s] = ahead[ahead[s]]
                s = ahead[s]
            sets[side] = s
        if sets[0] == sets[1]:
            continue
        for side in range(2):
            node = top_of[sets[side]]
            if node != SEA:
                spill[node], inner[node], outer[node] = high[e], ends[side], ends[1 - side]
        a, b = top_of[sets[0]], top_of[sets[1]]
        joined = SEA
        if a == SEA or b == SEA:
            parent[a + b] = SEA
            tops[met] = a + b
            met += 1
        else:
            joined = made
            made += 1
            parent[a], parent[b] = joined, joined
            child[joined, 0], child[joined, 1] = a, b
            bottom[joined] = bottom[a] if rank[bottom[a]] < rank[bottom[b]] else bottom[b]
        # The smaller number is the root, so the sea's set stays 0.
        root, other = min(sets[0], sets[1]), max(sets[0], sets[1])
        ahead[other] = root
        top_of[root] = joined
    if met == 0 and leaves > 0:
        parent[made - 1] = SEA
        tops[0] = made - 1
        met = 1
    return parent[:made], child[:made], bottom[:made], spill[:made], inner[:made], outer[:made], tops[:met]


@numba.njit(**OPTIONS)
def arrange(parent: np.ndarray, child: np.ndarray, leaves: int, tops: np.ndarray) -> np.ndarray:
    """The position of each leaf in an order in which the leaves of any node stand together: int32 (leaves + 1,)."""
    count = np.ones(parent.size, np.int32)
    for node in range(leaves + 1, parent.size):
        count[node] = count[child[node, 0]] + count[child[node, 1]]
    start = np.zeros(parent.size, np.int32)
    # Land that drains straight into the sea comes before all leaves.
    at = 1
    for top in tops:
        start[top] = at
        at += count[top]
    for node in range(parent.size - 1, leaves, -1):
        start[child[node, 0]] = start[node]
        start[child[node, 1]] = start[node] + count[child[node, 0]]
    return start[: leaves + 1]


@numba.njit(**OPTIONS)
def spans(child: np.ndarray, leaves: int, leaf_at: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(first, last) of each node's places, `last` being one beyond; `starts` has the first place of each leaf position."""
    first, last = np.zeros(child.shape[0], np.int32), np.zeros(child.shape[0], np.int32)
    for leaf in range(1, leaves + 1):
        first[leaf], last[leaf] = starts[leaf_at[leaf]], starts[leaf_at[leaf] + 1]
    for node in range(leaves + 1, child.shape[0]):
        first[node], last[node] = first[child[node, 0]], last[child[node, 1]]
    return first, last
