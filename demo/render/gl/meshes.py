"""Vertex buffers, indices and instances. Needs a current OpenGL 3.3 core context."""

from __future__ import annotations

import numpy as np

from . import gl_context, gpu_memory
from . import opengl as GL

# OpenGL's types of fields; whole numbers are shares of the greatest of their type.
_KINDS = {
    np.dtype(np.float32): GL.GL_FLOAT,
    np.dtype(np.float16): GL.GL_HALF_FLOAT,
    np.dtype(np.int16): GL.GL_SHORT,
    np.dtype(np.uint16): GL.GL_UNSIGNED_SHORT,
    np.dtype(np.uint8): GL.GL_UNSIGNED_BYTE,
}


class Mesh:
    """Vertices in one buffer, bound by the field names of its structured dtype; optionally indices and instances.

    `vertex` and `instance` map field names to attribute locations. Instance fields advance once per instance. To shaders,
    whole numbers in fields are shares of the greatest of their type.
    """

    def __init__(self, vertex: dict[str, int], vertex_dtype: np.dtype, instance: dict[str, int] | None = None,
                 instance_dtype: np.dtype | None = None, indices: np.ndarray | None = None) -> None:  # fmt: skip
        self._array = GL.glGenVertexArrays(1)[0]
        self._buffers = GL.glGenBuffers(3)
        self.vertex_dtype, self.instance_dtype = vertex_dtype, instance_dtype
        self.index_count = 0 if indices is None else indices.size
        self._bind()
        self._attributes(self._buffers[0], vertex, vertex_dtype, 0)
        if instance is not None and instance_dtype is not None:
            self._attributes(self._buffers[1], instance, instance_dtype, 1)
        if indices is not None:
            GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, self._buffers[2])
            GL.glBufferData(GL.GL_ELEMENT_ARRAY_BUFFER, indices.nbytes, GL.address(indices), GL.GL_STATIC_DRAW)
            gpu_memory.allocated("buffer", self._buffers[2], indices.nbytes)

    def _bind(self) -> None:
        if gl_context.changes("vertex_array", self._array):
            GL.glBindVertexArray(self._array)

    @staticmethod
    def _attributes(buffer: int, locations: dict[str, int], dtype: np.dtype, divisor: int) -> None:
        fields = dtype.fields
        assert fields is not None, "vertices are records"
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer)
        for name, location in locations.items():
            field, offset = fields[name][:2]
            count = int(np.prod(field.shape, dtype=int)) if field.shape else 1
            kind, whole = _KINDS[field.base], field.base.kind in "iu"
            GL.glEnableVertexAttribArray(location)
            GL.glVertexAttribPointer(location, count, kind, whole, dtype.itemsize, GL.pointer(offset))
            GL.glVertexAttribDivisor(location, divisor)

    def fill(self, vertices: np.ndarray, stream: bool = False) -> None:
        """Replace the vertices; raises ValueError when the dtype is not this mesh's."""
        self._fill(0, vertices, self.vertex_dtype, stream)

    def fill_instances(self, instances: np.ndarray) -> None:
        """Replace the instances; raises ValueError when the dtype is not this mesh's."""
        self._fill(1, instances, self.instance_dtype, True)

    def _fill(self, which: int, array: np.ndarray, dtype: np.dtype | None, stream: bool) -> None:
        if array.dtype != dtype or not array.flags.c_contiguous:
            raise ValueError(f"buffer takes contiguous {dtype}, not {array.dtype}")
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self._buffers[which])
        usage = GL.GL_STREAM_DRAW if stream else GL.GL_STATIC_DRAW
        GL.glBufferData(GL.GL_ARRAY_BUFFER, array.nbytes, GL.address(array), usage)
        gpu_memory.allocated("buffer", self._buffers[which], array.nbytes)

    def draw(self, mode: int, count: int) -> None:
        """Draw the first `count` vertices."""
        self._bind()
        GL.glDrawArrays(mode, 0, count)

    def draw_parts(self, mode: int, first: np.ndarray, count: np.ndarray) -> None:
        """Draw several runs of vertices in one call: integers (k,) each."""
        self._bind()
        GL.glMultiDrawArrays(mode, first.astype(np.int32), count.astype(np.int32), len(first))

    def draw_instanced(self, mode: int, instances: int) -> None:
        """Draw all indices, once per instance."""
        self._bind()
        GL.glDrawElementsInstanced(mode, self.index_count, GL.GL_UNSIGNED_SHORT, None, instances)

    def free(self) -> None:
        if self._array:
            gl_context.gone("vertex_array", self._array)
            GL.glDeleteVertexArrays(1, [self._array])
            GL.glDeleteBuffers(3, self._buffers)
            for buffer in self._buffers:
                gpu_memory.released("buffer", buffer)
            self._array = 0


def screen_triangle() -> Mesh:
    """One triangle that covers the picture."""
    dtype = np.dtype([("corner", np.float32, 2)])
    mesh = Mesh({"corner": 0}, dtype)
    corners = np.zeros(3, dtype)
    corners["corner"] = [(-1, -1), (3, -1), (-1, 3)]
    mesh.fill(corners)
    return mesh
