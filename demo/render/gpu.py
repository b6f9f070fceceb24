"""Programs, textures, buffers and targets: the only file that creates OpenGL objects.

Every object has an idempotent `free()`, called on the main thread by whoever made it; nothing is freed by `__del__`, which
could run on another thread or after the context is gone. Needs a current OpenGL 3.3 core context.
"""

from __future__ import annotations

import ctypes
import os
from collections import deque
from dataclasses import dataclass

import numpy as np
import OpenGL

from demo.render import shaders

# Checks cost several microseconds a call: on in tests, off in the show. They must be set before OpenGL.GL is imported.
_CHECK = bool(os.environ.get("LANDFALL_GL_CHECK"))
OpenGL.ERROR_CHECKING = _CHECK
OpenGL.ERROR_LOGGING = False

from OpenGL import GL  # noqa: E402


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


# What the context is set to, as far as it was set here: what does not change is not sent again.
_set: dict[str, object] = {}


def forget_state() -> None:
    """To be called when another context has become the current one."""
    global _active
    _set.clear()
    _units.clear()
    _spare[:] = range(UNITS)
    GL.glActiveTexture(GL.GL_TEXTURE0)
    _active = 0
    # Needed by whoever draws indices or points, and of no effect on others.
    GL.glEnable(GL.GL_PRIMITIVE_RESTART)
    GL.glPrimitiveRestartIndex(RESTART)
    GL.glEnable(GL.GL_PROGRAM_POINT_SIZE)
    GL.glEnable(GL.GL_SCISSOR_TEST)


def _changes(name: str, value: object) -> bool:
    """Whether a setting has another value from now on."""
    if _set.get(name) == value:
        return False
    _set[name] = value
    return True


# How what is drawn meets what is there: factors of the new and the old colour, and of their alphas.
OVER = (GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA)
ADD = (GL.GL_ONE, GL.GL_ONE, GL.GL_ONE, GL.GL_ONE)
INK = (GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
NEARER, NEARER_OR_AS_FAR, EVERYWHERE = GL.GL_LESS, GL.GL_LEQUAL, GL.GL_ALWAYS
RESTART = 0xFFFF


def drawing(
    depth: int | None = None, keep_depth: bool = False, blend: tuple[int, int, int, int] | None = None, lines: bool = False
) -> None:
    """How the next meshes are drawn: all of it is said anew by everyone who draws, so that no one has to put it back.

    `depth`: the test that what is drawn must pass, None for none; `keep_depth`: whether the depth buffer takes its depths;
    `blend`: None to replace what is there; `lines`: the edges of triangles alone.
    """
    if _changes("depth", depth is not None):
        (GL.glEnable if depth is not None else GL.glDisable)(GL.GL_DEPTH_TEST)
    if depth is not None and _changes("depth_func", depth):
        GL.glDepthFunc(depth)
    _write_depth(keep_depth)
    if _changes("blend", blend is not None):
        (GL.glEnable if blend else GL.glDisable)(GL.GL_BLEND)
    if blend and _changes("blend_func", blend):
        GL.glBlendFuncSeparate(*blend)
    if _changes("lines", lines):
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_LINE if lines else GL.GL_FILL)


def _write_depth(wanted: bool) -> None:
    if _changes("depth_mask", wanted):
        GL.glDepthMask(GL.GL_TRUE if wanted else GL.GL_FALSE)


class Program:
    """A linked vertex and fragment shader, whose uniforms are set by name."""

    def __init__(self, vertex: str, fragment: str, **defines: int) -> None:
        self._id = GL.glCreateProgram()
        texts = shaders.texts(vertex, fragment, defines)
        parts = [
            _compile(GL.GL_VERTEX_SHADER, vertex, texts.vertex),
            _compile(GL.GL_FRAGMENT_SHADER, fragment, texts.fragment),
        ]
        for shader in parts:
            GL.glAttachShader(self._id, shader)
        GL.glLinkProgram(self._id)
        if not GL.glGetProgramiv(self._id, GL.GL_LINK_STATUS):
            raise GpuError(f"{vertex} + {fragment}: {_text(GL.glGetProgramInfoLog(self._id))}")
        for shader in parts:
            GL.glDeleteShader(shader)
        self._uniforms = self._active_uniforms()
        self._values: dict[str, object] = {}
        self._places = texts.places
        packed = self._uniforms.get(shaders.ARRAY.removeprefix("u_"))
        # The driver may have cut off what the shaders do not read.
        self._vectors = min(packed[2], texts.vectors) if packed else 0
        self._where = packed[0] if packed else -1
        self._packed = (ctypes.c_float * (4 * max(texts.vectors, 1)))()

    def use(self, **values: object) -> None:
        """Make this the current program and set uniforms; names the shader does not use are passed over.

        Arrays are known by identity: hand in another array, not a changed one.
        """
        if _changes("program", self._id):
            GL.glUseProgram(self._id)
        known, places, changed = self._values, self._places, False
        for name, value in values.items():
            place = places.get(name)
            uniform = None if place else self._uniforms.get(name)
            if place is None and uniform is None:
                continue
            before = known.get(name)
            if before is value:
                continue
            if isinstance(value, np.ndarray) and value.size <= 4:
                value = tuple(value.tolist())
            # What has not changed is not sent again: most of a frame's uniforms are a scene's.
            if not isinstance(value, np.ndarray) and before == value:
                continue
            known[name] = value
            if place is None:
                _set_uniform(*uniform, value)
                continue
            changed = True
            first, floats = place
            if floats == 1:
                self._packed[first] = value
            else:
                self._packed[first : first + floats] = value if floats < 16 else value.T.ravel().tolist()
        if changed and self._vectors:
            GL.glUniform4fv(self._where, self._vectors, self._packed)

    def free(self) -> None:
        if self._id:
            # The number may be given to the next program.
            if _set.get("program") == self._id:
                del _set["program"]
            GL.glDeleteProgram(self._id)
            self._id = 0

    def _active_uniforms(self) -> dict[str, tuple[int, int, int]]:
        found = {}
        for index in range(GL.glGetProgramiv(self._id, GL.GL_ACTIVE_UNIFORMS)):
            raw, size, kind = GL.glGetActiveUniform(self._id, index)
            name = _text(raw).removesuffix("[0]")
            found[name.removeprefix("u_")] = (int(GL.glGetUniformLocation(self._id, name)), int(kind), int(size))
        return found


