"""The geometry buffer of deferred shading: where on the ground each pixel is, before it is shaded."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .gl import opengl as GL
from .gl.targets import Target
from .gl.textures import FLAT, RGBA32F, Texture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..tables.quality import Quality


# Textures that the largest program of deferred shading reads; OpenGL 3.3 promises 16.
TEXTURES = 19


def supported(quality: Quality) -> Quality:
    """A quality as the driver can draw it."""
    if quality.deferred and GL.glGetIntegerv(GL.GL_MAX_TEXTURE_IMAGE_UNITS) < TEXTURES:
        return replace(quality, deferred=False)
    return quality


class GeometryBuffer:
    """What geometry.frag says of each pixel of a target, and which patch each tile belongs to."""

    def __init__(self, target: Target) -> None:
        """`target`: on which is drawn; the buffer has its size and its depths."""
        self._target = target
        self._pixels = Target(target.width, target.height, RGBA32F, depth=target, scale=target.scale)
        self._places: Texture | None = None
        self._told: np.ndarray = np.zeros(0, np.float32)

    def fits(self, target: Target) -> bool:
        """Whether it is that of `target`."""
        return self._target is target

    @contextmanager
    def stored(self, along: int, side: int, parts: Sequence[np.ndarray]) -> Iterator[dict[str, int]]:
        """Draw into the buffer meanwhile, and on the target again afterwards. The texture units by which shaders read it.

        `along`: tiles along an edge of their picture; `side`: texels along that of a tile. `parts`: the patches that are
        drawn, TILED (k,) each.
        """
        places = self._tell(along, side, parts)
        self._pixels.begin_colours()
        yield {"geometry": self._pixels.colour.bind(), "tile_places": places.bind()}
        self._target.go_on()

    def _tell(self, along: int, side: int, parts: Sequence[np.ndarray]) -> Texture:
        """The patches of all tiles that are drawn: two texels for each slot, in the order of the slots."""
        told = np.zeros((along, along, 2, 4), np.float32)
        for patches in parts:
            column, row = (patches["tile"] / side).astype(np.intp).T
            told[row, column, 0], told[row, column, 1, :3] = patches["patch"], patches["direction"]
        if self._places is None:
            # For as many slots as there can be: as they become more, its sides must not become powers of two.
            self._places = Texture(FLAT, RGBA32F, (along, 2 * along), linear=False)
        # Which tiles are drawn stays for some frames.
        if not np.array_equal(told, self._told):
            self._places.upload(told.reshape(along, 2 * along, 4))
            self._told = told
        return self._places

    def free(self) -> None:
        if self._places is not None:
            self._places.free()
            self._places = None
        self._pixels.free()
