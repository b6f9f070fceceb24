"""What is drawn onto: framebuffers of our own and of others, and copies between them.

Needs a current OpenGL 3.3 core context.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from OpenGL import GL

from . import gl_context, gpu_memory
from .gpu_error import GpuError
from .textures import FLAT, RGBA16F, TexelFormat, Texture

_DEPTH_BYTES = 4


@dataclass(frozen=True)
class Canvas:
    """width x height pixels of a framebuffer that somebody else owns (0: the window's)."""

    framebuffer: int
    width: int
    height: int

    def bind(self, first: int = 0, rows: int | None = None) -> None:
        """Draw on it from now on, or on `rows` of its rows alone, from row `first`."""
        gl_context.bind_framebuffer(self.framebuffer)
        gl_context.frame(self.width, self.height, first, rows)


class Target:
    """A framebuffer with one colour texture (half floats unless said) and, if wanted, a depth buffer.

    `width`, `height`: of the picture in pixels, `rows`: how many of its rows there is room for at a time.
    """

    def __init__(
        self, width: int, height: int, texels: TexelFormat = RGBA16F, depth: bool = True, rows: int | None = None
    ) -> None:
        self.width, self.height = width, height
        self.rows = height if rows is None else rows
        self.scale = 1.0
        self._first = 0
        self.colour = Texture(FLAT, texels, (self.rows, width))
        self._id = int(GL.glGenFramebuffers(1))
        gl_context.bind_framebuffer(self._id)
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, FLAT, self.colour.id, 0)
        self._depth = 0
        if depth:
            self._depth = self._depth_buffer()
            attachment = GL.GL_DEPTH_ATTACHMENT
            GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, attachment, GL.GL_RENDERBUFFER, self._depth)
        if GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER) != GL.GL_FRAMEBUFFER_COMPLETE:
            raise GpuError(f"the graphics driver cannot draw into a {width}x{height} picture: choose a smaller size")

    def _depth_buffer(self) -> int:
        depth = int(GL.glGenRenderbuffers(1))
        GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, depth)
        GL.glRenderbufferStorage(GL.GL_RENDERBUFFER, GL.GL_DEPTH_COMPONENT32F, self.width, self.rows)
        gpu_memory.allocated("depth", depth, self.width * self.rows * _DEPTH_BYTES)
        return depth

    @property
    def drawn(self) -> tuple[int, int]:
        """(width, height) in pixels of the part that is drawn on, `scale` of the whole."""
        return max(1, round(self.width * self.scale)), max(1, round(self.height * self.scale))

    @property
    def canvas(self) -> Canvas:
        """All of it, to draw on."""
        return Canvas(self._id, self.width, self.height)

    def bind(self) -> None:
        """Draw on all of it from now on."""
        self.canvas.bind()

    @property
    def band(self) -> tuple[int, int]:
        """(first, count) of the rows of the picture that there is room for at present."""
        return self._first, min(self.rows, self.drawn[1] - self._first)

    def begin(self, first: int = 0) -> None:
        """Bind and clear; from here on only the part `drawn` of it is drawn on, and of that the band from row `first`."""
        self._first = first
        gl_context.bind_framebuffer(self._id)
        gl_context.frame(*self.drawn, rows=self.band[1], below=first)
        gl_context.write_depth(True)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)

    def bands(self) -> Iterator[None]:
        """Begins one band after the other, from below, until all that is `drawn` has had its turn."""
        for first in range(0, self.drawn[1], self.rows):
            self.begin(first)
            yield

    def read(self) -> np.ndarray:
        """Its colours as uint8 (rows, width, 3), top row first."""
        gl_context.bind_framebuffer(self._id)
        return read_bound(self.width, self.rows)

    def read_floats(self) -> np.ndarray:
        """Its colours as float32 (rows, width, 4), bottom row first."""
        gl_context.bind_framebuffer(self._id)
        out = np.empty((self.rows, self.width, 4), np.float32)
        GL.glReadPixels(0, 0, self.width, self.rows, GL.GL_RGBA, GL.GL_FLOAT, out)
        return out

    def free(self) -> None:
        if self._id:
            gl_context.gone("framebuffer", self._id)
            GL.glDeleteFramebuffers(1, [self._id])
            self.colour.free()
            if self._depth:
                GL.glDeleteRenderbuffers(1, [self._depth])
                gpu_memory.released("depth", self._depth)
            self._id = self._depth = 0


def enlarge(picture: Target, onto: Canvas) -> None:
    """Fill a canvas with a picture of another size, blending between its pixels. The canvas is bound afterwards."""
    gl_context.bind_for_copy(picture.canvas.framebuffer, onto.framebuffer)
    gl_context.frame(onto.width, onto.height)
    to = (0, 0, onto.width, onto.height)
    GL.glBlitFramebuffer(0, 0, picture.width, picture.height, *to, GL.GL_COLOR_BUFFER_BIT, GL.GL_LINEAR)


def copy(source: Target, onto: Target, parts: Sequence[tuple[int, ...]]) -> None:
    """Copy rectangles of a target onto another of its format, which is bound afterwards.

    `parts`: (x, y) there, (x, y) here, width and height of each, in pixels.
    """
    gl_context.bind_for_copy(source.canvas.framebuffer, onto.canvas.framebuffer)
    gl_context.frame(onto.width, onto.rows)
    for x, y, u, v, w, h in parts:
        GL.glBlitFramebuffer(x, y, x + w, y + h, u, v, u + w, v + h, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)


def read_bound(width: int, height: int) -> np.ndarray:
    """The bound framebuffer's colours as uint8 (height, width, 3), top row first."""
    out = np.empty((height, width, 3), np.uint8)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
    GL.glReadPixels(0, 0, width, height, GL.GL_RGB, GL.GL_UNSIGNED_BYTE, out)
    return out[::-1].copy()
