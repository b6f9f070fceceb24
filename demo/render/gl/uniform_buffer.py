"""The one uniform buffer of the current context. Every block has its own place and binding point in it.

`fill` changes a block here in memory. `upload` sends all blocks to the GPU in one call, and only when some value is another
one: a buffer for each block would take two calls for each change. Main thread only; needs a current OpenGL 3.3 core context.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from . import gpu_memory
from . import opengl as GL
from .uniform_block import UniformBlock, field_views

CAPACITY_BYTES = 16_384
# OpenGL allows no driver to ask for more.
_ALIGNMENT_BYTES = 256


@dataclass
class _Buffer:
    """`name`: OpenGL's; `memory`: what is in the buffer after the next upload; `sent`: what is in it now; `used`: bytes that
    have been given to blocks."""

    name: int = 0
    memory: np.ndarray = field(default_factory=lambda: np.zeros(CAPACITY_BYTES, np.uint8))
    sent: bytes = b""
    used: int = 0
    changed: bool = False
    bindings: dict[UniformBlock, int] = field(default_factory=dict)
    views: dict[UniformBlock, dict[str, np.ndarray]] = field(default_factory=dict)


_buffer = _Buffer()


def begin() -> None:
    """Call this when another context becomes current: makes its buffer, without any block."""
    global _buffer
    _buffer = _Buffer(GL.glGenBuffers(1)[0])
    GL.glBindBuffer(GL.GL_UNIFORM_BUFFER, _buffer.name)
    GL.glBufferData(GL.GL_UNIFORM_BUFFER, CAPACITY_BYTES, None, GL.GL_STREAM_DRAW)
    gpu_memory.allocated("buffer", _buffer.name, CAPACITY_BYTES)


def binding_of(block: UniformBlock) -> int:
    """The binding point of a block, which is made if it is new. Raises ValueError when there is no room for it."""
    if block not in _buffer.bindings:
        first, size = _buffer.used, block.dtype.itemsize
        end = -(-(first + size) // _ALIGNMENT_BYTES) * _ALIGNMENT_BYTES
        if end > CAPACITY_BYTES:
            raise ValueError(f"no room for uniform block {block.name}")
        binding = len(_buffer.bindings)
        GL.glBindBufferRange(GL.GL_UNIFORM_BUFFER, binding, _buffer.name, first, size)
        _buffer.bindings[block], _buffer.used = binding, end
        _buffer.views[block] = field_views(block, _buffer.memory[first:end])
    return _buffer.bindings[block]


def fill(block: UniformBlock, values: Mapping[str, object]) -> None:
    """Set all fields of a block: numbers, sequences or arrays that broadcast to the fields' shapes.

    Raises KeyError for a name that the block does not have, ValueError for fields that are missing.
    """
    binding_of(block)
    views = _buffer.views[block]
    for name, value in values.items():
        views[name][...] = value
    if len(values) != len(views):
        raise ValueError(f"uniform block {block.name} lacks {', '.join(sorted(views.keys() - values.keys()))}")
    _buffer.changed = True


def upload() -> None:
    """Send what was filled in since the last time, if it is different."""
    if not _buffer.changed:
        return
    _buffer.changed = False
    used = _buffer.memory[: _buffer.used]
    content = used.tobytes()
    if content != _buffer.sent:
        _buffer.sent = content
        GL.glBufferData(GL.GL_UNIFORM_BUFFER, used.nbytes, GL.address(used), GL.GL_STREAM_DRAW)
