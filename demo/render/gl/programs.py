"""Programs: shaders compiled and linked, their uniforms set by name. Main thread only; needs a current context."""

from __future__ import annotations

import ctypes

import numpy as np
from OpenGL import GL

from . import gl_context, shaders
from .gpu_error import GpuError


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
        self._wanted = {*self._places, *self._uniforms}
        packed = self._uniforms.get(shaders.ARRAY.removeprefix("u_"))
        # The driver may have cut off what the shaders do not read.
        self._vectors = min(packed[2], texts.vectors) if packed else 0
        self._where = packed[0] if packed else -1
        self._packed = (ctypes.c_float * (4 * max(texts.vectors, 1)))()

    def use(self, **values: object) -> None:
        """Make this the current program and set uniforms; names the shader does not use are passed over.

        Arrays are known by identity: hand in another array, not a changed one.
        """
        if gl_context.changes("program", self._id):
            GL.glUseProgram(self._id)
        known, wanted, changed = self._values, self._wanted, False
        for name, value in values.items():
            if name not in wanted:
                continue
            before = known.get(name)
            if before is value:
                continue
            is_array = isinstance(value, np.ndarray)
            if is_array and value.size <= 4:
                value, is_array = tuple(value.tolist()), False
            # What has not changed is not sent again: most of a frame's uniforms are a scene's.
            if not is_array and before == value:
                continue
            known[name] = value
            if name not in self._places:
                _set_uniform(*self._uniforms[name], value)
                continue
            changed = True
            first, floats = self._places[name]
            if floats == 1:
                self._packed[first] = value
            else:
                self._packed[first : first + floats] = value if floats < 16 else value.T.ravel().tolist()
        if changed and self._vectors:
            GL.glUniform4fv(self._where, self._vectors, self._packed)

    def free(self) -> None:
        if self._id:
            gl_context.gone("program", self._id)
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
