"""How much steeper than they are a planet's slopes are drawn from afar."""

from __future__ import annotations

import numpy as np

from ..ground.detail import Detail

# The slopes of smooth worlds are drawn this many times as steep. Roughness is the strength of the first octave of detail by
# its wavelength; above SMOOTH the factor falls as its POWER.
EXAGGERATION, SMOOTH, POWER = 2.3, 0.05, 1.25


def slope_exaggeration(detail: Detail | None) -> float:
    """The factor on the slopes of a planet seen from afar; EXAGGERATION for None.

    Relief of long waves is raised until it reads from orbit. Relief that is rough from sample to sample would become noise.
    """
    if detail is None:
        return EXAGGERATION
    rough = float(np.sqrt(np.mean(np.square(detail.rough_m, dtype=np.float32)))) / detail.wavelength_m
    return EXAGGERATION * min(SMOOTH / max(rough, 1e-6), 1.0) ** POWER
