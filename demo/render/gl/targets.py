"""What is drawn onto: framebuffers of our own and of others, and copies between them.

Needs a current OpenGL 3.3 core context.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from . import gl_context, gpu_memory
from . import opengl as GL
from .gpu_error import GpuError
from .textures import FLAT, RGBA8, RGBA16F, TexelFormat, Texture

_DEPTH_BYTES = 4


@dataclass(frozen=True)
class Canvas:
    """width x height pixels of a framebuffer that somebody else owns (0: the window's)."""

    framebuffer: int
    width: int
    height: int

    def bind(self) -> None:
        """Draw on it from now on."""
        gl_context.bind_framebuffer(self.framebuffer)
        gl_context.frame(self.width, self.height)


class Target:
    """A framebuffer with a colour texture (half floats unless said) and, if wanted, a depth buffer with a stencil.

    `width`, `height`: of the picture in pixels. `scale`: the share of both that is drawn on. `room`: (width, height) in
    pixels of what there is memory for. `colours`: all its textures, in the order of the shader's outputs; `colour`: the
    first.
    """

    def __init__(
        self,
        width: int,
        height: int,
        texels: TexelFormat = RGBA16F,
        depth: bool | Target = True,
        beside: Sequence[TexelFormat] = (),
        scale: float = 1.0,
    ) -> None:
        """`depth`: another target, at least as large, has it share its depth buffer. `beside`: of further textures. `scale`:
        the largest that there is memory for.

        Raises GpuError when the driver cannot draw into such a picture.
        """
        self.width, self.height = width, height
        self.scale = scale
        # To a software renderer's driver a texture with a side of a power of two takes another program.
        self.room = self.drawn if scale == 1.0 else tuple(side + (side & (side - 1) == 0) for side in self.drawn)
        self.colours = [Texture(FLAT, one, self.room[::-1]) for one in (texels, *beside)]
        self._id = GL.glGenFramebuffers(1)[0]
        gl_context.bind_framebuffer(self._id)
        for number, colour in enumerate(self.colours):
            GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0 + number, FLAT, colour.id, 0)
        if beside:
            self._draw_on(range(len(self.colours)))
        self._depth = 0
        if depth:
            if depth is True:
                self._depth = self._depth_buffer()
            buffer = self._depth if depth is True else depth._depth
            attachment = GL.GL_DEPTH_STENCIL_ATTACHMENT
            GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, attachment, GL.GL_RENDERBUFFER, buffer)
        if GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER) != GL.GL_FRAMEBUFFER_COMPLETE:
            raise GpuError(f"the graphics driver cannot draw into a {width}x{height} picture: choose a smaller size")

    @property
    def colour(self) -> Texture:
        """The first texture."""
        return self.colours[0]

    def _draw_on(self, numbers: Sequence[int]) -> None:
        """Draw on these of its textures from now on; it is bound."""
        every = [GL.GL_COLOR_ATTACHMENT0 + k if k in numbers else GL.GL_NONE for k in range(len(self.colours))]
        GL.glDrawBuffers(len(every), every)

    def _depth_buffer(self) -> int:
        depth = GL.glGenRenderbuffers(1)[0]
        GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, depth)
        width, height = self.room
        GL.glRenderbufferStorage(GL.GL_RENDERBUFFER, GL.GL_DEPTH24_STENCIL8, width, height)
        gpu_memory.allocated("depth", depth, width * height * _DEPTH_BYTES)
        return depth

    @property
    def drawn(self) -> tuple[int, int]:
        """(width, height) in pixels of the part that is drawn on, `scale` of the whole."""
        return max(1, round(self.width * self.scale)), max(1, round(self.height * self.scale))

    @property
    def canvas(self) -> Canvas:
        """All of it, to draw on."""
        return Canvas(self._id, *self.room)

    def bind(self) -> None:
        """Draw on all of it from now on."""
        self.canvas.bind()

    def begin(self) -> None:
        """Bind and clear; from here on only the part `drawn` of it is drawn on."""
        self.go_on()
        gl_context.write_depth(True)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)

    def begin_colours(self) -> None:
        """Bind, and clear its colours alone."""
        self.go_on()
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)

    def go_on(self) -> None:
        """Bind the part `drawn` of it, with what is there."""
        gl_context.bind_framebuffer(self._id)
        gl_context.frame(*self.drawn)

    def read(self) -> np.ndarray:
        """Its colours as uint8 (height, width, 3), top row first."""
        gl_context.bind_framebuffer(self._id)
        return read_bound(*self.room)

    def read_floats(self) -> np.ndarray:
        """Its colours as float32 (height, width, 4), bottom row first."""
        gl_context.bind_framebuffer(self._id)
        width, height = self.room
        out = np.empty((height, width, 4), np.float32)
        GL.glReadPixels(0, 0, width, height, GL.GL_RGBA, GL.GL_FLOAT, GL.address(out))
        return out

    def read_parts(self, corners: Sequence[tuple[int, int]], side: int) -> Iterator[np.ndarray]:
        """Red and green of squares of `side` pixels with these lower left corners, float32 (side, side, 2): one buffer,
        which the next square overwrites."""
        gl_context.bind_framebuffer(self._id)
        out = np.empty((side, side, 2), np.float32)
        for x, y in corners:
            GL.glReadPixels(x, y, side, side, GL.GL_RG, GL.GL_FLOAT, GL.address(out))
            yield out

    def free(self) -> None:
        if self._id:
            gl_context.gone("framebuffer", self._id)
            GL.glDeleteFramebuffers(1, [self._id])
            for colour in self.colours:
                colour.free()
            if self._depth:
                GL.glDeleteRenderbuffers(1, [self._depth])
                gpu_memory.released("depth", self._depth)
            self._id = self._depth = 0


