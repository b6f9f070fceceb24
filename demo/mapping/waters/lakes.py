"""What becomes of each depression of a landmass: a lake that overflows, a lake or dry basin without outlet, or a valley.

The water balance is that of steady years. A depression overflows if it gets at least as much water as its full lake would
lose. If it gets less, it keeps a lake as large as its water can feed, or none; but where it overflowed in wetter times, its
river has cut the rim since, and a lower lake runs off, or all of it. A depression whose water would fill it within
CARVE_YEARS has long been filled with gravel and cut through by its river: it is a valley. So is one that is larger than the
lake that its pit would have (`lake_sizes`), but a smaller lake, a pool, stays in it. A shallow one is a valley however dry
it is: wind and rare floods have filled it. Depressions upstream are decided first, so overflow is known where it arrives.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...worlds.climate.laws import YEAR_S
from .basins import NONE, SEA, Basins
from .hollows import CUT, FilledDepression, Hollows, Water

# For comparison, real lakes hold the water of this many years: Ladoga 11, Victoria 25, Titicaca 110, Baikal 390.
CARVE_YEARS = 30.0
# Shallower depressions are filled without any river: a tenth of a millimetre a year does it in 400,000 years.
SHALLOW_M = 40.0
# In the wettest times of ice ages closed basins got so many times the water that they get now. Those that overflowed then
# have cut their rims: Lake Bonneville was ten times as large as the lake that is left of it (G. K. Gilbert, Lake Bonneville,
# U.S. Geological Survey Monograph 1, 1890), and Lake Chad once ran out into the Benue.
WETTER = 2.0


@dataclass
class Fate:
    """What becomes of all depressions of a landmass.

    `opened`: the passes (inner, outer) through which basins drain. `lakes`: in the order in which they were decided.
    `floor_m`: the level of the gravel by leaf, in valleys.
    """

    opened: list[tuple[int, int]] = field(default_factory=list)
    lakes: list[FilledDepression] = field(default_factory=list)
    floor_m: dict[int, np.float32] = field(default_factory=dict)


class Judge(Hollows):
    """Decides what becomes of all depressions of one landmass; gravel fills none of those in `kept`."""

    def __init__(
        self,
        basins: Basins,
        water: Water,
        wanted_m2: np.ndarray,
        without: frozenset[int] = frozenset(),
        kept: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(basins, water, wanted_m2, without)
        self.kept, self.fate = kept, Fate()
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

    def _drain(self, node: int, inner: int, outer: int) -> None:
        """Decide on a node that may run off over its pass from `inner` to `outer`."""
        tree = self.tree
        path = self._path(inner, node)
        if len(path) > 1 and tree.spill[path[-2]] == tree.spill[node]:
            # Three basins meet at one place: two lakes may touch there, but they are not one.
            self._todo.append((self._drain, path[-2], inner, outer))
            self._todo.append(self._drain_sibling(path[-2]))
            return
        loss, volume = self.held(node)
        if self._small(node, volume):
            self._carve(node, inner, outer)
        elif self.inflow[node] >= loss and self.fills(node):
            self._flood(self.full(node, loss), inner, outer)
        elif self.inflow[node] >= loss:
            self._carve(node, inner, outer)
        elif self.inflow[node] * WETTER < loss or self.fills(node):
            self._end(node)
        elif lower := self.lowered(node, inner, outer):
            self._flood(lower, inner, outer)
        else:
            self._carve(node, inner, outer)

    def _carve(self, node: int, inner: int, outer: int) -> None:
        """Make a valley of a node that runs off over its pass from `inner` to `outer`."""
        tree = self.tree
        path = self._path(inner, node)
        leaf = path[0]
        rim, bottom = (self.water.level_m[place] for place in (tree.spill[leaf], tree.bottom[leaf]))
        self.fate.floor_m[leaf] = np.float32(rim - CUT * (rim - bottom))
        self.fate.opened.append((inner, outer))
        self._todo.append((self._pass_on, leaf, inner, outer))
        self._todo += [self._drain_sibling(below) for below in path[:-1]]

    def _flood(self, lake: FilledDepression, inner: int, outer: int) -> None:
        """Make a lake of a node that overflows over its pass from `inner` to `outer`."""
        self.fate.lakes.append(lake)
        self._open(lake.node, inner, outer)
        self._deliver(self.inflow[lake.node] - lake.loss_m3_s, outer)

    def _end(self, node: int) -> None:
        """Decide on a node that keeps its water: one lake, or two parts, one of which may run off into the other."""
        tree = self.tree
        if node <= tree.leaves:
            self._pond(node)
            return
        pair = [int(child) for child in tree.child[node]]
        holds = [self.held(child) for child in pair]
        water = [self.inflow[child] for child in pair]
        if node not in self.without and water[0] + water[1] >= holds[0][0] + holds[1][0]:
            self._pond(node)
            return
        brims = [w * WETTER >= loss for w, (loss, _) in zip(water, holds, strict=True)]
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
            level, full = self.pond_level(under, count, spill), float(fed[count - 1])
            share = self.pond_share(node, under[:count], self.inflow[node] / full if full > 0.0 else 1.0)
            if share > 0.0:
                self.fate.lakes.append(FilledDepression(node, under[:count], level, share * full, NONE, share))
        for below in self._path(int(tree.bottom[node]), node)[:-1]:
            sibling = self._sibling(below)
            self._open(sibling, int(tree.inner[sibling]), int(tree.outer[sibling]))

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
        pool = self.pool(leaf, self.fate.floor_m[leaf], inner, outer)
        if pool is not None:
            self.fate.lakes.append(pool)
        self._deliver(self.inflow[leaf] - (pool.loss_m3_s if pool else 0.0), outer)

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
