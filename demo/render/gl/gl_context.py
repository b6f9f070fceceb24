"""The state of the current context. Everyone who draws sets all they need; only what changes is sent to the driver.

Main thread only; needs a current OpenGL 3.3 core context.
"""

from __future__ import annotations

from . import gpu_memory, living_programs, uniform_buffer
from . import opengl as GL
from .gpu_error import GpuError

# Blending: factors of the new and the old colour, and of their alphas. New colours are premultiplied by their alpha in OVER,
# and not in STRAIGHT_OVER, which keeps the old alpha.
OVER = (GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA)
ADD = (GL.GL_ONE, GL.GL_ONE, GL.GL_ONE, GL.GL_ONE)
STRAIGHT_OVER = (GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
# The lower value of new and old stays, whatever the factors.
LOWEST = (GL.GL_ONE, GL.GL_ZERO, GL.GL_ONE, GL.GL_ZERO)
# Depth tests.
NEARER, NEARER_OR_AS_FAR = GL.GL_LESS, GL.GL_LEQUAL
# As OpenGL 4.5 and the extensions for robustness have it.
CONTEXT_LOST = 0x0507
# Stencil: pixels that are drawn are marked with a number; only those that are marked with it are drawn, once.
MARK, MARKED = (GL.GL_ALWAYS, GL.GL_REPLACE), (GL.GL_EQUAL, GL.GL_ZERO)
# The sides of triangles.
FRONT, BACK = GL.GL_FRONT, GL.GL_BACK

# What was set here, by name.
_set: dict[str, object] = {}
# The extensions of the context, once somebody has asked for one.
_extensions: set[str] = set()
# The unit of each bound texture, the least recently used first; the free units; and the active one. A texture keeps its unit
# until all are taken: OpenGL 3.3 has 48, and a program reads 16 at most.
UNITS = 48
_units: dict[int, int] = {}
_spare: list[int] = []
_active = 0


def begin() -> None:
    """Call this when another context becomes current: nothing is known of it, and all objects have gone with the old one."""
    global _active
    gpu_memory.forget()
    living_programs.forget()
    uniform_buffer.begin()
    _set.clear()
    _extensions.clear()
    _units.clear()
    _spare[:] = range(UNITS)
    GL.glActiveTexture(GL.GL_TEXTURE0)
    _active = 0
    # PyOpenGL does not find the function where it was imported for another platform than that of the context.
    if has("GL_KHR_parallel_shader_compile") and GL.glMaxShaderCompilerThreadsKHR:
        # As many threads as the driver likes. Unless it is told so, NVIDIA's compiles in the thread that asks.
        GL.glMaxShaderCompilerThreadsKHR(0xFFFFFFFF)
    # Needed for points, and without effect on all else.
    GL.glEnable(GL.GL_PROGRAM_POINT_SIZE)
    GL.glEnable(GL.GL_SCISSOR_TEST)


def describe() -> dict[str, str]:
    """`vendor`, `renderer` and `version` of the current context."""
    names = {"vendor": GL.GL_VENDOR, "renderer": GL.GL_RENDERER, "version": GL.GL_VERSION}
    return {key: (GL.glGetString(name) or b"unknown").decode(errors="replace") for key, name in names.items()}


def has(extension: str) -> bool:
    """Whether the current context has an extension, by its whole name."""
    if not _extensions:
        _extensions.update(
            GL.glGetStringi(GL.GL_EXTENSIONS, number).decode() for number in range(GL.glGetIntegerv(GL.GL_NUM_EXTENSIONS))
        )
    return extension in _extensions


def finish() -> None:
    """Wait until the GPU has drawn everything."""
    GL.glFinish()


def check() -> None:
    """Raises GpuError when the driver has said that the context is lost, or that there is no memory left."""
    error = GL.glGetError()
    if error == CONTEXT_LOST:
        raise GpuError("the graphics driver was reset, and the picture is lost: start again")
    if error == GL.GL_OUT_OF_MEMORY:
        raise GpuError("the graphics driver has no memory left: choose a smaller size or a lower quality")


def changes(name: str, value: object) -> bool:
    """Set a value; whether it is different from the last one."""
    if _set.get(name) == value:
        return False
    _set[name] = value
    return True


def drawing(
    depth: int | None = None,
    keep_depth: bool = False,
    blend: tuple[int, int, int, int] | None = None,
    lines: bool = False,
    culled: int | None = None,
    stencil: tuple[tuple[int, int], int] | None = None,
) -> None:
    """How the next meshes are drawn. Everyone who draws calls this, so that nobody has to restore anything.

    `depth`: the depth test, None for none. `keep_depth`: whether depths are written. `blend`: None to replace what is there.
    `lines`: the edges of triangles alone. `culled`: the side of triangles that is left out, None for neither.
    `stencil`: MARK or MARKED, and the number; None for none.
    """
    if changes("depth", depth is not None):
        (GL.glEnable if depth is not None else GL.glDisable)(GL.GL_DEPTH_TEST)
    if depth is not None and changes("depth_func", depth):
        GL.glDepthFunc(depth)
    write_depth(keep_depth)
    if changes("blend", blend is not None):
        (GL.glEnable if blend else GL.glDisable)(GL.GL_BLEND)
    if blend and changes("blend_func", blend):
        GL.glBlendFuncSeparate(*blend)
    if blend and changes("blend_equation", blend == LOWEST):
        GL.glBlendEquation(GL.GL_MIN if blend == LOWEST else GL.GL_FUNC_ADD)
    if changes("lines", lines):
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_LINE if lines else GL.GL_FILL)
    if changes("cull", culled is not None):
        (GL.glEnable if culled is not None else GL.glDisable)(GL.GL_CULL_FACE)
    if culled is not None and changes("culled", culled):
        GL.glCullFace(culled)
    if changes("stencil", stencil is not None):
        (GL.glEnable if stencil else GL.glDisable)(GL.GL_STENCIL_TEST)
    if stencil:
        (test, passed), number = stencil
        if changes("stencil_func", (test, number)):
            GL.glStencilFunc(test, number, 0xFF)
        if changes("stencil_op", passed):
            GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, passed)


