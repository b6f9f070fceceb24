"""Textures, buffers and targets; with programs.py the only file that creates OpenGL objects.

Every object has an idempotent `free()`, called on the main thread by whoever made it; nothing is freed by `__del__`, which
could run on another thread or after the context is gone. Needs a current OpenGL 3.3 core context.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from OpenGL import GL

from . import gl_context


class GpuError(RuntimeError):
    """The graphics driver cannot do what Landfall needs; the message says what."""


def describe() -> dict[str, str]:
    """Vendor, renderer and version of the current context."""
    names = {"vendor": GL.GL_VENDOR, "renderer": GL.GL_RENDERER, "version": GL.GL_VERSION}
    return {key: (GL.glGetString(name) or b"unknown").decode(errors="replace") for key, name in names.items()}


def check_limits(layers: int, side: int) -> None:
    """Raises GpuError unless array textures of that size are possible."""
    if GL.glGetIntegerv(GL.GL_MAX_ARRAY_TEXTURE_LAYERS) < layers or GL.glGetIntegerv(GL.GL_MAX_TEXTURE_SIZE) < side:
        raise GpuError(f"the graphics driver has no array textures of {layers} layers of {side}x{side}: choose fewer cells")


# internal format, format, type, numpy dtype, channels
R32F = (GL.GL_R32F, GL.GL_RED, GL.GL_FLOAT, np.float32, 1)
R16F = (GL.GL_R16F, GL.GL_RED, GL.GL_HALF_FLOAT, np.float16, 1)
RGBA32F = (GL.GL_RGBA32F, GL.GL_RGBA, GL.GL_FLOAT, np.float32, 4)
RGBA16F = (GL.GL_RGBA16F, GL.GL_RGBA, GL.GL_FLOAT, np.float32, 4)
RGBA16_SNORM = (GL.GL_RGBA16_SNORM, GL.GL_RGBA, GL.GL_SHORT, np.int16, 4)
RGBA8 = (GL.GL_RGBA8, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, np.uint8, 4)
RGB10_A2 = (GL.GL_RGB10_A2, GL.GL_RGBA, GL.GL_UNSIGNED_INT_2_10_10_10_REV, np.uint32, 1)
R8 = (GL.GL_R8, GL.GL_RED, GL.GL_UNSIGNED_BYTE, np.uint8, 1)

FLAT, ARRAY, VOLUME = GL.GL_TEXTURE_2D, GL.GL_TEXTURE_2D_ARRAY, GL.GL_TEXTURE_3D


# Bytes of a texel by its internal format.
_TEXEL = {
    GL.GL_R8: 1,
    GL.GL_R16F: 2,
    GL.GL_R32F: 4,
    GL.GL_RGBA8: 4,
    GL.GL_RGB10_A2: 4,
    GL.GL_RG32F: 8,
    GL.GL_RGBA16F: 8,
    GL.GL_RGBA16_SNORM: 8,
    GL.GL_RGBA32F: 16,
}
_DEPTH_BYTES = 4
# Bytes of what is there, by kind and number.
_held: dict[tuple[str, int], int] = {}


def memory() -> int:
    """Bytes of the textures, targets and buffers that are there, as they were asked for: drivers pad them a little."""
    return sum(_held.values())


def forget_memory() -> None:
    """To be called when another context has become the current one: what was there has gone with the last."""
    _held.clear()


class Texture:
    """A texture of one target and format; `shape` is (height, width) or (depth or layers, height, width)."""

    def __init__(
        self, target: int, layout: tuple, shape: tuple[int, ...], linear: bool = True, repeat: bool = False
    ) -> None:
        self.target, self.layout, self.shape = target, layout, tuple(shape)
        self._id = int(GL.glGenTextures(1))
        self._activate()
        chosen = GL.GL_LINEAR if linear else GL.GL_NEAREST
        wrap = GL.GL_REPEAT if repeat else GL.GL_CLAMP_TO_EDGE
        for name in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
            GL.glTexParameteri(target, name, chosen)
        for name in (GL.GL_TEXTURE_WRAP_S, GL.GL_TEXTURE_WRAP_T, GL.GL_TEXTURE_WRAP_R):
            GL.glTexParameteri(target, name, wrap)
        internal, form, kind = layout[:3]
        if target == FLAT:
            GL.glTexImage2D(target, 0, internal, shape[1], shape[0], 0, form, kind, None)
        else:
            GL.glTexImage3D(target, 0, internal, shape[2], shape[1], shape[0], 0, form, kind, None)
        self.bytes = int(np.prod(shape)) * _TEXEL[internal]
        _held["texture", self._id] = self.bytes

    def upload(self, array: np.ndarray) -> None:
        """Replace the whole content; raises ValueError when shape or dtype do not fit."""
        _, form, kind, dtype, channels = self.layout
        wanted = self.shape if channels == 1 else (*self.shape, channels)
        if array.shape != wanted or array.dtype != dtype or not array.flags.c_contiguous:
            raise ValueError(f"texture takes contiguous {np.dtype(dtype)} {wanted}, not {array.dtype} {array.shape}")
        self._activate()
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        if self.target == FLAT:
            GL.glTexSubImage2D(self.target, 0, 0, 0, self.shape[1], self.shape[0], form, kind, array)
        else:
            depth, height, width = self.shape
            GL.glTexSubImage3D(self.target, 0, 0, 0, 0, width, height, depth, form, kind, array)

    def upload_part(self, array: np.ndarray, x: int, y: int) -> None:
        """Replace a rectangle of a flat texture's content, contiguous and of its kind, from texel x, y on."""
        _, form, kind = self.layout[:3]
        self._activate()
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        GL.glTexSubImage2D(self.target, 0, x, y, array.shape[1], array.shape[0], form, kind, array)

    def bind(self) -> int:
        """Bind to a texture unit, if it is not bound to one; the unit's number, to hand to the sampler."""
        return gl_context.unit_of(self._id, self.target)

    def _activate(self) -> None:
        """Make its unit the one that calls about textures are about."""
        gl_context.use_unit(self.bind())

    def free(self) -> None:
        if self._id:
            gl_context.texture_gone(self._id)
            GL.glDeleteTextures([self._id])
            _held.pop(("texture", self._id), None)
            self._id = 0


