"""What becomes of each depression of a landmass: a lake that overflows, a lake or dry basin without outlet, or a valley.

The water balance is that of steady years. A depression overflows if it gets at least as much water as its full lake would
lose. If it gets less, it keeps a lake as large as its water can feed, or none. A depression whose water would fill it
within CARVE_YEARS has long been filled with gravel and cut through by its river: it is a valley. So is one that is larger
than the lake that its pit would have (`lake_sizes`), but a smaller lake, a pool, stays in it. A shallow one is a valley
however dry it is: wind and rare floods have filled it. Depressions upstream are decided first, so overflow is known where
it arrives.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numba
import numpy as np

from ...worlds.climate.laws import YEAR_S
from ...worlds.kernels import OPTIONS
from .basins import NONE, SEA, Basins

# For comparison, real lakes hold the water of this many years: Ladoga 11, Victoria 25, Titicaca 110, Baikal 390.
CARVE_YEARS = 30.0
# Shallower depressions are filled without any river: a tenth of a millimetre a year does it in 400,000 years.
SHALLOW_M = 40.0
# The river has cut down through the rim by this part of a valley's former depth; gravel has filled the rest.
CUT = 0.5
# A lake stays at its full size where its pit would have one of this part of it.
NEARLY = 0.6


@dataclass(frozen=True)
class FilledDepression:
    """A lake in a `node` of the tree of depressions.

    `places`: int32, those under water. `loss_m3_s`: what it loses at this size. `outlet`: the place of its outlet, or NONE.
    `share`: the part of the area of its places that is under water, above 0 and up to 1.
    """

    node: int
    places: np.ndarray
    level_m: np.float32
    loss_m3_s: float
    outlet: int
    share: float = 1.0


@dataclass
class Fate:
    """What becomes of all depressions of a landmass.

    `opened`: the passes (inner, outer) through which basins drain. `lakes`: in the order in which they were decided.
    `floor_m`: the level of the gravel by leaf, in valleys.
    """

    opened: list[tuple[int, int]] = field(default_factory=list)
    lakes: list[FilledDepression] = field(default_factory=list)
    floor_m: dict[int, np.float32] = field(default_factory=dict)


@dataclass(frozen=True)
class Water:
    """The water balance by land place; all fields are float64 (land,).

    `level_m`: heights. `loss_m3_s`: what a lake there evaporates beyond what the land did, which is potential evaporation -
    (rain - runoff), never below 0. `favour`: how rich in lakes land is there, 1 for the Earth's mean (`lake_sizes`).
    """

    level_m: np.ndarray
    area_m2: np.ndarray
    runoff_m3_s: np.ndarray
    loss_m3_s: np.ndarray
    favour: np.ndarray


class Judge:
    """Decides what becomes of all depressions of one landmass.

    Nodes in `without` may hold no lake, and gravel fills none of those in `kept`.
    `wanted_m2`: the area of the lake that each leaf's pit would have, float64 (leaves + 1,).
    """

    def __init__(
        self,
        basins: Basins,
        water: Water,
        wanted_m2: np.ndarray,
        without: frozenset[int] = frozenset(),
        kept: frozenset[int] = frozenset(),
    ) -> None:
        self.tree, self.water, self.wanted_m2, self.without, self.kept = basins, water, wanted_m2, without, kept
        self.fate = Fate()
        self.inflow = self._inflow()
        self._todo: list[tuple[Any, ...]] = []

    def judge(self) -> Fate:
        """What becomes of all depressions. Later tops come first: a top runs off into the sea or into an earlier top."""
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
        """The runoff of each node's own land, m^3/s: float64 (nodes,)."""
        tree = self.tree
        inflow = np.zeros(len(tree.parent))
        sums = np.bincount(tree.basin[: len(tree.place)], weights=self.water.runoff_m3_s, minlength=tree.leaves + 1)
        inflow[1 : tree.leaves + 1] = sums[1:]
        for node in range(tree.leaves + 1, len(inflow)):
            inflow[node] = inflow[tree.child[node, 0]] + inflow[tree.child[node, 1]]
        return inflow

    def _drain(self, node: int, inner: int, outer: int) -> None:
        """Decide on a node that may run off over its pass from `inner` to `outer`."""
        tree = self.tree
        path = self._path(inner, node)
        if len(path) > 1 and tree.spill[path[-2]] == tree.spill[node]:
            # Three basins meet at one place: two lakes may touch there, but they are not one.
            self._todo.append((self._drain, path[-2], inner, outer))
            self._todo.append(self._drain_sibling(path[-2]))
            return
        loss, volume = self._hold(node)
        if self._small(node, volume) or (self.inflow[node] >= loss and not self._fills(node)):
            leaf = path[0]
            rim, bottom = (self.water.level_m[place] for place in (tree.spill[leaf], tree.bottom[leaf]))
            self.fate.floor_m[leaf] = np.float32(rim - CUT * (rim - bottom))
            self.fate.opened.append((inner, outer))
            self._todo.append((self._pass_on, leaf, inner, outer))
            self._todo += [self._drain_sibling(below) for below in path[:-1]]
        elif self.inflow[node] >= loss:
            under = self._under(node)
            level = np.float32(self.water.level_m[tree.spill[node]])
            self.fate.lakes.append(FilledDepression(node, under, level, loss, int(tree.spill[node])))
            self._open(node, inner, outer)
            self._deliver(self.inflow[node] - loss, outer)
        else:
            self._end(node)

    def _end(self, node: int) -> None:
        """Decide on a node that keeps its water: one lake, or two parts, one of which may run off into the other."""
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
        """Make a lake without outlet, of as many places as its water feeds; none where it feeds less than half a place."""
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
            level, full = self._pond_level(under, count, spill), float(fed[count - 1])
            share = self._pond_share(node, under[:count], self.inflow[node] / full if full > 0.0 else 1.0)
            if share > 0.0:
                self.fate.lakes.append(FilledDepression(node, under[:count], level, share * full, NONE, share))
        for below in self._path(int(tree.bottom[node]), node)[:-1]:
            sibling = self._sibling(below)
            self._open(sibling, int(tree.inner[sibling]), int(tree.outer[sibling]))

    def _pond_share(self, node: int, under: np.ndarray, fed: float) -> float:
        """The part of a pond's places that is under water: what its water feeds, and no more than its pit would have."""
        if node > self.tree.leaves:
            return 1.0
        wanted = self.wanted_m2[node] / self.water.area_m2[under].sum()
        if len(under) > 1:
            return 1.0 if wanted >= NEARLY else 0.0
        return float(min(fed, wanted, 1.0))

    def _pond_level(self, under: np.ndarray, count: int, spill: int) -> np.float32:
        """The level half-way between the highest place under water and the next one."""
        heights = self.water.level_m
        lowest = heights[under[count - 1]]
        above = heights[under[count]] if count < len(under) else lowest if spill == NONE else heights[spill]
        return np.float32(0.5 * (lowest + above))

    def _open(self, node: int, inner: int, outer: int) -> None:
        """Let all leaves of a node run off over its pass, one through another."""
        todo = [(node, inner, outer)]
        while todo:
            node, inner, outer = todo.pop()
            self.fate.opened.append((inner, outer))
            for below in self._path(inner, node)[:-1]:
                sibling = self._sibling(below)
                todo.append((sibling, int(self.tree.inner[sibling]), int(self.tree.outer[sibling])))

    def _pass_on(self, leaf: int, inner: int, outer: int) -> None:
        """Let a valley's water run off, from its pool if it has one."""
        pool = self._pool(leaf, inner, outer)
        if pool is not None:
            self.fate.lakes.append(pool)
        self._deliver(self.inflow[leaf] - (pool.loss_m3_s if pool else 0.0), outer)

    def _pool(self, leaf: int, inner: int, outer: int) -> FilledDepression | None:
        """The lake over the pit of a valley that drains by its pass from `inner` to `outer`: as many of the places below the
        gravel's level as it takes for the area that the pit would have under water."""
        tree, water, floor = self.tree, self.water, self.fate.floor_m[leaf]
        places = tree.place[tree.first[leaf] : tree.last[leaf]]
        places = places[water.level_m[places] < floor]
        if leaf in self.without or self.wanted_m2[leaf] == 0.0 or not len(places):
            return None
        area = np.cumsum(water.area_m2[places])
        count = min(int(np.searchsorted(area, self.wanted_m2[leaf])) + 1, len(places))
        under = places[:count]
        share = min(self.wanted_m2[leaf] / area[count - 1], 1.0)
        loss = float(share * water.loss_m3_s[under].sum())
        if self.inflow[leaf] <= loss:
            return None
        at, outlet = inner, outer
        while tree.rank[at] > tree.rank[under[-1]]:
            at, outlet = int(tree.receiver[at]), at
        return FilledDepression(leaf, under, floor, loss, outlet, share)

    def _fills(self, node: int) -> bool:
        """Whether the pit of a node would have a lake about as large as the node."""
        leaf = int(self.tree.basin[self.tree.bottom[node]])
        return bool(self.wanted_m2[leaf] >= NEARLY * self.water.area_m2[self._under(node)].sum())

    def _under(self, node: int) -> np.ndarray:
        """The places of a node below its spill level."""
        under = self.tree.place[self.tree.first[node] : self.tree.last[node]]
        return under[self.tree.rank[under] < self.tree.rank[self.tree.spill[node]]]

    def _deliver(self, water_m3_s: float, place: int) -> None:
        """Add water that arrives at a place to its leaf and to all nodes that hold this leaf."""
        node = int(self.tree.basin[place])
        while node != SEA:
            self.inflow[node] += water_m3_s
            node = int(self.tree.parent[node])

    def _drain_sibling(self, node: int) -> tuple[Any, ...]:
        sibling = self._sibling(node)
        return (self._drain, sibling, int(self.tree.inner[sibling]), int(self.tree.outer[sibling]))

    def _sibling(self, node: int) -> int:
        pair = self.tree.child[self.tree.parent[node]]
        return int(pair[1] if pair[0] == node else pair[0])

    def _path(self, place: int, node: int) -> list[int]:
        """The nodes from the leaf of a place up to `node`."""
        path = [int(self.tree.basin[place])]
        while path[-1] != node:
            path.append(int(self.tree.parent[path[-1]]))
        return path

    def _small(self, node: int, volume_m3: float) -> bool:
        tree, level = self.tree, self.water.level_m
        filled = volume_m3 <= CARVE_YEARS * YEAR_S * self.inflow[node]
        if tree.spill[node] != NONE:
            filled |= level[tree.spill[node]] - level[tree.bottom[node]] < SHALLOW_M
        return node in self.without or (bool(filled) and node not in self.kept)

    def _hold(self, node: int) -> tuple[float, float]:
        """(loss in m^3/s, volume in m^3) of a full node; both are infinite where nothing can fill it."""
        tree, water = self.tree, self.water
        if tree.spill[node] == NONE:
            return np.inf, np.inf
        under = tree.place[tree.first[node] : tree.last[node]]
        return hold(under, tree.rank, tree.spill[node], water.level_m, water.loss_m3_s, water.area_m2)


@numba.njit(**OPTIONS)
def hold(
    places: np.ndarray, rank: np.ndarray, spill: int, level: np.ndarray, loss: np.ndarray, area: np.ndarray
) -> tuple[float, float]:
    """(sum of losses, volume up to the spill level) over the places that rank below `spill`."""
    lost, volume = 0.0, 0.0
    for p in places:
        if rank[p] < rank[spill]:
            lost += loss[p]
            volume += area[p] * (level[spill] - level[p])
    return lost, volume
