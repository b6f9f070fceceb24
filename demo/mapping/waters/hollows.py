"""What a hollow of a landmass holds: how much water, how much of it evaporates, and the lakes that may stand in it."""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from ...worlds.kernels import OPTIONS
from .basins import NONE, Basins

# The river has cut down through the rim by this part of a valley's former depth; gravel has filled the rest.
CUT = 0.5
# A lake stays at its full size where its pit would have one of at least this part of it.
NEARLY = 0.5


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


class Hollows:
    """The hollows of one landmass: the nodes of its tree of depressions, with the water that reaches each.

    Nodes in `without` may hold no lake. `wanted_m2`: the area of the lake that each leaf's pit would have, float64
    (leaves + 1,). `inflow`: m^3/s by node, float64 (nodes,), at first the runoff of its own land.
    """

    def __init__(self, basins: Basins, water: Water, wanted_m2: np.ndarray, without: frozenset[int]) -> None:
        self.tree, self.water, self.wanted_m2, self.without = basins, water, wanted_m2, without
        self.inflow = self._inflow()

    def _inflow(self) -> np.ndarray:
        """The runoff of each node's own land, m^3/s: float64 (nodes,)."""
        tree = self.tree
        inflow = np.zeros(len(tree.parent))
        sums = np.bincount(tree.basin[: len(tree.place)], weights=self.water.runoff_m3_s, minlength=tree.leaves + 1)
        inflow[1 : tree.leaves + 1] = sums[1:]
        for node in range(tree.leaves + 1, len(inflow)):
            inflow[node] = inflow[tree.child[node, 0]] + inflow[tree.child[node, 1]]
        return inflow

    def fills(self, node: int) -> bool:
        """Whether the pit of a node would have a lake about as large as the node."""
        leaf = int(self.tree.basin[self.tree.bottom[node]])
        return bool(self.wanted_m2[leaf] >= NEARLY * self.water.area_m2[self.under(node)].sum())

    def under(self, node: int) -> np.ndarray:
        """The places of a node below its spill level."""
        under = self.tree.place[self.tree.first[node] : self.tree.last[node]]
        return under[self.tree.rank[under] < self.tree.rank[self.tree.spill[node]]]

    def held(self, node: int) -> tuple[float, float]:
        """(loss in m^3/s, volume in m^3) of a full node; both are infinite where nothing can fill it."""
        tree, water = self.tree, self.water
        if tree.spill[node] == NONE:
            return np.inf, np.inf
        under = tree.place[tree.first[node] : tree.last[node]]
        return hold(under, tree.rank, tree.spill[node], water.level_m, water.loss_m3_s, water.area_m2)

    def full(self, node: int, loss_m3_s: float) -> FilledDepression:
        """The lake of a node up to its pass. One place says nothing of a lake's size: then it is what the pit would have."""
        tree, under, spill = self.tree, self.under(node), int(self.tree.spill[node])
        share = 1.0
        if len(under) == 1:
            share = float(min(self.wanted_m2[tree.basin[tree.bottom[node]]] / self.water.area_m2[under[0]], 1.0))
        return FilledDepression(node, under, np.float32(self.water.level_m[spill]), share * loss_m3_s, spill, share)

    def lowered(self, node: int, inner: int, outer: int) -> FilledDepression | None:
        """The lake of a node whose rim was cut in wetter times, if it is one lake and overflows with the water of today."""
        tree, water = self.tree, self.water
        if node in self.without:
            return None
        rim, bottom = (water.level_m[place] for place in (tree.spill[node], tree.bottom[node]))
        level = np.float32(rim - CUT * (rim - bottom))
        if node > tree.leaves and water.level_m[tree.spill[tree.child[node, 0]]] >= level:
            return None
        under = self.under(node)
        under = under[water.level_m[under] < level]
        loss = float(water.loss_m3_s[under].sum())
        # As in `full`: the lake of one place is a pool.
        if len(under) < 2 or self.inflow[node] < loss:
            return None
        return FilledDepression(node, under, level, loss, self.outlet(under, inner, outer))

    def pool(self, leaf: int, floor_m: np.float32, inner: int, outer: int) -> FilledDepression | None:
        """The lake over the pit of a valley that drains by its pass from `inner` to `outer`: as many of the places below the
        gravel's level as it takes for the area that the pit would have under water."""
        tree, water = self.tree, self.water
        places = tree.place[tree.first[leaf] : tree.last[leaf]]
        places = places[water.level_m[places] < floor_m]
        if leaf in self.without or self.wanted_m2[leaf] == 0.0 or not len(places):
            return None
        area = np.cumsum(water.area_m2[places])
        count = min(int(np.searchsorted(area, self.wanted_m2[leaf])) + 1, len(places))
        under = places[:count]
        share = min(self.wanted_m2[leaf] / area[count - 1], 1.0)
        loss = float(share * water.loss_m3_s[under].sum())
        if self.inflow[leaf] <= loss:
            return None
        return FilledDepression(leaf, under, floor_m, loss, self.outlet(under, inner, outer), share)

    def outlet(self, under: np.ndarray, inner: int, outer: int) -> int:
        """The first dry place on the way from the places `under` water over the pass from `inner` to `outer`."""
        at, outlet, highest = inner, outer, self.tree.rank[under].max()
        while self.tree.rank[at] > highest:
            at, outlet = int(self.tree.receiver[at]), at
        return outlet

    def pond_share(self, node: int, under: np.ndarray, fed: float) -> float:
        """The part of a pond's places that is under water: what its water feeds, and no more than its pit would have."""
        if node > self.tree.leaves:
            return 1.0
        wanted = self.wanted_m2[node] / self.water.area_m2[under].sum()
        if len(under) > 1:
            return 1.0 if wanted >= NEARLY else 0.0
        return float(min(fed, wanted, 1.0))

    def pond_level(self, under: np.ndarray, count: int, spill: int) -> np.float32:
        """The level half-way between the highest place under water and the next one."""
        heights = self.water.level_m
        lowest = heights[under[count - 1]]
        above = heights[under[count]] if count < len(under) else lowest if spill == NONE else heights[spill]
        return np.float32(0.5 * (lowest + above))


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
