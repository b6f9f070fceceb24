"""Relief blocks on the GPU: what is known of the relief beyond the samples, for the tiles."""

from __future__ import annotations

import numpy as np

from ..ground.relief_blocks import CELLS, RIM, ReliefBlocks
from .gl.textures import ARRAY, FLAT, R16F, R32F, Texture

# The picture of blocks is about so wide, in texels: every driver takes that.
WIDTH = 4096


class BlockTextures:
    """The numbers of blocks by place, and the blocks in rows of one picture, the levels of each below one another."""

    def __init__(self, blocks: ReliefBlocks) -> None:
        count, levels, side, _ = blocks.rise_m.shape
        along = max(1, min(count, WIDTH // side))
        rows = -(-count // along)
        picture = np.zeros((rows, along, levels, side, side), np.float16)
        picture.reshape(-1, levels, side, side)[:count] = blocks.rise_m
        picture = np.ascontiguousarray(picture.transpose(0, 2, 3, 1, 4)).reshape(rows * levels * side, along * side)
        self._rises = Texture(FLAT, R16F, picture.shape, linear=False)
        self._rises.upload(picture)
        self._numbers = Texture(ARRAY, R32F, blocks.number.shape, linear=False)
        self._numbers.upload(blocks.number.astype(np.float32))
        self.form = float(CELLS), float((side - 1 - 2 * RIM) // CELLS), float(levels), float(along)

    def units(self) -> dict[str, int]:
        """Texture units by the names of the samplers."""
        return {"block_rises": self._rises.bind(), "block_numbers": self._numbers.bind()}

    def free(self) -> None:
        for texture in (self._rises, self._numbers):
            texture.free()
