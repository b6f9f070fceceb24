"""Which levels of a world's quadtrees have tiles, and how many octaves of detail a tile shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.detail import Detail

# The wavelength of the shortest octave in a tile, in texels.
OCTAVE_TEXELS = 3.0


@dataclass(frozen=True)
class TileLevels:
    """The levels of a world's quadtrees that have tiles, `first` to `last`. Tiles of the first hold `octaves` of detail."""

    first: int
    last: int
    octaves: int

    def octaves_of(self, level: np.ndarray) -> np.ndarray:
        """Octaves of detail in tiles of each level, (k,)."""
        return level - self.first + self.octaves


def tile_levels(detail: Detail, texels: int) -> TileLevels:
    """The levels with tiles of `texels` along an edge: from the first that can show an octave to that of the last octave."""
    samples = detail.rough_m.shape[-1] - 1
    # Texels over one wavelength of the first octave, in a tile of a whole face.
    fine = texels * 2.0 / samples
    first = max(0, int(np.ceil(np.log2(OCTAVE_TEXELS / fine))))
    octaves = int(np.floor(np.log2(fine * 2.0**first / OCTAVE_TEXELS))) + 1
    octaves = min(octaves, detail.octaves)
    return TileLevels(first, first + detail.octaves - octaves, octaves)
