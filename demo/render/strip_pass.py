"""The pass that draws triangle strips of lines over a surface: rivers, and the lines of maps."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np

from .gl import gl_context
from .gl import opengl as GL
from .gl.meshes import Mesh
from .gl.programs import ShaderSwitches, Variants

Switches = TypeVar("Switches", bound=ShaderSwitches)


class StripPass(Generic[Switches]):
    """What all lines of one kind share: the programs."""

    def __init__(self) -> None:
        self.programs: Variants[Switches] = Variants()

    def draw(self, switches: Switches, mesh: Mesh, first: np.ndarray, count: np.ndarray, units: dict[str, int]) -> None:
        """Draw strips of `mesh`: `first`, `count` (k,). `units`: of the samplers."""
        self.programs.get(switches).use(**units)
        gl_context.drawing(gl_context.NEARER_OR_AS_FAR, blend=gl_context.STRAIGHT_OVER)
        mesh.draw_parts(GL.GL_TRIANGLE_STRIP, first, count)

    def free(self) -> None:
        self.programs.free()
