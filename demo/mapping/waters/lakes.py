"""What becomes of each depression of a landmass: a lake that overflows, a lake or dry basin without outlet, or a valley.

The water balance is that of steady years. A depression that gets no less water than its brimming lake would lose overflows;
one that gets less keeps a lake as large as its water can feed, or none. A depression whose volume its water would fill
within CARVE_YEARS has long been filled with gravel and cut through by its river: a valley. Upstream comes before
downstream, so that overflow is known where it arrives.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numba
import numpy as np

from ...worlds.climate import YEAR_S
from ...worlds.kernels import OPTIONS
from .basins import NONE, SEA, Basins

# Real lakes: Ladoga's volume is 11 years of its water, Victoria's 25, Titicaca's 110, Baikal's 390.
CARVE_YEARS = 30.0
# Of a valley's former depth the river has cut this part down through the rim; gravel has filled the rest.
CUT = 0.5


@dataclass(frozen=True)
class Lake:
    """`node` of the tree of depressions, `places` under water, `level_m`, `loss_m3_s` at that size; `outlet` or NONE."""

    node: int
    places: np.ndarray
    level_m: np.float32
    loss_m3_s: float
    outlet: int


@dataclass
class Fate:
    """`opened`: (inner, outer) passes through which basins drain. `lakes`. `floor_m`: gravel level by carved leaf."""

    opened: list[tuple[int, int]] = field(default_factory=list)
    lakes: list[Lake] = field(default_factory=list)
    floor_m: dict[int, np.float32] = field(default_factory=dict)


@dataclass(frozen=True)
class Water:
    """By land place, float64: `level_m`, `area_m2`, `runoff_m3_s`, and `loss_m3_s`, what a lake there evaporates beyond
    what the land did: potential evaporation - (rain - runoff), never below 0."""

    level_m: np.ndarray
    area_m2: np.ndarray
    runoff_m3_s: np.ndarray
    loss_m3_s: np.ndarray


class Judge:
    """Decides over all depressions of one landmass; `without` are nodes that are to hold no lake."""

    def __init__(self, basins: Basins, water: Water, without: frozenset[int] = frozenset()) -> None:
        self.tree, self.water, self.without = basins, water, without
        self.fate = Fate()
        self.inflow = self._inflow()
        self._todo: list[tuple] = []

    def judge(self) -> Fate:
        """The fate of all, later tops first: a top runs off into the sea or into an earlier one."""
        for top in self.tree.tops[::-1]:
            if self.tree.spill[top] == NONE:
                self._todo.append((self._end, int(top)))
            else:
                self._todo.append((self._drain, int(top), int(self.tree.inner[top]), int(self.tree.outer[top])))
            while self._todo:
                step, *arguments = self._todo.pop()
                step(*arguments)
        return self.fate

    def _inflow(self) -> np.ndarray:
        """Runoff of each node's own land, m^3/s: float64 (nodes,)."""
        tree = self.tree
        inflow = np.zeros(len(tree.parent))
        sums = np.bincount(tree.basin[: len(tree.place)], weights=self.water.runoff_m3_s, minlength=tree.leaves + 1)
        inflow[1 : tree.leaves + 1] = sums[1:]
        for node in range(tree.leaves + 1, len(inflow)):
            inflow[node] = inflow[tree.child[node, 0]] + inflow[tree.child[node, 1]]
        return inflow

    def _drain(self, node: int, inner: int, outer: int) -> None:
        """Judge a node that may run off over its pass from `inner` to `outer`."""
        tree = self.tree
        path = self._path(inner, node)
        if len(path) > 1 and tree.spill[path[-2]] == tree.spill[node]:
            # Three basins meet at one place: two lakes that touch there, not one.
            self._todo.append((self._drain, path[-2], inner, outer))
            self._todo.append(self._drain_sibling(path[-2]))
            return
        loss, volume = self._hold(node)
        if self._small(node, volume):
            leaf = path[0]
            rim, bottom = (self.water.level_m[place] for place in (tree.spill[leaf], tree.bottom[leaf]))
            self.fate.floor_m[leaf] = np.float32(rim - CUT * (rim - bottom))
            self.fate.opened.append((inner, outer))
            self._todo.append((self._pass_on, leaf, outer))
            self._todo += [self._drain_sibling(below) for below in path[:-1]]
        elif self.inflow[node] >= loss:
            under = tree.place[tree.first[node] : tree.last[node]]
            under = under[tree.rank[under] < tree.rank[tree.spill[node]]]
            level = np.float32(self.water.level_m[tree.spill[node]])
            self.fate.lakes.append(Lake(node, under, level, loss, int(tree.spill[node])))
            self._open(node, inner, outer)
            self._deliver(self.inflow[node] - loss, outer)
        else:
            self._end(node)

    def _end(self, node: int) -> None:
        """Judge a node that keeps its water: one lake, or two parts, one of which may run off into the other."""
        tree = self.tree
        if node <= tree.leaves:
            self._pond(node)
            return
        pair = [int(child) for child in tree.child[node]]
        holds = [self._hold(child) for child in pair]
        water = [self.inflow[child] for child in pair]
        if node not in self.without and water[0] + water[1] >= holds[0][0] + holds[1][0]:
            self._pond(node)
            return
        brims = [w >= loss for w, (loss, _) in zip(water, holds, strict=True)]
        goes = [brim or self._small(c, v) for brim, c, (_, v) in zip(brims, pair, holds, strict=True)]
        if not any(goes):
            self._todo += [(self._end, child) for child in pair]
            return
        stays = 0 if tree.rank[tree.bottom[pair[0]]] < tree.rank[tree.bottom[pair[1]]] else 1
        if not all(goes):
            stays = goes.index(False)
        elif brims[0] != brims[1]:
            stays = brims.index(False)
        goer = pair[1 - stays]
        self._todo.append((self._end, pair[stays]))
        self._todo.append((self._drain, goer, int(tree.inner[goer]), int(tree.outer[goer])))

    def _pond(self, node: int) -> None:
        """A lake without outlet, as large as its water feeds, to the nearest place; none where it feeds not half a place."""
        tree, spill = self.tree, self.tree.spill[node]
        under = tree.place[tree.first[node] : tree.last[node]]
        under = under[np.argsort(tree.rank[under])]
        if spill != NONE:
            under = under[tree.rank[under] < tree.rank[spill]]
        loss = self.water.loss_m3_s[under]
        fed = np.cumsum(loss)
        count = int(np.searchsorted(fed - 0.5 * loss, self.inflow[node], side="right"))
        if node > tree.leaves:
            saddle = tree.rank[tree.spill[tree.child[node, 0]]]
            count = max(count, int((tree.rank[under] <= saddle).sum()))
        elif node in self.without:
            count = 0
        if count:
            level = self._pond_level(under, count, spill)
            self.fate.lakes.append(Lake(node, under[:count], level, float(fed[count - 1]), NONE))
        for below in self._path(int(tree.bottom[node]), node)[:-1]:
            sibling = self._sibling(below)
            self._open(sibling, int(tree.inner[sibling]), int(tree.outer[sibling]))

    def _pond_level(self, under: np.ndarray, count: int, spill: int) -> np.float32:
        """Half-way up from the highest place under water to the next one."""
        heights = self.water.level_m
        lowest = heights[under[count - 1]]
        above = heights[under[count]] if count < len(under) else lowest if spill == NONE else heights[spill]
        return np.float32(0.5 * (lowest + above))

    def _open(self, node: int, inner: int, outer: int) -> None:
        """Let all leaves of a node run off, through each other, over its pass."""
        todo = [(node, inner, outer)]
        while todo:
            node, inner, outer = todo.pop()
            self.fate.opened.append((inner, outer))
            for below in self._path(inner, node)[:-1]:
                sibling = self._sibling(below)
                todo.append((sibling, int(self.tree.inner[sibling]), int(self.tree.outer[sibling])))

    def _pass_on(self, leaf: int, outer: int) -> None:
        self._deliver(self.inflow[leaf], outer)

    def _deliver(self, water_m3_s: float, place: int) -> None:
        """Water arrives at a place, and so at the leaf it belongs to and at all that this is part of."""
        node = int(self.tree.basin[place])
        while node != SEA:
            self.inflow[node] += water_m3_s
            node = int(self.tree.parent[node])

    def _drain_sibling(self, node: int) -> tuple:
        sibling = self._sibling(node)
        return (self._drain, sibling, int(self.tree.inner[sibling]), int(self.tree.outer[sibling]))

    def _sibling(self, node: int) -> int:
        pair = self.tree.child[self.tree.parent[node]]
        return int(pair[1] if pair[0] == node else pair[0])

    def _path(self, place: int, node: int) -> list[int]:
        """Nodes from the leaf of a place up to `node`."""
        path = [int(self.tree.basin[place])]
        while path[-1] != node:
            path.append(int(self.tree.parent[path[-1]]))
        return path

    def _small(self, node: int, volume_m3: float) -> bool:
        return node in self.without or volume_m3 <= CARVE_YEARS * YEAR_S * self.inflow[node]

    def _hold(self, node: int) -> tuple[float, float]:
        """Of a brimming node: what it loses, m^3/s, and its volume, m^3; infinite for one that nothing can brim."""
        tree, water = self.tree, self.water
        if tree.spill[node] == NONE:
            return np.inf, np.inf
        under = tree.place[tree.first[node] : tree.last[node]]
        return hold(under, tree.rank, tree.spill[node], water.level_m, water.loss_m3_s, water.area_m2)


@numba.njit(**OPTIONS)
def hold(places, rank, spill, level, loss, area):
    """Sums over the places below `spill`: loss, and volume up to its level."""
    lost, volume = 0.0, 0.0
    for p in places:
        if rank[p] < rank[spill]:
            lost += loss[p]
            volume += area[p] * (level[spill] - level[p])
    return lost, volume
