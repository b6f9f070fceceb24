"""Programs: shaders compiled and linked. Main thread only; needs a current OpenGL 3.3 core context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Generic, TypeVar

import numpy as np
from OpenGL import GL

from . import gl_context, shaders, uniform_buffer
from .gpu_error import GpuError
from .uniform_block import UniformBlock


class Program:
    """A linked vertex and fragment shader. It reads uniform blocks, textures, and nothing else."""

    def __init__(
        self, vertex: str, fragment: str, blocks: Sequence[UniformBlock] = (), defines: Mapping[str, int] | None = None
    ) -> None:
        """`vertex`, `fragment`: files in assets/shaders. `blocks`: those that they read. `defines`: compile-time switches.

        Raises GpuError when the driver cannot compile or link them.
        """
        self._id = GL.glCreateProgram()
        stages = ((GL.GL_VERTEX_SHADER, vertex), (GL.GL_FRAGMENT_SHADER, fragment))
        parts = [_compile(kind, name, shaders.text(name, blocks, defines or {})) for kind, name in stages]
        for shader in parts:
            GL.glAttachShader(self._id, shader)
        GL.glLinkProgram(self._id)
        if not GL.glGetProgramiv(self._id, GL.GL_LINK_STATUS):
            raise GpuError(f"{vertex} + {fragment}: {_log(GL.glGetProgramInfoLog(self._id))}")
        for shader in parts:
            GL.glDeleteShader(shader)
        self._bind_blocks(blocks)
        self._samplers = self._active_samplers()
        self._units: dict[str, int] = {}

    def _bind_blocks(self, blocks: Sequence[UniformBlock]) -> None:
        for block in blocks:
            index = GL.glGetUniformBlockIndex(self._id, block.name)
            if index != GL.GL_INVALID_INDEX:
                GL.glUniformBlockBinding(self._id, index, uniform_buffer.binding_of(block))

    def _active_samplers(self) -> dict[str, int]:
        """Location by name, without the shaders' `u_`."""
        found = {}
        for index in range(GL.glGetProgramiv(self._id, GL.GL_ACTIVE_UNIFORMS)):
            name = _log(GL.glGetActiveUniform(self._id, index)[0])
            location = int(GL.glGetUniformLocation(self._id, name))
            # Members of blocks have no location.
            if location >= 0:
                found[name.removeprefix("u_")] = location
        return found

    def use(self, **units: int) -> None:
        """Make this the current program, with the uniform blocks as they were last filled.

        `units`: texture unit of each sampler; those that the shaders do not read are passed over.
        """
        if gl_context.changes("program", self._id):
            GL.glUseProgram(self._id)
        for name, unit in units.items():
            if name in self._samplers and self._units.get(name) != unit:
                self._units[name] = unit
                GL.glUniform1i(self._samplers[name], unit)
        uniform_buffer.upload()

    def free(self) -> None:
        if self._id:
            gl_context.gone("program", self._id)
            GL.glDeleteProgram(self._id)
            self._id = 0


@dataclass(frozen=True)
class ShaderSwitches:
    """Compile-time switches of a pair of shaders: a field `x` is their `#define X`, an int or 0 and 1 for a bool.

    A software renderer works through both sides of every branch: so what is the same all over a draw is a switch.
    """

    vertex: ClassVar[str]
    fragment: ClassVar[str]

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        """Those that the shaders read with these switches."""
        raise NotImplementedError

    @property
    def defines(self) -> dict[str, int]:
        """For `Program`."""
        return {field.name.upper(): int(getattr(self, field.name)) for field in fields(self)}


S = TypeVar("S", bound=ShaderSwitches)


class Variants(Generic[S]):
    """The programs of a pair of shaders, one for each set of switches."""

    def __init__(self) -> None:
        self._programs: dict[S, Program] = {}

    def get(self, switches: S) -> Program:
        """The program with these switches, compiled when it is first wanted."""
        if switches not in self._programs:
            self._programs[switches] = Program(switches.vertex, switches.fragment, switches.blocks, switches.defines)
        return self._programs[switches]

    def free(self) -> None:
        for program in self._programs.values():
            program.free()
        self._programs.clear()


def _compile(kind: int, name: str, text: str) -> int:
    shader = GL.glCreateShader(kind)
    GL.glShaderSource(shader, text)
    GL.glCompileShader(shader)
    if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
        raise GpuError(f"{name}: {_log(GL.glGetShaderInfoLog(shader))}")
    return shader


def _log(raw: object) -> str:
    if isinstance(raw, np.ndarray):
        raw = raw.tobytes()
    return raw.decode(errors="replace").rstrip("\0") if isinstance(raw, bytes) else str(raw)
