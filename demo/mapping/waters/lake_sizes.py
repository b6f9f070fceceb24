"""How large the lakes of a landmass may become: by chance, with as many of every size as on Earth.

Lakes of more than an area A are as many as 1 / A times a constant, down to the smallest that a mesh can show (J. A. Downing
and others, Limnology and Oceanography 51, 2006: exponent 1.06; M. L. Messager and others, Nature Communications 7, 2016). On
Earth 28 are larger than 10,000 km^2. Most lie where ice has been or in rifts, and hardly any on old dry land.
"""

from __future__ import annotations

import numpy as np

from ...worlds.climate.mesh_climate import Climate
from ...worlds.hashing import mix64
from .basins import Basins

# The area of lakes larger than any one size, times their number, in parts of the land that drains through depressions.
PLENTY = 9.0e-3
# Where it is colder than this, ice has been. Depressions of this depth are rifts.
ICE_C, RIFT_M = 4.0, 500.0
ICY, BARE, RIFT = 2.5, 0.6, 2.0
# Land with this much runoff is not dry, in mm a year; the driest has this part of its lakes.
MOIST_MM, DRIEST = 250.0, 0.05


def favour_of(climate: Climate, points: np.ndarray) -> np.ndarray:
    """How rich in lakes land is at mesh points, 1 for the Earth's mean: float64 (points,)."""
    moist = np.clip(climate.runoff_mm[points] / MOIST_MM, DRIEST, 1.0)
    return np.where(climate.temperature_c[points] < ICE_C, ICY, BARE) * moist


def wanted_m2(basins: Basins, points: np.ndarray, level_m: np.ndarray, land: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """The area of the lake over each leaf's pit, m^2: float64 (leaves + 1,).

    `points`: the mesh numbers of the land. `level_m`: heights, float64 (land,). `land`: (area in m^2, favour), float64
    (land,) each. The chance of a pit comes from its height and number, so it is the same whatever lies around it.
    """
    area, favour = land
    count = len(points)
    rich = np.bincount(basins.basin[:count], weights=area * favour, minlength=basins.leaves + 1)
    out = np.zeros(basins.leaves + 1)
    for leaf in range(1, basins.leaves + 1):
        pit, spill = int(basins.bottom[leaf]), int(basins.spill[leaf])
        bits = int(np.float32(level_m[pit]).view(np.uint32))
        chance = ((mix64(bits << 32 | int(points[pit])) >> 11) + 1) * 2.0**-53
        deep = spill >= 0 and level_m[spill] - level_m[pit] > RIFT_M
        out[leaf] = PLENTY * rich[leaf] * (RIFT if deep else 1.0) / chance
    return out
