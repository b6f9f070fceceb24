"""Ice: where it is cold, glaciers gather as rivers do, and make wide troughs of their valleys.

Ice flows down the ways of water, thick and slow: its cross section is several cells wide. A large glacier deepens its valley
more than a small one, whose floor then hangs over the trough; where it meets the sea it cuts below it, and the sea comes in.
Ice works on the lattices on which troughs are a few cells wide. On finer ones rivers spare what it has left.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..climate.laws import LAPSE_C_PER_M
from ..climate.temperature import metres_of, sea_level_c
from ..growth import Growth
from . import ice_kernels as kernels
from .node_graph import NodeGraph

# On lattices with at most so many cells along a face's edge.
CELLS = 300
# As much snow falls as melts where it is so warm today: valleys were cut in ice ages. All snow stays so much higher.
SNOW_LINE_C, ALL_SNOW_M = 2.5, 1200.0
# Half the width of a trough, in extents or radii, of a glacier that drains one of these squared: on terrains, on planets.
WIDEST = (0.085, 0.25)
# How much of its fall a glacier cuts in a step, by its width in cells; and how much of what stands in its trough.
DEEPENS, WIDENS = 0.2, 0.25
# How high a trough is at its edge, and how deep the sea is in one, by its half width and the steepest slope that stands.
SIDES, FJORDS = 0.6, 0.6
# The part of a river's work that is left where ice was.
SPARED = 0.7


@dataclass
class Ice:
    """Ice on one lattice. `strength`: 0..1. `snow_line`: float32 (nodes,), heights at which as much snow falls as melts.
    `gain`: by which part of its rain more snow stays, in a unit of height. `widest`: as WIDEST has it. `covered`: bool
    (nodes,), where there ever was ice in a trough.
    """

    nodes: NodeGraph
    strength: float
    snow_line: np.ndarray
    gain: float
    widest: float
    covered: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        count = self.nodes.count
        self.covered = np.zeros(count, bool)
        self._ice, self._width, self._floor, self._far = (np.zeros(count, np.float32) for _ in range(4))
        self._trunk, self._front = (np.zeros(count, np.int32) for _ in range(2))

    def carve(
        self, order: np.ndarray, receiver: np.ndarray, slot: np.ndarray, kind: np.ndarray, sea: np.float32,
        slope: float, rain: np.ndarray, height: np.ndarray, load: np.ndarray,
    ) -> float:  # fmt: skip
        """One step on `height`, in place: returns the volume cut, which `load` gains.

        `order`: land, downstream. `slope`: the steepest that land bears. The others are as the carver has them.
        """
        nodes = self.nodes
        if not kernels.glaciers(order, receiver, height, self.snow_line, np.float32(self.gain), rain, nodes.area, self._ice):
            return 0.0
        self._width.fill(0.0)
        kernels.measure_troughs(order, np.float32(self.widest), self._ice, self._width)
        deepens, fjords = np.float32(DEEPENS * self.strength), np.float32(FJORDS * slope)
        cut = kernels.deepen(
            order, receiver, slot, nodes.nearness, nodes.begins, kind, sea, deepens, fjords, self._width,
            height, load, nodes.area,
        )  # fmt: skip
        cut += kernels.widen(
            order, receiver, kind, sea, nodes.nearness, nodes.begins, nodes.table, nodes.ways, self._width,
            np.float32(SIDES * slope), fjords, np.float32(WIDENS * self.strength), height, load, nodes.area,
            self._floor, self._far, self._trunk, self._front,
        )  # fmt: skip
        self.covered |= self._floor < np.inf
        return float(cut)

    def covered_with(self, before: np.ndarray | None) -> np.ndarray:
        """Where there ever was ice in a trough, or on coarser lattices: 0..1, float32 (nodes,)."""
        now = self.covered.astype(np.float32)
        return now if before is None else np.maximum(now, before)


def ice_on(nodes: NodeGraph, source: Growth, highest: float, strength: float) -> Ice:
    """Ice on the coarsest lattice of a grown world, whose land is `highest` above the sea."""
    metres = metres_of(source.atlas, source.unit, highest)
    warmth = sea_level_c(source.atlas, nodes.places(source.atlas), source.seed)
    line = float(source.sea_level) + (warmth - SNOW_LINE_C) / (LAPSE_C_PER_M * metres)
    return Ice(nodes, strength, line.astype(np.float32), metres / ALL_SNOW_M, WIDEST[source.atlas.spherical])


def spared(softness: np.ndarray, covered: np.ndarray) -> np.ndarray:
    """`softness` of rock for rivers on a lattice too fine for ice; both, and `covered`, are float32 (nodes,)."""
    found = np.float32(1.0 - SPARED) * covered
    np.subtract(np.float32(1.0), found, out=found)
    found *= softness
    return found
