"""Shader texts: files with their includes, behind the version, the switches and the uniform blocks. No OpenGL here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from ...process.assets import assets
from .uniform_block import UniformBlock

SHADERS = assets() / "shaders"
VERSION_LINE = "#version 330 core\n"


@cache
def source(name: str) -> str:
    """A shader file with its `#include "..."` lines replaced by the files they name."""
    text = (SHADERS / name).read_text(encoding="utf-8")
    return re.sub(r'^#include "([^"]+)"$', lambda match: source(match[1]), text, flags=re.MULTILINE)


def text(name: str, blocks: Sequence[UniformBlock], defines: Mapping[str, int]) -> str:
    """What the compiler is given for a shader file. Its messages count lines from the file's own first line."""
    switches = "".join(f"#define {switch} {int(value)}\n" for switch, value in defines.items())
    return VERSION_LINE + switches + "".join(block.glsl for block in blocks) + "#line 1\n" + source(name)
