"""OpenGL's functions and constants, by their own names: `GL.glEnable(GL.GL_BLEND)`.

They are PyOpenGL's plain ones. Those of `OpenGL.GL` look closely at what they are handed, which takes several times as long
as the calls do, and importing them takes 60 ms of a start and 6 MB. Those below return what C hands back through a pointer.

OpenGL must not be imported before its context is there: PyOpenGL chooses its platform once. Main thread only.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from OpenGL.raw.GL.ARB import ES2_compatibility
from OpenGL.raw.GL.KHR import parallel_shader_compile
from OpenGL.raw.GL.VERSION import (
    GL_1_0,
    GL_1_1,
    GL_1_2,
    GL_1_3,
    GL_1_4,
    GL_1_5,
    GL_2_0,
    GL_3_0,
    GL_3_1,
    GL_3_2,
    GL_3_3,
)

# Where names are looked for.
HOMES = (
    GL_1_0,
    GL_1_1,
    GL_1_2,
    GL_1_3,
    GL_1_4,
    GL_1_5,
    GL_2_0,
    GL_3_0,
    GL_3_1,
    GL_3_2,
    GL_3_3,
    ES2_compatibility,
    parallel_shader_compile,
)
LOG_BYTES = 1 << 14
# As PyOpenGL's wrappers have it. PyOpenGL itself looks by these for the extensions of the context.
for _function in (GL_1_0.glGetString, GL_1_1.glGetString, GL_3_0.glGetStringi):
    _function.restype = ctypes.c_char_p


def __getattr__(name: str) -> Any:
    """A function or a constant; looked for once. Raises AttributeError for names that OpenGL 3.3 has not."""
    if name.startswith(("gl", "GL_")):
        for home in HOMES:
            if hasattr(home, name):
                found = globals()[name] = getattr(home, name)
                return found
    raise AttributeError(f"OpenGL 3.3 has no {name}")


# --- names of objects --------------------------------------------------------------------------------------------------


def _maker(function: Callable[..., None]) -> Callable[[int], list[int]]:
    def make(count: int) -> list[int]:
        names = (ctypes.c_uint * count)()
        function(count, names)
        return list(names)

    return make


glGenTextures = _maker(GL_1_1.glGenTextures)
glGenBuffers = _maker(GL_1_5.glGenBuffers)
glGenQueries = _maker(GL_1_5.glGenQueries)
glGenFramebuffers = _maker(GL_3_0.glGenFramebuffers)
glGenRenderbuffers = _maker(GL_3_0.glGenRenderbuffers)
glGenVertexArrays = _maker(GL_3_0.glGenVertexArrays)

# --- what is asked for -------------------------------------------------------------------------------------------------


def glGetIntegerv(what: int) -> int:
    """The first number of a state of the context."""
    found = (ctypes.c_int * 16)()
    GL_1_0.glGetIntegerv(what, found)
    return int(found[0])


def glGetProgramiv(program: int, what: int) -> int:
    """A number of a program."""
    found = (ctypes.c_int * 1)()
    GL_2_0.glGetProgramiv(program, what, found)
    return int(found[0])


def glGetShaderiv(shader: int, what: int) -> int:
    """A number of a shader."""
    found = (ctypes.c_int * 1)()
    GL_2_0.glGetShaderiv(shader, what, found)
    return int(found[0])


def glGetQueryObjectuiv(query: int, what: int) -> int:
    """A number of a query, in 32 bits."""
    found = (ctypes.c_uint * 1)()
    GL_1_5.glGetQueryObjectuiv(query, what, found)
    return int(found[0])


def glGetString(what: int) -> bytes | None:
    """A text of the context; None where the driver has none."""
    text: bytes | None = GL_1_0.glGetString(what)
    return text


def glGetStringi(what: int, number: int) -> bytes:
    """The text of that number in a list of the context's; raises IndexError where the list ends before."""
    text: bytes | None = GL_3_0.glGetStringi(what, number)
    if text is None:
        raise IndexError(number)
    return text


def glGetShaderInfoLog(shader: int) -> str:
    """What the driver says about a shader."""
    return _log(GL_2_0.glGetShaderInfoLog, shader)


def glGetProgramInfoLog(program: int) -> str:
    """What the driver says about a program."""
    return _log(GL_2_0.glGetProgramInfoLog, program)


def _log(function: Callable[..., None], name: int) -> str:
    text = ctypes.create_string_buffer(LOG_BYTES)
    function(name, LOG_BYTES, None, text)
    return text.value.decode(errors="replace")


def glGetUniformLocation(program: int, name: str) -> int:
    """Where a uniform is, -1 for none."""
    return int(GL_2_0.glGetUniformLocation(program, name.encode()))


def glGetUniformBlockIndex(program: int, name: str) -> int:
    """Where a uniform block is, GL_INVALID_INDEX for none."""
    return int(GL_3_1.glGetUniformBlockIndex(program, name.encode()))


# --- what is handed over -----------------------------------------------------------------------------------------------

# For a pointer that is an offset.
pointer = ctypes.c_void_p


def address(array: np.ndarray) -> ctypes.c_void_p:
    """For a pointer to the elements of a contiguous array, which must outlive the call."""
    return ctypes.c_void_p(array.ctypes.data)


def glShaderSource(shader: int, text: str) -> None:
    """The source of a shader."""
    source = ctypes.create_string_buffer(text.encode())
    kind = ctypes.POINTER(ctypes.c_char)
    GL_2_0.glShaderSource(shader, 1, (kind * 1)(ctypes.cast(source, kind)), None)
