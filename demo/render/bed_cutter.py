"""The pass that cuts rivers' beds into the heights of tiles that have just been made."""

from __future__ import annotations

import numpy as np

from ..geometry.river_beds import CUT
from .gl import gl_context
from .gl import opengl as GL
from .gl.meshes import Mesh
from .gl.programs import Variants
from .shader_switches import BedSwitches

CORNER = np.dtype([("corner", np.float32, 2)])


class BedCutter:
    """Lowers heights to beds; the ground is nowhere raised, so the order of the beds does not matter."""

    def __init__(self) -> None:
        self.programs: Variants[BedSwitches] = Variants()
        self._box: Mesh | None = None

    def draw(self, switches: BedSwitches, cuts: np.ndarray) -> None:
        """Cut beds, CUT (m,), into whatever is bound, in one call."""
        if self._box is None:
            locations = {name: number for number, name in enumerate(CUT.names or (), 1)}
            self._box = Mesh({"corner": 0}, CORNER, locations, CUT, np.arange(4, dtype=np.uint16))
            corners = np.zeros(4, CORNER)
            corners["corner"] = [(0, 0), (1, 0), (0, 1), (1, 1)]
            self._box.fill(corners)
        self._box.fill_instances(cuts)
        self.programs.get(switches).use()
        gl_context.drawing(blend=gl_context.LOWEST)
        self._box.draw_instanced(GL.GL_TRIANGLE_STRIP, len(cuts))

    def free(self) -> None:
        self.programs.free()
        if self._box is not None:
            self._box.free()