class Variants:
    """A program for each set of compile-time switches: a software renderer works through both sides of every branch."""

    def __init__(self, vertex: str, fragment: str) -> None:
        self._files = (vertex, fragment)
        self._programs: dict[tuple, Program] = {}

    def get(self, **defines: int) -> Program:
        """The program with these `#define`s, compiled at first use."""
        key = tuple(int(value) for value in defines.values())
        if key not in self._programs:
            self._programs[key] = Program(*self._files, **defines)
        return self._programs[key]

    def free(self) -> None:
        for program in self._programs.values():
            program.free()
        self._programs.clear()


# Setters of the arrays among the uniforms.
_ARRAYS = {GL.GL_FLOAT: GL.glUniform1fv, GL.GL_FLOAT_VEC3: GL.glUniform3fv, GL.GL_FLOAT_VEC4: GL.glUniform4fv}


def _set_uniform(location: int, kind: int, size: int, value: object) -> None:
    if kind in _ARRAYS:
        _ARRAYS[kind](location, size, np.ascontiguousarray(value, np.float32))
    elif kind == GL.GL_INT_VEC2:
        GL.glUniform2i(location, *(int(part) for part in value))
    else:
        GL.glUniform1i(location, int(value))


def _compile(kind: int, name: str, text: str) -> int:
    shader = GL.glCreateShader(kind)
    GL.glShaderSource(shader, text)
    GL.glCompileShader(shader)
    if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
        raise GpuError(f"{name}: {_text(GL.glGetShaderInfoLog(shader))}")
    return shader


def _text(raw: object) -> str:
    if isinstance(raw, np.ndarray):
        raw = raw.tobytes()
    return raw.decode(errors="replace").rstrip("\0") if isinstance(raw, bytes) else str(raw)


# internal format, format, type, numpy dtype, channels
R32F = (GL.GL_R32F, GL.GL_RED, GL.GL_FLOAT, np.float32, 1)
R16F = (GL.GL_R16F, GL.GL_RED, GL.GL_HALF_FLOAT, np.float16, 1)
RGBA32F = (GL.GL_RGBA32F, GL.GL_RGBA, GL.GL_FLOAT, np.float32, 4)
RGBA16F = (GL.GL_RGBA16F, GL.GL_RGBA, GL.GL_FLOAT, np.float32, 4)
RGBA16_SNORM = (GL.GL_RGBA16_SNORM, GL.GL_RGBA, GL.GL_SHORT, np.int16, 4)
RGBA8 = (GL.GL_RGBA8, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, np.uint8, 4)
R8 = (GL.GL_R8, GL.GL_RED, GL.GL_UNSIGNED_BYTE, np.uint8, 1)

FLAT, ARRAY, VOLUME = GL.GL_TEXTURE_2D, GL.GL_TEXTURE_2D_ARRAY, GL.GL_TEXTURE_3D


# The texture units in use, by the texture that each holds, the one that was wanted longest ago first; and the active one.
# A texture keeps its unit until all are taken: OpenGL 3.3 has 48, of which a program reads 16 at most.
UNITS = 48
_units: dict[int, int] = {}
_spare: list[int] = []
_active = 0


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

    def bind(self) -> int:
        """Bind to a texture unit, if it is not bound to one; the unit's number, to hand to the sampler."""
        unit = _units.pop(self._id, None)
        if unit is None:
            unit = _spare.pop(0) if _spare else _units.pop(next(iter(_units)))
            _use_unit(unit)
            GL.glBindTexture(self.target, self._id)
        _units[self._id] = unit
        return unit

    def _activate(self) -> None:
        """Make its unit the one that calls about textures are about."""
        _use_unit(self.bind())

    def free(self) -> None:
        if self._id:
            # The number may be given to the next texture.
            if self._id in _units:
                _spare.append(_units.pop(self._id))
            GL.glDeleteTextures([self._id])
            self._id = 0


