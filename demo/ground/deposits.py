"""Deposits: what the ground consists of where rivers have laid it down. Gravel lies on fans and in steep beds, silt on
plains and deltas, and salt on the floors of dry basins; and silt drifts in the sea before the mouths of rivers.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from ..worlds.carving.carver import Carver
from ..worlds.carving.kernels import LAND
from ..worlds.carving.lattice import SHELF
from ..worlds.carving.rainfall import blurred

# What deposits are made of, in the scale of the hardness of rock, 0..1.
SALT, SILT, GRAVEL = 0.0, 0.34, 0.88
# Slopes between which silt gives way to gravel, in heights of the highest land by extents or radii: on terrains, on planets.
STEEP = (0.25, 0.75), (0.5, 1.6)
# Passes of smoothing of slopes, and of what basins hold.
EVENED, BASIN = 2, 2
# A basin is so much moister than a desert of bare salt and than one without any: m / (1 + m) for m as `moistness` has it.
DRY = 0.21, 0.30
# Deposits are flat floors of lakes below the first slope and none from the second on, in the unit of STEEP.
FLAT = (0.015, 0.06), (0.03, 0.12)
# They lie so many times the height of deltas above the sea: no lagoons, and fully inland.
INLAND = 2.0, 5.0
# A river of RIVER in `cover` brings so many times what makes the water of one node opaque, and no river brings more than
# so many of those; passes of smoothing, after which it has come so far from the mouth.
BROUGHT, MOST_RIVERS, DRIFT = 60.0, 3.0, 30


def slopes(carver: Carver, relief: float, cell: float) -> np.ndarray:
    """How steeply each node falls to the one that its water flows to, float32 (nodes,), evened, in the unit of STEEP.

    `relief`: the height of the highest land in the unit of heights; `cell`: in radii or extents.
    """
    height = carver.height
    falls = np.maximum(height - height[carver.receiver], np.float32(0.0)) * np.float32(1.0 / (relief * cell))
    return blurred(carver.nodes, falls, EVENED)


def deltas(carver: Carver, laid: np.ndarray, relief: float) -> np.ndarray:
    """How far each node is ground that a river has built at the sea, float32 (nodes,), 0..1. `laid`: as for `grains`."""
    above = (carver.height - np.float32(carver.sea)) * np.float32(1.0 / (SHELF * relief))
    low = np.clip(np.float32(2.2) - above, 0.0, 1.0) * (above > 0.0)
    found: np.ndarray = low * laid
    return found


def grains(
    carver: Carver, laid: np.ndarray, steep: np.ndarray, moist: np.ndarray, relief: float, spherical: bool
) -> np.ndarray:
    """What the ground of each node consists of as far as it was laid down: float32 (nodes,), from SALT to GRAVEL.

    By node: `laid`, 0..1, how much of the ground is deposits; `steep`: as `slopes` has it; `moist`: m / (1 + m). `relief`:
    as for `slopes`.
    """
    low, high = STEEP[spherical]
    gravel = np.clip((steep - low) * np.float32(1.0 / (high - low)), 0.0, 1.0)
    found = np.float32(SILT) + np.float32(GRAVEL - SILT) * gravel
    salt = _basins(carver, laid, steep, relief, spherical) * np.clip((DRY[1] - moist) / (DRY[1] - DRY[0]), 0.0, 1.0)
    return found + (np.float32(SALT) - found) * salt.astype(np.float32)


def _basins(carver: Carver, laid: np.ndarray, steep: np.ndarray, relief: float, spherical: bool) -> np.ndarray:
    """How far each node is the floor of a lake, or of one that has been filled, float32 (nodes,), 0..1."""
    above = (carver.height - np.float32(carver.sea)) * np.float32(1.0 / (SHELF * relief))
    inland = np.clip((above - INLAND[0]) / (INLAND[1] - INLAND[0]), 0.0, 1.0)
    flattest, flat = FLAT[spherical]
    level = np.clip((flat - steep) / (flat - flattest), 0.0, 1.0) * laid
    under = (carver.level > carver.height).astype(np.float32)
    return blurred(carver.nodes, (inland * np.maximum(level, under)).astype(np.float32), BASIN)


def silt_parts(carver: Carver, large: float) -> Generator[None, None, np.ndarray]:
    """How much silt drifts in the sea at each node, float32 (nodes,), 0..1, in parts.

    `large`: the water of a large river, in the unit of `Carver.flow`.
    """
    nodes, land = carver.nodes, carver.kind == LAND
    mouths = np.flatnonzero(land & ~land[carver.receiver])
    drifts = np.zeros(nodes.count, np.float32)
    brought = np.minimum(carver.flow[mouths] / large, MOST_RIVERS).astype(np.float32)
    np.add.at(drifts, carver.receiver[mouths], np.float32(BROUGHT) * brought)
    for _ in range(DRIFT):
        drifts = blurred(nodes, drifts, 1)
        # What comes to a coast goes on along it.
        drifts[land] *= np.float32(0.5)
        yield
    found: np.ndarray = drifts / (np.float32(1.0) + drifts)
    return found
