"""OpenGL's calls that take arrays, as they are made every frame.

PyOpenGL's usual forms of them look closely at what they are handed. That takes several times as long as the calls do. Main
thread only; needs a current OpenGL 3.3 core context.
"""

from __future__ import annotations

import ctypes

import numpy as np
from OpenGL.raw.GL.VERSION import GL_1_4, GL_1_5, GL_3_1

_found = (ctypes.c_uint * 1)()


def buffer_data(target: int, content: np.ndarray, usage: int) -> None:
    """Fill the buffer that is bound to `target` with the bytes of a contiguous array."""
    GL_1_5.glBufferData(target, content.nbytes, ctypes.c_void_p(content.ctypes.data), usage)


def multi_draw_arrays(mode: int, first: np.ndarray, count: np.ndarray) -> None:
    """Draw runs of vertices: contiguous int32 (k,) each."""
    GL_1_4.glMultiDrawArrays(mode, first, count, len(first))


def draw_elements_instanced(mode: int, count: int, kind: int, instances: int) -> None:
    """Draw the first `count` indices, of a type `kind`, of the buffer that is bound for them, once per instance."""
    GL_3_1.glDrawElementsInstanced(mode, count, kind, None, instances)


def query_result(query: int, name: int) -> int:
    """What a query object says, in 32 bits. `name`: of what is asked for."""
    GL_1_5.glGetQueryObjectuiv(query, name, _found)
    return int(_found[0])
