"""Shader texts: files with their includes, and the uniforms of a program packed into one array. No OpenGL here.

A frame sets some hundred uniforms, and each would be a call into the driver. So what a shader declares as single floats,
vectors and matrices becomes places in one array of vec4, which one call sends: the files stay as they would be written
anyway, and `#define`s put the places in the names' stead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ...process.assets import assets

SHADERS = assets() / "shaders"
VERSION_LINE = "#version 330 core\n"
ARRAY = "u_packed"
# Floats that a type takes; larger ones are placed first, so that none crosses the border of a vec4.
_FLOATS = {"mat4": 16, "vec4": 4, "vec3": 3, "vec2": 2, "float": 1}
_DECLARED = re.compile(r"^uniform (mat4|vec4|vec3|vec2|float) u_(\w+);", re.MULTILINE)


@dataclass(frozen=True)
class Texts:
    """What is handed to the compiler; `places`: (first float, floats) of each packed uniform in the array of `vectors`."""

    vertex: str
    fragment: str
    places: dict[str, tuple[int, int]]
    vectors: int


@cache
def source(name: str) -> str:
    """A shader file with its `#include "..."` lines replaced by the files they name."""
    text = (SHADERS / name).read_text(encoding="utf-8")
    return re.sub(r'^#include "([^"]+)"$', lambda match: source(match[1]), text, flags=re.MULTILINE)


def texts(vertex: str, fragment: str, defines: dict[str, int]) -> Texts:
    """The texts of a program from its two files and switches."""
    files = source(vertex), source(fragment)
    kinds = {name: kind for text in files for kind, name in _DECLARED.findall(text)}
    places, vectors = _places(kinds)
    header = VERSION_LINE + "".join(f"#define {name} {int(value)}\n" for name, value in defines.items())
    if vectors:
        header += f"uniform vec4 {ARRAY}[{vectors}];\n"
        header += "".join(f"#define u_{name} {_expression(*place)}\n" for name, place in places.items())
    # The line stays, so that the compiler's messages give the file's line but for the header.
    bare = [_DECLARED.sub("", text) for text in files]
    return Texts(header + bare[0], header + bare[1], places, vectors)


def _places(kinds: dict[str, str]) -> tuple[dict[str, tuple[int, int]], int]:
    places, free, end = {}, [], 0
    for name, kind in sorted(kinds.items(), key=lambda item: (-_FLOATS[item[1]], item[0])):
        floats = _FLOATS[kind]
        room = next((gap for gap in free if gap[1] >= floats), None)
        if room is None:
            room, end = [end, -(-floats // 4) * 4], end + -(-floats // 4) * 4
            free.append(room)
        places[name] = (room[0], floats)
        room[0] += floats
        room[1] -= floats
    return places, end // 4


def _expression(first: int, floats: int) -> str:
    vector, component = divmod(first, 4)
    if floats == 16:
        return "mat4(" + ", ".join(f"{ARRAY}[{vector + column}]" for column in range(4)) + ")"
    return f"{ARRAY}[{vector}]" + ("" if floats == 4 else "." + "xyzw"[component : component + floats])
