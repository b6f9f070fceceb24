"""Air: the atmosphere of a world, as the tables of its light take it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Air:
    """Lengths in metres, coefficients per metre.

    `rayleigh`: scattering by molecules, and `mie`: by dust, at the ground. `mie_extinction`: what dust takes from a ray, by
    scattering and absorption. `mie_forward`: how far dust scatters forwards, 0..1, the lobe of W. Cornette and J. Shanks
    (1992). `absorption`: by ozone in the middle of its layer, which is `ozone_m` high and thins out evenly within
    `ozone_half_m` on either side: it keeps the sky of dusk blue. `skylight`: the colour of the sky's light on the ground,
    against that of Earth's.

    The defaults are Earth's on a clear day (Bruneton and Neyret, 2008), with what ozone takes of a screen's primaries: at a
    single red wavelength it would take a third of that, and dusk would be violet.
    """

    ground_radius_m: float = 6_360_000.0
    height_m: float = 80_000.0
    rayleigh_height_m: float = 8_000.0
    mie_height_m: float = 1_200.0
    rayleigh: tuple[float, float, float] = (5.8e-6, 13.5e-6, 33.1e-6)
    absorption: tuple[float, float, float] = (1.85e-6, 1.75e-6, 0.06e-6)
    mie: tuple[float, float, float] = (2.5e-6, 2.5e-6, 2.5e-6)
    mie_extinction: tuple[float, float, float] = (2.75e-6, 2.75e-6, 2.75e-6)
    mie_forward: tuple[float, float, float] = (0.76, 0.76, 0.76)
    ozone_m: float = 25_000.0
    ozone_half_m: float = 15_000.0
    skylight: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def densities(self, height: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of molecules and dust, 1 at the ground, and of ozone, 1 in its middle; (...) each, at heights (...) in metres."""
        ozone = np.maximum(1.0 - np.abs(height - self.ozone_m) / self.ozone_half_m, 0.0)
        return np.exp(-height / self.rayleigh_height_m), np.exp(-height / self.mie_height_m), ozone

    def extinction(self, molecules: np.ndarray, dust: np.ndarray, ozone: np.ndarray) -> np.ndarray:
        """The optical depth (..., 3) of metres (...) of air as dense as `densities` has it at 1."""
        absorbed = ozone[..., None] * np.array(self.absorption)
        return molecules[..., None] * np.array(self.rayleigh) + dust[..., None] * np.array(self.mie_extinction) + absorbed