@dataclass(frozen=True)
class Canvas:
    """width x height pixels of a framebuffer that is somebody else's (0: the window's)."""

    framebuffer: int
    width: int
    height: int

    def bind(self, first: int = 0, rows: int | None = None) -> None:
        """Draw on it, or on so many of its rows alone."""
        gl_context.bind_framebuffer(self.framebuffer)
        gl_context.frame(self.width, self.height, first, rows)


class Target:
    """A framebuffer with one colour texture (half floats unless said) and, if wanted, a depth buffer.

    `width`, `height`: of the picture that is drawn, `rows`: how many of its rows there is room for at a time.
    """

    def __init__(
        self, width: int, height: int, internal: int | None = None, depth: bool = True, rows: int | None = None
    ) -> None:
        self.width, self.height = width, height
        self.rows = height if rows is None else rows
        self.scale = 1.0
        self._first = 0
        internal = GL.GL_RGBA16F if internal is None else internal
        kind = GL.GL_UNSIGNED_BYTE if internal == GL.GL_RGBA8 else GL.GL_FLOAT
        self.colour = Texture(FLAT, (internal, GL.GL_RGBA, kind, None, 4), (self.rows, width))
        self._id = int(GL.glGenFramebuffers(1))
        gl_context.bind_framebuffer(self._id)
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, FLAT, self.colour._id, 0)
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
        _held["depth", depth] = self.width * self.rows * _DEPTH_BYTES
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
        """Its colours as float32 (rows, width, 4), bottom row first: for the tests of the shaders' mathematics."""
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
                _held.pop(("depth", self._depth), None)
            self._id = self._depth = 0


def enlarge(picture: Target, onto: Canvas) -> None:
    """Fill a canvas with a picture of another size, between whose pixels colours run evenly; what is drawn next is drawn
    on the canvas."""
    gl_context.bind_for_copy(picture.canvas.framebuffer, onto.framebuffer)
    gl_context.frame(onto.width, onto.height)
    to = (0, 0, onto.width, onto.height)
    GL.glBlitFramebuffer(0, 0, picture.width, picture.height, *to, GL.GL_COLOR_BUFFER_BIT, GL.GL_LINEAR)


def copy(source: Target, onto: Target, parts: list[tuple[int, ...]]) -> None:
    """Copy parts of a target onto another of its kind: (x, y) there, (x, y) here, width and height of each. What is
    drawn next is drawn on the other."""
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


