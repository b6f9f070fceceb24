"""Air: the atmosphere of a world, as the scattering in `assets/shaders/scatter.glsl` takes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Air:
    """Lengths in metres, coefficients per metre at the ground.

    The defaults are Earth's on a clear day (Bruneton and Neyret, 2008).
    """

    ground_radius_m: float = 6_360_000.0
    height_m: float = 80_000.0
    rayleigh_height_m: float = 8_000.0
    mie_height_m: float = 1_200.0
    rayleigh: tuple[float, float, float] = (5.8e-6, 13.5e-6, 33.1e-6)
    absorption: tuple[float, float, float] = (0.65e-6, 1.88e-6, 0.085e-6)
    mie: float = 2.5e-6
