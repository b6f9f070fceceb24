"""Programs: shaders compiled and linked. Main thread only; needs a current OpenGL 3.3 core context."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Generic, TypeVar

from . import gl_context, living_programs, shaders, uniform_buffer
from . import opengl as GL
from .gpu_error import GpuError
from .uniform_block import UniformBlock


class Program:
    """A vertex and a fragment shader. It reads uniform blocks, textures, and nothing else.

    It is made without waiting for the driver, which may compile and link it in threads of its own; its first use waits.
    """

    def __init__(
        self,
        vertex: str,
        fragment: str,
        blocks: Sequence[UniformBlock] = (),
        defines: Mapping[str, int] | None = None,
        let_go: Callable[[], None] | None = None,
    ) -> None:
        """`vertex`, `fragment`: files in assets/shaders. `blocks`: those that they read. `defines`: compile-time switches.

        `let_go`: frees the program when others need its room; None: it stays until its owner frees it.
        """
        living_programs.make_room()
        stages = ((GL.GL_VERTEX_SHADER, vertex), (GL.GL_FRAGMENT_SHADER, fragment))
        self._linking: Linking | None = Linking(
            [(kind, name, shaders.text(name, blocks, defines or {})) for kind, name in stages]
        )
        self._id, self._blocks, self._let_go = self._linking.program, blocks, let_go
        living_programs.born(self._id, let_go)
        # Location by sampler, asked for when it is first set; -1 where the shaders do not read it.
        self._samplers: dict[str, int] = {}
        self._units: dict[str, int] = {}

    @property
    def is_linked(self) -> bool:
        """Whether its first use need not wait for the driver; always where the driver cannot say."""
        return self._linking is None or self._linking.is_over

    @property
    def was_used(self) -> bool:
        """Whether it has been drawn with."""
        return self._linking is None

    def _link(self) -> None:
        """Wait until it is linked. Raises GpuError when the driver rejects it, of which nothing is left then."""
        linking, self._linking = self._linking, None
        assert linking is not None
        try:
            linking.end()
        except BaseException:
            (self._let_go or self.free)()
            raise
        self._bind_blocks(self._blocks)

    def _bind_blocks(self, blocks: Sequence[UniformBlock]) -> None:
        for block in blocks:
            index = GL.glGetUniformBlockIndex(self._id, block.name)
            if index != GL.GL_INVALID_INDEX:
                GL.glUniformBlockBinding(self._id, index, uniform_buffer.binding_of(block))

    def _sampler(self, name: str) -> int:
        if name not in self._samplers:
            self._samplers[name] = GL.glGetUniformLocation(self._id, f"u_{name}")
        return self._samplers[name]

    def use(self, **units: int) -> None:
        """Make this the current program, with the uniform blocks as they were last filled.

        `units`: texture unit of each sampler; those that the shaders do not read are passed over. Raises GpuError when the
        driver cannot compile or link it.
        """
        if self._linking:
            self._link()
        living_programs.used(self._id)
        if gl_context.changes("program", self._id):
            GL.glUseProgram(self._id)
        for name, unit in units.items():
            if self._units.get(name) != unit:
                self._units[name] = unit
                if self._sampler(name) >= 0:
                    GL.glUniform1i(self._sampler(name), unit)
        uniform_buffer.upload()

    def keep(self) -> None:
        """The program will be needed soon: others go before it."""
        living_programs.used(self._id)

    def free(self) -> None:
        if self._linking:
            self._linking.drop()
            self._linking = None
        if self._id:
            gl_context.gone("program", self._id)
            living_programs.gone(self._id)
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
    """The programs of a pair of shaders, one for each set of switches. Those that nobody has used for long may go."""

    def __init__(self) -> None:
        self._programs: dict[S, Program] = {}

    def get(self, switches: S) -> Program:
        """The program with these switches; the driver begins to compile it when it is first wanted."""
        if switches not in self._programs:
            self._programs[switches] = Program(
                switches.vertex, switches.fragment, switches.blocks, switches.defines, lambda: self._let_go(switches)
            )
        return self._programs[switches]

    def keep(self, switches: S) -> bool:
        """Whether the program with these switches has been used, and will be needed soon: others go before it."""
        program = self._programs.get(switches)
        if program:
            program.keep()
        return program is not None and program.was_used

    def _let_go(self, switches: S) -> None:
        self._programs.pop(switches).free()

    def free(self) -> None:
        for program in self._programs.values():
            program.free()
        self._programs.clear()


class Linking:
    """A program that the driver compiles and links: who asks how it went waits for it, so nobody asks before the end."""

    def __init__(self, stages: Sequence[tuple[int, str, str]]) -> None:
        """`stages`: kind, file and text of each shader."""
        self.program = int(GL.glCreateProgram())
        self._names = [name for _, name, _ in stages]
        self._shaders: list[int] = []
        for kind, _, text in stages:
            shader = GL.glCreateShader(kind)
            self._shaders.append(shader)
            GL.glShaderSource(shader, text)
            GL.glCompileShader(shader)
            GL.glAttachShader(self.program, shader)
        GL.glLinkProgram(self.program)

    @property
    def is_over(self) -> bool:
        """Whether `end` need not wait; always where the driver cannot say."""
        if not gl_context.has("GL_KHR_parallel_shader_compile"):
            return True
        return bool(GL.glGetProgramiv(self.program, GL.GL_COMPLETION_STATUS_KHR))

    def end(self) -> None:
        """Waits until the program is linked. Raises GpuError when the driver rejects it; it is the caller's to delete."""
        try:
            if not GL.glGetProgramiv(self.program, GL.GL_LINK_STATUS):
                for shader, name in zip(self._shaders, self._names, strict=True):
                    if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
                        raise GpuError(_rejected(name, GL.glGetShaderInfoLog(shader)))
                raise GpuError(_rejected(" + ".join(self._names), GL.glGetProgramInfoLog(self.program)))
        finally:
            self.drop()

    def drop(self) -> None:
        """Let go of the shaders: one lasts as long as it is attached, and with it all that its compiler knew of it."""
        for shader in self._shaders:
            GL.glDetachShader(self.program, shader)
            GL.glDeleteShader(shader)
        self._shaders.clear()


def rest_compiler() -> None:
    """Have the driver let go of what its compiler keeps from one program to the next: the functions of the language are 6 MB
    in Mesa. The next program takes some milliseconds longer.
    """
    if GL.glReleaseShaderCompiler:
        GL.glReleaseShaderCompiler()


def _rejected(files: str, log: str) -> str:
    """One line for a shader that the driver does not take; its messages go on for pages."""
    reason = next((line.strip() for line in log.splitlines() if line.strip()), "it does not say why")
    return f"the graphics driver rejects the shader {files} ({reason}): update the driver, or install Mesa's"
