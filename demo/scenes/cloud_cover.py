"""Cloud cover: how much of the sky over a planet's places its clouds hide, as clouds.glsl has it, but for what is fine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..maths.easing import smoothstep
from ..maths.repeating import between_cells
from .cloudiness import DRIFT

# The share of all light that the thickest clouds keep from the ground, as in clouds.glsl.
SHADOW = 0.60
# As there: how many times the field repeats in a radius, and where each of the three axes begins in it.
TIMES, BEGINS = 0.83, (0.0, 0.31, 0.67)
# How far away the clouds are that a place is in the shadow of, in radii, where the sun stands at the horizon.
ASIDE = 0.016


@dataclass(frozen=True)
class CloudCover:
    """The clouds of a planet.

    `field`: float32 (c, c), 0..1, as `cloud_field` returns it; `thick`: how thick they are, 0..1, so many seconds after
    the story's start.
    """

    field: np.ndarray
    thick: Callable[[float], float]

    def over(self, up: np.ndarray, seconds: np.ndarray) -> np.ndarray:
        """The share of the sky hidden over places, 0..1: float64 (k, ...).

        `up`: unit (k, ..., 3) from the planet's middle; `seconds`: (k,), when, since the story's start.
        """
        thick = np.array([self.thick(float(t)) for t in seconds])
        drift, thick = (values.reshape(-1, *[1] * (up.ndim - 2)) for values in (DRIFT * np.asarray(seconds), thick))
        x, y, z = np.moveaxis(up, -1, 0)
        x, z = np.cos(drift) * x - np.sin(drift) * z, np.sin(drift) * x + np.cos(drift) * z
        weights = np.stack([x, y, z]) ** 4
        weights /= weights.sum(axis=0)
        sides = (y, z), (x, z), (x, y)
        plasma = sum(
            weight * self._sampled(*side, begin) for weight, side, begin in zip(weights, sides, BEGINS, strict=True)
        )
        # Belts of rising air are cloudier than those of sinking air.
        belts = np.minimum(1.0 - (13.0 - 22.0 * y * y) * y * y, 1.0)
        low = 0.65 - 0.13 * thick
        covering = smoothstep(np.clip((0.66 * plasma + 0.18 + 0.045 * belts - low) / (0.86 - low), 0.0, 1.0))
        hidden: np.ndarray = np.minimum(1.12 * covering, 1.0) * smoothstep(np.clip(thick / 0.6, 0.0, 1.0))
        return hidden

    def light(self, up: np.ndarray, sun: np.ndarray, seconds: np.ndarray) -> np.ndarray:
        """The share of all light that clouds let through to places: float64 (k, ...).

        `up`, `seconds`: as in `over`; `sun`: unit (k, ..., 3) towards it: their shadow moves away from it when it is low.
        """
        aside = up + ASIDE * (sun - up * (up * sun).sum(axis=-1, keepdims=True))
        return 1.0 - SHADOW * self.over(aside / np.sqrt((aside * aside).sum(axis=-1, keepdims=True)), seconds)

    def _sampled(self, along: np.ndarray, down: np.ndarray, begin: float) -> np.ndarray:
        cells = len(self.field)
        return between_cells(self.field, (TIMES * down + begin) * cells - 0.5, (TIMES * along + begin) * cells - 0.5)