class Mesh:
    """Vertices in one buffer, bound by the field names of its structured dtype; optionally indices and instances.

    `locations` maps field name to attribute location; instance fields advance once an instance.
    """

    def __init__(self, vertex: dict[str, int], vertex_dtype: np.dtype, instance: dict[str, int] | None = None,
                 instance_dtype: np.dtype | None = None, indices: np.ndarray | None = None) -> None:  # fmt: skip
        self._array = int(GL.glGenVertexArrays(1))
        self._buffers = [int(b) for b in np.atleast_1d(GL.glGenBuffers(3))]
        self.vertex_dtype, self.instance_dtype = vertex_dtype, instance_dtype
        self.index_count = 0 if indices is None else indices.size
        self._bind()
        self._attributes(self._buffers[0], vertex, vertex_dtype, 0)
        if instance is not None and instance_dtype is not None:
            self._attributes(self._buffers[1], instance, instance_dtype, 1)
        if indices is not None:
            GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, self._buffers[2])
            GL.glBufferData(GL.GL_ELEMENT_ARRAY_BUFFER, indices.nbytes, indices, GL.GL_STATIC_DRAW)
            _held["buffer", self._buffers[2]] = indices.nbytes

    def _bind(self) -> None:
        if gl_context.changes("vertex_array", self._array):
            GL.glBindVertexArray(self._array)

    @staticmethod
    def _attributes(buffer: int, locations: dict[str, int], dtype: np.dtype, divisor: int) -> None:
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer)
        for name, location in locations.items():
            field, offset = dtype.fields[name][:2]
            count = int(np.prod(field.shape, dtype=int)) if field.shape else 1
            pointer = ctypes.c_void_p(offset)
            GL.glEnableVertexAttribArray(location)
            GL.glVertexAttribPointer(location, count, GL.GL_FLOAT, GL.GL_FALSE, dtype.itemsize, pointer)
            GL.glVertexAttribDivisor(location, divisor)

    def fill(self, vertices: np.ndarray, stream: bool = False) -> None:
        """Replace the vertices; raises ValueError when the dtype is not this mesh's."""
        self._fill(0, vertices, self.vertex_dtype, stream)

    def fill_instances(self, instances: np.ndarray) -> None:
        """Replace the instances; raises ValueError when the dtype is not this mesh's."""
        self._fill(1, instances, self.instance_dtype, True)

    def _fill(self, which: int, array: np.ndarray, dtype: np.dtype, stream: bool) -> None:
        if array.dtype != dtype or not array.flags.c_contiguous:
            raise ValueError(f"buffer takes contiguous {dtype}, not {array.dtype}")
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self._buffers[which])
        # As bytes: PyOpenGL has records described anew, field by field.
        content, usage = array.view(np.uint8), GL.GL_STREAM_DRAW if stream else GL.GL_STATIC_DRAW
        GL.glBufferData(GL.GL_ARRAY_BUFFER, array.nbytes, content, usage)
        _held["buffer", self._buffers[which]] = array.nbytes

    def draw(self, mode: int, count: int) -> None:
        self._bind()
        GL.glDrawArrays(mode, 0, count)

    def draw_parts(self, mode: int, first: np.ndarray, count: np.ndarray) -> None:
        """Several runs of vertices by one call: integers (k,) each."""
        self._bind()
        GL.glMultiDrawArrays(mode, first.astype(np.int32), count.astype(np.int32), len(first))

    def draw_instanced(self, mode: int, instances: int) -> None:
        """All indices, once an instance; state.RESTART begins a new strip."""
        self._bind()
        GL.glDrawElementsInstanced(mode, self.index_count, GL.GL_UNSIGNED_SHORT, None, instances)

    def free(self) -> None:
        if self._array:
            gl_context.gone("vertex_array", self._array)
            GL.glDeleteVertexArrays(1, [self._array])
            GL.glDeleteBuffers(3, self._buffers)
            for buffer in self._buffers:
                _held.pop(("buffer", buffer), None)
            self._array = 0


def screen_triangle() -> Mesh:
    """One triangle that covers the picture."""
    dtype = np.dtype([("corner", np.float32, 2)])
    mesh = Mesh({"corner": 0}, dtype)
    corners = np.zeros(3, dtype)
    corners["corner"] = [(-1, -1), (3, -1), (-1, 3)]
    mesh.fill(corners)
    return mesh


def finish() -> None:
    """Wait until everything asked for is drawn."""
    GL.glFinish()


class Timer:
    """How long the GPU takes for what it is asked for between `begin` and `end`: known some frames later."""

    def __init__(self) -> None:
        self._queries: list[int] = []
        self._asked: deque[int] = deque()
        self._running = False

    def begin(self) -> list[float]:
        """Begin; the seconds of earlier frames that are known by now, the oldest first."""
        known = []
        while self._asked and GL.glGetQueryObjectuiv(self._asked[0], GL.GL_QUERY_RESULT_AVAILABLE):
            query = self._asked.popleft()
            # Up to four seconds fit 32 bits of nanoseconds; for 64 PyOpenGL lacks a type.
            known.append(int(GL.glGetQueryObjectuiv(query, GL.GL_QUERY_RESULT)) * 1e-9)
            self._queries.append(query)
        if not self._queries:
            self._queries.append(int(np.atleast_1d(GL.glGenQueries(1))[0]))
        GL.glBeginQuery(GL.GL_TIME_ELAPSED, self._queries[-1])
        self._running = True
        return known

    def end(self) -> None:
        """End what was begun."""
        GL.glEndQuery(GL.GL_TIME_ELAPSED)
        self._asked.append(self._queries.pop())
        self._running = False

    def free(self) -> None:
        if self._running:
            self.end()
        queries = [*self._queries, *self._asked]
        if queries:
            GL.glDeleteQueries(len(queries), queries)
        self._queries.clear()
        self._asked.clear()