def copy(source: Target, onto: Target, parts: Sequence[tuple[int, ...]]) -> None:
    """Copy rectangles of a target onto another of its formats, which is bound afterwards.

    `parts`: (x, y) there, (x, y) here, width and height of each, in pixels.
    """
    gl_context.bind_for_copy(source.canvas.framebuffer, onto.canvas.framebuffer)
    gl_context.frame(*onto.room)
    several = len(onto.colours) > 1
    for number in range(len(onto.colours)):
        if several:
            GL.glReadBuffer(GL.GL_COLOR_ATTACHMENT0 + number)
            onto._draw_on([number])
        for x, y, u, v, w, h in parts:
            GL.glBlitFramebuffer(x, y, x + w, y + h, u, v, u + w, v + h, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
    if several:
        GL.glReadBuffer(GL.GL_COLOR_ATTACHMENT0)
        onto._draw_on(range(len(onto.colours)))


def shrunk(source: Canvas, widest: int) -> np.ndarray:
    """A canvas's colours, halved until they are at most `widest` pixels wide: uint8 (height, width, 3), top row first."""
    halves: list[Target] = []
    try:
        here = source
        while here.width > widest:
            half = Target(here.width // 2, max(1, here.height // 2), RGBA8, depth=False)
            halves.append(half)
            gl_context.bind_for_copy(here.framebuffer, half.canvas.framebuffer)
            gl_context.frame(half.width, half.height)
            # Halfway between two pixels each way, linear filtering is their mean.
            size = (0, 0, here.width, here.height, 0, 0, half.width, half.height)
            GL.glBlitFramebuffer(*size, GL.GL_COLOR_BUFFER_BIT, GL.GL_LINEAR)
            here = half.canvas
        gl_context.bind_framebuffer(here.framebuffer)
        return read_bound(here.width, here.height)
    finally:
        for half in halves:
            half.free()


def read_bound(width: int, height: int) -> np.ndarray:
    """The bound framebuffer's colours as uint8 (height, width, 3), top row first."""
    out = np.empty((height, width, 3), np.uint8)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
    GL.glReadPixels(0, 0, width, height, GL.GL_RGB, GL.GL_UNSIGNED_BYTE, GL.address(out))
    return out[::-1].copy()
