"""Textures that several passes read: noise, the table of sunlight, and clouds.

They are in half floats. Seen from near a texel is as wide as many pixels, and between two bytes a software renderer blends
to bytes again: clouds were squares. Half floats take it no longer.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ..ground.noise_volume import noise_volume
from .gl.textures import FLAT, R16F, RGBA16F, RGBA_HALVES, VOLUME, Texture


@dataclass(frozen=True)
class SharedTextures:
    """What lights and varies everything in one world.

    `noise`: the volume of noise; `sunlight`: what the world's air makes of the sun's light; `clouds`: plasma; `sky_view`:
    the air as it is seen from the eye.
    """

    noise: Texture
    sunlight: Texture
    clouds: Texture
    sky_view: Texture

    def units(self) -> dict[str, int]:
        """Their texture units by the names of the samplers."""
        return {field.name: getattr(self, field.name).bind() for field in fields(self)}


def noise_texture() -> Texture:
    """The volume of noise as one repeating texture: variation of colour anywhere is one fetch."""
    volume = noise_volume()
    texture = Texture(VOLUME, RGBA_HALVES, volume.shape[:3], repeat=True)
    texture.upload((volume / 255.0).astype(np.float16))
    return texture


def sunlight_texture(table: np.ndarray) -> Texture:
    """A table of sunlight, float32 (rows, columns, 4) as `air_table` returns it, as a texture."""
    texture = Texture(FLAT, RGBA16F, table.shape[:2])
    texture.upload(table)
    return texture


def clouds_texture(field: np.ndarray | None) -> Texture:
    """Plasma in 0..1, float32 (k, k), as a repeating texture; clear sky for None."""
    pixels = np.zeros((2, 2), np.float16) if field is None else field.astype(np.float16)
    texture = Texture(FLAT, R16F, pixels.shape, repeat=True)
    texture.upload(pixels)
    return texture