def _use_unit(unit: int) -> None:
    global _active
    if _active != unit:
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        _active = unit


def _bind(framebuffer: int) -> None:
    if _changes("framebuffer", framebuffer):
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)


def _frame(width: int, height: int) -> None:
    """Draw on, and clear, so many pixels from the lower left: a viewport alone does not bound a clear."""
    if _changes("frame", (width, height)):
        GL.glViewport(0, 0, width, height)
        GL.glScissor(0, 0, width, height)


@dataclass(frozen=True)
class Canvas:
    """width x height pixels of a framebuffer that is somebody else's (0: the window's)."""

    framebuffer: int
    width: int
    height: int

    def bind(self) -> None:
        """Draw on it."""
        _bind(self.framebuffer)
        _frame(self.width, self.height)


class Target:
    """A framebuffer with one colour texture (half floats unless said) and, if wanted, a depth buffer."""

    def __init__(self, width: int, height: int, internal: int | None = None, depth: bool = True) -> None:
        self.width, self.height = width, height
        self.scale = 1.0
        internal = GL.GL_RGBA16F if internal is None else internal
        kind = GL.GL_UNSIGNED_BYTE if internal == GL.GL_RGBA8 else GL.GL_FLOAT
        self.colour = Texture(FLAT, (internal, GL.GL_RGBA, kind, None, 4), (height, width))
        self._depth = GL.glGenRenderbuffers(1) if depth else 0
        self._id = int(GL.glGenFramebuffers(1))
        _bind(self._id)
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, FLAT, self.colour._id, 0)
        if depth:
            GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, self._depth)
            GL.glRenderbufferStorage(GL.GL_RENDERBUFFER, GL.GL_DEPTH_COMPONENT32F, width, height)
            attachment = GL.GL_DEPTH_ATTACHMENT
            GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, attachment, GL.GL_RENDERBUFFER, self._depth)
        if GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER) != GL.GL_FRAMEBUFFER_COMPLETE:
            raise GpuError(f"the graphics driver cannot draw into a {width}x{height} picture: choose a smaller size")

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

    def begin(self) -> None:
        """Bind and clear; from here on only the part `drawn` of it is drawn on."""
        Canvas(self._id, *self.drawn).bind()
        _write_depth(True)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)

    def read(self) -> np.ndarray:
        """Its colours as uint8 (height, width, 3), top row first."""
        _bind(self._id)
        return read_bound(self.width, self.height)

    def read_floats(self) -> np.ndarray:
        """Its colours as float32 (height, width, 4), bottom row first: for the tests of the shaders' mathematics."""
        _bind(self._id)
        out = np.empty((self.height, self.width, 4), np.float32)
        GL.glReadPixels(0, 0, self.width, self.height, GL.GL_RGBA, GL.GL_FLOAT, out)
        return out

    def free(self) -> None:
        if self._id:
            # The number may be given to the next framebuffer.
            if _set.get("framebuffer") == self._id:
                del _set["framebuffer"]
            GL.glDeleteFramebuffers(1, [self._id])
            self.colour.free()
            if self._depth:
                GL.glDeleteRenderbuffers(1, [self._depth])
            self._id = self._depth = 0


def enlarge(picture: Target, onto: Canvas) -> None:
    """Fill a canvas with a picture of another size, between whose pixels colours run evenly; leaves the canvas bound."""
    onto.bind()
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, picture.canvas.framebuffer)
    to = (0, 0, onto.width, onto.height)
    GL.glBlitFramebuffer(0, 0, picture.width, picture.height, *to, GL.GL_COLOR_BUFFER_BIT, GL.GL_LINEAR)
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, onto.framebuffer)


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

    def _bind(self) -> None:
        if _changes("vertex_array", self._array):
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
        GL.glBufferData(GL.GL_ARRAY_BUFFER, array.nbytes, array, GL.GL_STREAM_DRAW if stream else GL.GL_STATIC_DRAW)

    def draw(self, mode: int, count: int) -> None:
        self._bind()
        GL.glDrawArrays(mode, 0, count)

    def draw_parts(self, mode: int, first: np.ndarray, count: np.ndarray) -> None:
        """Several runs of vertices by one call: integers (k,) each."""
        self._bind()
        GL.glMultiDrawArrays(mode, first.astype(np.int32), count.astype(np.int32), len(first))

    def draw_instanced(self, mode: int, instances: int) -> None:
        """All indices, once an instance; RESTART begins a new strip."""
        self._bind()
        GL.glDrawElementsInstanced(mode, self.index_count, GL.GL_UNSIGNED_SHORT, None, instances)

    def free(self) -> None:
        if self._array:
            # The number may be given to the next one.
            if _set.get("vertex_array") == self._array:
                del _set["vertex_array"]
            GL.glDeleteVertexArrays(1, [self._array])
            GL.glDeleteBuffers(3, self._buffers)
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
            known.append(int(GL.glGetQueryObjectui64v(query, GL.GL_QUERY_RESULT)) * 1e-9)
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
