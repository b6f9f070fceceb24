"""What the relief of a map is asked for, whatever it is made of."""

from __future__ import annotations

from typing import Protocol

import numpy as np


class ReliefSampler(Protocol):
    """The final heights, with valleys cut, worked out where they are asked for.

    Longitude and latitude are degrees; they are broadcast to one shape, and results have that shape.
    """

    def sample(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """The height of the ground above the datum, float32 metres; under water it is the bed of the lake or sea."""

    def water(self, longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        """The level of the sea or lake that covers the ground, float32 metres; nan where it is dry."""

    def sampled(self, longitude: np.ndarray, latitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Both: (`sample`, `water`)."""
