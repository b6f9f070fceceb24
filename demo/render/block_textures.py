"""Relief blocks on the GPU: what is known of the relief beyond the samples, for the tiles."""

from __future__ import annotations

import numpy as np

from ..ground.relief_blocks import CELLS, ReliefBlocks
from .gl.textures import ARRAY, FLAT, R16F, R32F, Texture


class BlockTextures:
    """The numbers of blocks by place, and the blocks in rows of one picture, the levels of each below one another."""

    def __init__(self, blocks: ReliefBlocks) -> None:
        self._rises = Texture(FLAT, R16F, blocks.picture.shape, linear=False)
        self._rises.upload(blocks.picture)
        self._numbers = Texture(ARRAY, R32F, blocks.number.shape, linear=False)
        self._numbers.upload(blocks.number.astype(np.float32))
        self.form = float(CELLS), float(2**blocks.levels), float(blocks.levels), float(blocks.along)

    def units(self) -> dict[str, int]:
        """Texture units by the names of the samplers."""
        return {"block_rises": self._rises.bind(), "block_numbers": self._numbers.bind()}

    def free(self) -> None:
        for texture in (self._rises, self._numbers):
            texture.free()
