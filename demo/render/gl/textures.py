"""Textures and their formats. Needs a current OpenGL 3.3 core context.

Every OpenGL object in this folder has an idempotent `free()`, which its owner calls on the main thread. Nothing is freed by
`__del__`: that could run on another thread, or after the context is gone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import gl_context, gpu_memory
from . import opengl as GL
from .gpu_error import GpuError


class TexelFormat(NamedTuple):
    """How texels are stored, and what an upload hands over.

    `internal`, `form`, `kind`: OpenGL's internal format, pixel format and component type; `dtype`, `channels`: of the
    uploaded array; `texel_bytes`: on the GPU.
    """

    internal: int
    form: int
    kind: int
    dtype: type[np.generic]
    channels: int
    texel_bytes: int


R8 = TexelFormat(GL.GL_R8, GL.GL_RED, GL.GL_UNSIGNED_BYTE, np.uint8, 1, 1)
RG8 = TexelFormat(GL.GL_RG8, GL.GL_RG, GL.GL_UNSIGNED_BYTE, np.uint8, 2, 2)
R16F = TexelFormat(GL.GL_R16F, GL.GL_RED, GL.GL_HALF_FLOAT, np.float16, 1, 2)
R32F = TexelFormat(GL.GL_R32F, GL.GL_RED, GL.GL_FLOAT, np.float32, 1, 4)
RG32F = TexelFormat(GL.GL_RG32F, GL.GL_RG, GL.GL_FLOAT, np.float32, 2, 8)
RGBA8 = TexelFormat(GL.GL_RGBA8, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, np.uint8, 4, 4)
RGB10_A2 = TexelFormat(GL.GL_RGB10_A2, GL.GL_RGBA, GL.GL_UNSIGNED_INT_2_10_10_10_REV, np.uint32, 1, 4)
RGBA16F = TexelFormat(GL.GL_RGBA16F, GL.GL_RGBA, GL.GL_FLOAT, np.float32, 4, 8)
RGBA_HALVES = TexelFormat(GL.GL_RGBA16F, GL.GL_RGBA, GL.GL_HALF_FLOAT, np.float16, 4, 8)
RGBA16_SNORM = TexelFormat(GL.GL_RGBA16_SNORM, GL.GL_RGBA, GL.GL_SHORT, np.int16, 4, 8)
RGBA32F = TexelFormat(GL.GL_RGBA32F, GL.GL_RGBA, GL.GL_FLOAT, np.float32, 4, 16)

FLAT, ARRAY, VOLUME = GL.GL_TEXTURE_2D, GL.GL_TEXTURE_2D_ARRAY, GL.GL_TEXTURE_3D


def check_limits(layers: int, side: int) -> None:
    """Raises GpuError unless array textures of `layers` layers of side x side texels are possible."""
    if GL.glGetIntegerv(GL.GL_MAX_ARRAY_TEXTURE_LAYERS) < layers or GL.glGetIntegerv(GL.GL_MAX_TEXTURE_SIZE) < side:
        raise GpuError(f"the graphics driver has no array textures of {layers} layers of {side}x{side}: choose fewer cells")


class Texture:
    """A texture; `shape` is (height, width) of a flat one, (layers or depth, height, width) of others.

    `linear`: neighbouring texels are blended; `repeat`: coordinates beyond the edge come back in on the other side.
    """

    def __init__(
        self, target: int, texels: TexelFormat, shape: tuple[int, ...], linear: bool = True, repeat: bool = False
    ) -> None:
        self.target, self.texels, self.shape = target, texels, tuple(shape)
        self.id = GL.glGenTextures(1)[0]
        self._activate()
        chosen = GL.GL_LINEAR if linear else GL.GL_NEAREST
        wrap = GL.GL_REPEAT if repeat else GL.GL_CLAMP_TO_EDGE
        for name in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
            GL.glTexParameteri(target, name, chosen)
        for name in (GL.GL_TEXTURE_WRAP_S, GL.GL_TEXTURE_WRAP_T, GL.GL_TEXTURE_WRAP_R):
            GL.glTexParameteri(target, name, wrap)
        internal, form, kind = texels[:3]
        if target == FLAT:
            GL.glTexImage2D(target, 0, internal, shape[1], shape[0], 0, form, kind, None)
        else:
            GL.glTexImage3D(target, 0, internal, shape[2], shape[1], shape[0], 0, form, kind, None)
        self.bytes = int(np.prod(shape)) * texels.texel_bytes
        gpu_memory.allocated("texture", self.id, self.bytes)

    def upload(self, array: np.ndarray) -> None:
        """Replace the whole content; raises ValueError when shape or dtype do not fit."""
        texels = self.texels
        wanted = self.shape if texels.channels == 1 else (*self.shape, texels.channels)
        if array.shape != wanted or array.dtype != texels.dtype or not array.flags.c_contiguous:
            expected = np.dtype(texels.dtype)
            raise ValueError(f"texture takes contiguous {expected} {wanted}, not {array.dtype} {array.shape}")
        self._activate()
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        if self.target == FLAT:
            GL.glTexSubImage2D(
                self.target, 0, 0, 0, self.shape[1], self.shape[0], texels.form, texels.kind, GL.address(array)
            )
        else:
            depth, height, width = self.shape
            GL.glTexSubImage3D(self.target, 0, 0, 0, 0, width, height, depth, texels.form, texels.kind, GL.address(array))

    def upload_part(self, array: np.ndarray, x: int, y: int) -> None:
        """Replace a rectangle of a flat texture, from texel (x, y) on, by a contiguous array of its dtype."""
        self._activate()
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        height, width = array.shape[:2]
        GL.glTexSubImage2D(self.target, 0, x, y, width, height, self.texels.form, self.texels.kind, GL.address(array))

    def upload_rows(self, array: np.ndarray, layer: int, y: int) -> None:
        """Replace whole rows of one layer of an array texture, from row y on, by a contiguous array of its dtype."""
        self._activate()
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        high, wide = array.shape[:2]
        GL.glTexSubImage3D(self.target, 0, 0, y, layer, wide, high, 1, self.texels.form, self.texels.kind, GL.address(array))

    def bind(self) -> int:
        """Bind to a texture unit, unless it is bound to one; returns the unit's number, to hand to the sampler."""
        return gl_context.unit_of(self.id, self.target)

    def _activate(self) -> None:
        """Make its unit the one that texture calls act on."""
        gl_context.use_unit(self.bind())

    def free(self) -> None:
        if self.id:
            gl_context.texture_gone(self.id)
            GL.glDeleteTextures(1, [self.id])
            gpu_memory.released("texture", self.id)
            self.id = 0