def write_depth(wanted: bool) -> None:
    """Whether depths are written; a clear needs that too."""
    if changes("depth_mask", wanted):
        GL.glDepthMask(GL.GL_TRUE if wanted else GL.GL_FALSE)


def gone(name: str, value: object) -> None:
    """The object that a setting may name is being deleted: the driver may give its number to the next one."""
    if _set.get(name) == value:
        del _set[name]


def unit_of(texture: int, target: int) -> int:
    """Bind a texture to a unit, unless it is bound to one; returns the unit."""
    unit = _units.pop(texture, None)
    if unit is None:
        unit = _spare.pop(0) if _spare else _units.pop(next(iter(_units)))
        use_unit(unit)
        GL.glBindTexture(target, texture)
    _units[texture] = unit
    return unit


def texture_gone(texture: int) -> None:
    """A texture is being deleted: the driver may give its number to the next one."""
    if texture in _units:
        _spare.append(_units.pop(texture))


def use_unit(unit: int) -> None:
    """Make a unit the one that texture calls act on."""
    global _active
    if _active != unit:
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        _active = unit


def bind_framebuffer(framebuffer: int) -> None:
    """Draw into a framebuffer from now on."""
    if changes("framebuffer", framebuffer):
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)


def bind_for_copy(source: int, onto: int) -> None:
    """Read from one framebuffer and draw into another, until the next one is bound for both."""
    bind_framebuffer(source)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, onto)
    del _set["framebuffer"]


def frame(width: int, height: int) -> None:
    """Draw, and clear, on the lower left width x height pixels alone: a viewport by itself does not bound a clear."""
    if changes("frame", (width, height)):
        GL.glViewport(0, 0, width, height)
        GL.glScissor(0, 0, width, height)
