"""Deposits: what the ground consists of where rivers have laid it down. Gravel lies on fans and in steep beds, silt on
plains and deltas, and salt on the floors of dry basins; and silt drifts in the sea before the mouths of rivers.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from ..worlds.carving.carver import Drained
from ..worlds.carving.kernels import LAND
from ..worlds.carving.lattice import SHELF
from ..worlds.carving.rainfall import blurred

# What deposits are made of, in the scale of the hardness of rock, 0..1.
SALT, SILT, GRAVEL = 0.0, 0.34, 0.88
# Slopes between which silt gives way to gravel, in heights of the highest land by extents or radii: on terrains, on planets.
STEEP = (0.8, 2.4), (1.2, 3.2)
# Passes of smoothing of slopes, and of what basins hold; and the means around after which they hold none and all of it:
# narrow hollows of steep land are no pans.
EVENED, BASIN, WIDE = 2, 4, (0.60, 0.85)
# Basins are all salt where m / (1 + m), for m as `moistness` has it, is as low as this, and have none where it is so high.
DRY = 0.29, 0.38
# They are so deep, in parts of the highest land, where all of their floor is salt.
DEEP = 0.0004
# They lie so many times the height of deltas above the sea: no lagoons, and fully inland.
INLAND = 2.0, 5.0
# A river of RIVER in `cover` brings so many times what makes the water of one node opaque, and no river brings more than
# so many of those; passes of smoothing, after which it has come so far from the mouth.
BROUGHT, MOST_RIVERS, DRIFT = 550.0, 1.0, 36


def slopes(drained: Drained, relief: float, cell: float) -> np.ndarray:
    """How steeply each node falls to the one that its water flows to, float32 (nodes,), evened, in the unit of STEEP.

    `relief`: the height of the highest land in the unit of heights; `cell`: in radii or extents.
    """
    height = drained.height
    falls = np.maximum(height - height[drained.receiver], np.float32(0.0)) * np.float32(1.0 / (relief * cell))
    return blurred(drained.nodes, falls, EVENED)


def deltas(drained: Drained, laid: np.ndarray, relief: float) -> np.ndarray:
    """How far each node is ground that a river has built at the sea, float32 (nodes,), 0..1.

    `laid`: (nodes,), 0..1, how much of the ground is deposits.
    """
    above = (drained.height - np.float32(drained.sea)) * np.float32(1.0 / (SHELF * relief))
    low = np.clip(np.float32(2.2) - above, 0.0, 1.0) * (above > 0.0)
    found: np.ndarray = low * laid
    return found


def grains(steep: np.ndarray, salt: np.ndarray, spherical: bool) -> np.ndarray:
    """What deposits are made of at each node: float32 (nodes,), from SALT to GRAVEL. `steep`, `salt`: as `slopes` and
    `salts` have them."""
    low, high = STEEP[spherical]
    gravel = np.clip((steep - low) * np.float32(1.0 / (high - low)), 0.0, 1.0)
    found = np.float32(SILT) + np.float32(GRAVEL - SILT) * gravel
    return found + (np.float32(SALT) - found) * salt


def salts(drained: Drained, moist: np.ndarray, relief: float) -> np.ndarray:
    """How far each node is the floor of a basin from which water leaves into the dry air alone, float32 (nodes,), 0..1.

    `moist`: (nodes,), m / (1 + m); `relief`: as for `slopes`.
    """
    # In as few arrays as possible: each is as large as the heights.
    found: np.ndarray = drained.height - np.float32(drained.sea)
    found *= np.float32(1.0 / (SHELF * relief))
    _share(found, *INLAND)
    dry = DRY[1] - moist
    dry /= DRY[1] - DRY[0]
    np.clip(dry, 0.0, 1.0, out=dry)
    wet = drained.level - drained.height
    wet *= np.float32(1.0 / (DEEP * relief))
    dry *= np.clip(wet, 0.0, 1.0, out=wet)
    found *= dry
    del dry, wet
    found = blurred(drained.nodes, found, BASIN)
    found -= np.float32(WIDE[0])
    found *= np.float32(1.0 / (WIDE[1] - WIDE[0]))
    return np.clip(found, 0.0, 1.0, out=found)


def _share(values: np.ndarray, low: float, high: float) -> None:
    """Turn values into how far they are on the way from `low` to `high`, 0..1, in place."""
    values -= low
    values /= high - low
    np.clip(values, 0.0, 1.0, out=values)


def silt_parts(drained: Drained, large: float) -> Generator[None, None, np.ndarray]:
    """How much silt drifts in the sea at each node, float32 (nodes,), 0..1, in parts.

    `large`: the water of a large river, in the unit of `Drained.flow`.
    """
    nodes, land = drained.nodes, drained.kind == LAND
    mouths = np.flatnonzero(land & ~land[drained.receiver])
    drifts = np.zeros(nodes.count, np.float32)
    brought = np.minimum(drained.flow[mouths] / large, MOST_RIVERS).astype(np.float32)
    np.add.at(drifts, drained.receiver[mouths], np.float32(BROUGHT) * brought)
    for _ in range(DRIFT):
        drifts = blurred(nodes, drifts, 1)
        yield
    found: np.ndarray = drifts / (np.float32(1.0) + drifts)
    return found
