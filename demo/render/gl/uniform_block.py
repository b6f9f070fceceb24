"""Uniform blocks: their fields, the GLSL that declares them, and their layout in memory (std140). No OpenGL here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class _Type(NamedTuple):
    """A GLSL type: numpy's dtype and shape of a value, and its alignment in bytes."""

    dtype: type[np.generic]
    shape: tuple[int, ...]
    alignment: int

    @property
    def bytes(self) -> int:
        return 4 * int(np.prod(self.shape, dtype=int))


_TYPES = {
    "float": _Type(np.float32, (), 4),
    "int": _Type(np.int32, (), 4),
    "vec2": _Type(np.float32, (2,), 8),
    "vec3": _Type(np.float32, (3,), 16),
    "vec4": _Type(np.float32, (4,), 16),
    "mat4": _Type(np.float32, (4, 4), 16),
}
# Elements of arrays, and whole blocks, begin at multiples of this many bytes.
_VEC4_BYTES = 16


@dataclass(frozen=True, eq=False)
class UniformBlock:
    """Uniforms that are sent together: `fields` maps their names, without the shaders' `u_`, to GLSL types.

    Types are float, int, vec2, vec3, vec4, mat4, and arrays of them ("vec3[8]").
    """

    name: str
    fields: Mapping[str, str]

    @property
    def glsl(self) -> str:
        """The declaration for a shader. Fields are global names there, each with `u_` before it."""
        lines = (f"    {_declared(kind, name)}" for name, kind in self.fields.items())
        return f"layout(std140) uniform {self.name} {{\n" + "\n".join(lines) + "\n};\n"

    @property
    def dtype(self) -> np.dtype:
        """One record of all fields, at the offsets that std140 gives them (OpenGL 3.3, section 2.11.4).

        An element of an array takes a multiple of 16 bytes, so it is a record of its own with the one field `value`. A mat4
        is stored by columns.
        """
        names, formats, offsets, end = [], [], [], 0
        for name, kind in self.fields.items():
            dtype, size, alignment = _field(kind)
            names.append(name)
            formats.append(dtype)
            offsets.append(_rounded_up(end, alignment))
            end = offsets[-1] + size
        itemsize = _rounded_up(end, _VEC4_BYTES)
        return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": itemsize})


def field_views(block: UniformBlock, memory: np.ndarray) -> dict[str, np.ndarray]:
    """Views of a block's fields in `memory`, uint8 (at least the block's bytes,): assign to `view[...]`.

    Shapes are those of the GLSL types: () for a float, (3,) for a vec3, (4, 4) for a mat4, (8, 3) for a vec3[8].
    """
    record = memory[: block.dtype.itemsize].view(block.dtype)
    views = {}
    for name, kind in block.fields.items():
        view = record[name][0, ...]
        if "[" in kind:
            view = view["value"]
        views[name] = view.T if kind.startswith("mat4") else view
    return views


def _field(kind: str) -> tuple[np.dtype, int, int]:
    """(dtype, bytes, alignment) of a field."""
    element, _, count = kind.rstrip("]").partition("[")
    one = _TYPES[element]
    if not count:
        return np.dtype((one.dtype, one.shape)), one.bytes, one.alignment
    stride = _rounded_up(one.bytes, _VEC4_BYTES)
    cell = np.dtype({"names": ["value"], "formats": [(one.dtype, one.shape)], "offsets": [0], "itemsize": stride})
    return np.dtype((cell, (int(count),))), stride * int(count), _VEC4_BYTES


def _declared(kind: str, name: str) -> str:
    element, bracket, count = kind.partition("[")
    return f"{element} u_{name}{bracket}{count};"


def _rounded_up(value: int, step: int) -> int:
    return -(-value // step) * step
