"""What edits of a map ask of its waters: lakes that are to stay or to go, rivers that are to be shown or not."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from .basins import NONE, Basins
from .hollows import FilledDepression


@dataclass(frozen=True)
class Wishes:
    """Mesh points. `drained`: under no lake. `kept`: the bottoms of lakes that stay at their full size.

    `drawn`: where a river runs, however little water it has. `hidden`: where none is shown, if none comes from upstream.
    """

    drained: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()
    drawn: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()

    def of(self, points: np.ndarray) -> Wishes:
        """The same by place in `points`, the ascending mesh numbers of a landmass."""
        return Wishes(*(_places(points, wished) for wished in (self.drained, self.kept, self.drawn, self.hidden)))


def _places(points: np.ndarray, wished: Collection[int]) -> frozenset[int]:
    if not wished:
        return frozenset()
    return frozenset(np.flatnonzero(np.isin(points, np.array(sorted(wished)))).tolist())


def kept_leaves(wishes: Wishes, basins: Basins) -> frozenset[int]:
    """The leaves whose pits are bottoms of lakes that stay; `wishes` by place."""
    if not wishes.kept:
        return frozenset()
    return frozenset(leaf for leaf in range(1, basins.leaves + 1) if int(basins.bottom[leaf]) in wishes.kept)


def drowned(wishes: Wishes, lakes: list[FilledDepression]) -> np.ndarray:
    """Which lakes cover a place that is to be drained: bool (lakes,); `wishes` by place."""
    return np.array([not wishes.drained.isdisjoint(lake.places.tolist()) for lake in lakes], bool)


def shown_m3_s(
    wishes: Wishes,
    water: tuple[np.ndarray, np.ndarray, np.ndarray],
    neighbour: np.ndarray,
    order: np.ndarray,
    land: int,
    river_m3_s: float,
) -> np.ndarray:
    """The discharge by which rivers are told from brooks, float64 (m,).

    `water`: (discharge, receiver, lake) by place; `order`: places from upstream to downstream; `wishes` by place. A drawn
    river is one down to the next lake, sea, greater river or end, so that it ends in something.
    """
    discharge, receiver, lake = water
    if not wishes.drawn and not wishes.hidden:
        return discharge
    shown = discharge.copy()
    for start in sorted(wishes.drawn):
        p = start
        while p < land and lake[p] < 0 and 0.0 < shown[p] < river_m3_s:
            shown[p] = river_m3_s
            if receiver[p] == p:
                break
            p = int(receiver[p])
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    for p in sorted(wishes.hidden, key=lambda place: int(rank[place])):
        donors = [q for q in neighbour[p].tolist() if q != p and receiver[q] == p]
        if lake[p] < 0 and all(shown[q] < river_m3_s and lake[q] == NONE for q in donors):
            shown[p] = 0.0
    return shown


NO_WISHES = Wishes()
