"""A world's colours as the shaders take them. Plain numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..ground.warmth import Warmth
    from ..scenes.palettes import Palette
    from ..scenes.scene import Scene

# How fast seas darken with their depth in highest lands: around a land to fly over, and on a planet seen from afar.
LAND_MURK, SEA_MURK = 7.0, 34.0


def palette_uniforms(palette: Palette, scene: Scene, range_m: tuple[float, float], warmth: Warmth) -> dict[str, Any]:
    """A palette and the article's look: the block PALETTE. `range_m`: the lowest and the highest sample, metres; `warmth`:
    where it is warm.
    """
    felt = palette.felt(warmth)
    names = ("deep", "shallow", "beach", "lush", "dry", "upland", "rock", "snow")
    printed = scene.printed
    return {
        "palette": np.array([getattr(palette, name) for name in names], np.float32),
        "cover": np.array(palette.covers, np.float32),
        "deposits": np.array(palette.deposits, np.float32),
        "warmth": np.array([felt.sea_c, *felt.fall_c, felt.lapse_c], np.float32),
        "snow_c": palette.snow_c,
        "printed": np.array([printed.sea or printed.low, printed.low, printed.high], np.float32),
        "printed_sea": printed.sea is not None,
        "printed_lit": printed.lit,
        # Shallow basins reach the deep sea's colour too.
        "murk": max(LAND_MURK if scene.is_terrain else SEA_MURK, 3.5 * scene.relief_m / max(-range_m[0], 1.0)),
    }
